//! A game in few bytes: about 80 for one of 31 plies.

use serde::{Deserialize, Serialize};

use crate::arena::{EndCause, Fault, GameOutcome, GameRecord};
use crate::board::{Board, Move, Side};
use crate::evolve::GameResult;
use crate::game::{Reason, Winner};
use crate::notation::{PositionError, parse_position, position_text};
use crate::stats::{GameScore, Points};

/// A game as it is stored. Who played it, and its seed, is the match's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredGame {
    /// The first position; `None` for the start of the game.
    pub first: Option<String>,
    /// How many of the moves are the opening's.
    pub opening_plies: u32,
    /// The bits of all moves, those of the opening first.
    #[serde(with = "two_bytes")]
    pub moves: Vec<u16>,
    /// Who won.
    pub winner: StoredWinner,
    /// Why it was over.
    pub reason: StoredReason,
    /// What the winner thought of its last position, where that is known.
    pub final_value: Option<i32>,
    /// Groups that the loser's pieces formed at the end.
    pub loser_groups: Option<u32>,
    /// Positions visited, by Black and by White.
    pub nodes: [u64; 2],
}

/// [`Winner`] as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredWinner {
    /// Black, who moved first.
    Black,
    /// White.
    White,
    /// A draw.
    Nobody,
}

/// [`Reason`] or [`Fault`] as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredReason {
    /// [`Reason::Connected`].
    Connected,
    /// [`Reason::BothConnected`].
    BothConnected,
    /// [`Reason::NoMoves`].
    NoMoves,
    /// [`Reason::Repetition`].
    Repetition,
    /// [`Reason::MaxPlies`].
    MaxPlies,
    /// [`Fault::Hangs`].
    Hangs(u64),
    /// [`Fault::Dies`].
    Dies(String),
    /// [`Fault::Illegal`].
    Illegal(String),
    /// [`Fault::Overtime`].
    Overtime(u64),
    /// [`EndCause::Adjudicated`].
    Adjudicated,
}

/// A game that cannot be stored, or a stored one that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The first position cannot be read.
    #[error("bad first position: {0}")]
    First(#[from] PositionError),
    /// A stored move is illegal.
    #[error("ply {ply}: the stored move {bits:#06x} is illegal")]
    Bits {
        /// Which, from 1.
        ply: usize,
        /// The move.
        bits: u16,
    },
}

impl From<&GameRecord> for StoredGame {
    fn from(record: &GameRecord) -> StoredGame {
        let is_start = record.first.same_position(&Board::start());
        StoredGame {
            first: (!is_start).then(|| position_text(&record.first)),
            opening_plies: record.opening_plies,
            moves: record.moves.iter().map(|mv| mv.to_bits()).collect(),
            winner: StoredWinner::from(record.outcome.winner),
            reason: StoredReason::from(&record.outcome.cause),
            final_value: record.final_value,
            loser_groups: record.loser_groups,
            nodes: record.nodes,
        }
    }
}

impl StoredGame {
    /// The record again, as the arena made it.
    ///
    /// # Errors
    /// Where the first position or a move is not one.
    pub fn record(&self, players: [String; 2], seed: u64) -> Result<GameRecord, GameError> {
        let first = match &self.first {
            Some(text) => parse_position(text)?,
            None => Board::start(),
        };
        let mut board = first;
        let mut moves = Vec::with_capacity(self.moves.len());
        for (n, &bits) in self.moves.iter().enumerate() {
            let mv = Move::from_bits(bits);
            let turn = board.turn();
            board = if board.is_legal(mv) {
                board.play(mv)
            } else if mv.is_pass() && board.mobility(turn) == 0 {
                board.pass()
            } else {
                return Err(GameError::Bits { ply: n + 1, bits });
            };
            moves.push(mv);
        }
        Ok(GameRecord {
            players,
            seed,
            first,
            opening_plies: self.opening_plies,
            moves,
            outcome: GameOutcome {
                winner: self.winner.into(),
                cause: EndCause::from(&self.reason),
            },
            loser_groups: self.loser_groups,
            final_value: self.final_value,
            nodes: self.nodes,
        })
    }

    /// Whether a player failed in it.
    pub fn has_fault(&self) -> bool {
        matches!(EndCause::from(&self.reason), EndCause::Fault(_))
    }

