//! What is kept of a game: enough to play it again and to check it.

use serde::{Deserialize, Serialize};

use super::contender::Fault;
use crate::board::{Board, Side};
use crate::game::Rules;
use crate::game::{Game, Winner};
use crate::notation::{
    self, GameTextError, PositionError, SgfGame, parse_moves, parse_position, position_text,
};
use crate::stats::Points;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The names of Black and White.
    pub players: [String; 2],
    /// The seed of its pair, from which a random opening follows.
    pub seed: u64,
    /// The first position.
    pub first: String,
    /// How many of the moves are the opening's, not the players'.
    pub opening_plies: u32,
    /// All moves, those of the opening first.
    pub moves: String,
    /// `x`, `o` or `draw`.
    pub result: String,
    /// The name of the [`Reason`](crate::game::Reason) or of the fault.
    pub reason: String,
    /// Why the loser could not go on, where it could not.
    pub fault: Option<Fault>,
    /// Plies played, those of the opening included.
    pub plies: u32,
    /// Groups that the loser's pieces form at the end; `None` for a draw or a
    /// fault.
    pub loser_groups: Option<u32>,
    /// What the winner thought of its last position when it chose its last
    /// move, in its engine's units. A static value of the final position would
    /// say nothing: it is won. `None` for a draw, or where the winner does not
    /// tell.
    pub final_value: Option<i32>,
    /// Positions visited, by Black and by White.
    pub nodes: [u64; 2],
    /// Moves chosen, by Black and by White.
    pub choices: [u32; 2],
}

/// How a game ended, as it is recorded.
pub(super) struct End {
    pub(super) winner: Winner,
    pub(super) reason: String,
    pub(super) fault: Option<Fault>,
}

/// A record that does not tell what happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first position cannot be read.
    #[error("bad first position: {0}")]
    First(#[from] PositionError),
    /// A move cannot be played.
    #[error(transparent)]
    Moves(#[from] GameTextError),
    /// The moves lead to something else.
    #[error("{what} is {recorded}, but the moves make it {replayed}")]
    Differs {
        /// The field.
        what: &'static str,
        /// What the record says.
        recorded: String,
        /// What the moves say.
        replayed: String,
    },
}

impl GameRecord {
    pub(super) fn of(
        game: &Game,
        players: [String; 2],
        opening_plies: usize,
        end: End,
        final_value: Option<i32>,
        nodes: [u64; 2],
        seed: u64,
    ) -> GameRecord {
        let loser_groups = match end.winner {
            Winner::Side(winner) if end.fault.is_none() => Some(groups(game.board(), !winner)),
            _ => None,
        };
        GameRecord {
            players,
            seed,
            first: position_text(game.first_board()),
            opening_plies: opening_plies as u32,
            moves: moves_text(game),
            result: end.winner.name().to_owned(),
            reason: end.reason,
            fault: end.fault,
            plies: game.played().len() as u32,
            loser_groups,
            final_value,
            nodes,
            choices: choices(game, opening_plies),
        }
    }

    /// The side that won; `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        let is = |side: &Side| Winner::Side(*side).name() == self.result;
        Side::BOTH.into_iter().find(is)
    }

    /// What `side` got out of it.
    pub fn points(&self, side: Side) -> Points {
        match self.winner() {
            Some(winner) if winner == side => Points::Win,
            Some(_) => Points::Loss,
            None => Points::Draw,
        }
    }

    /// Plays the game again and checks that it is what the record says.
    pub fn replay(&self, rules: &Rules) -> Result<Game, ReplayError> {
        let mut game = Game::from_board(*rules, parse_position(&self.first)?);
        parse_moves(&mut game, &self.moves)?;
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
        let plies = game.played().len();
        check("plies", self.plies.to_string(), plies.to_string())?;
        let chosen = choices(&game, self.opening_plies as usize);
        check(
            "choices",
            format!("{:?}", self.choices),
            format!("{chosen:?}"),
        )?;
        let outcome = game.outcome();
        let none = || "unfinished".to_owned();
        if let Some(fault) = &self.fault {
            let ended = outcome.map_or_else(none, |outcome| outcome.to_string());
            check("the board", none(), ended)?;
            check("reason", self.reason.clone(), fault.name().to_owned())?;
            let winner = Winner::Side(!game.turn()).name();
            // A player that fails at the start does so before its turn.
            if plies > self.opening_plies as usize {
                check("result", self.result.clone(), winner.to_owned())?;
            }
        } else {
            let winner = outcome.map_or_else(none, |end| end.winner.name().to_owned());
            check("result", self.result.clone(), winner)?;
            let reason = outcome.map_or_else(none, |end| end.reason.name().to_owned());
            check("reason", self.reason.clone(), reason)?;
            let left = self.winner().map(|side| groups(game.board(), !side));
            check(
                "loser_groups",
                format!("{:?}", self.loser_groups),
                format!("{left:?}"),
            )?;
        }
        Ok(game)
    }

    /// The game as SGF, with a comment on how it began and ended.
    pub fn to_sgf(&self, rules: &Rules) -> Result<String, ReplayError> {
        let colour = match self.winner() {
            Some(Side::X) => "B+Forfeit",
            Some(Side::O) => "W+Forfeit",
            None => "Draw",
        };
        let why = match &self.fault {
            Some(fault) => fault.to_string(),
            None => self.reason.clone(),
        };
        let comment = format!(
            "opening of {} plies, seed {}; {why}",
            self.opening_plies, self.seed
        );
        Ok(notation::write_sgf(&SgfGame {
            players: self.players.clone(),
            result: Some(colour.to_owned()),
            comment: Some(comment),
            ..SgfGame::new(self.replay(rules)?)
        }))
    }
}

