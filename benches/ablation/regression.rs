//! Regression alone: what `loatune fit --play` learns, from games between
//! perturbations of its own weights, without any selection by matches.
//!
//! A longer self-play begins with the games of a shorter one, so one run gives
//! the weights of all numbers of games, exactly as separate runs would.
//!
//! Variants say which positions are looked at, what they count and what they are
//! labelled with. A label between outcome and value is (1 − λ) · outcome +
//! λ · the chance that the weights learned before see, by a search, or in a
//! position some plies later in the game without one; the first round has no
//! weights before it and takes the outcome.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use loatune::arena::openings::RandomOpenings;
use loatune::board::Side;
use loatune::eval::{Weights, age_of};
use loatune::game::Rules;
use loatune::learn::{Fit, FitSettings, Position, SampledGame, Sampling, SelfPlay, SelfPlayEvent};
use loatune::search::{Algorithm, Engine, Limits};
use loatune::stats::regression::logistic;

use crate::method::Task;

/// Units of weight in a point of value.
const UNITS_PER_POINT: f64 = 8.0;

/// What is learned from a position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Labels {
    /// Positions at the end of a game that are left out.
    skip_last: usize,
    /// Whether positions in which a capture was played are left out.
    quiet: bool,
    /// How much a game with n positions counts: n to the power of 1 − `even`. With
    /// 0 every position counts the same, with 1 every game.
    even: f64,
    /// By how much a position counts less for each ply that it lies before the
    /// end, as a factor.
    discount: f64,
    /// The share of the value in the label, from 0 to 1.
    lambda: f64,
    /// Plies of the search that gives the value.
    label_depth: u32,
    /// Or so many positions later in the game, without a search; 0 for a search.
    ahead: usize,
    /// Phases of the weights, 1 or 2; 0 for those of the task.
    phases: u32,
    /// The most games, the most recent ones.
    last: usize,
    /// Plies of the games that are learned from; 0 for those of the task.
    play_depth: u32,
}

impl Default for Labels {
    fn default() -> Labels {
        let sampling = Sampling::default();
        Labels {
            skip_last: sampling.skip_last,
            quiet: sampling.quiet_only,
            even: 0.0,
            discount: 1.0,
            lambda: 0.0,
            label_depth: 2,
            ahead: 0,
            phases: 0,
            last: usize::MAX,
            play_depth: 0,
        }
    }
}

impl Labels {
    pub(crate) fn parse(keys: &[[String; 2]]) -> Result<Labels, String> {
        fn read<T: std::str::FromStr>(
            [key, value]: &[String; 2],
            to: &mut T,
        ) -> Result<(), String> {
            let number = value.parse();
            *to = number.map_err(|_| format!("{key}={value} is no such value"))?;
            Ok(())
        }
        let mut labels = Labels::default();
        for key in keys {
            match key[0].as_str() {
                "skip_last" => read(key, &mut labels.skip_last)?,
                "quiet" => read(key, &mut labels.quiet)?,
                "even" => read(key, &mut labels.even)?,
                "discount" => read(key, &mut labels.discount)?,
                "lambda" => read(key, &mut labels.lambda)?,
                "label_depth" => read(key, &mut labels.label_depth)?,
                "ahead" => read(key, &mut labels.ahead)?,
                "phases" => read(key, &mut labels.phases)?,
                "last" => read(key, &mut labels.last)?,
                "play_depth" => read(key, &mut labels.play_depth)?,
                other => {
                    let names = "skip_last, quiet, even, discount, lambda, label_depth, ahead, phases, last or play_depth";
                    return Err(format!("{other} must be {names}"));
                }
            }
        }
        if labels.phases > 2 {
            return Err(format!("phases={} must be 1 or 2", labels.phases));
        }
        let shares = [labels.even, labels.discount, labels.lambda];
        if !shares.iter().all(|share| (0.0..=1.0).contains(share)) {
            return Err(String::from(
                "even, discount and lambda must be from 0 to 1",
            ));
        }
        Ok(labels)
    }

