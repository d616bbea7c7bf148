//! One game between two players: the only place where games are played, for
//! matches, for the evolution and for tests. It reads the clock only where the
//! time of the players is asked for.

use std::time::{Duration, Instant};

use super::clock::Clocks;
use super::contender::{Contender, Fault, MoveLimits};
use super::openings::Start;
use super::record::{EndCause, GameOutcome, GameRecord, loser_groups};
use super::referee::{Agreement, Referee};
use crate::board::Side;
use crate::game::Rules;
use crate::game::{Game, Winner};

/// A game and the time that its players took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedGame {
    /// The game.
    pub record: GameRecord,
    /// What Black and White took.
    pub time: [TimeUsed; 2],
    /// Moves of Black and White that came from an opening book.
    pub book_moves: [u32; 2],
}

/// The time that a player's moves took, as its opponent sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeUsed {
    /// Of all moves together.
    pub total: Duration,
    /// Of the longest one.
    pub longest: Duration,
}

impl TimeUsed {
    /// Adds what other moves took.
    pub fn add(&mut self, other: TimeUsed) {
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }
}

/// Plays a game from an opening; Black is the first of the players. `stop` is
/// asked after every move; once it returns true there is no record. No clock
/// is read.
///
/// A player that fails loses: its fault is in the record's outcome. An opening
/// that is no opening under these rules gives a game without moves of the
/// players, as far as it goes.
pub fn play_game(
    players: [&mut dyn Contender; 2],
    rules: &Rules,
    start: &Start,
    stop: &dyn Fn() -> bool,
) -> Option<GameRecord> {
    play(players, rules, start, None, stop).map(|game| game.record)
}

/// Plays a game as [`play_game`] does, with the time of every move taken: a
/// player that exceeds the time of its `limits` by more than the referee's
/// margin loses. The referee may also adjudicate the game.
pub fn play_timed_game(
    players: [&mut dyn Contender; 2],
    limits: [&MoveLimits; 2],
    rules: &Rules,
    start: &Start,
    referee: &Referee,
    stop: &dyn Fn() -> bool,
) -> Option<TimedGame> {
    play(players, rules, start, Some((limits, referee)), stop)
}

fn play(
    players: [&mut dyn Contender; 2],
    rules: &Rules,
    start: &Start,
    timed: Option<([&MoveLimits; 2], &Referee)>,
    stop: &dyn Fn() -> bool,
) -> Option<TimedGame> {
    let mut game = Game::from_board(*rules, start.opening.first);
    for &mv in &start.opening.moves {
        if game.play(mv).is_err() {
            break;
        }
    }
    let opening_plies = game.played().len();
    let mut nodes = [0; 2];
    let mut book_moves = [0; 2];
    let mut values = [None; 2];
    let mut fault = None;
    let mut adjudicated = None;
    let mut agreement = Agreement::default();
    let mut clocks = timed.map_or_else(Clocks::default, |(limits, _)| {
        Clocks::new(limits.map(|limits| limits.clock))
    });
    let mut time = [TimeUsed::default(); 2];
    for side in Side::BOTH {
        if fault.is_none() {
            let begun = players[side.index()].new_game(rules, game.first_board());
            fault = begun.err().map(|fault| (side, fault));
        }
    }
    while fault.is_none() && adjudicated.is_none() && game.outcome().is_none() {
        let side = game.turn();
        let begin = timed.map(|_| Instant::now());
        let choice = players[side.index()].choose(&game, &clocks);
        let used = begin.map_or(Duration::ZERO, |begin| begin.elapsed());
        if stop() {
            return None;
        }
        time[side.index()].add(TimeUsed {
            total: used,
            longest: used,
        });
        let in_time = timed.map_or(Ok(()), |(limits, referee)| {
            keep_time(limits[side.index()], &clocks, side, used, referee)
        });
        // A move that comes too late does not count, be it legal or not.
        let choice = match choice {
            Err(fault) if fault.ends_player() => Err(fault),
            choice => in_time.and(choice),
        };
        let played = choice.and_then(|choice| {
            nodes[side.index()] += choice.nodes;
            book_moves[side.index()] += u32::from(choice.from_book);
            clocks.press(side, used);
            values[side.index()] = choice.value;
            let played = game.play(choice.mv);
            played.map_err(|error| Fault::Illegal(error.to_string()))?;
            if let Some((_, referee)) = timed
                && let Some(rule) = referee.adjudication
            {
                adjudicated = agreement.add(rule, side, choice.value);
            }
            Ok(())
        });
        fault = played.err().map(|fault| (side, fault));
    }

    let outcome = if let Some((side, fault)) = fault {
        GameOutcome {
            winner: Winner::Side(!side),
            cause: EndCause::Fault(fault),
        }
    } else if let Some(outcome) = game.outcome() {
        GameOutcome {
            winner: outcome.winner,
            cause: EndCause::Rules(outcome.reason),
        }
    } else {
        let winner = adjudicated.expect("a game without a fault is decided or adjudicated");
        GameOutcome {
            winner: Winner::Side(winner),
            cause: EndCause::Adjudicated,
        }
    };
    let final_value = match outcome.winner {
        Winner::Side(side) => values[side.index()],
        Winner::Draw => None,
    };
    let loser_groups = match outcome.cause {
        EndCause::Rules(_) => loser_groups(game.board(), outcome.winner),
        EndCause::Fault(_) | EndCause::Adjudicated => None,
    };
    let record = GameRecord {
        players: players.map(|player| player.name().to_owned()),
        seed: start.seed,
        first: *game.first_board(),
        opening_plies: opening_plies as u32,
        moves: game.played().to_vec(),
        outcome,
        loser_groups,
        final_value,
        nodes,
    };
    Some(TimedGame {
        record,
        time,
        book_moves,
    })
}

