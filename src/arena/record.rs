//! A finished game as values: the first position, the moves and the outcome.
//!
//! Text is made only where a game is shown or written, by [`GameRecord::to_sgf`]
//! and by the types of [`crate::api`]; between the arena and the store no move
//! is printed or parsed.

use super::contender::Fault;
use crate::board::{Board, Move, Side};
use crate::game::{Game, PlayError, Reason, Rules, Winner};
use crate::notation::{self, SgfGame};
use crate::stats::Points;

/// A finished game.
///
/// ```
/// use loatune::arena::{Builtin, MoveLimits, Opening, play_game};
/// use loatune::arena::openings::Start;
/// use loatune::board::Board;
/// use loatune::eval::Weights;
/// use loatune::game::Rules;
/// use loatune::search::Algorithm;
///
/// let rules = Rules::default();
/// let limits = MoveLimits { depth: Some(1), ..MoveLimits::default() };
/// let mut black = Builtin::new("black", Algorithm::Mtdf, &Weights::source(), limits);
/// let mut white = Builtin::new("white", Algorithm::Mtdf, &Weights::source(), limits);
/// let opening = Opening { first: Board::start(), moves: Vec::new() };
/// let start = Start { opening, seed: 0 };
/// let record = play_game([&mut black, &mut white], &rules, &start, &|| false)
///     .expect("nothing stops this game");
/// let game = record.replay(&rules)?;
/// assert_eq!(game.played(), record.moves);
/// # Ok::<(), loatune::arena::ReplayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The names of Black and White.
    pub players: [String; 2],
    /// The seed of its pair, from which a random opening follows.
    pub seed: u64,
    /// The position before the first move.
    pub first: Board,
    /// How many of the moves are the opening's, not the players'.
    pub opening_plies: u32,
    /// All moves, those of the opening first.
    pub moves: Vec<Move>,
    /// Who won, and why the game is over.
    pub outcome: GameOutcome,
    /// Groups that the loser's pieces form at the end; `None` for a draw or a
    /// fault.
    pub loser_groups: Option<u32>,
    /// The value, in its engine's units, that the winner's search gave the
    /// position in which it chose its last move. A static value of the final
    /// position would say nothing: it is won. `None` for a draw, or where the
    /// winner does not report values.
    pub final_value: Option<i32>,
    /// Positions visited, by Black and by White.
    pub nodes: [u64; 2],
}

/// The end of a game between players, who may fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOutcome {
    /// The side that won, or a draw. A player that fails loses, unless the
    /// parameters of a run make the game a draw.
    pub winner: Winner,
    /// What ended the game.
    pub cause: EndCause,
}

/// What ended a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The position or the rules ended it.
    Rules(Reason),
    /// The loser could not go on.
    Fault(Fault),
    /// Both players valued the game as won by the same side for long enough.
    Adjudicated,
}

/// A record whose moves do not lead to what it claims.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A move cannot be played.
    #[error("move {number} (\"{mv}\"): {cause}")]
    Move {
        /// Its place among the moves, from 1.
        number: usize,
        /// The move as the record has it.
        mv: Move,
        /// What the game says of it.
        cause: PlayError,
    },
    /// The moves lead to something else.
    #[error("{what} is {recorded}, but the moves make it {replayed}")]
    Differs {
        /// The field that differs.
        what: &'static str,
        /// Its value in the record.
        recorded: String,
        /// Its value after the moves.
        replayed: String,
    },
}

impl EndCause {
    /// The name in every JSON output.
    pub const fn name(&self) -> &'static str {
        match self {
            EndCause::Rules(reason) => reason.name(),
            EndCause::Fault(fault) => fault.name(),
            EndCause::Adjudicated => "adjudicated",
        }
    }
}

impl GameOutcome {
    /// Why the loser could not go on, where that ended the game.
    pub const fn fault(&self) -> Option<&Fault> {
        match &self.cause {
            EndCause::Fault(fault) => Some(fault),
            EndCause::Rules(_) | EndCause::Adjudicated => None,
        }
    }
}

