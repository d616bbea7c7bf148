//! Our own engine as a player: weights, a search and its limits.
//!
//! The only place below the command line that looks at the clock, and only
//! where a time limit was asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::clock::Clocks;
use super::contender::{Choice, Contender, Fault, MoveLimits};
use crate::board::Board;
use crate::eval::Weights;
use crate::game::Game;
use crate::game::Rules;
use crate::search::time_management::{Clock, allot};
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Engine, EngineVersion, Iteration, Limits, Report, SearchSetup};

/// A built-in player.
pub struct Builtin {
    name: String,
    search: SearchSetup,
    version: EngineVersion,
    weights: Weights,
    limits: MoveLimits,
    table_kib: u32,
    /// Made for the rules of the first game, and again when they change.
    engine: Option<(Rules, Engine)>,
    halt: Arc<AtomicBool>,
}

impl Builtin {
    /// The memory of the transposition table where nothing else is said: small
    /// enough to stay in a core's cache.
    pub const DEFAULT_TABLE_KIB: u32 = 256;

    /// A player; without any limit it searches
    /// [`MoveLimits::DEFAULT_DEPTH`] plies deep. Its search is an algorithm with the
    /// usual options or a [`SearchSetup`].
    pub fn new(
        name: &str,
        search: impl Into<SearchSetup>,
        weights: &Weights,
        limits: MoveLimits,
    ) -> Builtin {
        let search = search.into();
        Builtin {
            name: name.to_owned(),
            search,
            version: EngineVersion::PRESENT,
            weights: *weights,
            limits: limits.or_default().for_search(Some(search.algorithm)),
            table_kib: Builtin::DEFAULT_TABLE_KIB,
            engine: None,
            halt: Arc::default(),
        }
    }

    /// Becomes another player with the same search, limits and memory: as if it
    /// were made anew, but faster.
    pub fn become_player(&mut self, name: &str, weights: &Weights) {
        name.clone_into(&mut self.name);
        self.weights = *weights;
        if let Some((_, engine)) = &mut self.engine {
            engine.set_weights(weights);
        }
    }

    /// The same player with another amount of memory.
    #[must_use]
    pub fn with_table(mut self, kib: u32) -> Builtin {
        self.table_kib = kib;
        self.engine = None;
        self
    }

    /// The same player, which searches as this version of the engine did.
    #[must_use]
    pub fn with_version(mut self, version: EngineVersion) -> Builtin {
        self.version = version;
        self.engine = None;
        self
    }

    /// The same player, whose searches end at once when `halt` is set. What
    /// they return then is just some legal move.
    #[must_use]
    pub fn with_halt(mut self, halt: Arc<AtomicBool>) -> Builtin {
        self.halt = halt;
        self
    }
}

impl Contender for Builtin {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, rules: &Rules, _: &Board) -> Result<(), Fault> {
        match &mut self.engine {
            Some((made_for, engine)) if made_for == rules => engine.new_game(),
            _ => {
                let engine = Engine::new(self.search, &self.weights, *rules, self.table_kib)
                    .with_version(self.version);
                self.engine = Some((*rules, engine));
            }
        }
        Ok(())
    }

    fn choose(&mut self, game: &Game, clocks: &Clocks) -> Result<Choice, Fault> {
        let position = SearchedPosition {
            board: game.board(),
            plies: game.played().len(),
            past: game.reversible_keys(),
        };
        let clock = clocks.of(game.turn());
        let report = self.search(&position, clock, &mut |_| {})?;
        let mv = report
            .best
            .ok_or_else(|| Fault::Dies("asked for a move in a finished game".to_owned()))?;
        Ok(Choice {
            mv,
            value: report.iterations.last().map(|last| last.value),
            nodes: report.nodes,
            from_book: false,
        })
    }
}

/// A position, and what a search takes from the game before it.
pub struct SearchedPosition<'a> {
    /// The position.
    pub board: &'a Board,
    /// Plies played before it.
    pub plies: usize,
    /// The keys of the positions that may come back, the oldest first.
    pub past: &'a [u64],
}

