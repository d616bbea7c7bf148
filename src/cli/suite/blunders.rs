//! `loatune blunders`: a suite from the errors of games.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context;
use clap::{ArgGroup, Args};
use serde::Serialize;

use super::collection::{Collection, KindCount};
use super::in_order::{in_order, threads_or_cores};
use super::played_games::{Players, of_files, of_population};
use crate::arena::openings::RandomOpenings;
use crate::cli::args::{RuleFlags, even_games, quoted};
use crate::cli::interrupt;
use crate::cli::learn::game_source::GameSource;
use crate::cli::output::{Progress, Stopped, create_file, thousands, write_json, write_text};
use crate::game::Rules;
use crate::suite::{PlayedGame, ProofSettings, Suite, Wanted, blunders};

/// Collect the positions of games at which a player threw a win or draw away
///
/// Goes through the games with the solver. Where what it proves turns against the
/// side that moved, every move of the position is proved: by exhaustive search up
/// to the horizon, beyond it by proof-number search. The errors become a suite
/// with all right moves, for `loatune suite`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true), after_help = "\
Kinds of errors, for the side that moved:
  win to loss    it had a proved win; the other side has one now
  win to draw    it had a proved win; its move ended the game drawn
  win to open    it had a win within the horizon; now neither side has one
  draw to loss   a move ends the game drawn and all others lose, one of which
                 was played
  open to loss   neither side had a win within the horizon; the other side has a
                 proved one now, which other moves do not allow
Right are all moves that win by proof; where nothing was decided, all that are not
proved to lose. What is open beyond the horizon may still be won or lost. A position
stands for itself: repetition and the ply limit are no part of the proof, but
positions that the ply limit is nearer to than the horizon are left out.

Positions that differ by a turn or reflection of the board, or by an exchange of
the colours, are taken once. The same games and settings give the same suite, with
any number of threads. Ctrl-C writes what was found; a second one ends at once.

Exit codes: 0 done, 1 failure, 2 bad usage, 3 stopped by a signal.

Examples:
  loatune blunders --games club.sgf -o club-errors.toml
  loatune blunders --population mine --last 200 -o mine-errors.toml
  loatune blunders --play 40 --player default@mtdf:2 --player champion@mtdf:2 \\
      --seed 7 --exclude tests/data/positions.json -o errors.toml

JSON: file, source, games (looked through), left_out [{game, why}], positions,
kinds [{error, positions}], duplicates, excluded, horizon, solver_nodes,
interrupted, seconds.")]
pub(crate) struct Blunders {
    /// Look through the games of SGF files
    #[arg(long, value_name = "FILE", num_args = 1.., group = "source")]
    games: Vec<PathBuf>,
    /// Look through the games of a population: a name in populations/, or a
    /// directory (with a slash)
    #[arg(long, short, value_name = "NAME|DIR", group = "source")]
    population: Option<String>,
    /// Play N games between each two of the players, and look through them
    #[arg(long, value_name = "N", group = "source", value_parser = even_games, requires = "player")]
    play: Option<u64>,
    /// A player of --play, named as in `loatune match`; may be repeated. One alone
    /// plays itself
    #[arg(long, value_name = "PLAYER", requires = "play")]
    player: Vec<String>,
    /// Look through the last N games of the population alone
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with_all = ["games", "play"],
        value_parser = clap::value_parser!(u64).range(1..))]
    last: u64,
    /// Write the suite to FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
    /// Look at every line of N plies
    #[arg(long, value_name = "N", default_value_t = ProofSettings::default().horizon,
        value_parser = clap::value_parser!(u32).range(2..=11))]
    horizon: u32,
    /// Let the solver visit N positions behind each move
    #[arg(long, value_name = "N", default_value_t = ProofSettings::default().solver_nodes,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    solver_nodes: u64,
    /// Leave out errors that fewer than N plies show
    #[arg(long, value_name = "N", default_value_t = Wanted::default().least_plies,
        value_parser = clap::value_parser!(u32).range(1..=50))]
    least_plies: u32,
    /// Leave out positions with more than N right moves
    #[arg(long, value_name = "N", default_value_t = Wanted::default().most_right,
        value_parser = clap::value_parser!(u32).range(1..=96))]
    most_right: u32,
    /// Leave out the positions that stand in FILE, in all their forms: a suite, or
    /// any text with positions
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exclude: Vec<PathBuf>,
    /// End with N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    most: Option<u64>,
    /// Refuse games that cannot be used, instead of leaving them out
    #[arg(long, conflicts_with = "play")]
    strict: bool,
    /// Random plies of an opening of --play; in SGF files, plies whose moves no
    /// player chose, where a game does not say how many
    #[arg(long, value_name = "N", default_value_t = RandomOpenings::default().plies,
        value_parser = clap::value_parser!(u32).range(1..=40))]
    opening_plies: u32,
    /// The seed of the openings of --play
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

#[derive(Serialize)]
struct BlundersReport<'a> {
    file: String,
    source: &'a str,
    games: u64,
    left_out: Vec<GameLeftOut<'a>>,
    positions: usize,
    kinds: Vec<KindCount>,
    duplicates: u64,
    excluded: u64,
    horizon: u32,
    solver_nodes: u64,
    interrupted: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct GameLeftOut<'a> {
    game: &'a str,
    why: &'a str,
}

