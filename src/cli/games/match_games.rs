//! `loatune match`: which of two players is stronger, and by how much.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use super::game_runner::{GameRunner, ResultSink};
use super::match_report::{FinishedMatch, describe, faults_headline};
use super::resume_file::RESUME;
use crate::arena::Summary;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::Schedule;
use crate::cli::args::{ArenaFlags, PLAYER_HELP, PLAYERS_HELP, even_games};
use crate::cli::output::{BadUsage, ProgressLine, write_json, write_text};
use crate::stats::{Sprt, SprtError, Verdict};

/// How many pairs are played where nothing else is asked for.
const DEFAULT_PAIRS: u64 = 50;

/// Play a match between two players and measure the difference in Elo
///
/// Plays a fixed number of games, or with --sprt as many as it takes to decide
/// between two hypotheses.
#[derive(Debug, Args)]
#[command(after_help = format!("\
Errors are 95 % ones, from pairs of games (pentanomial). LOS is the likelihood
that A is the stronger one. The hypotheses of --sprt are logistic Elo, as the
line `Elo:`, unless model=normalized says that they are normalised, as `nElo:`.

{}

Examples:
  loatune match mine.toml default
  loatune match default@alphabeta:3 default@mtdf:3 --games 200
  loatune match mine.toml default --sprt elo0=0,elo1=10 --depth 3
  loatune match mine.toml 'ugi:./engine --quiet' --clock 10+0.1
  loatune match mine.toml default --games 2000 --resume mine.games
  loatune match mine.toml random:1 --openings book.txt --sgf games.sgf --json

JSON, from A's point of view: players, seed, games, wins, draws, losses, score (0
to 1), points, elo, elo_error (null where it is infinite), nelo, nelo_error, los,
pentanomial (pairs with 0, 1/2, 1, 1 1/2 and 2 points), llr, sprt (null, or elo0,
elo1, alpha, beta, model, lower, upper, verdict: continue, accept-h0 or accept-h1),
as_black, as_white and on_board (games, wins, draws, losses, score), by_faults
(wins, losses), adjudicated, plies, plies_per_game, work [{{player, nodes, moves,
book_moves (of them from an opening book), hangs, dies, illegal_moves, time_losses, nodes_per_move, seconds, seconds_per_move,
longest_move}}], faults, given_up (null, or player, fault, faults, games),
interrupted, resumed (games of earlier parts), seconds, settings (players, openings,
rules, time_margin, adjudicate, sprt, engine, repeatable).", PLAYERS_HELP))]
pub(crate) struct Match {
    #[arg(value_name = "A", help = PLAYER_HELP)]
    a: String,
    #[arg(value_name = "B", help = "Its opponent, named in the same way")]
    b: String,
    /// Play N games, an even number; with --sprt at most so many [default: 100,
    /// or two for each opening of a file; with --sprt no limit]
    #[arg(long, value_name = "N", value_parser = even_games)]
    games: Option<u64>,
    /// Play until one of two Elo differences is accepted:
    /// elo0=0,elo1=10[,alpha=0.05,beta=0.05][,model=logistic]; model=normalized
    /// takes them as normalised Elo. Spaces separate as well as commas
    #[arg(long, value_name = "SETTINGS")]
    sprt: Option<String>,
    /// The rest of settings that were written with spaces, as fastchess does.
    #[arg(value_name = "KEY=VALUE", hide = true)]
    sprt_rest: Vec<String>,
    #[command(flatten)]
    flags: ArenaFlags,
}

/// The results so far, and the test that ends the match early.
struct MatchTally {
    summary: Summary,
    sprt: Option<Sprt>,
}

impl ResultSink for MatchTally {
    fn add(&mut self, played: &PlayedPair) -> ControlFlow<()> {
        self.summary.add_played(played);
        // What is lost by a fault says nothing of strength.
        let pairs = &self.summary.faultless.pairs;
        match self.sprt {
            Some(sprt) if sprt.decide(pairs).verdict != Verdict::Continue => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn describe(&self, line: &mut ProgressLine) {
        describe(&self.summary, self.sprt, line);
    }
}

impl Match {
    /// The sequential test that is asked for.
    fn sprt(&self) -> Result<Option<Sprt>, BadUsage> {
        let is_setting = |word: &&String| self.sprt.is_some() && word.contains('=');
        if let Some(word) = self.sprt_rest.iter().find(|word| !is_setting(word)) {
            return Err(BadUsage::new(format!(
                "unexpected argument '{word}' found\n\nUsage: loatune match [OPTIONS] <A> <B>"
            )));
        }
        let Some(first) = &self.sprt else {
            return Ok(None);
        };
        let words = [first].into_iter().chain(&self.sprt_rest);
        let text = words.map(String::as_str).collect::<Vec<_>>().join(" ");
        let parsed: Result<Sprt, SprtError> = text.parse();
        parsed.map(Some).map_err(|error| {
            BadUsage::new(format!(
                "invalid value '{text}' for '--sprt <SETTINGS>': {error}"
            ))
        })
    }

    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let sprt = self.sprt()?;
        let rules = self.flags.rules()?;
        let players = [self.flags.player(&self.a)?, self.flags.player(&self.b)?];
        let openings = self.flags.openings(&rules)?;
        let default = if sprt.is_some() {
            u64::MAX
        } else {
            DEFAULT_PAIRS
        };
        let pairs = self.flags.pairs(self.games, default, &openings)?;
        let runner = GameRunner {
            flags: &self.flags,
            players: &players,
            schedule: &Schedule::single_match(pairs),
            openings: &openings,
            rules,
            sprt: sprt.map(|sprt| sprt.to_string()),
            kept: &RESUME,
        };
        let mut tally = MatchTally {
            summary: Summary::default(),
            sprt,
        };
        let played = runner.play(&mut tally)?;
        let names = [0, 1].map(|player| played.settings.name(player));
        let finished = FinishedMatch {
            players: names,
            summary: &tally.summary,
            sprt,
            seed: self.flags.seed(),
            played: &played,
        };
        let games = tally.summary.tally.games();
        if self.flags.json {
            write_json(out, &finished.report_with_settings())?;
        } else {
            let [a, b] = names;
            let faults = faults_headline(games, names.into_iter().zip(tally.summary.work));
            let mut text = format!("{a} - {b}: {faults}{}\n", self.flags.openings_text());
            text += &played.settings.text();
            write_text(out, &(text + &finished.text()))?;
        }
        played.result(games, tally.summary.faults())
    }
}
