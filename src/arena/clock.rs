//! Time controls: how long a player may think in a whole game. Owns how they
//! are written and the state of both clocks; the clocks themselves are read by
//! [`super::game`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::contender::MoveLimits;
use crate::board::Side;
use crate::search::time_management::Clock;

/// A time for the whole game, and what every move adds to it: `10+0.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// At the beginning of the game.
    pub base: Duration,
    /// After every move.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be BASE+INCREMENT in seconds, as 10+0.1 or 60: BASE from 0.001 to 1000000, \
     INCREMENT 0 or from 0.001 to 1000000"
)]
pub struct BadTimeControl;

/// The longest base and increment: no arithmetic of a clock can overflow.
const LONGEST: Duration = Duration::from_secs(1_000_000);

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| -> Option<Duration> {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
            (time <= LONGEST).then_some(time)
        };
        let (base, increment) = seconds(base)
            .zip(seconds(increment))
            .ok_or(BadTimeControl)?;
        let is_good = base >= MoveLimits::LEAST_TIME
            && (increment.is_zero() || increment >= MoveLimits::LEAST_TIME);
        is_good
            .then_some(TimeControl { base, increment })
            .ok_or(BadTimeControl)
    }
}

/// In the form that is read.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}+{}",
            self.base.as_secs_f64(),
            self.increment.as_secs_f64()
        )
    }
}

/// The clocks of Black and White; `None` for a player that has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks([Option<Clock>; 2]);

impl Clocks {
    /// The clocks before the first move.
    pub fn new(controls: [Option<TimeControl>; 2]) -> Clocks {
        Clocks(controls.map(|control| {
            control.map(|control| Clock {
                left: control.base,
                increment: control.increment,
                moves: None,
            })
        }))
    }

    /// The clock of a side.
    pub fn of(&self, side: Side) -> Option<Clock> {
        self.0[side.index()]
    }

    /// Takes the time of a move away and adds the increment. A clock never
    /// shows less than nothing.
    pub fn press(&mut self, side: Side, used: Duration) {
        if let Some(clock) = &mut self.0[side.index()] {
            clock.left = clock.left.saturating_sub(used) + clock.increment;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_as_text() {
        let control = |base, increment| TimeControl {
            base: Duration::from_millis(base),
            increment: Duration::from_millis(increment),
        };
        for (text, expected) in [
            ("10+0.1", control(10_000, 100)),
            ("60", control(60_000, 0)),
            ("0.001+0", control(1, 0)),
        ] {
            let found: TimeControl = text.parse().unwrap();
            assert_eq!(found, expected);
            assert_eq!(found.to_string().parse(), Ok(expected));
        }
        for text in [
            "", "+", "10+", "0+1", "0.0001", "-1", "1+-1", "1+0.0001", "1+1+1", "inf", "NaN",
            "1e300", "ten",
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(BadTimeControl), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_and_grows() {
        let control: TimeControl = "1+0.25".parse().unwrap();
        let mut clocks = Clocks::new([Some(control), None]);
        let left = |clocks: &Clocks| clocks.of(Side::X).unwrap().left.as_millis();
        clocks.press(Side::X, Duration::from_millis(500));
        clocks.press(Side::O, Duration::from_secs(9));
        assert_eq!((left(&clocks), clocks.of(Side::O)), (750, None));
        clocks.press(Side::X, Duration::from_secs(2));
        assert_eq!(left(&clocks), 250);
    }
}