    /// What `side` got out of it, as a match counts it.
    pub(super) fn score_for(&self, side: Side) -> GameScore {
        let points = match Winner::from(self.winner) {
            Winner::Draw => Points::Draw,
            Winner::Side(winner) if winner == side => Points::Win,
            Winner::Side(_) => Points::Loss,
        };
        let plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        GameScore { points, plies }
    }

    /// The game from the point of view of `side`, as the rule takes it.
    pub(super) fn result_for(&self, side: Side) -> GameResult {
        match Winner::from(self.winner) {
            Winner::Draw => GameResult::Drawn,
            Winner::Side(winner) if winner == side => GameResult::Won(self.final_value),
            Winner::Side(_) => GameResult::Lost(self.final_value),
        }
    }
}

impl From<Winner> for StoredWinner {
    fn from(winner: Winner) -> StoredWinner {
        match winner {
            Winner::Side(Side::X) => StoredWinner::Black,
            Winner::Side(Side::O) => StoredWinner::White,
            Winner::Draw => StoredWinner::Nobody,
        }
    }
}

impl From<StoredWinner> for Winner {
    fn from(winner: StoredWinner) -> Winner {
        match winner {
            StoredWinner::Black => Winner::Side(Side::X),
            StoredWinner::White => Winner::Side(Side::O),
            StoredWinner::Nobody => Winner::Draw,
        }
    }
}

impl From<&EndCause> for StoredReason {
    fn from(cause: &EndCause) -> StoredReason {
        match cause {
            EndCause::Rules(Reason::Connected) => StoredReason::Connected,
            EndCause::Rules(Reason::BothConnected) => StoredReason::BothConnected,
            EndCause::Rules(Reason::NoMoves) => StoredReason::NoMoves,
            EndCause::Rules(Reason::Repetition) => StoredReason::Repetition,
            EndCause::Rules(Reason::MaxPlies) => StoredReason::MaxPlies,
            EndCause::Fault(Fault::Hangs(after)) => StoredReason::Hangs(*after),
            EndCause::Fault(Fault::Dies(why)) => StoredReason::Dies(why.clone()),
            EndCause::Fault(Fault::Illegal(what)) => StoredReason::Illegal(what.clone()),
            EndCause::Fault(Fault::Overtime(late)) => StoredReason::Overtime(*late),
            EndCause::Adjudicated => StoredReason::Adjudicated,
        }
    }
}

impl From<&StoredReason> for EndCause {
    fn from(reason: &StoredReason) -> EndCause {
        match reason {
            StoredReason::Connected => EndCause::Rules(Reason::Connected),
            StoredReason::BothConnected => EndCause::Rules(Reason::BothConnected),
            StoredReason::NoMoves => EndCause::Rules(Reason::NoMoves),
            StoredReason::Repetition => EndCause::Rules(Reason::Repetition),
            StoredReason::MaxPlies => EndCause::Rules(Reason::MaxPlies),
            StoredReason::Hangs(after) => EndCause::Fault(Fault::Hangs(*after)),
            StoredReason::Dies(why) => EndCause::Fault(Fault::Dies(why.clone())),
            StoredReason::Illegal(what) => EndCause::Fault(Fault::Illegal(what.clone())),
            StoredReason::Overtime(late) => EndCause::Fault(Fault::Overtime(*late)),
            StoredReason::Adjudicated => EndCause::Adjudicated,
        }
    }
}

/// Moves as two bytes each, the lower one first: as numbers of varying length
/// captures would take three.
mod two_bytes {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(moves: &[u16], to: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = moves.iter().flat_map(|mv| mv.to_le_bytes()).collect();
        to.serialize_bytes(&bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u16>, D::Error> {
        from.deserialize_bytes(Moves)
    }

    struct Moves;

    impl<'de> Visitor<'de> for Moves {
        type Value = Vec<u16>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("two bytes a move")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u16>, E> {
            let (pairs, rest) = bytes.as_chunks::<2>();
            if !rest.is_empty() {
                return Err(E::invalid_length(bytes.len(), &self));
            }
            Ok(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect())
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<u16>, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = seq.next_element::<u8>()? {
                bytes.push(byte);
            }
            self.visit_bytes(&bytes)
        }
    }
}
