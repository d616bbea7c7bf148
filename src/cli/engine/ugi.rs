//! `loatune ugi`: the engine for match runners and other programs.

use std::io::{self, Write};

use clap::Args;

use crate::cli::args::{DEFAULT_WEIGHTS, RuleFlags, WEIGHTS_HELP, read_player_book, read_weights};
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
  query gameover|p1turn|result|features

Options: Weights (a file, a published champion's name, `default`, `source`
or `random:SEED`), Player (minimax, negamax, alphabeta,
memory, mtdf, selective, mcts), PlayerOptions (of selective and mcts, as in
lmr=0,null_move=0), Hash (MB), Book (a file of `loatune book`), Simultaneous,
NoMoves, Repetition, MaxPlies. The flags above set their first values. With --genes also every gene of a weight file.

`query features` is an extension: what each gene weighs in the position, P1's less
P2's, as `feature name NAME value X`, then `response features`.

Scores are `cp N` or, where the game is decided, `mate N` plies (negative: it is
lost), for the side to move. `go` in a finished game answers `bestmove (none)`.

Examples:
  loatune ugi
  loatune ugi --simultaneous draw --no-moves passes
  printf 'position startpos moves b1-b3\\ngo depth 8\\n' | loatune ugi")]
pub(crate) struct Ugi {
    #[arg(long, value_name = "FILE", default_value = DEFAULT_WEIGHTS, help = WEIGHTS_HELP)]
    weights: String,
    /// Follow the opening book FILE, made by `loatune book`
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    /// Make each gene of the evaluation an option, for programs that tune engines
    ///
    /// A gene is a whole number of its smallest steps: `hole_penalty` and the
    /// powers count in quarters. It has one value for the whole game: of weights with
    /// two phases that of the opening is taken. After a search the exact value is said as
    /// `info string value N`.
    #[arg(long)]
    genes: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

impl Ugi {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut settings = Settings::new(self.rules.rules()?);
        settings.weights = read_weights(&self.weights)?.weights;
        settings.weights_name.clone_from(&self.weights);
        if self.genes {
            settings.make_tunable();
        }
        settings.book = read_player_book(self.book.as_deref(), &settings.rules)?;
        match run(io::stdin(), out, settings) {
            Err(SessionError::Write(cause)) => Err(OutputError(cause).into()),
            other => Ok(other?),
        }
    }
}
