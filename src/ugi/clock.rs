//! How long to think: divides what is left on the clock. Owns the arithmetic;
//! it never looks at a clock itself.

use std::time::Duration;

/// What the answer may take on its way.
const OVERHEAD: Duration = Duration::from_millis(20);

/// Moves that a game is expected to last, where nothing says otherwise.
const MOVES: u32 = 25;

/// What is left to the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) left: Duration,
    /// What each move adds.
    pub(super) increment: Duration,
    /// Moves until the clock is set anew.
    pub(super) moves: Option<u32>,
}

/// How long one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// No depth is begun after this.
    pub(super) enough: Duration,
    /// The search stops.
    pub(super) most: Duration,
}

/// A share of the clock. A depth takes several times as long as the one
/// before, so one that begins after half of the share would not be finished.
pub(super) fn share(clock: Clock) -> Share {
    let available = left_after_overhead(clock.left);
    let moves = clock.moves.unwrap_or(MOVES).clamp(1, MOVES * 2);
    let base = (available / moves + clock.increment * 3 / 4).min(available);
    let most = if moves == 1 {
        available
    } else {
        (base * 2).min(available * 4 / 5)
    };
    Share {
        enough: base / 2,
        most,
    }
}

/// The time of a move, less what its answer takes.
pub(super) fn left_after_overhead(time: Duration) -> Duration {
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
    fn a_share_leaves_something() {
        for left in [0, 1, 5, 20, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = Clock {
                        left: ms(left),
                        increment: ms(increment),
                        moves,
                    };
                    let Share { enough, most } = share(clock);
                    assert!(most >= enough, "{clock:?}");
                    assert!(most <= ms(left.max(1)), "{clock:?}: {most:?}");
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
        let expected = Share {
            enough: ms(1200),
            most: ms(4800),
        };
        assert_eq!(share(clock), expected);
        let mut left = ms(60_000);
        for _ in 0..100 {
            left -= share(Clock { left, ..clock }).most;
        }
        assert!(left > Duration::ZERO);
    }
}
