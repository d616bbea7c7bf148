//! `loatune play`: a game in the terminal against the machine.
//!
//! `player_input` parses what was typed, `dialogue` answers it, `opponent`
//! searches, and `game_file` saves and loads games. Only this file knows standard
//! input and output: the dialogue gets a reader and a writer.

mod dialogue;
mod game_file;
mod opponent;
mod player_input;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::board::Side;
use crate::cli::args::{
    DEFAULT_WEIGHTS, RuleFlags, WEIGHTS_HELP, check_tree, read_player_book, read_weights,
    search_setup,
};
use crate::cli::output::BadUsage;
use crate::search::SearchSetup;
use crate::search::value::MAX_DEPTH;

use dialogue::{Dialogue, Setup};
use opponent::{EngineLimits, LEVELS, Level, STRONGEST};

/// Play a game against the machine in the terminal
///
/// Type moves as b1-b3 or b1b3, a square such as b1 to see where its piece may
/// go, and `help` for everything else.
#[derive(Debug, Args)]
#[command(after_help = "\
Levels: 1 minimax, 2 negamax, 3 alphabeta, 4 memory (alphabeta with a table of
positions), 5 mtdf, 6 selective, 7 mcts. Each looks further ahead than the one
before, and replies within about a second; --depth and --time change that.

Commands in a game: help, moves, hint, undo, board, flip, save FILE, load FILE,
new, side, level N, resign, quit.

Examples:
  loatune play
  loatune play --level 2 --side o
  loatune play --level 6 --time 5
  loatune play --player mcts:c=0.1,rave=1000 --time 2
  loatune play --weights champion --book mine.book")]
pub(crate) struct Play {
    /// How strong the machine plays, 1 to 6; 7 is another kind of player, mcts
    #[arg(long, value_name = "1..7", default_value_t = STRONGEST,
          value_parser = clap::value_parser!(u8).range(1..=LEVELS as i64))]
    level: u8,
    /// Play against this search instead of a level; selective and mcts take options, as
    /// in selective:lmr=0 or mcts:c=0.1
    #[arg(long, value_name = "NAME[:OPTIONS]", conflicts_with = "level",
          value_parser = search_setup())]
    player: Option<SearchSetup>,
    /// Your side: x moves first
    #[arg(long, value_enum, default_value = "x")]
    side: SideName,
    /// How many plies the machine looks ahead [default: by level]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: Option<u32>,
    /// The most seconds that the machine thinks about a move
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    #[arg(long, value_name = "FILE", default_value = DEFAULT_WEIGHTS, help = WEIGHTS_HELP)]
    weights: String,
    /// Follow the opening book FILE, made by `loatune book`
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    #[command(flatten)]
    rules: RuleFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideName {
    X,
    O,
}

/// A number of seconds, fractions allowed.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| (0.01..=86_400.0).contains(number))
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .ok_or_else(|| String::from("must be from 0.01 to 86400 seconds"))
}

impl Play {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = self.rules.rules()?;
        let setup = Setup {
            rules,
            book: read_player_book(self.book.as_deref(), &rules)?,
            weights: read_weights(&self.weights)?.weights,
            limits: EngineLimits {
                depth: self.depth,
                time: self.time,
            },
            search: self.search()?,
            side: match self.side {
                SideName::X => Side::X,
                SideName::O => Side::O,
            },
            prompts: io::stdin().is_terminal(),
        };
        Dialogue::new(setup, out).run(&mut io::stdin().lock())
    }

    /// The search that the flags name.
    ///
    /// # Errors
    /// Its options do not go together, or there is no memory for its tree.
    fn search(&self) -> anyhow::Result<SearchSetup> {
        let Some(search) = self.player else {
            let level = Level::new(self.level).expect("the flag takes levels only");
            return Ok(level.search());
        };
        let setting = format!("--player {search}");
        check_tree(&setting, &search)?;
        // Without a limit a reply takes a second at most.
        let is_timed = self.time.is_some() || self.depth.is_none();
        let checked = search.check(is_timed);
        checked.map_err(|error| BadUsage::new(format!("{setting}: {error}")))?;
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_sensible() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "0", "-1", "NaN", "inf", "1e300", "one"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
