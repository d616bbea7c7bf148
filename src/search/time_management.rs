//! Time management: how much of the clock one move may take, the same for games
//! of the arena and for games that another program leads. Owns the arithmetic
//! and never reads a clock itself.

use std::time::Duration;

/// The time that an answer may take on its way to the other program.
const OVERHEAD: Duration = Duration::from_millis(20);

/// Moves that a game is expected to last, where `movestogo` is not given.
const EXPECTED_MOVES: u32 = 25;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time that is left.
    pub left: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// Moves until the clock is set anew; `None` where it never is.
    pub moves: Option<u32>,
}

/// The time that one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// The soft limit: the search begins no further depth after it.
    pub soft: Duration,
    /// The hard limit: the search stops.
    pub hard: Duration,
}

/// The part of the clock for one move. A depth takes several times as long as
/// the one before, so a depth that begins after half of the part would not be
/// finished.
pub fn allot(clock: Clock) -> MoveTime {
    let available = left_after_overhead(clock.left);
    let moves = clock
        .moves
        .unwrap_or(EXPECTED_MOVES)
        .clamp(1, EXPECTED_MOVES * 2);
    let base = (available / moves + clock.increment * 3 / 4).min(available);
    let hard = if moves == 1 {
        available
    } else {
        (base * 2).min(available * 4 / 5)
    };
    MoveTime {
        soft: base / 2,
        hard,
    }
}

/// The time of a move without what its answer takes; at least a millisecond.
pub fn left_after_overhead(time: Duration) -> Duration {
    let least = Duration::from_millis(1);
    time.saturating_sub(OVERHEAD.min(time / 2)).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_move_never_takes_more_than_the_clock_has() {
        for left in [0, 1, 5, 20, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = Clock {
                        left: ms(left),
                        increment: ms(increment),
                        moves,
                    };
                    let MoveTime { soft, hard } = allot(clock);
                    assert!(hard >= soft, "{clock:?}");
                    assert!(hard <= ms(left.max(1)), "{clock:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn a_minute_is_enough_for_a_game() {
        let clock = Clock {
            left: ms(60_020),
            ..Clock::default()
        };
        let expected = MoveTime {
            soft: ms(1200),
            hard: ms(4800),
        };
        assert_eq!(allot(clock), expected);
        let mut left = ms(60_000);
        for _ in 0..100 {
            left -= allot(Clock { left, ..clock }).hard;
        }
        assert!(left > Duration::ZERO);
    }
}
