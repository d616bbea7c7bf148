//! The games in which errors are looked for: those of SGF files, of a population,
//! or played now between players of any kind.

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::arena::GameRecord;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::Schedule;
use crate::cli::args::ArenaFlags;
use crate::cli::games::{GameRunner, RESUME, ResultSink};
use crate::cli::learn::game_source::{GameSource, opening_of, population_games_as, sgf_games_as};
use crate::cli::output::{BadUsage, ProgressLine, Stopped, thousands};
use crate::game::Rules;
use crate::suite::PlayedGame;

/// The games of SGF files; `opening` plies of each are the opening's, unless its
/// comment says something else.
///
/// # Errors
/// A file cannot be read or is no SGF; with `strict` also where a game cannot be
/// used.
pub(super) fn of_files(
    files: &[PathBuf],
    rules: &Rules,
    opening: u32,
    strict: bool,
) -> anyhow::Result<GameSource<PlayedGame>> {
    sgf_games_as(files, rules, strict, &|sgf| {
        let opening = opening_of(sgf.comment.as_deref()).unwrap_or(opening);
        Ok(PlayedGame {
            players: sgf.players.clone(),
            first: *sgf.game.first_board(),
            moves: sgf.game.played().to_vec(),
            opening: opening as usize,
        })
    })
}

/// The last games of a population.
///
/// # Errors
/// There is no such population, or its journal cannot be read.
pub(super) fn of_population(
    name: &str,
    last: u64,
    strict: bool,
) -> anyhow::Result<GameSource<PlayedGame>> {
    population_games_as(name, last, strict, &of_record)
}

/// Games that are played now.
pub(super) struct Players<'a> {
    /// At least one; one alone plays itself.
    pub(super) players: &'a [String],
    /// Games between each two.
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) opening_plies: u32,
    pub(super) threads: usize,
}

impl Players<'_> {
    /// Plays the games, everyone against everyone.
    ///
    /// # Errors
    /// [`Stopped`] by a signal; a player cannot be started, or lost by a fault.
    pub(super) fn play(&self, rules: &Rules) -> anyhow::Result<GameSource<PlayedGame>> {
        let flags = ArenaFlags::from_arguments(&[
            format!("--seed={}", self.seed),
            format!("--opening-plies={}", self.opening_plies),
            format!("--threads={}", self.threads),
            String::from("--hash=256"),
        ]);
        let flags = flags.map_err(BadUsage::new)?;
        let alone = [&self.players[0], &self.players[0]];
        let texts: Vec<&String> = match self.players {
            [_] => alone.to_vec(),
            players => players.iter().collect(),
        };
        let players: anyhow::Result<Vec<_>> =
            texts.into_iter().map(|text| flags.player(text)).collect();
        let players = players?;
        let openings = flags.openings(rules)?;
        let runner = GameRunner {
            flags: &flags,
            players: &players,
            schedule: &Schedule::round_robin(players.len(), self.games / 2),
            openings: &openings,
            rules: *rules,
            sprt: None,
            kept: &RESUME,
        };
        let mut games = Games(Vec::new());
        let played = runner.play(&mut games)?;
        if played.is_interrupted() {
            let text = "stopped by a signal before the games were played; nothing was written";
            return Err(Stopped(String::from(text)).into());
        }
        let faults = games.0.iter().filter(|game| game.outcome.fault().is_some());
        played.result(games.0.len() as u64, faults.count() as u64)?;
        Ok(GameSource {
            origin: format!(
                "{} games of {}, {} random opening plies, seed {}",
                thousands(games.0.len() as u64),
                self.players.join(", "),
                self.opening_plies,
                self.seed
            ),
            games: games.0.iter().map(of_record).collect(),
            left_out: Vec::new(),
        })
    }
}

fn of_record(record: &GameRecord) -> PlayedGame {
    PlayedGame {
        players: record.players.clone(),
        first: record.first,
        moves: record.moves.clone(),
        opening: record.opening_plies as usize,
    }
}

/// The games in the order of the schedule.
struct Games(Vec<GameRecord>);

impl ResultSink for Games {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        self.0.extend(played.games.iter().cloned());
        ControlFlow::Continue(())
    }

    fn describe(&self, _: &mut ProgressLine) {}
}
