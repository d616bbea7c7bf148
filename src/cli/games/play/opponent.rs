//! The machine as an opponent: its level, and the limits of its search.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::eval::Weights;
use crate::game::Game;
use crate::game::Rules;
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Algorithm, Engine, Limits, Report, SearchSetup};

/// How many levels there are.
pub(super) const LEVELS: usize = Algorithm::ALL.len();

/// How far each level looks ahead: further than the one before, in about half
/// a second at most. For the tree search plies stand for simulations.
const DEPTHS: [u32; LEVELS] = [2, 3, 4, 6, 8, 12, 40];

/// The level of the selective search.
pub(super) const STRONGEST: u8 = 6;

/// The longest time for a reply where the user sets no limit, so that a slow
/// computer answers, too.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The memory of the transposition table.
const TABLE_KIB: u32 = 16 * 1024;

/// The strength of the opponent, 1 to [`LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(u8);

impl Level {
    pub(super) fn new(number: u8) -> Option<Level> {
        (1..=LEVELS)
            .contains(&number.into())
            .then_some(Level(number))
    }

    /// The strongest level, which is not the last: that is the player of another
    /// kind.
    pub(super) fn strongest() -> Level {
        Level(STRONGEST)
    }

    /// The level of this search.
    fn of(algorithm: Algorithm) -> Level {
        let before = Algorithm::ALL.iter().take_while(|&&it| it != algorithm);
        Level(before.count() as u8 + 1)
    }

    pub(super) fn number(self) -> u8 {
        self.0
    }

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    /// The search of the level, with its usual options.
    pub(super) fn search(self) -> SearchSetup {
        SearchSetup::new(Algorithm::ALL[self.index()])
    }
}

/// The limits of a search that the user has set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EngineLimits {
    pub(super) depth: Option<u32>,
    pub(super) time: Option<Duration>,
}

pub(super) struct Opponent {
    search: SearchSetup,
    limits: EngineLimits,
    engine: Engine,
}

impl Opponent {
    pub(super) fn new(
        search: SearchSetup,
        limits: EngineLimits,
        weights: &Weights,
        rules: Rules,
    ) -> Opponent {
        let level = Level::of(search.algorithm);
        let default = EngineLimits {
            depth: Some(DEPTHS[level.index()]),
            time: Some(DEFAULT_TIME),
        };
        let is_set = limits.depth.is_some() || limits.time.is_some();
        Opponent {
            search,
            limits: if is_set { limits } else { default },
            engine: Engine::new(search, weights, rules, TABLE_KIB),
        }
    }

    /// How it is called: by its level and its search.
    pub(super) fn describe(&self) -> String {
        let level = Level::of(self.search.algorithm);
        format!("loatune at level {} ({})", level.number(), self.search)
    }

    pub(super) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches for the move that it would play now.
    pub(super) fn search(&mut self, game: &Game) -> Report {
        let limits = Limits {
            depth: self.limits.depth,
            nodes: None,
            ..Limits::default()
        };
        let deadline = Deadline {
            soft: None,
            hard: self.limits.time.map(|time| Instant::now() + time),
        };
        self.engine.set_past(game.reversible_keys());
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