fn groups(board: &Board, side: Side) -> u32 {
    board.pieces(side).groups()
}

fn moves_text(game: &Game) -> String {
    let moves: Vec<String> = game.played().iter().map(ToString::to_string).collect();
    moves.join(" ")
}

/// How many moves each side made after the opening.
fn choices(game: &Game, opening_plies: usize) -> [u32; 2] {
    let mut choices = [0; 2];
    let played = game.boards().iter().take(game.played().len());
    for board in played.skip(opening_plies) {
        choices[board.turn().index()] += 1;
    }
    choices
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn record() -> GameRecord {
        let mut game = Game::from_board(
            Rules::default(),
            parse_position("7o/8/7o/8/8/x7/8/x6o x").unwrap(),
        );
        parse_moves(&mut game, "a3-b2").unwrap();
        let outcome = game.outcome().unwrap();
        let end = End {
            winner: outcome.winner,
            reason: outcome.reason.name().to_owned(),
            fault: None,
        };
        let names = ["a".to_owned(), "b".to_owned()];
        GameRecord::of(&game, names, 0, end, Some(29_987), [7, 0], 3)
    }

    #[test]
    fn a_true_record_is_replayed() {
        let record = record();
        assert!(record.replay(&Rules::default()).is_ok());
        assert_eq!(record.points(Side::X), Points::Win);
        assert_eq!(record.points(Side::O), Points::Loss);
        let sgf = record.to_sgf(&Rules::default()).unwrap();
        let games = notation::parse_sgf(&sgf, &Rules::default()).unwrap();
        assert_eq!(games[0].players, ["a", "b"]);
        assert_eq!(games[0].result.as_deref(), Some("B+"));
    }

    #[test]
    fn a_false_record_is_found_out() {
        type Forge = fn(&mut GameRecord);
        let cases: [(Forge, &str); 8] = [
            (|r| r.result = "o".to_owned(), "result is o, but"),
            (|r| r.reason = "no-moves".to_owned(), "reason is no-moves"),
            (|r| r.plies = 2, "plies is 2, but the moves make it 1"),
            (|r| r.loser_groups = Some(1), "loser_groups is Some(1)"),
            (|r| r.choices = [0, 1], "choices is [0, 1]"),
            (|r| r.moves = "a3-d3".to_owned(), "move 1 (\"a3-d3\")"),
            (|r| r.first = "8/8 x".to_owned(), "bad first position"),
            (|r| r.fault = Some(Fault::Hangs(1)), "the board is unfin"),
        ];
        for (forge, message) in cases {
            let mut record = record();
            forge(&mut record);
            let error = record.replay(&Rules::default()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
