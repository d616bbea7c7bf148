//! One game between two players: the only place where games are played, for
//! matches, for the evolution and for tests.

use super::contender::{Contender, Fault};
use super::openings::Start;
use super::record::{EndCause, GameOutcome, GameRecord, loser_groups};
use crate::board::Side;
use crate::game::Rules;
use crate::game::{Game, Winner};

/// Plays a game from an opening; Black is the first of the players. `stop` is
/// asked after every move; once it returns true there is no record.
///
/// A player that fails loses: its fault is in the record's outcome. An opening that is no opening under these rules gives a game
/// without moves of the players, as far as it goes.
pub fn play_game(
    players: [&mut dyn Contender; 2],
    rules: &Rules,
    start: &Start,
    stop: &dyn Fn() -> bool,
) -> Option<GameRecord> {
    let mut game = Game::from_board(*rules, start.opening.first);
    for &mv in &start.opening.moves {
        if game.play(mv).is_err() {
            break;
        }
    }
    let opening_plies = game.played().len();
    let mut nodes = [0; 2];
    let mut values = [None; 2];
    let mut fault = None;
    for side in Side::BOTH {
        if fault.is_none() {
            let begun = players[side.index()].new_game(rules, game.first_board());
            fault = begun.err().map(|fault| (side, fault));
        }
    }
    while fault.is_none() && game.outcome().is_none() {
        let side = game.turn();
        let choice = players[side.index()].choose(&game);
        if stop() {
            return None;
        }
        let played = choice.and_then(|choice| {
            nodes[side.index()] += choice.nodes;
            values[side.index()] = choice.value;
            let played = game.play(choice.mv);
            played.map_err(|error| Fault::Illegal(error.to_string()))
        });
        fault = played.err().map(|fault| (side, fault));
    }

    let outcome = if let Some((side, fault)) = fault {
        GameOutcome {
            winner: Winner::Side(!side),
            cause: EndCause::Fault(fault),
        }
    } else {
        let outcome = game.outcome();
        let outcome = outcome.expect("without a fault the game is played to its end");
        GameOutcome {
            winner: outcome.winner,
            cause: EndCause::Rules(outcome.reason),
        }
    };
    let final_value = match outcome.winner {
        Winner::Side(side) => values[side.index()],
        Winner::Draw => None,
    };
    let loser_groups = match outcome.cause {
        EndCause::Rules(_) => loser_groups(game.board(), outcome.winner),
        EndCause::Fault(_) => None,
    };
    Some(GameRecord {
        players: players.map(|player| player.name().to_owned()),
        seed: start.seed,
        first: *game.first_board(),
        opening_plies: opening_plies as u32,
        moves: game.played().to_vec(),
        outcome,
        loser_groups,
        final_value,
        nodes,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::arena::{Builtin, Choice, MoveLimits, Opening};
    use crate::board::{Board, Move};
    use crate::eval::Weights;
    use crate::game::Reason;
    use crate::notation::parse_position;
    use crate::search::Algorithm;

    fn engine(depth: u32) -> Builtin {
        let limits = MoveLimits {
            depth: Some(depth),
            ..MoveLimits::default()
        };
        Builtin::new("engine", Algorithm::Mtdf, &Weights::default(), limits)
    }

    fn start() -> Start {
        Start {
            opening: Opening {
                first: Board::start(),
                moves: Vec::new(),
            },
            seed: 5,
        }
    }

    /// Plays the first legal move, until it fails.
    struct Failing(u32, Fault);

    impl Contender for Failing {
        fn name(&self) -> &str {
            "failing"
        }

        fn new_game(&mut self, _: &Rules, _: &Board) -> Result<(), Fault> {
            if self.0 == 0 {
                return Err(self.1.clone());
            }
            Ok(())
        }

        fn choose(&mut self, game: &Game) -> Result<Choice, Fault> {
            self.0 -= 1;
            let choice = |mv| Choice {
                mv,
                value: None,
                nodes: 1,
            };
            match (self.0, &self.1) {
                (0, Fault::Illegal(_)) => Ok(choice(Move::PASS)),
                (0, fault) => Err(fault.clone()),
                _ => Ok(choice(game.moves()[0])),
            }
        }
    }

    #[test]
    fn the_same_game_every_time() {
        let rules = Rules::default();
        let (mut black, mut white) = (engine(2), engine(1));
        let mut play = || play_game([&mut black, &mut white], &rules, &start(), &|| false).unwrap();
        let record = play();
        assert_eq!(record, play());
        let game = record.replay(&rules).unwrap();
        assert_eq!(game.played(), record.moves);
        assert!(record.nodes.iter().all(|&nodes| nodes > 0));
    }

    #[test]
    fn a_win_on_the_board() {
        let rules = Rules::default();
        let start = Start {
            opening: Opening {
                first: parse_position("7o/8/7o/8/8/x7/8/x6o x").unwrap(),
                moves: Vec::new(),
            },
            seed: 0,
        };
        let record = play_game([&mut engine(2), &mut engine(2)], &rules, &start, &|| false);
        let record = record.unwrap();
        assert_eq!((record.winner(), record.plies()), (Some(Side::X), 1));
        assert_eq!(record.outcome.cause, EndCause::Rules(Reason::Connected));
        assert_eq!(record.loser_groups, Some(3));
        assert!(record.final_value.unwrap() > 29_000);
        assert_eq!(record.choices(), [1, 0]);
    }

    #[test]
    fn who_fails_loses() {
        let rules = Rules::default();
        let faults = [
            Fault::Hangs(1500),
            Fault::Dies("exit code 1".to_owned()),
            Fault::Illegal("x cannot pass".to_owned()),
        ];
        for fault in faults {
            for good_moves in [0, 1, 3] {
                let mut failing = Failing(good_moves, fault.clone());
                let players: [&mut dyn Contender; 2] = [&mut failing, &mut engine(1)];
                let record = play_game(players, &rules, &start(), &|| false).unwrap();
                assert_eq!(record.winner(), Some(Side::O));
                assert_eq!(record.outcome.cause.name(), fault.name());
                let found = record.outcome.fault().unwrap();
                assert_eq!(found.name(), fault.name());
                assert_eq!(record.plies(), (2 * good_moves).saturating_sub(2));
                record.replay(&rules).unwrap();
            }
        }
    }

    #[test]
    fn a_stopped_game_has_no_record() {
        let players: [&mut dyn Contender; 2] = [&mut engine(1), &mut engine(1)];
        assert!(play_game(players, &Rules::default(), &start(), &|| true).is_none());
    }
}