impl Builtin {
    /// Searches a position within the player's limits; `progress` is called after
    /// every finished depth.
    ///
    /// # Errors
    /// [`Contender::new_game`] was not called before.
    pub fn search(
        &mut self,
        position: &SearchedPosition<'_>,
        clock: Option<Clock>,
        progress: &mut dyn FnMut(&Iteration),
    ) -> Result<Report, Fault> {
        let Some((_, engine)) = &mut self.engine else {
            return Err(Fault::Dies("asked for a move before a game".to_owned()));
        };
        let limits = Limits {
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            simulations: self.limits.simulations,
        };
        let SearchedPosition { board, plies, past } = *position;
        engine.set_past(past);
        if limits.nodes.is_none() && self.limits.time.is_none() && clock.is_none() {
            let halted = || self.halt.load(Ordering::Relaxed);
            return Ok(engine.search(board, plies, limits, &halted, progress));
        }
        // A search that may be cut short goes through the depths one by one.
        let deadline = deadline(self.limits.time, clock);
        let halt = &self.halt;
        let report = timed_search(engine, board, plies, limits, deadline, halt, progress);
        Ok(report)
    }
}

/// The deadline of a move that has a time of its own, a clock, both or neither.
fn deadline(time: Option<Duration>, clock: Option<Clock>) -> Deadline {
    if time.is_none() && clock.is_none() {
        return Deadline::default();
    }
    let now = Instant::now();
    let part = clock.map(allot);
    let moment = |after: Duration| now.checked_add(after);
    let hard = [time, part.map(|part| part.hard)];
    Deadline {
        soft: part.and_then(|part| moment(part.soft)),
        hard: hard.into_iter().flatten().min().and_then(moment),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {

    use super::*;
    use crate::arena::TimeControl;
    use crate::search::Algorithm;

    fn choice(algorithm: Algorithm, limits: MoveLimits) -> Choice {
        let mut builtin = Builtin::new("test", algorithm, &Weights::source(), limits);
        let game = Game::new(Rules::default());
        builtin.new_game(game.rules(), game.first_board()).unwrap();
        builtin.choose(&game, &Clocks::default()).unwrap()
    }

    #[test]
    fn what_is_cut_short_is_still_a_choice() {
        for algorithm in Algorithm::ALL {
            let limits = MoveLimits {
                depth: Some(9),
                nodes: Some(5000),
                ..MoveLimits::default()
            };
            let found = choice(algorithm, limits);
            assert!(found.value.is_some(), "{algorithm}");
            assert!(found.nodes <= 6500, "{algorithm}: {}", found.nodes);
            let is_exceeded = algorithm == Algorithm::Mcts && found.nodes > 5000;
            assert!(!is_exceeded, "{}", found.nodes);
            assert_eq!(found, choice(algorithm, limits), "{algorithm}");
        }
    }

    #[test]
    fn one_that_becomes_another_plays_like_it() {
        let limits = MoveLimits {
            depth: Some(3),
            ..MoveLimits::default()
        };
        let game = Game::new(Rules::default());
        let play = |builtin: &mut Builtin| {
            builtin.new_game(game.rules(), game.first_board()).unwrap();
            builtin.choose(&game, &Clocks::default()).unwrap()
        };
        let other = crate::weights::random_weights(1);
        let mut one = Builtin::new("one", Algorithm::Mtdf, &Weights::source(), limits);
        play(&mut one);
        one.become_player("other", &other);
        assert_eq!(one.name(), "other");
        let mut new = Builtin::new("other", Algorithm::Mtdf, &other, limits);
        assert_eq!(play(&mut one), play(&mut new));
    }

    #[test]
    fn time_and_depth() {
        let limits = MoveLimits {
            time: Some(Duration::from_millis(20)),
            ..MoveLimits::default()
        };
        assert!(choice(Algorithm::Mtdf, limits).value.is_some());
        let usual = choice(Algorithm::Mtdf, MoveLimits::default());
        let four = MoveLimits {
            depth: Some(4),
            ..MoveLimits::default()
        };
        assert_eq!(usual, choice(Algorithm::Mtdf, four));
    }

    #[test]
    fn a_clock_ends_a_search_in_time() {
        let control: TimeControl = "0.5+0".parse().unwrap();
        let limits = MoveLimits {
            clock: Some(control),
            ..MoveLimits::default()
        };
        let mut builtin = Builtin::new("test", Algorithm::Mtdf, &Weights::source(), limits);
        let game = Game::new(Rules::default());
        builtin.new_game(game.rules(), game.first_board()).unwrap();
        let begin = Instant::now();
        let clocks = Clocks::new([Some(control), None]);
        assert!(builtin.choose(&game, &clocks).unwrap().nodes > 0);
        // Without its clock it would search for ever.
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
}