impl Blunders {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = self.rules.rules()?;
        let mut collection = Collection::without(&self.exclude)?;
        let mut file = create_file(&self.output, self.force)?;
        let begin = Instant::now();
        let source = self.source(&rules)?;
        let interrupted = self.collect(&source.games, &rules, &mut collection)?;
        let suite = Suite {
            command: command_line(),
            source: source.origin.clone(),
            games: collection.games,
            simultaneous: rules.simultaneous,
            no_moves: rules.no_moves,
            settings: self.settings(),
            entries: std::mem::take(&mut collection.entries),
        };
        if suite.entries.is_empty() {
            anyhow::ensure!(!interrupted, stopped("nothing was found and written"));
            anyhow::bail!(
                "{}: no proved error was found; nothing was written",
                source.origin
            );
        }
        let written = file.write_all(suite.to_toml().as_bytes());
        let written = written.and_then(|()| file.finish());
        written.with_context(|| format!("cannot write {}", self.output.display()))?;
        collection.entries = suite.entries;
        let report = self.report(&source, &collection, interrupted, begin);
        if self.json {
            write_json(out, &report)?;
        } else {
            write_text(out, &text(&report))?;
        }
        if interrupted {
            let done = thousands(collection.games);
            return Err(stopped(&format!("the suite is that of {done} games")).into());
        }
        Ok(())
    }

    fn settings(&self) -> ProofSettings {
        ProofSettings {
            horizon: self.horizon,
            solver_nodes: self.solver_nodes,
        }
    }

    fn source(&self, rules: &Rules) -> anyhow::Result<GameSource<PlayedGame>> {
        if let Some(games) = self.play {
            let players = Players {
                players: &self.player,
                games,
                seed: self.seed,
                opening_plies: self.opening_plies,
                threads: threads_or_cores(self.threads),
            };
            return players.play(rules);
        }
        match &self.population {
            Some(population) => of_population(population, self.last, self.strict),
            None => of_files(&self.games, rules, self.opening_plies, self.strict),
        }
    }

    /// Looks through the games, in order; says whether a signal ended it.
    fn collect(
        &self,
        games: &[PlayedGame],
        rules: &Rules,
        collection: &mut Collection,
    ) -> anyhow::Result<bool> {
        let wanted = Wanted {
            least_plies: self.least_plies,
            most_right: self.most_right,
        };
        let (settings, signal) = (self.settings(), interrupt::stop_flag()?);
        let halt = Arc::new(AtomicBool::new(false));
        let worker = |_| {
            let halt = Arc::clone(&halt);
            move |game: &PlayedGame| {
                let stop = || halt.load(Ordering::Relaxed);
                blunders(game, rules, &settings, &wanted, &stop)
            }
        };
        let workers = (0..threads_or_cores(self.threads)).map(worker).collect();
        let mut progress = Progress::new();
        let most = self.most.map_or(usize::MAX, |most| most as usize);
        let all = games.len() as u64;
        let found = std::cell::Cell::new(0);
        let mut interrupted = false;
        in_order(
            games,
            workers,
            &halt,
            &mut |errors| {
                collection.add(errors);
                collection.entries.truncate(most);
                found.set(collection.entries.len());
                if found.get() >= most {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
            &mut |done| {
                progress.show_games(done as u64, Some(all), &|line| {
                    line.push(1, format!(", {} positions", found.get()));
                });
                if signal.load(Ordering::Relaxed) {
                    interrupted = true;
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
        )?;
        progress.finish();
        Ok(interrupted)
    }

    fn report<'a>(
        &self,
        source: &'a GameSource<PlayedGame>,
        collection: &Collection,
        interrupted: bool,
        begin: Instant,
    ) -> BlundersReport<'a> {
        let left_out = source.left_out.iter().map(|left_out| GameLeftOut {
            game: &left_out.game,
            why: &left_out.why,
        });
        BlundersReport {
            file: self.output.display().to_string(),
            source: &source.origin,
            games: collection.games,
            left_out: left_out.collect(),
            positions: collection.entries.len(),
            kinds: KindCount::of(&collection.entries),
            duplicates: collection.duplicates,
            excluded: collection.excluded,
            horizon: self.horizon,
            solver_nodes: self.solver_nodes,
            interrupted,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }
}

fn stopped(what: &str) -> Stopped {
    Stopped(format!("stopped by a signal; {what}"))
}

/// The command as it was typed, for the suite that it makes.
fn command_line() -> String {
    let words = std::env::args().skip(1).map(|word| quoted(&word));
    let words: Vec<String> = std::iter::once(String::from("loatune"))
        .chain(words)
        .collect();
    words.join(" ")
}

fn text(report: &BlundersReport<'_>) -> String {
    let BlundersReport {
        file,
        source,
        positions,
        horizon,
        ..
    } = report;
    let mut text = format!("{file}: {positions} positions, proved up to {horizon} plies\n{source}");
    if report.interrupted {
        text += &format!(", of which {} were looked through", report.games);
    }
    text.push('\n');
    for KindCount { error, positions } in &report.kinds {
        text += &format!("{error:<14}{positions:>6}\n");
    }
    for (count, what) in [
        (report.duplicates, "the same but for symmetry"),
        (report.excluded, "excluded"),
    ] {
        if count > 0 {
            text += &format!("left out: {count} {what}\n");
        }
    }
    text
}
