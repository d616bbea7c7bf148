//! `loatune match`: which of two players is stronger, and by how much.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use super::game_runner::{GameRunner, ResultSink};
use super::match_report::{FinishedMatch, describe};
use crate::arena::Summary;
use crate::arena::match_runner::{Ended, PlayedPair};
use crate::arena::schedule::Schedule;
use crate::cli::args::{ArenaFlags, PLAYER_HELP, PLAYERS_HELP, even_games};
use crate::cli::output::{ProgressLine, write_json, write_text};
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
that A is the stronger one.

{}

Examples:
  loatune match mine.toml default
  loatune match default@alphabeta:3 default@mtdf:3 --games 200
  loatune match mine.toml default --sprt elo0=0,elo1=10 --depth 3
  loatune match mine.toml random:1 --openings book.txt --sgf games.sgf --json

JSON, from A's point of view: players, seed, games, wins, draws, losses, score (0
to 1), points, elo, elo_error (null where it is infinite), nelo, nelo_error, los,
pentanomial (pairs with 0, 1/2, 1, 1 1/2 and 2 points), llr, sprt (null, or elo0,
elo1, alpha, beta, lower, upper, verdict: continue, accept-h0 or accept-h1),
as_black and as_white (games, wins, draws, losses, score), plies, plies_per_game,
work [{{player, nodes, moves, hangs, dies, illegal_moves, nodes_per_move}}], faults,
interrupted, seconds.", PLAYERS_HELP))]
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
    /// elo0=0,elo1=10[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "SETTINGS", value_parser = |text: &str| text.parse::<Sprt>() as Result<Sprt, SprtError>)]
    sprt: Option<Sprt>,
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
        self.summary.add(&played.games);
        let pairs = &self.summary.tally.pairs;
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
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = self.flags.rules()?;
        let players = [self.flags.player(&self.a)?, self.flags.player(&self.b)?];
        let openings = self.flags.openings(&rules)?;
        let default = if self.sprt.is_some() {
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
        };
        let mut tally = MatchTally {
            summary: Summary::default(),
            sprt: self.sprt,
        };
        let played = runner.play(&mut tally)?;
        let finished = FinishedMatch {
            players: [&self.a, &self.b],
            summary: &tally.summary,
            sprt: self.sprt,
            seed: self.flags.seed(),
            interrupted: played.ended == Ended::Interrupted,
            seconds: played.seconds,
        };
        if self.flags.json {
            write_json(out, &finished.report())?;
        } else {
            let text = format!("{} - {}: {}\n", self.a, self.b, self.flags.openings_text());
            write_text(out, &(text + &finished.text()))?;
        }
        played.result(tally.summary.tally.games())
    }
}