/// Whether a move that took so long came in time.
fn keep_time(
    limits: &MoveLimits,
    clocks: &Clocks,
    side: Side,
    used: Duration,
    referee: &Referee,
) -> Result<(), Fault> {
    let left = clocks.of(side).map(|clock| clock.left);
    let Some(allowed) = limits.time.into_iter().chain(left).min() else {
        return Ok(());
    };
    if used <= allowed + referee.time_margin {
        return Ok(());
    }
    let late = used.saturating_sub(allowed).as_millis();
    Err(Fault::Overtime(u64::try_from(late).unwrap_or(u64::MAX)))
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
        Builtin::new("engine", Algorithm::Mtdf, &Weights::source(), limits)
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

        fn choose(&mut self, game: &Game, _: &Clocks) -> Result<Choice, Fault> {
            self.0 -= 1;
            let choice = |mv| Choice {
                mv,
                value: None,
                nodes: 1,
                from_book: false,
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

    /// The first legal move, some milliseconds late.
    struct Slow(u64);

    impl Contender for Slow {
        fn name(&self) -> &str {
            "slow"
        }

        fn new_game(&mut self, _: &Rules, _: &Board) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, game: &Game, clocks: &Clocks) -> Result<Choice, Fault> {
            let has_clock = clocks.of(game.turn()).is_some();
            std::thread::sleep(Duration::from_millis(self.0));
            Ok(Choice {
                mv: game.moves()[usize::from(has_clock)],
                value: Some(-1000),
                nodes: 1,
                from_book: false,
            })
        }
    }

    fn timed(black: MoveLimits, referee: &Referee) -> TimedGame {
        let players: [&mut dyn Contender; 2] = [&mut Slow(30), &mut engine(1)];
        let white = MoveLimits::default();
        let (rules, start) = (Rules::default(), start());
        play_timed_game(players, [&black, &white], &rules, &start, referee, &|| {
            false
        })
        .unwrap()
    }

    #[test]
    fn who_exceeds_its_time_loses_on_time() {
        let strict = Referee {
            time_margin: Duration::ZERO,
            ..Referee::default()
        };
        let limits = MoveLimits {
            time: Some(Duration::from_millis(20)),
            ..MoveLimits::default()
        };
        let game = timed(limits, &strict);
        assert_eq!(game.record.outcome.cause.name(), "time");
        assert_eq!(
            (game.record.winner(), game.record.plies()),
            (Some(Side::O), 0)
        );
        assert!(game.time[0].longest >= Duration::from_millis(30));
        game.record.replay(&Rules::default()).unwrap();
        // A clock lasts for some moves.
        let limits = MoveLimits {
            clock: Some("0.07+0".parse().unwrap()),
            ..MoveLimits::default()
        };
        let game = timed(limits, &strict);
        assert_eq!(game.record.outcome.cause.name(), "time");
        assert!(game.record.plies() <= 4, "{}", game.record.plies());
        // And a margin makes up for it.
        let lax = Referee {
            time_margin: Duration::from_secs(60),
            ..Referee::default()
        };
        assert!(timed(limits, &lax).record.outcome.fault().is_none());
    }

    #[test]
    fn a_game_is_adjudicated_once_both_agree() {
        let rules = Rules::default();
        let referee = Referee {
            adjudication: Some("1,2".parse().unwrap()),
            ..Referee::default()
        };
        let limits = MoveLimits::default();
        let players: [&mut dyn Contender; 2] = [&mut Slow(0), &mut engine(1)];
        let game = play_timed_game(players, [&limits; 2], &rules, &start(), &referee, &|| false);
        let record = game.unwrap().record;
        assert_eq!(record.outcome.cause, EndCause::Adjudicated);
        assert_eq!(record.winner(), Some(Side::O));
        record.replay(&rules).unwrap();
        let sgf = record.to_sgf(&rules).unwrap();
        assert!(sgf.contains("RE[W+Resign]"), "{sgf}");
        assert!(sgf.contains("adjudicated"), "{sgf}");
    }
}
