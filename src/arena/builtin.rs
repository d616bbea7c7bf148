//! Our own engine as a player: weights, a search and its limits.
//!
//! The only place below the command line that looks at the clock, and only
//! where a time limit was asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::contender::{Choice, Contender, Fault, MoveLimits};
use crate::board::Board;
use crate::eval::Weights;
use crate::game::Game;
use crate::game::Rules;
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Algorithm, Engine, Limits};

/// A built-in player.
pub struct Builtin {
    name: String,
    algorithm: Algorithm,
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
    /// [`MoveLimits::DEFAULT_DEPTH`] plies deep.
    pub fn new(name: &str, algorithm: Algorithm, weights: &Weights, limits: MoveLimits) -> Builtin {
        Builtin {
            name: name.to_owned(),
            algorithm,
            weights: *weights,
            limits: limits.or_default(),
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
                let engine = Engine::new(self.algorithm, &self.weights, *rules, self.table_kib);
                self.engine = Some((*rules, engine));
            }
        }
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Choice, Fault> {
        let Some((_, engine)) = &mut self.engine else {
            return Err(Fault::Dies("asked for a move before a game".to_owned()));
        };
        let limits = Limits {
            depth: self.limits.depth,
            nodes: self.limits.nodes,
        };
        let (board, plies) = (game.board(), game.played().len());
        let report = if limits.nodes.is_none() && self.limits.time.is_none() {
            let halted = || self.halt.load(Ordering::Relaxed);
            engine.search(board, plies, limits, &halted, &mut |_| {})
        } else {
            // A search that may be cut short goes through the depths one by one.
            let time = self.limits.time;
            let deadline = Deadline {
                soft: None,
                hard: time.and_then(|time| Instant::now().checked_add(time)),
            };
            let (halt, progress) = (&self.halt, &mut |_: &_| {});
            timed_search(engine, board, plies, limits, deadline, halt, progress)
        };
        let mv = report
            .best
            .ok_or_else(|| Fault::Dies("asked for a move in a finished game".to_owned()))?;
        Ok(Choice {
            mv,
            value: report.iterations.last().map(|last| last.value),
            nodes: report.nodes,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn choice(algorithm: Algorithm, limits: MoveLimits) -> Choice {
        let mut builtin = Builtin::new("test", algorithm, &Weights::default(), limits);
        let game = Game::new(Rules::default());
        builtin.new_game(game.rules(), game.first_board()).unwrap();
        builtin.choose(&game).unwrap()
    }

    #[test]
    fn what_is_cut_short_is_still_a_choice() {
        for algorithm in Algorithm::ALL {
            let limits = MoveLimits {
                depth: Some(9),
                nodes: Some(5000),
                time: None,
            };
            let found = choice(algorithm, limits);
            assert!(found.value.is_some(), "{algorithm}");
            assert!(found.nodes <= 6500, "{algorithm}: {}", found.nodes);
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
            builtin.choose(&game).unwrap()
        };
        let other = crate::weights::random_weights(1);
        let mut one = Builtin::new("one", Algorithm::Mtdf, &Weights::default(), limits);
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
}
