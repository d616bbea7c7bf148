//! The machine at the table: a level, and how hard it thinks.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::eval::Weights;
use crate::game::Game;
use crate::game::Rules;
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Algorithm, Engine, Limits, Report};

/// How many levels there are.
pub(super) const LEVELS: usize = Algorithm::ALL.len();

/// How far each level looks ahead: further than the one before, in about half
/// a second at most.
const DEPTHS: [u32; LEVELS] = [2, 3, 4, 6, 8];

/// What a reply takes at most, where nothing else is said, however slow the
/// machine.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// The memory of the table.
const TABLE_KIB: u32 = 16 * 1024;

/// 1 to [`LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(u8);

impl Level {
    pub(super) fn new(number: u8) -> Option<Level> {
        (1..=LEVELS)
            .contains(&number.into())
            .then_some(Level(number))
    }

    /// The strongest.
    pub(super) fn last() -> Level {
        Level(LEVELS as u8)
    }

    pub(super) fn number(self) -> u8 {
        self.0
    }

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    pub(super) fn algorithm(self) -> Algorithm {
        Algorithm::ALL[self.index()]
    }
}

/// How hard to think, as far as somebody has said so.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    pub(super) depth: Option<u32>,
    pub(super) time: Option<Duration>,
}

pub(super) struct Opponent {
    level: Level,
    effort: Effort,
    engine: Engine,
}

impl Opponent {
    pub(super) fn new(level: Level, effort: Effort, weights: &Weights, rules: Rules) -> Opponent {
        let usual = Effort {
            depth: Some(DEPTHS[level.index()]),
            time: Some(USUAL_TIME),
        };
        let is_set = effort.depth.is_some() || effort.time.is_some();
        Opponent {
            level,
            effort: if is_set { effort } else { usual },
            engine: Engine::new(level.algorithm(), weights, rules, TABLE_KIB),
        }
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    pub(super) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// What it would play now.
    pub(super) fn think(&mut self, game: &Game) -> Report {
        let limits = Limits {
            depth: self.effort.depth,
            nodes: None,
        };
        let deadline = Deadline {
            soft: None,
            hard: self.effort.time.map(|time| Instant::now() + time),
        };
        timed_search(
            &mut self.engine,
            game.board(),
            game.played().len(),
            limits,
            deadline,
            &AtomicBool::new(false),
            &mut |_| {},
        )
    }
}
