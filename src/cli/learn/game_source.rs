//! The games that a command learns from or looks into: those of SGF files, of a
//! population, or freshly played ones. Owns which games are left out, and what is said of
//! them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::arena::GameRecord;
use crate::arena::openings::RandomOpenings;
use crate::board::Side;
use crate::cli::args::PopulationDir;
use crate::cli::output::{BadUsage, Progress, Stopped, notice, thousands};
use crate::cli::population::readable_directory;
use crate::game::{Rules, Winner};
use crate::learn::{
    FitSettings, SampledGame, Sampling, SelfPlay, SelfPlayError, SelfPlayEvent, SelfPlayed,
};
use crate::notation::{SgfGame, parse_sgf_each};
use crate::params::Params;
use crate::store::{JournalMatches, Population};
use crate::util::input_file::{self, MAX_GAMES_BYTES};

/// Games, as their positions unless a command needs something else of them, and
/// where they come from.
pub(in crate::cli) struct GameSource<T = SampledGame> {
    /// In a line, as the origin of what was learned from them.
    pub(in crate::cli) origin: String,
    pub(in crate::cli) games: Vec<T>,
    /// Games that cannot be used, and why.
    pub(in crate::cli) left_out: Vec<LeftOut>,
}

/// A game that is left out.
pub(in crate::cli) struct LeftOut {
    pub(in crate::cli) game: String,
    pub(in crate::cli) why: String,
}

/// The positions of the games of SGF files. `opening` plies at the beginning of a
/// game are not looked at, unless its comment says how many belong to its opening.
///
/// # Errors
/// Those of [`sgf_games_as`].
pub(super) fn sgf_games(
    files: &[PathBuf],
    rules: &Rules,
    opening: u32,
    strict: bool,
    sampling: &Sampling,
) -> anyhow::Result<GameSource> {
    sgf_games_as(files, rules, strict, &|game| {
        sampled(game, opening, sampling)
    })
}

/// What `of` makes of the games of SGF files, or why it cannot use one.
///
/// # Errors
/// A file cannot be read or is no SGF; with `strict` also where a game cannot
/// be used.
pub(in crate::cli) fn sgf_games_as<T>(
    files: &[PathBuf],
    rules: &Rules,
    strict: bool,
    of: &dyn Fn(&SgfGame) -> Result<T, String>,
) -> anyhow::Result<GameSource<T>> {
    let mut source = GameSource {
        origin: String::new(),
        games: Vec::new(),
        left_out: Vec::new(),
    };
    for path in files {
        let text = input_file::read_text(path, MAX_GAMES_BYTES);
        let text = text.map_err(|error| cannot_read(path, &error))?;
        let games = parse_sgf_each(&text, rules)
            .map_err(|error| BadUsage::new(format!("{}: {error}", path.display())))?;
        for (n, game) in games.into_iter().enumerate() {
            let name = || format!("{}, game {}", path.display(), n + 1);
            let used = game
                .map_err(|error| error.to_string())
                .and_then(|game| of(&game));
            match used {
                Ok(game) => source.games.push(game),
                Err(why) => source.left_out.push(LeftOut { game: name(), why }),
            }
        }
    }
    source.report_left_out(strict)?;
    let names: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    source.origin = format!(
        "{} games of {}",
        thousands(source.games.len() as u64),
        names.join(", ")
    );
    Ok(source)
}

/// The positions of the last games of a population's evolution, at most `last`.
///
/// # Errors
/// Those of [`population_games_as`].
pub(super) fn population_games(
    name: &str,
    last: u64,
    strict: bool,
    sampling: &Sampling,
) -> anyhow::Result<GameSource> {
    population_games_as(name, last, strict, &|game| {
        SampledGame::from_record(game, sampling)
    })
}

