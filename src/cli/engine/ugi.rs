//! `loatune ugi`: the engine for match runners and other programs.

use std::io::{self, Write};

use clap::Args;

use crate::cli::args::{RuleFlags, read_weights};
use crate::cli::output::OutputError;
use crate::ugi::{SessionError, Settings, run};

/// Speak the Universal Game Interface on standard input and output
///
/// For match runners and other programs. P1 is Black (x), who moves first.
/// Whatever is wrong with a line is answered by `info string error: …`, and
/// the dialogue goes on. It ends with `quit` or the end of the input; a search
/// with a limit is then finished first.
#[derive(Debug, Args)]
#[command(after_help = "\
Commands:
  ugi  isready  uginewgame  stop  quit
  setoption name NAME value VALUE
  position startpos|fen TEXT [moves MOVE…]
  go [depth N] [nodes N] [movetime MS] [infinite]
     [p1time MS p2time MS [p1inc MS p2inc MS] [movestogo N]]
  query gameover|p1turn|result

Options: Weights (`default` or a file), Player (minimax, negamax, alphabeta,
memory, mtdf), Hash (MB), Simultaneous, NoMoves, Repetition, MaxPlies. The flags
above set their first values.

Scores are `cp N` or, where the game is decided, `mate N` plies (negative: it is
lost), for the side to move. `go` in a finished game answers `bestmove (none)`.

Examples:
  loatune ugi
  loatune ugi --simultaneous draw --no-moves passes
  printf 'position startpos moves b1-b3\\ngo depth 8\\n' | loatune ugi")]
pub(crate) struct Ugi {
    /// Weights of the evaluation: `default` or a weight file
    #[arg(long, value_name = "FILE", default_value = "default")]
    weights: String,
    #[command(flatten)]
    rules: RuleFlags,
}

impl Ugi {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut settings = Settings::new(self.rules.rules()?);
        settings.weights = read_weights(&self.weights)?.weights;
        settings.weights_name.clone_from(&self.weights);
        match run(io::stdin(), out, settings) {
            Err(SessionError::Write(cause)) => Err(OutputError(cause).into()),
            other => Ok(other?),
        }
    }
}
