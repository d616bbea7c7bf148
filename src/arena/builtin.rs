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
use crate::rules::Rules;
use crate::search::{Engine, Limits, Player};

/// A built-in player.
pub struct Builtin {
    name: String,
    player: Player,
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
    pub const USUAL_TABLE_KIB: u32 = 2048;

    /// A player; without any limit it searches
    /// [`MoveLimits::USUAL_DEPTH`] plies deep.
    pub fn new(name: &str, player: Player, weights: &Weights, limits: MoveLimits) -> Builtin {
        Builtin {
            name: name.to_owned(),
            player,
            weights: *weights,
            limits: limits.or_usual(),
            table_kib: Builtin::USUAL_TABLE_KIB,
            engine: None,
            halt: Arc::default(),
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
                let engine = Engine::new(self.player, &self.weights, *rules, self.table_kib);
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
        let end = self.limits.time.map(|time| (Instant::now(), time));
        let report = engine.search(
            game.board(),
            game.played().len(),
            limits,
            &|| {
                self.halt.load(Ordering::Relaxed)
                    || end.is_some_and(|(start, time)| start.elapsed() >= time)
            },
            &mut |_| {},
        );
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