/// What `of` makes of the last games of a population's evolution, at most `last`.
///
/// # Errors
/// There is no such population, or its journal cannot be read.
pub(in crate::cli) fn population_games_as<T>(
    name: &str,
    last: u64,
    strict: bool,
    of: &dyn Fn(&GameRecord) -> T,
) -> anyhow::Result<GameSource<T>> {
    let dir = PopulationDir::parse("--population", name)?;
    if !Population::exists(&dir.directory)? {
        return Err(BadUsage::new(dir.not_found_message()).into());
    }
    // A copy that had to be made is kept until it is read.
    let (directory, _copy) = readable_directory(&dir)?;
    let mut matches = JournalMatches::open(&directory)?;
    let mut progress = Progress::new();
    let mut games = std::collections::VecDeque::new();
    let mut left_out = Vec::new();
    let mut read = 0;
    while let Some(record) = matches.next_match()? {
        for (n, game) in record.game_records()?.iter().enumerate() {
            read += 1;
            if let Some(fault) = game.outcome.fault() {
                left_out.push(LeftOut {
                    game: format!("game {}", 2 * record.number + 1 + n as u64),
                    why: format!("a fault ended it: {fault}"),
                });
                continue;
            }
            games.push_back(of(game));
            if games.len() as u64 > last {
                games.pop_front();
            }
        }
        progress.show_games(read, None, &|line| line.push(1, " read"));
    }
    progress.finish();
    let source = GameSource {
        origin: format!(
            "the last {} games of the population {}",
            thousands(games.len() as u64),
            dir.name
        ),
        games: games.into(),
        left_out,
    };
    source.report_left_out(strict)?;
    Ok(source)
}

/// What a command ends with that a signal stopped before it had learned anything.
pub(super) fn stopped() -> anyhow::Error {
    let text = "stopped by a signal; nothing was learned and nothing was written";
    Stopped(String::from(text)).into()
}

