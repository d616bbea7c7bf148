//! A game: its positions and moves so far, repetition and the ply limit.

use super::outcome::{Outcome, Reason, Winner, terminal_outcome};
use super::rules::Rules;
use crate::board::{Board, Move, Side};

/// A move that cannot be played in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game is over: the move, and how the game ended.
    #[error("{0} is played after the end of the game ({1})")]
    Finished(Move, Outcome),
    /// The move is not among the legal ones.
    #[error("{0} is not a legal move")]
    Illegal(Move),
}

/// A game under given rules, from any position.
///
/// # Examples
///
/// ```
/// use loatune::game::{Game, Rules};
/// use loatune::notation::parse_move;
///
/// let mut game = Game::new(Rules::default());
/// let mv = parse_move(game.board(), "b1-b3")?;
/// game.play(mv)?;
/// assert_eq!(game.played(), [mv]);
/// assert_eq!(game.outcome(), None);
/// assert_eq!(game.undo(), Some(mv));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    /// Every position so far, the present one last; never empty.
    boards: Vec<Board>,
    /// The keys of `boards`, side by side so that the search for a repetition
    /// stays within a few cache lines.
    keys: Vec<u64>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

impl Game {
    /// A game from the starting position.
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
        game.outcome = game.find_outcome();
        game
    }

    /// The rules that decide when it is over.
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

    /// The moves played, the first one first; passes included.
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

    fn find_outcome(&self) -> Option<Outcome> {
        let draw = |reason| {
            Some(Outcome {
                winner: Winner::Draw,
                reason,
            })
        };
        if let Some(outcome) = terminal_outcome(self.board(), &self.rules) {
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

    /// Plays a legal move, or a pass where the side to move has no move and
    /// the rules let it pass.
    ///
    /// # Errors
    ///
    /// [`PlayError::Finished`] after the end of the game, [`PlayError::Illegal`]
    /// for a move that the position does not allow. The game stays as it was.
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
        self.outcome = self.find_outcome();
        Ok(())
    }

    /// Takes the last move back and returns it; `None` at the first position.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.boards.pop();
        self.keys.pop();
        self.outcome = self.find_outcome();
        Some(mv)
    }

    /// The keys of the positions before the present one that may come back: those
    /// since the last capture, the oldest first.
    pub fn reversible_keys(&self) -> &[u64] {
        let capture = self.moves.iter().rposition(|mv| mv.is_capture());
        &self.keys[capture.map_or(0, |at| at + 1)..self.moves.len()]
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
