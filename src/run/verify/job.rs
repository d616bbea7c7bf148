//! Two games of a journal: played through by the rules, and searched again.

use crate::arena::{PairHalf, PlayerSpec};
use crate::evolve::Pairing;
use crate::params::Params;
use crate::run::proof::present_engine;
use crate::run::worker::{Measurement, RunWorker};
use crate::store::{MatchIdentity, MatchRecord, MeasuredPair, Purpose, RecordError, StoredGame};

/// Two games to be looked at.
pub(super) struct Job {
    pub(super) played: Played,
    /// Whether they are searched again.
    pub(super) again: bool,
}

/// What was saved, and what it takes to play it again.
pub(super) enum Played {
    Match(Pairing, MatchRecord),
    Pair(Measurement, MeasuredPair),
    /// A pair against a player of the panel, which is there where this program
    /// can play it.
    Panel(Measurement, MeasuredPair, Option<Box<PlayerSpec>>),
}

impl Played {
    /// The signature of the panel's engine that this program does not know, and
    /// that of its own for the same player.
    pub(super) fn unknown_engine(&self) -> Option<(u64, u64)> {
        match self {
            Played::Panel(_, pair, None) => match pair.purpose {
                Purpose::Panel { engine } => Some((engine, present_engine(&pair.opponent))),
                Purpose::Certificate | Purpose::Hall => None,
            },
            _ => None,
        }
    }

    /// Whether a player failed in one of the games.
    pub(super) fn has_fault(&self) -> bool {
        let games = match self {
            Played::Match(_, record) => &record.games,
            Played::Pair(_, pair) | Played::Panel(_, pair, _) => &pair.games,
        };
        games.iter().any(StoredGame::has_fault)
    }
}

/// Games as they were saved or searched again, with the seed of their opening.
type SeededGames = (u64, [StoredGame; 2]);

impl Job {
    /// What is wrong with it; `None` where it was stopped.
    pub(super) fn check(
        &self,
        worker: Option<&mut RunWorker<'_>>,
        params: &Params,
    ) -> Option<Vec<String>> {
        let mut found = Vec::new();
        if let Played::Match(pairing, record) = &self.played
            && record.is_final != pairing.is_final
        {
            found.push(format!(
                "{}: it is said to be in the final or not, wrongly",
                record.name()
            ));
        }
        let (name, records) = match &self.played {
            Played::Match(_, record) => (record.name(), record.game_records()),
            Played::Pair(_, pair) | Played::Panel(_, pair, _) => (pair.name(), pair.game_records()),
        };
        match records {
            Err(error) => found.push(error.to_string()),
            Ok(records) => {
                for (n, record) in records.iter().enumerate() {
                    if let Err(error) = record.replay(&params.rules) {
                        found.push(format!("{name}, game {}: {error}", n + 1));
                    }
                }
            }
        }
        let Some(worker) = worker.filter(|_| self.again) else {
            return Some(found);
        };
        let mut games = Vec::new();
        for half in PairHalf::BOTH {
            let played = match &self.played {
                Played::Match(pairing, _) => worker.play_match(pairing, half),
                Played::Pair(measurement, _) => worker.play_measurement(measurement, half),
                Played::Panel(_, _, None) => return Some(found),
                Played::Panel(measurement, _, Some(opponent)) => {
                    worker.play_panel(measurement, opponent, half)
                }
            };
            match played? {
                Ok(record) => games.push(record),
                Err(error) => {
                    found.push(format!("{name}: {error}"));
                    return Some(found);
                }
            }
        }
        let games: Result<[_; 2], _> = games.try_into();
        let Ok(games) = games else {
            return Some(found);
        };
        let again: Result<SeededGames, RecordError> = match &self.played {
            Played::Match(pairing, _) => {
                MatchRecord::new(pairing, &games).map(|now| (now.seed, now.games))
            }
            Played::Pair(_, pair) | Played::Panel(_, pair, _) => {
                let identity: MatchIdentity<'_> = pair.identity();
                let now = MeasuredPair::new(&identity, pair.number, &games);
                now.map(|now| (now.seed, now.games))
            }
        };
        let (seed, stored) = match &self.played {
            Played::Match(_, record) => (record.seed, &record.games),
            Played::Pair(_, pair) | Played::Panel(_, pair, _) => (pair.seed, &pair.games),
        };
        match again {
            Err(error) => found.push(error.to_string()),
            Ok((now_seed, now)) => found.extend(difference(&name, [seed, now_seed], stored, &now)),
        }
        Some(found)
    }
}

/// How games that were searched again differ from the stored ones.
fn difference(
    name: &str,
    [seed, now_seed]: [u64; 2],
    stored: &[StoredGame; 2],
    now: &[StoredGame; 2],
) -> Option<String> {
    if seed != now_seed {
        return Some(format!(
            "{name}: its opening has the seed {seed}, it should be {now_seed}"
        ));
    }
    for (n, (stored, now)) in stored.iter().zip(now).enumerate() {
        let game = n + 1;
        let plies = stored.moves.iter().zip(&now.moves);
        if let Some(ply) = plies.clone().position(|(stored, now)| stored != now) {
            return Some(format!(
                "{name}, game {game}: searched again, it goes another way at ply {}",
                ply + 1
            ));
        }
        if stored != now {
            let what = if stored.moves.len() == now.moves.len() {
                "the moves are the same, but not the values, nodes or result"
            } else {
                "it is of another length"
            };
            return Some(format!("{name}, game {game}: searched again, {what}"));
        }
    }
    None
}
