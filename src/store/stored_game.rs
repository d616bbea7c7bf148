//! A game in few bytes: about 80 for one of 31 plies.

use serde::{Deserialize, Serialize};

use crate::arena::{Fault, GameRecord};
use crate::board::{Board, Move, Side};
use crate::game::{Reason, Winner};
use crate::notation::{MoveError, PositionError, parse_move, parse_position, position_text};
use crate::search::value::WIN;

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
}

/// A game that cannot be stored, or a stored one that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The first position cannot be read.
    #[error("bad first position: {0}")]
    First(#[from] PositionError),
    /// A move cannot be read.
    #[error("ply {ply}: {cause}")]
    Text {
        /// Which, from 1.
        ply: usize,
        /// Why not.
        cause: MoveError,
    },
    /// A stored move is illegal.
    #[error("ply {ply}: the stored move {bits:#06x} is illegal")]
    Bits {
        /// Which, from 1.
        ply: usize,
        /// The move.
        bits: u16,
    },
    /// A record says what no game says.
    #[error("{field} is {value:?}: {expected}")]
    Field {
        /// The field of the record.
        field: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
}

impl StoredGame {
    /// What is stored of a record.
    pub fn of(record: &GameRecord) -> Result<StoredGame, GameError> {
        let first = parse_position(&record.first)?;
        let mut board = first;
        let mut moves = Vec::new();
        for (n, text) in record.moves.split_whitespace().enumerate() {
            let mv = parse_move(&board, text);
            let mv = mv.map_err(|cause| GameError::Text { ply: n + 1, cause })?;
            moves.push(mv.to_bits());
            board = if mv.is_pass() {
                board.pass()
            } else {
                board.play(mv)
            };
        }
        let field = |field, value: &str, expected| GameError::Field {
            field,
            value: value.to_owned(),
            expected,
        };
        let winner = StoredWinner::ALL
            .into_iter()
            .find(|winner| winner.winner().name() == record.result)
            .ok_or_else(|| field("result", &record.result, "it must be x, o or draw"))?;
        let reason = match &record.fault {
            Some(fault) => StoredReason::of_fault(fault),
            None => StoredReason::of_name(&record.reason)
                .ok_or_else(|| field("reason", &record.reason, "no game ends like that"))?,
        };
        let is_start = first.same_position(&Board::start());
        Ok(StoredGame {
            first: (!is_start).then(|| record.first.clone()),
            opening_plies: record.opening_plies,
            moves,
            winner,
            reason,
            final_value: record.final_value,
            loser_groups: record.loser_groups,
            nodes: record.nodes,
        })
    }

    /// The record again.
    pub fn record(&self, players: [String; 2], seed: u64) -> Result<GameRecord, GameError> {
        let first = match &self.first {
            Some(text) => parse_position(text)?,
            None => Board::start(),
        };
        let mut board = first;
        let mut choices = [0; 2];
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
            if n >= self.opening_plies as usize {
                choices[turn.index()] += 1;
            }
            moves.push(mv.to_string());
        }
        let fault = self.reason.fault();
        Ok(GameRecord {
            players,
            seed,
            first: position_text(&first),
            opening_plies: self.opening_plies,
            moves: moves.join(" "),
            result: self.winner.winner().name().to_owned(),
            reason: self.reason.name().to_owned(),
            fault,
            plies: self.moves.len() as u32,
            loser_groups: self.loser_groups,
            final_value: self.final_value,
            nodes: self.nodes,
            choices,
        })
    }

    /// What the game brought `side`, in units of [`WIN`] parts: the winner's
    /// final evaluation, at least 0 and at most [`WIN`], positive if `side`
    /// won. A winner that does not tell gets [`WIN`], a draw is 0.
    pub(super) fn value(&self, side: Side) -> i32 {
        let worth = self.final_value.unwrap_or(WIN).clamp(0, WIN);
        match self.winner.winner() {
            Winner::Draw => 0,
            Winner::Side(winner) if winner == side => worth,
            Winner::Side(_) => -worth,
        }
    }
}

impl StoredWinner {
    const ALL: [StoredWinner; 3] = [
        StoredWinner::Black,
        StoredWinner::White,
        StoredWinner::Nobody,
    ];

    /// Who it is.
    pub const fn winner(self) -> Winner {
        match self {
            StoredWinner::Black => Winner::Side(Side::X),
            StoredWinner::White => Winner::Side(Side::O),
            StoredWinner::Nobody => Winner::Draw,
        }
    }
}

impl StoredReason {
    fn of_name(name: &str) -> Option<StoredReason> {
        let all = [
            StoredReason::Connected,
            StoredReason::BothConnected,
            StoredReason::NoMoves,
            StoredReason::Repetition,
            StoredReason::MaxPlies,
        ];
        all.into_iter().find(|reason| reason.name() == name)
    }

    fn of_fault(fault: &Fault) -> StoredReason {
        match fault {
            Fault::Hangs(after) => StoredReason::Hangs(*after),
            Fault::Dies(why) => StoredReason::Dies(why.clone()),
            Fault::Illegal(what) => StoredReason::Illegal(what.clone()),
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self {
            StoredReason::Hangs(after) => Some(Fault::Hangs(*after)),
            StoredReason::Dies(why) => Some(Fault::Dies(why.clone())),
            StoredReason::Illegal(what) => Some(Fault::Illegal(what.clone())),
            _ => None,
        }
    }

    /// The name that the arena's records have.
    pub fn name(&self) -> &'static str {
        match self {
            StoredReason::Connected => Reason::Connected.name(),
            StoredReason::BothConnected => Reason::BothConnected.name(),
            StoredReason::NoMoves => Reason::NoMoves.name(),
            StoredReason::Repetition => Reason::Repetition.name(),
            StoredReason::MaxPlies => Reason::MaxPlies.name(),
            StoredReason::Hangs(after) => Fault::Hangs(*after).name(),
            StoredReason::Dies(_) => Fault::Dies(String::new()).name(),
            StoredReason::Illegal(_) => Fault::Illegal(String::new()).name(),
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