impl GameRecord {
    /// The side that won; `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        match self.outcome.winner {
            Winner::Side(side) => Some(side),
            Winner::Draw => None,
        }
    }

    /// What `side` got out of it.
    pub fn points(&self, side: Side) -> Points {
        match self.winner() {
            Some(winner) if winner == side => Points::Win,
            Some(_) => Points::Loss,
            None => Points::Draw,
        }
    }

    /// Plies played, those of the opening included.
    pub const fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Moves that each side chose after the opening, Black's first. A pass
    /// counts: the side to move alternates with every ply.
    pub fn choices(&self) -> [u32; 2] {
        let (opening, all) = (self.opening_plies.min(self.plies()), self.plies());
        let turns = |side: Side| {
            // Plies with an even index belong to the side that moves first.
            let is_first = side == self.first.turn();
            let before = |plies: u32| {
                if is_first {
                    plies.div_ceil(2)
                } else {
                    plies / 2
                }
            };
            before(all) - before(opening)
        };
        Side::BOTH.map(turns)
    }

    /// Plays the game again and checks that it is what the record says.
    ///
    /// # Errors
    /// The first move that cannot be played, or the first field that does not
    /// follow from the moves.
    pub fn replay(&self, rules: &Rules) -> Result<Game, ReplayError> {
        let mut game = Game::from_board(*rules, self.first);
        for (before, &mv) in self.moves.iter().enumerate() {
            let number = before + 1;
            game.play(mv)
                .map_err(|cause| ReplayError::Move { number, mv, cause })?;
        }
        let check = |what, recorded: String, replayed: String| {
            if recorded == replayed {
                return Ok(());
            }
            Err(ReplayError::Differs {
                what,
                recorded,
                replayed,
            })
        };
        let outcome = game.outcome();
        let none = || "unfinished".to_owned();
        let recorded = self.outcome.winner.name().to_owned();
        match &self.outcome.cause {
            EndCause::Adjudicated => {
                let ended = outcome.map_or_else(none, |outcome| outcome.to_string());
                check("the board", none(), ended)?;
            }
            EndCause::Fault(_) => {
                let ended = outcome.map_or_else(none, |outcome| outcome.to_string());
                check("the board", none(), ended)?;
                // A player that fails at the start does so before its turn.
                let is_draw = self.outcome.winner == Winner::Draw;
                if self.plies() > self.opening_plies && !is_draw {
                    let winner = Winner::Side(!game.turn()).name();
                    check("result", recorded, winner.to_owned())?;
                }
            }
            EndCause::Rules(reason) => {
                let winner = outcome.map_or_else(none, |end| end.winner.name().to_owned());
                check("result", recorded, winner)?;
                let replayed = outcome.map_or_else(none, |end| end.reason.name().to_owned());
                check("reason", reason.name().to_owned(), replayed)?;
                let left = loser_groups(game.board(), self.outcome.winner);
                check(
                    "loser_groups",
                    format!("{:?}", self.loser_groups),
                    format!("{left:?}"),
                )?;
            }
        }
        Ok(game)
    }

    /// The game as SGF, with a comment on how it began and ended.
    ///
    /// # Errors
    /// As [`GameRecord::replay`]: only a true record is written.
    pub fn to_sgf(&self, rules: &Rules) -> Result<String, ReplayError> {
        // Written only where the moves alone do not decide the game.
        let how = match &self.outcome.cause {
            EndCause::Rules(_) => "",
            EndCause::Fault(Fault::Overtime(_)) => "Time",
            EndCause::Fault(_) => "Forfeit",
            EndCause::Adjudicated => "Resign",
        };
        let result = match self.winner() {
            Some(Side::X) => format!("B+{how}"),
            Some(Side::O) => format!("W+{how}"),
            None => String::from("Draw"),
        };
        let why = match &self.outcome.cause {
            EndCause::Rules(reason) => reason.name().to_owned(),
            EndCause::Fault(fault) => fault.to_string(),
            EndCause::Adjudicated => String::from("adjudicated by the values of both players"),
        };
        let comment = format!(
            "opening of {} plies, seed {}; {why}",
            self.opening_plies, self.seed
        );
        Ok(notation::write_sgf(&SgfGame {
            players: self.players.clone(),
            result: Some(result),
            comment: Some(comment),
            ..SgfGame::new(self.replay(rules)?)
        }))
    }
}

/// Groups that the loser's pieces form; `None` for a draw.
pub(super) fn loser_groups(board: &Board, winner: Winner) -> Option<u32> {
    match winner {
        Winner::Side(winner) => Some(board.pieces(!winner).groups()),
        Winner::Draw => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::notation::{parse_move, parse_position};

    fn record() -> GameRecord {
        let first = parse_position("7o/8/7o/8/8/x7/8/x6o x").unwrap();
        GameRecord {
            players: ["a".to_owned(), "b".to_owned()],
            seed: 3,
            first,
            opening_plies: 0,
            moves: vec![parse_move(&first, "a3-b2").unwrap()],
            outcome: GameOutcome {
                winner: Winner::Side(Side::X),
                cause: EndCause::Rules(Reason::Connected),
            },
            loser_groups: Some(3),
            final_value: Some(29_987),
            nodes: [7, 0],
        }
    }

    #[test]
    fn a_true_record_is_replayed() {
        let record = record();
        assert!(record.replay(&Rules::default()).is_ok());
        assert_eq!(record.points(Side::X), Points::Win);
        assert_eq!(record.points(Side::O), Points::Loss);
        assert_eq!((record.plies(), record.choices()), (1, [1, 0]));
        let sgf = record.to_sgf(&Rules::default()).unwrap();
        let games = notation::parse_sgf(&sgf, &Rules::default()).unwrap();
        assert_eq!(games[0].players, ["a", "b"]);
        assert_eq!(games[0].result.as_deref(), Some("B+"));
    }

    #[test]
    fn a_false_record_is_found_out() {
        type Forge = fn(&mut GameRecord);
        let cases: [(Forge, &str); 5] = [
            (
                |r| r.outcome.winner = Winner::Side(Side::O),
                "result is o, but",
            ),
            (
                |r| r.outcome.cause = EndCause::Rules(Reason::NoMoves),
                "reason is no-moves",
            ),
            (|r| r.loser_groups = Some(1), "loser_groups is Some(1)"),
            (|r| r.moves.push(r.moves[0]), "move 2 (\"a3-b2\")"),
            (
                |r| r.outcome.cause = EndCause::Fault(Fault::Hangs(1)),
                "the board is unfin",
            ),
        ];
        for (forge, message) in cases {
            let mut record = record();
            forge(&mut record);
            let error = record.replay(&Rules::default()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn choices_are_counted_by_turn() {
        let mut record = record();
        let mv = record.moves[0];
        for (plies, opening, expected) in [
            (0, 0, [0, 0]),
            (5, 0, [3, 2]),
            (5, 4, [1, 0]),
            (5, 3, [1, 1]),
            (6, 9, [0, 0]),
        ] {
            record.moves = vec![mv; plies];
            record.opening_plies = opening;
            assert_eq!(record.choices(), expected, "{plies} plies, {opening}");
        }
        record.first = record.first.pass();
        record.moves = vec![mv; 5];
        record.opening_plies = 0;
        assert_eq!(record.choices(), [2, 3]);
    }
}