/// Games that are played now, and what was learned while they were.
///
/// # Errors
/// [`Stopped`] by a signal, or games cannot be played.
pub(super) fn fresh_games(
    games: u64,
    seed: u64,
    threads: usize,
    params: &Params,
    settings: &FitSettings,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(GameSource, SelfPlayed)> {
    let self_play = SelfPlay {
        games,
        seed,
        rules: params.rules,
        player: params.player,
        openings: RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        },
        sampling: Sampling::from(&params.school),
        threads,
        stop: Arc::clone(stop),
    };
    let mut progress = Progress::new();
    let mut round = String::new();
    let played = self_play.learn(settings, &mut |event| {
        match event {
            SelfPlayEvent::Games(done) => progress.show_games(done, Some(games), &|line| {
                line.push(2, round.clone());
            }),
            SelfPlayEvent::Round(fit) => {
                round = format!(", fit of {} games", thousands(fit.games));
                log::info!(
                    "learned from {} games, {} positions: {:.4} nats a position",
                    thousands(fit.games),
                    thousands(fit.positions),
                    fit.log_likelihood
                );
            }
        }
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    progress.finish();
    let played = played.map_err(|error| match error {
        SelfPlayError::Interrupted => stopped(),
        SelfPlayError::Opening(_) | SelfPlayError::NoPositions => BadUsage::new(error).into(),
        SelfPlayError::Threads(_) | SelfPlayError::Worker(_) => error.into(),
    })?;
    let limit = match (params.player.depth, params.player.nodes) {
        (depth, 0) => format!("at depth {depth}"),
        (0, nodes) => format!("with {nodes} positions a move"),
        (depth, nodes) => format!("at depth {depth} with {nodes} positions a move"),
    };
    let source = GameSource {
        origin: format!(
            "{} games of self-play {limit}, seed {seed}",
            thousands(played.played)
        ),
        games: played.games.clone(),
        left_out: Vec::new(),
    };
    Ok((source, played))
}

impl<T> GameSource<T> {
    /// Names the games that are left out, or refuses them.
    fn report_left_out(&self, strict: bool) -> anyhow::Result<()> {
        if strict && let Some(first) = self.left_out.first() {
            let others = match self.left_out.len() {
                1 => String::new(),
                more => format!(" (and {} more)", more - 1),
            };
            let message = format!(
                "--strict: {}: {}{others}; without --strict such games are left out",
                first.game, first.why
            );
            return Err(BadUsage::new(message).into());
        }
        for LeftOut { game, why } in &self.left_out {
            notice(&format!("{game} is left out: {why}"));
        }
        Ok(())
    }
}

/// The positions of a game; what is wrong with it where it has no result.
fn sampled(sgf: &SgfGame, opening: u32, sampling: &Sampling) -> Result<SampledGame, String> {
    let points = points_of_black(sgf)?;
    let game = &sgf.game;
    let opening = opening_of(sgf.comment.as_deref()).unwrap_or(opening) as usize;
    let (first, moves) = (game.first_board(), game.played());
    let sampled = SampledGame::from_moves(first, moves, opening, points, sampling);
    if sampled.positions.is_empty() {
        return Err(format!(
            "no position lies between its opening ({opening} plies) and its end"
        ));
    }
    Ok(sampled)
}

/// What Black got: the board decides, then a resignation, then the written
/// result.
fn points_of_black(sgf: &SgfGame) -> Result<f32, String> {
    let of_winner = |winner| match winner {
        Winner::Side(Side::X) => 1.0,
        Winner::Side(Side::O) => 0.0,
        Winner::Draw => 0.5,
    };
    if let Some(outcome) = sgf.game.outcome() {
        return Ok(of_winner(outcome.winner));
    }
    if let Some(resigned) = sgf.resigned {
        return Ok(of_winner(Winner::Side(!resigned)));
    }
    let written = sgf.result.as_deref().unwrap_or("").trim();
    let lower = written.to_ascii_lowercase();
    match lower.as_str() {
        // A player that failed says nothing about the positions.
        "b+f" | "w+f" | "b+forfeit" | "w+forfeit" | "b+t" | "w+t" | "b+time" | "w+time" => Err(
            format!("its result {written:?} does not come from the board"),
        ),
        "draw" | "0" => Ok(0.5),
        _ if lower.starts_with("b+") => Ok(1.0),
        _ if lower.starts_with("w+") => Ok(0.0),
        "" | "?" => Err(String::from("it has no result")),
        _ => Err(format!("its result {written:?} names no winner")),
    }
}

/// The plies of the opening that a game's comment tells, as our own files have
/// it.
pub(in crate::cli) fn opening_of(comment: Option<&str>) -> Option<u32> {
    let rest = comment?.strip_prefix("opening of ")?;
    let (plies, rest) = rest.split_once(' ')?;
    rest.starts_with("plies").then(|| plies.parse().ok())?
}

fn cannot_read(path: &Path, error: &std::io::Error) -> anyhow::Error {
    BadUsage::new(format!(
        "cannot read games from {}: {error}",
        path.display()
    ))
    .into()
}

/// Runs `work` with so many threads for its regressions.
///
/// # Errors
/// The system does not give the threads.
pub(super) fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> anyhow::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.with_context(|| format!("cannot start {threads} threads"))?;
    Ok(pool.install(work))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::parse_sgf;

    fn game(text: &str) -> SgfGame {
        parse_sgf(text, &Rules::default()).unwrap().remove(0)
    }

    #[test]
    fn the_result_is_the_boards_the_resignation_or_the_written_one() {
        let points = |result: &str| points_of_black(&game(&format!("(;GM[9]{result};B[b1-b3])")));
        assert_eq!(points("RE[B+Resign]"), Ok(1.0));
        assert_eq!(points("RE[W+]"), Ok(0.0));
        assert_eq!(points("RE[Draw]"), Ok(0.5));
        assert_eq!(points(""), Err(String::from("it has no result")));
        assert!(points("RE[?]").is_err());
        assert!(points("RE[B+Time]").unwrap_err().contains("B+Time"));
        assert!(points("RE[Void]").unwrap_err().contains("Void"));
        let resigned = game("(;GM[9];B[b1-b3];W[resign])");
        assert_eq!(points_of_black(&resigned), Ok(1.0));
    }

    #[test]
    fn our_own_comments_tell_the_opening() {
        assert_eq!(
            opening_of(Some("opening of 6 plies, seed 5; connected")),
            Some(6)
        );
        assert_eq!(opening_of(Some("opening of no plies")), None);
        assert_eq!(opening_of(Some("a fine game")), None);
        assert_eq!(opening_of(None), None);
    }
}
