//! The file of `--resume`: the settings of some games and every pair that was
//! counted, so that the same command can go on. A pair that a crash tore is
//! played again.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::line_log::{LineFault, LineLog, LogKind};
use super::match_settings::MatchSettings;
use crate::arena::TimeUsed;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::{GamePair, Schedule};
use crate::store::StoredGame;

/// The file that `--resume` names.
pub(crate) const RESUME: LogKind = LogKind {
    format: "loatune games",
    version: 1,
    flag: "--resume ",
    content: "games of --resume",
    remedy: "Give the same ones, or another file to --resume",
};

/// The games of an experiment, which has no such flag: the file is called after it.
pub(crate) const EXPERIMENT: LogKind = LogKind {
    flag: "",
    content: "games of an experiment",
    remedy: "Give the same ones, or another directory to --out; or remove the file to begin anew",
    ..RESUME
};

/// A file of games that grows.
pub(crate) struct ResumeFile {
    log: LineLog,
    /// The seconds of all earlier parts.
    seconds_before: f64,
}

/// A pair as its line holds it.
#[derive(Serialize, Deserialize)]
struct SavedPair {
    pair: u64,
    seed: u64,
    games: [StoredGame; 2],
    /// What Black and White took, in each game: all moves and the longest one,
    /// in nanoseconds.
    time: [[[u64; 2]; 2]; 2],
    /// Moves of Black and White, in each game, that came from an opening book.
    #[serde(default)]
    book_moves: [[u32; 2]; 2],
    /// Seconds since the first game.
    seconds: f64,
}

impl ResumeFile {
    /// Opens or begins the file, and returns the pairs that it holds.
    ///
    /// # Errors
    /// Bad usage where it holds something else, was made with other settings
    /// or is in use; and errors of the file system.
    pub(crate) fn open(
        path: &Path,
        kind: &LogKind,
        settings: &MatchSettings,
        schedule: &Schedule,
        names: &[String],
    ) -> anyhow::Result<(ResumeFile, Vec<PlayedPair>)> {
        let settings = serde_json::to_value(settings).context("settings are JSON")?;
        let (mut pairs, mut seconds_before) = (Vec::new(), 0.0);
        let log = LineLog::open(path, kind, &settings, &mut |line| {
            let number = pairs.len() as u64;
            let Some(pair) = schedule.pair(number) else {
                let games = 2 * number;
                let what = format!("holds more than the {games} games that are asked for");
                return Err(LineFault::Refused(what));
            };
            let (pair, seconds) =
                read_pair(line, number, pair, names).map_err(LineFault::Damaged)?;
            seconds_before = seconds;
            pairs.push(pair);
            Ok(())
        })?;
        let resumed = ResumeFile {
            log,
            seconds_before,
        };
        Ok((resumed, pairs))
    }

    /// The seconds of all earlier parts.
    pub(crate) fn seconds_before(&self) -> f64 {
        self.seconds_before
    }

    /// Adds a pair, which is counted `seconds` after the beginning of this part.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn add(&mut self, pair: &PlayedPair, seconds: f64) -> anyhow::Result<()> {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.log.append(&SavedPair {
            pair: pair.number,
            seed: pair.games[0].seed,
            games: pair.games.each_ref().map(StoredGame::from),
            time: pair
                .time
                .map(|game| game.map(|used| [nanos(used.total), nanos(used.longest)])),
            book_moves: pair.book_moves,
            seconds: self.seconds_before + seconds,
        })
    }

    /// Makes everything safe.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.log.finish()
    }
}

fn read_pair(
    line: &str,
    number: u64,
    pair: GamePair,
    names: &[String],
) -> Result<(PlayedPair, f64), String> {
    let saved: SavedPair = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if saved.pair != number {
        return Err(format!("pair {} stands where {number} should", saved.pair));
    }
    let [a, b] = pair.players.map(|player| names[player].clone());
    let seats = [[a.clone(), b.clone()], [b, a]];
    let [first, second] = &saved.games;
    let record = |game: &StoredGame, seat: usize| {
        let record = game.record(seats[seat].clone(), saved.seed);
        record.map_err(|error| error.to_string())
    };
    let used = |[total, longest]: [u64; 2]| TimeUsed {
        total: Duration::from_nanos(total),
        longest: Duration::from_nanos(longest),
    };
    let played = PlayedPair {
        number,
        pair,
        games: [record(first, 0)?, record(second, 1)?],
        time: saved.time.map(|game| game.map(used)),
        book_moves: saved.book_moves,
    };
    Ok((played, saved.seconds))
}