    /// The games as they are learned from; `None` where that is as they are.
    fn prepare(&self, games: &[SampledGame], before: Option<&Fit>) -> Option<Vec<SampledGame>> {
        let plain = Labels::default();
        let is_plain = (self.even, self.discount, self.lambda, self.last)
            == (plain.even, plain.discount, plain.lambda, plain.last);
        if is_plain {
            return None;
        }
        let mut games = games[games.len().saturating_sub(self.last)..].to_vec();
        let mut values = before.map(|fit| Values::new(self, fit));
        for game in &mut games {
            let count = game.positions.len();
            let share = (count.max(1) as f64).powf(-self.even);
            let outcomes: Vec<Position> = game.positions.clone();
            for (n, position) in game.positions.iter_mut().enumerate() {
                let ago = (count - 1 - n) as f64;
                position.weight = (share * self.discount.powf(ago)) as f32;
                if let Some(values) = values.as_mut().filter(|_| self.lambda > 0.0) {
                    let outcome = f64::from(position.target);
                    // Beyond the last position there is the outcome.
                    let chance = outcomes.get(n + self.ahead);
                    let chance = chance.map_or(outcome, |later| values.chance(later));
                    position.target = ((1.0 - self.lambda) * outcome + self.lambda * chance) as f32;
                }
            }
        }
        Some(games)
    }
}

/// What weights that were learned before see in positions.
struct Values {
    engine: Engine,
    /// 0 where a position's value is that of the evaluation.
    depth: u32,
    nats_per_point: f64,
}

impl Values {
    fn new(labels: &Labels, fit: &Fit) -> Values {
        Values {
            engine: Engine::new(Algorithm::Mtdf, &fit.weights, Rules::default(), 256),
            depth: if labels.ahead > 0 {
                0
            } else {
                labels.label_depth
            },
            nats_per_point: UNITS_PER_POINT / fit.units_per_nat,
        }
    }

    /// Black's chance.
    fn chance(&mut self, position: &Position) -> f64 {
        let board = position.board();
        let plies: usize = position.plies.into();
        let value = if self.depth == 0 {
            let evaluator = self.engine.evaluator();
            evaluator.value(&board, board.movers(), age_of(plies))
        } else {
            let limits = Limits {
                depth: Some(self.depth),
                ..Limits::default()
            };
            self.engine.new_game();
            let found = self
                .engine
                .search(&board, plies, limits, &|| false, &mut |_| {});
            found.value()
        };
        let sign = if board.turn() == Side::X { 1.0 } else { -1.0 };
        logistic(sign * f64::from(value) * self.nats_per_point)
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Labels::default();
        f.write_str("regression")?;
        let mut key = |name: &str, is_plain: bool, value: &dyn fmt::Display| {
            if is_plain {
                Ok(())
            } else {
                write!(f, ":{name}={value}")
            }
        };
        key(
            "skip_last",
            self.skip_last == plain.skip_last,
            &self.skip_last,
        )?;
        key("quiet", self.quiet == plain.quiet, &self.quiet)?;
        key("even", self.even == plain.even, &self.even)?;
        key("discount", self.discount == plain.discount, &self.discount)?;
        key("lambda", self.lambda == plain.lambda, &self.lambda)?;
        key(
            "label_depth",
            self.label_depth == plain.label_depth,
            &self.label_depth,
        )?;
        key("ahead", self.ahead == plain.ahead, &self.ahead)?;
        key("phases", self.phases == plain.phases, &self.phases)?;
        key("last", self.last == plain.last, &self.last)?;
        key(
            "play_depth",
            self.play_depth == plain.play_depth,
            &self.play_depth,
        )
    }
}

/// What the tasks, which differ in their games only, have learned, each with the
/// games that it took.
pub(crate) fn learn(tasks: &[Task], labels: &Labels) -> Vec<(Weights, u64)> {
    let params = tasks[0].params();
    let mut player = params.player;
    if labels.play_depth > 0 {
        player.depth = labels.play_depth;
    }
    let budgets: Vec<u64> = tasks.iter().map(|task| task.games).collect();
    let self_play = SelfPlay {
        games: 0,
        seed: params.run.seed,
        rules: params.rules,
        player,
        openings: RandomOpenings {
            plies: params.openings.plies,
            bound: params.openings.bound,
        },
        sampling: Sampling {
            skip_last: labels.skip_last,
            quiet_only: labels.quiet,
        },
        threads: 1,
        stop: Arc::default(),
    };
    let phases = match labels.phases {
        0 => params.genome.phases,
        asked => asked,
    };
    let settings = FitSettings {
        bounds: params.genome.bounds,
        phases,
        ..FitSettings::default()
    };
    // A task has one thread; the regression would take all.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let learned = pool.unwrap().install(|| {
        let prepare = |games: &[SampledGame], before: Option<&Fit>| labels.prepare(games, before);
        let go = &mut |_: SelfPlayEvent<'_>| ControlFlow::Continue(());
        self_play.learn_budgets(&budgets, &settings, Some(&prepare), go)
    });
    let fits = learned.unwrap().into_iter();
    fits.zip(budgets)
        .map(|(fit, games)| (fit.weights, games / 2 * 2))
        .collect()
}
