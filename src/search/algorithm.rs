//! Which search to run: the algorithms and their names.

use std::fmt;
use std::str::FromStr;

/// The five levels of the source document, weakest first, the selective search
/// and the Monte-Carlo tree search.
///
/// # Examples
///
/// ```
/// use loatune::search::Algorithm;
///
/// let algorithm: Algorithm = "mtdf".parse()?;
/// assert_eq!(algorithm, Algorithm::Mtdf);
/// assert_eq!(Algorithm::ALL[0].name(), "minimax");
/// # Ok::<(), loatune::search::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Visits every position; Black maximises, White minimises.
    Minimax,
    /// Minimax with one rule for both sides.
    Negamax,
    /// Negamax that skips what cannot change the value.
    AlphaBeta,
    /// Alpha-beta with a transposition table.
    Memory,
    /// MTD(f): null-window searches that close in on the value.
    Mtdf,
    /// Pruning, reductions and quiescence: not exact, but stronger at equal time.
    Selective,
    /// Monte-Carlo tree search: simulations instead of plies.
    Mcts,
}

impl Algorithm {
    /// All algorithms, in the order of the levels 1 to 7.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Minimax,
        Algorithm::Negamax,
        Algorithm::AlphaBeta,
        Algorithm::Memory,
        Algorithm::Mtdf,
        Algorithm::Selective,
        Algorithm::Mcts,
    ];

    /// Those that return the value of minimax.
    pub const EXACT: [Algorithm; 5] = [
        Algorithm::Minimax,
        Algorithm::Negamax,
        Algorithm::AlphaBeta,
        Algorithm::Memory,
        Algorithm::Mtdf,
    ];

    /// Those whose behaviour a signature covers, so that the games of a population
    /// and of a certificate may be played by them.
    pub const SIGNED: [Algorithm; 7] = Algorithm::ALL;

    /// Those whose searches deepen by plies, so that a depth limits them.
    pub const BY_DEPTH: [Algorithm; 6] = [
        Algorithm::Minimax,
        Algorithm::Negamax,
        Algorithm::AlphaBeta,
        Algorithm::Memory,
        Algorithm::Mtdf,
        Algorithm::Selective,
    ];

    /// The name that every command takes.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::Negamax => "negamax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Memory => "memory",
            Algorithm::Mtdf => "mtdf",
            Algorithm::Selective => "selective",
            Algorithm::Mcts => "mcts",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Algorithm, UnknownAlgorithm> {
        let found = Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == text);
        found.ok_or_else(|| UnknownAlgorithm(text.to_owned()))
    }
}

/// A name that belongs to no algorithm. The message calls it a player, as the
/// command line does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown player `{}`; one of minimax, negamax, alphabeta, memory, mtdf, selective, mcts", .0.escape_debug())]
pub struct UnknownAlgorithm(pub String);
