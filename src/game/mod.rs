//! A game: the moves played so far, and whether it is over.
//!
//! Owns what needs the past or the rule switches: results, repetition, the ply
//! limit and passing. What a position is, and how pieces move, is
//! [`crate::board`]'s.

pub mod perft;
mod rules;

use std::fmt;

pub use rules::{NoMoves, Rules, Simultaneous};

use crate::board::{Board, Move, Side, Snapshot};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// One side.
    Side(Side),
    /// Nobody.
    Draw,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// One side's pieces form one group.
    Connected,
    /// Both sides' pieces do.
    BothConnected,
    /// The side to move has no legal move.
    NoMoves,
    /// The position occurred as often as the rules allow.
    Repetition,
    /// The ply limit is reached.
    MaxPlies,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won.
    pub winner: Winner,
    /// Why it is over.
    pub reason: Reason,
}

/// A move that cannot be played in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("{0} is played after the end of the game ({1})")]
    Finished(Move, Outcome),
    /// The move is not among the legal ones.
    #[error("{0} is not a legal move")]
    Illegal(Move),
}

/// A game under given rules, from any position.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    /// Every position so far, the present one last; never empty.
    boards: Vec<Board>,
    /// The keys of `boards`, together so that looking for a repetition is
    /// quick.
    keys: Vec<u64>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

/// How `now` ends a game, by itself: connection first, then a side without a
/// move. Repetition and the ply limit need a [`Game`].
pub fn outcome_of(now: &Snapshot, rules: &Rules) -> Option<Outcome> {
    let mover = !now.turn();
    let connected = match (now.is_connected(mover), now.is_connected(now.turn())) {
        (true, true) => {
            let winner = match rules.simultaneous {
                Simultaneous::MoverWins => Winner::Side(mover),
                Simultaneous::Draw => Winner::Draw,
            };
            Some(Outcome {
                winner,
                reason: Reason::BothConnected,
            })
        }
        (true, false) => Some(Outcome {
            winner: Winner::Side(mover),
            reason: Reason::Connected,
        }),
        (false, true) => Some(Outcome {
            winner: Winner::Side(!mover),
            reason: Reason::Connected,
        }),
        (false, false) => None,
    };
    if connected.is_some() || now.mobility(now.turn()) > 0 {
        return connected;
    }
    let winner = match rules.no_moves {
        NoMoves::Loses => Winner::Side(mover),
        NoMoves::Passes if now.mobility(mover) > 0 => return None,
        NoMoves::Passes => Winner::Draw,
    };
    Some(Outcome {
        winner,
        reason: Reason::NoMoves,
    })
}

impl Game {
    /// A new game.
    pub fn new(rules: Rules) -> Game {
        Game::from_board(rules, Board::start())
    }

    /// A game that begins at `board`.
    pub fn from_board(rules: Rules, board: Board) -> Game {
        let mut game = Game {
            rules,
            boards: vec![board],
            keys: vec![board.key()],
            moves: Vec::new(),
            outcome: None,
        };
        game.outcome = game.judge();
        game
    }

    /// The rules it is played under.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The present position.
    pub fn board(&self) -> &Board {
        self.boards.last().expect("a game has its first position")
    }

    /// The position it began with.
    pub fn first_board(&self) -> &Board {
        &self.boards[0]
    }

    /// Every position so far, the first one first.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The moves played.
    pub fn played(&self) -> &[Move] {
        &self.moves
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.board().turn()
    }

    /// How the game ended, if it has. A won position is won even where it
    /// repeats or reaches the limit.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn judge(&self) -> Option<Outcome> {
        let draw = |reason| {
            Some(Outcome {
                winner: Winner::Draw,
                reason,
            })
        };
        if let Some(outcome) = outcome_of(self.board(), &self.rules) {
            return Some(outcome);
        }
        if self.rules.repetition > 0 && self.occurrences() >= self.rules.repetition {
            return draw(Reason::Repetition);
        }
        if self.moves.len() >= self.rules.max_plies as usize {
            return draw(Reason::MaxPlies);
        }
        None
    }

    /// What may be played now: nothing once the game is over, and only
    /// [`Move::PASS`] where the side to move has to pass.
    pub fn moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let moves = self.board().moves();
        if moves.is_empty() {
            vec![Move::PASS]
        } else {
            moves.to_vec()
        }
    }

    /// Plays a move.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::Finished(mv, outcome));
        }
        let board = self.board();
        let next = if board.is_legal(mv) {
            board.play(mv)
        } else if mv.is_pass() && board.mobility(board.turn()) == 0 {
            board.pass()
        } else {
            return Err(PlayError::Illegal(mv));
        };
        self.boards.push(next);
        self.keys.push(next.key());
        self.moves.push(mv);
        self.outcome = self.judge();
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.boards.pop();
        self.keys.pop();
        self.outcome = self.judge();
        Some(mv)
    }

    /// How often the present position has occurred, itself included.
    pub fn occurrences(&self) -> u32 {
        let now = self.board();
        let mut count = 1;
        // Back two plies at a time: only then is it the same side's turn. A
        // capture cannot be undone, so nothing before one comes back.
        let mut then = self.moves.len();
        while then >= 2 && !self.moves[then - 1].is_capture() && !self.moves[then - 2].is_capture()
        {
            then -= 2;
            let same = self.keys[then] == now.key() && self.boards[then].same_position(now);
            count += u32::from(same);
        }
        count
    }
}

impl Winner {
    /// `x`, `o` or `draw`, as in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            Winner::Side(Side::X) => "x",
            Winner::Side(Side::O) => "o",
            Winner::Draw => "draw",
        }
    }
}

impl Reason {
    /// The name in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Connected => "connected",
            Reason::BothConnected => "both-connected",
            Reason::NoMoves => "no-moves",
            Reason::Repetition => "repetition",
            Reason::MaxPlies => "max-plies",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Winner::Side(side) => write!(f, "{side} wins: ")?,
            Winner::Draw => write!(f, "draw: ")?,
        }
        f.write_str(match self.reason {
            Reason::Connected => "all its pieces are connected",
            Reason::BothConnected => "both sides are connected",
            Reason::NoMoves => "the side to move has no legal move",
            Reason::Repetition => "the position was repeated",
            Reason::MaxPlies => "the ply limit is reached",
        })
    }
}
