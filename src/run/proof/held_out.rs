//! One match on held-out openings: the same on every machine, whatever the
//! number of threads.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use super::panel::certified_player;
use crate::arena::external::Timeouts;
use crate::arena::match_runner::{Ended, MatchError, MatchRunner};
use crate::arena::openings::RandomOpenings;
use crate::arena::panel::PanelError;
use crate::arena::schedule::Schedule;
use crate::arena::spec::PlayerKind;
use crate::arena::{GameRecord, MoveLimits, Openings, PlayerSpec, Summary};
use crate::eval::Weights;
use crate::random::Stream;
use crate::search::EngineVersion;
use crate::stats::Tally;
use crate::weights::{Certificate, Conditions};

/// A player of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Contestant<'a> {
    /// The name in game records.
    pub name: &'a str,
    /// The weights of its evaluation.
    pub weights: &'a Weights,
}

/// Plays `games` games, rounded down to pairs, of the first contestant against
/// the second. The tally is the first one's; `None` where `watch` interrupted.
///
/// # Errors
/// Where the games cannot be played.
///
/// `watch` is called several times a second with the number of games that are
/// over and the tally of the pairs that are counted, and interrupts by saying
/// so.
pub fn play_match(
    contestants: [Contestant<'_>; 2],
    conditions: &Conditions,
    games: u64,
    threads: usize,
    watch: &mut dyn FnMut(u64, &Tally) -> ControlFlow<()>,
) -> Result<Option<Tally>, MatchError> {
    let version = EngineVersion::PRESENT;
    let players = contestants.map(|contestant| player(contestant, conditions, version));
    play_players(&players, conditions, games, threads, watch)
}

/// [`play_match`] of any two players.
fn play_players(
    players: &[PlayerSpec; 2],
    conditions: &Conditions,
    games: u64,
    threads: usize,
    watch: &mut dyn FnMut(u64, &Tally) -> ControlFlow<()>,
) -> Result<Option<Tally>, MatchError> {
    let summary = RefCell::new(Summary::default());
    let mut count = |_, pair: &[GameRecord; 2]| {
        summary.borrow_mut().add(pair);
        ControlFlow::Continue(())
    };
    let mut waiting = |games| watch(games, &summary.borrow().tally);
    let pairs = 0..games / 2;
    let ended = play_pairs(
        players,
        conditions,
        pairs,
        threads,
        &mut count,
        &mut waiting,
    )?;
    Ok((ended == Ended::Complete).then(|| summary.into_inner().tally))
}

/// Plays some pairs of a match; they are the same
/// whether or not those before them are played. `count` is given each pair with
/// its number, in order, and ends the match by a break; `waiting` is called
/// several times a second with the number of games that are over, and interrupts
/// by a break.
///
/// # Errors
/// Where the games cannot be played.
pub(super) fn play_pairs(
    players: &[PlayerSpec; 2],
    conditions: &Conditions,
    pairs: Range<u64>,
    threads: usize,
    count: &mut dyn FnMut(u64, &[GameRecord; 2]) -> ControlFlow<()>,
    waiting: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Ended, MatchError> {
    let random = RandomOpenings {
        plies: conditions.openings.plies,
        bound: conditions.openings.bound,
    };
    let length = pairs.end.saturating_sub(pairs.start);
    let runner = MatchRunner {
        players,
        schedule: &Schedule::single_match(length).from_opening(pairs.start),
        openings: &Openings::random(random, conditions.seed, Stream::Certificate),
        rules: conditions.rules,
        threads,
    };
    runner.play(&mut |pair| count(pair.pair.opening, &pair.games), waiting)
}

/// Plays the matches of a certificate again, each as long as it says, one after
/// the other, by the version of the engine that it names if it is known, else by
/// the present one. `watch` is told the number of the match, from 0, then as in
/// [`play_match`]. Where it interrupts, only the matches before are there.
///
/// # Errors
/// Where the games cannot be played, or a player of the panel is none.
pub fn replay_certificate(
    weights: &Weights,
    certificate: &Certificate,
    threads: usize,
    watch: &mut dyn FnMut(usize, u64, &Tally) -> ControlFlow<()>,
) -> Result<Vec<Tally>, ReplayError> {
    let conditions = &certificate.conditions;
    let search = conditions.player.search.algorithm;
    let version = EngineVersion::from_signature(search, certificate.engine).unwrap_or_default();
    let mut tallies = Vec::new();
    for (number, claimed) in certificate.results.iter().enumerate() {
        let contestant = |name, weights| player(Contestant { name, weights }, conditions, version);
        let opponent = match certified_player(claimed, conditions)? {
            Some(member) => member,
            None => contestant(claimed.opponent.as_str(), &claimed.weights),
        };
        let played = play_players(
            &[contestant("champion", weights), opponent],
            conditions,
            claimed.games,
            threads,
            &mut |games, tally| watch(number, games, tally),
        )?;
        let Some(tally) = played else {
            break;
        };
        tallies.push(tally);
    }
    Ok(tallies)
}

/// Why the matches of a certificate cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// An opponent is no player of a panel.
    #[error("certificate.match.player: {0}")]
    Player(#[from] PanelError),
}

pub(super) fn player(
    contestant: Contestant<'_>,
    conditions: &Conditions,
    version: EngineVersion,
) -> PlayerSpec {
    let params = &conditions.player;
    PlayerSpec {
        text: contestant.name.to_owned(),
        kind: PlayerKind::Builtin {
            search: Box::new(params.search),
            weights: Box::new(*contestant.weights),
        },
        limits: MoveLimits::from(params),
        table_kib: params.table_kib,
        timeouts: Timeouts::default(),
        version,
        book: None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::weights::random_weights;

    fn conditions() -> Conditions {
        let mut params = Params::default();
        params.player.depth = 1;
        Conditions::from(&params)
    }

    fn pair<'a>(a: &'a Weights, b: &'a Weights) -> [Contestant<'a>; 2] {
        [
            Contestant {
                name: "a",
                weights: a,
            },
            Contestant {
                name: "b",
                weights: b,
            },
        ]
    }

    #[test]
    fn threads_and_sides_change_nothing() {
        let (a, b) = (Weights::source(), random_weights(3));
        let go = &mut |_: u64, _: &Tally| ControlFlow::Continue(());
        let one = play_match(pair(&a, &b), &conditions(), 21, 1, go)
            .unwrap()
            .unwrap();
        assert_eq!(one.games(), 20);
        let three = play_match(pair(&a, &b), &conditions(), 20, 3, go)
            .unwrap()
            .unwrap();
        assert_eq!(one, three);
        let seen_by_b = play_match(pair(&b, &a), &conditions(), 20, 2, go)
            .unwrap()
            .unwrap();
        assert_eq!(seen_by_b, one.reversed());
        let other = Conditions {
            seed: 2,
            ..conditions()
        };
        let other = play_match(pair(&a, &b), &other, 20, 2, go)
            .unwrap()
            .unwrap();
        assert_ne!(other, one);
    }

    #[test]
    fn pairs_do_not_depend_on_those_before_them() {
        let (a, b) = (Weights::source(), random_weights(3));
        let play = |pairs: Range<u64>, threads| {
            let mut found = Vec::new();
            let mut count = |number, games: &[GameRecord; 2]| {
                found.push((number, games.clone()));
                ControlFlow::Continue(())
            };
            let go = &mut |_| ControlFlow::Continue(());
            let both = pair(&a, &b).map(|it| player(it, &conditions(), EngineVersion::PRESENT));
            let ended = play_pairs(&both, &conditions(), pairs, threads, &mut count, go);
            assert_eq!(ended.unwrap(), Ended::Complete);
            found
        };
        let all = play(0..9, 1);
        assert_eq!(all.len(), 9);
        assert_eq!(play(4..9, 3), all[4..]);
        assert_eq!(play(9..9, 2), []);
    }

    #[test]
    fn the_watcher_may_end_it() {
        let weights = Weights::source();
        let mut most = 0;
        let played = play_match(
            pair(&weights, &weights),
            &conditions(),
            2000,
            2,
            &mut |games, tally| {
                most = games;
                assert!(tally.games() <= games);
                if games < 10 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        );
        assert!(played.unwrap().is_none());
        assert!((10..2000).contains(&most), "{most}");
    }
}
