//! Games that are played to be learned from, in rounds.
//!
//! The players of the first round have random weights: strong and weak ones,
//! so that every feature is seen to matter. What is learned from them plays the
//! second round, two different perturbations of it in each pair, and so on; the
//! next fit comes whenever the number of games has doubled. The random players'
//! games are left out from the second round on, because they are not the games
//! that strong players play.
//!
//! A pair depends on the seed, its number and the fits before it, so any number
//! of threads plays the same games.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand::RngExt;

use super::fit::{Fit, FitSettings, fit_unless_stopped};
use super::sample::{SampledGame, Sampling};
use crate::arena::openings::{NoOpening, Opener, RandomOpenings};
use crate::arena::{
    Builtin, Contender, GameRecord, MoveLimits, Openings, PairHalf, PoolError, PoolEvent,
    ReorderBuffer, Worker, WorkerPanic, WorkerPool, play_game,
};
use crate::eval::Weights;
use crate::eval::genes::{GENES, Role, TABLE};
use crate::game::Rules;
use crate::params::PlayerParams;
use crate::random::{self, Purpose, Stream};

/// Games of the first round, unless half of all are fewer.
const FIRST_ROUND: u64 = 500;

/// How far a perturbation moves a weight: by a factor of e to this power, for
/// one standard deviation.
const RELATIVE: f64 = 0.25;

/// And by this share of the gene's range.
const OF_RANGE: f64 = 0.02;

/// Jobs in the hands of the workers, for each thread.
const JOBS_PER_THREAD: usize = 3;

/// How long a wait for a game lasts before the observer is asked.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How games are played to be learned from.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The number of games, in pairs.
    pub games: u64,
    /// The seed of players and openings.
    pub seed: u64,
    /// The rules of all games.
    pub rules: Rules,
    /// The search of all players, and its limits.
    pub player: PlayerParams,
    /// How openings are drawn.
    pub openings: RandomOpenings,
    /// Which positions are looked at.
    pub sampling: Sampling,
    /// Games at the same time, at least 1.
    pub threads: usize,
    /// Ends a fit on the way once it is set; games end by the observer.
    pub stop: Arc<AtomicBool>,
}

/// Replaces the games before a fit, or leaves them as they are; given the fit
/// before. So a caller may weigh positions, or blend their outcomes with what
/// else it knows.
pub type Prepare<'a> = &'a dyn Fn(&[SampledGame], Option<&Fit>) -> Option<Vec<SampledGame>>;

/// What is seen of self-play.
#[derive(Debug)]
pub enum SelfPlayEvent<'a> {
    /// So many games are played.
    Games(u64),
    /// A round is over, and its games and those before have taught this.
    Round(&'a Fit),
}

/// What self-play came to.
#[derive(Clone, Debug)]
pub struct SelfPlayed {
    /// The games that the last fit learned from, the games of a pair together.
    pub games: Vec<SampledGame>,
    /// The fit of every round, the last one from all of `games`.
    pub rounds: Vec<Fit>,
    /// How many games were played, those of random players included.
    pub played: u64,
}

/// Why self-play ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The observer wanted no more.
    #[error("interrupted")]
    Interrupted,
    /// There is no opening for a pair.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A thread has panicked.
    #[error(transparent)]
    Worker(#[from] WorkerPanic),
    /// The games of a round have no position to learn from.
    #[error("the games have no positions between opening and end")]
    NoPositions,
}

impl SelfPlay {
    /// Plays and learns. `observe` is called several times a second and may
    /// end it.
    ///
    /// # Errors
    /// A thread fails, a pair has no opening, or the observer ends it.
    pub fn learn(
        &self,
        settings: &FitSettings,
        observe: &mut dyn FnMut(SelfPlayEvent<'_>) -> ControlFlow<()>,
    ) -> Result<SelfPlayed, SelfPlayError> {
        self.with_pool(|pool| self.drive(pool, settings, &BTreeSet::new(), None, observe))?
            .map(|(played, _)| played)
    }

    /// What [`SelfPlay::learn`] would have learned from each of these numbers of
    /// games, in their order, for little more than the games of the largest:
    /// a longer self-play begins with the games of a shorter one, and only a fit
    /// more is needed where the shorter one ends. Numbers too small for a whole
    /// first round are played by themselves. `self.games` is not looked at.
    ///
    /// `prepare` may replace the games before each fit; it is given the fit
    /// before, unless there is none.
    ///
    /// # Errors
    /// Those of [`SelfPlay::learn`].
    pub fn learn_budgets(
        &self,
        budgets: &[u64],
        settings: &FitSettings,
        prepare: Option<Prepare<'_>>,
        observe: &mut dyn FnMut(SelfPlayEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Vec<Fit>, SelfPlayError> {
        let is_whole = |games: u64| games >= 2 * FIRST_ROUND;
        let most = budgets.iter().copied().filter(|&games| is_whole(games));
        let mut learned = BTreeMap::new();
        let mut run = |games: u64, fits_at: &BTreeSet<u64>| {
            let one = SelfPlay {
                games,
                ..self.clone()
            };
            let drive = |pool: &WorkerPool<Job, Played>| {
                one.drive(pool, settings, fits_at, prepare, observe)
            };
            let (played, fits) = one.with_pool(drive)??;
            learned.extend(fits);
            learned.extend(played.rounds.last().map(|fit| (games / 2, fit.clone())));
            Ok::<(), SelfPlayError>(())
        };
        if let Some(most) = most.max() {
            let ends = budgets.iter().filter(|&&games| is_whole(games));
            run(most, &ends.map(|games| games / 2).collect())?;
        }
        for &games in budgets.iter().filter(|&&games| !is_whole(games)) {
            run(games, &BTreeSet::new())?;
        }
        let of = |games: &u64| learned.get(&(games / 2)).cloned();
        let found: Option<Vec<Fit>> = budgets.iter().map(of).collect();
        found.ok_or(SelfPlayError::NoPositions)
    }

    /// Plays all games between perturbations of given weights, and learns
    /// nothing.
    ///
    /// # Errors
    /// Those of [`SelfPlay::learn`].
    pub fn play_around(
        &self,
        weights: &Weights,
        settings: &FitSettings,
        observe: &mut dyn FnMut(SelfPlayEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Vec<SampledGame>, SelfPlayError> {
        let players = |pair| self.players(pair, settings, Some(weights));
        self.with_pool(|pool| self.play_round(pool, 0..self.games / 2, &players, observe))?
    }

    fn with_pool<T>(
        &self,
        drive: impl FnOnce(&WorkerPool<Job, Played>) -> T,
    ) -> Result<T, PoolError> {
        let openings = Openings::random(self.openings, self.seed, Stream::Evolution);
        let halt = Arc::new(AtomicBool::new(false));
        let worker = |_| PlayWorker {
            rules: &self.rules,
            opener: openings.opener(&self.rules),
            players: [self.builtin(&halt), self.builtin(&halt)],
            halt: Arc::clone(&halt),
        };
        let workers = (0..self.threads.max(1)).map(worker).collect();
        WorkerPool::run(workers, &halt, drive)
    }

    /// Plays and learns. Beside the fits of the rounds there is one after each of
    /// `fits_at` pairs, which changes nothing in what is played.
    fn drive(
        &self,
        pool: &WorkerPool<Job, Played>,
        settings: &FitSettings,
        fits_at: &BTreeSet<u64>,
        prepare: Option<Prepare<'_>>,
        observe: &mut dyn FnMut(SelfPlayEvent<'_>) -> ControlFlow<()>,
    ) -> Result<(SelfPlayed, BTreeMap<u64, Fit>), SelfPlayError> {
        let mut games = Vec::new();
        let mut rounds: Vec<Fit> = Vec::new();
        let mut fits = BTreeMap::new();
        let round_ends = self.round_ends();
        let mut ends = fits_at.clone();
        ends.extend(&round_ends);
        let mut pair = 0;
        for end in ends {
            let last = rounds.last();
            let players = |pair| self.players(pair, settings, last.map(|fit| &fit.weights));
            games.extend(self.play_round(pool, pair..end, &players, observe)?);
            pair = end;
            let settings = FitSettings {
                start: last.map_or(settings.start, |fit| fit.weights),
                ..settings.clone()
            };
            let prepared = prepare.and_then(|prepare| prepare(&games, last));
            let prepared = prepared.as_deref().unwrap_or(&games);
            let found = fit_unless_stopped(prepared, &settings, &self.stop);
            if self.stop.load(Ordering::Relaxed) {
                return Err(SelfPlayError::Interrupted);
            }
            let found = found.ok_or(SelfPlayError::NoPositions)?;
            if fits_at.contains(&end) {
                fits.insert(end, found.clone());
            }
            if round_ends.contains(&end) {
                if observe(SelfPlayEvent::Round(&found)).is_break() {
                    return Err(SelfPlayError::Interrupted);
                }
                rounds.push(found);
                if rounds.len() == 1 && end < self.games / 2 {
                    games.clear();
                }
            }
        }
        let played = SelfPlayed {
            games,
            rounds,
            played: 2 * pair,
        };
        Ok((played, fits))
    }

    /// The numbers of pairs after which a fit is made: the first round's, twice
    /// that, and so on, to the last.
    fn round_ends(&self) -> Vec<u64> {
        let pairs = (self.games / 2).max(1);
        let mut end = (FIRST_ROUND / 2).min(pairs.div_ceil(2));
        let mut ends = Vec::new();
        while end < pairs {
            ends.push(end);
            end *= 2;
        }
        ends.push(pairs);
        ends
    }

    /// The weights of both players of a pair.
    fn players(&self, pair: u64, settings: &FitSettings, of: Option<&Weights>) -> [Weights; 2] {
        let mut rng = random::rng(self.seed, Purpose::Learning(pair));
        let FitSettings { bounds, phases, .. } = settings;
        std::array::from_fn(|_| match of {
            None => Weights::draw(&mut rng, bounds, *phases),
            Some(weights) => perturbed(weights, bounds, *phases, &mut rng),
        })
    }

    /// Plays the pairs of a round and gives their positions in order.
    fn play_round(
        &self,
        pool: &WorkerPool<Job, Played>,
        pairs: std::ops::Range<u64>,
        players: &dyn Fn(u64) -> [Weights; 2],
        observe: &mut dyn FnMut(SelfPlayEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Vec<SampledGame>, SelfPlayError> {
        let most = JOBS_PER_THREAD * self.threads.max(1);
        let mut jobs = pairs.clone().flat_map(|number| {
            let weights = players(number);
            PairHalf::BOTH.map(|half| Job {
                number,
                half,
                weights: Box::new(weights),
            })
        });
        let mut buffer = ReorderBuffer::default();
        let (mut in_flight, mut played, mut next) = (0, 2 * pairs.start, pairs.start);
        let mut games = Vec::new();
        while next < pairs.end {
            while in_flight < most
                && let Some(job) = jobs.next()
            {
                pool.submit(job);
                in_flight += 1;
            }
            match pool.wait(LOOK_UP) {
                PoolEvent::Finished(game) => {
                    in_flight -= 1;
                    played += 1;
                    let sampled = SampledGame::from_record(&game.record?, &self.sampling);
                    buffer.add(game.number, game.half, sampled);
                }
                PoolEvent::Idle => {}
                PoolEvent::Panicked(panic) => return Err(panic.into()),
            }
            while let Some(pair) = buffer.take(next) {
                games.extend(pair);
                next += 1;
            }
            if observe(SelfPlayEvent::Games(played)).is_break() {
                return Err(SelfPlayError::Interrupted);
            }
        }
        Ok(games)
    }

    fn builtin(&self, halt: &Arc<AtomicBool>) -> Builtin {
        let limits = MoveLimits::from(&self.player);
        Builtin::new("", self.player.search, &Weights::source(), limits)
            .with_table(self.player.table_kib)
            .with_halt(Arc::clone(halt))
    }
}

/// Each weight times e^(0.25·n) plus 2 % of its range times n, each n normal,
/// rounded to the grid and within the bounds. Shapes stay.
fn perturbed(
    weights: &Weights,
    bounds: &[[i32; 2]; GENES],
    phases: u32,
    rng: &mut impl rand::Rng,
) -> Weights {
    let mut found = *weights;
    for (n, gene) in TABLE.iter().enumerate() {
        if gene.role != Role::Weight {
            continue;
        }
        let [one, other] = bounds[n];
        let (low, high) = (one.min(other), one.max(other));
        let mut moved = |value: i32| {
            let factor = libm::exp(RELATIVE * normal(rng));
            let shift = OF_RANGE * f64::from(high - low) * normal(rng);
            let value = f64::from(value) * factor + shift;
            ((value + 0.5).floor() as i32).clamp(low, high)
        };
        found.opening[n] = moved(weights.opening[n]);
        found.endgame[n] = if phases > 1 {
            moved(weights.endgame[n])
        } else {
            found.opening[n]
        };
    }
    found
}

/// Nearly normal: the sum of twelve uniform numbers has the variance 1, and is
/// the same on every machine, which a logarithm of the platform's is not.
fn normal(rng: &mut impl rand::Rng) -> f64 {
    let mut sum = 0.0;
    for _ in 0..12 {
        sum += rng.random::<f64>();
    }
    sum - 6.0
}

/// One game to play.
struct Job {
    number: u64,
    half: PairHalf,
    weights: Box<[Weights; 2]>,
}

/// A game that was played, unless there is no opening for it.
struct Played {
    number: u64,
    half: PairHalf,
    record: Result<GameRecord, NoOpening>,
}

/// The players and openings of one thread.
struct PlayWorker<'a> {
    rules: &'a Rules,
    opener: Opener<'a>,
    players: [Builtin; 2],
    halt: Arc<AtomicBool>,
}

impl Worker for PlayWorker<'_> {
    type Job = Job;
    type Output = Played;

    fn play(&mut self, job: Job) -> Option<Played> {
        let Job {
            number,
            half,
            weights,
        } = job;
        let record = match self.opener.get(number) {
            Err(error) => Err(error),
            Ok(start) => {
                for (player, weights) in self.players.iter_mut().zip(weights.iter()) {
                    player.become_player("", weights);
                }
                let [a, b] = &mut self.players;
                let seats: [&mut dyn Contender; 2] = half.seats([a, b]);
                let stop = || self.halt.load(Ordering::Relaxed);
                Ok(play_game(seats, self.rules, &start, &stop)?)
            }
        };
        Some(Played {
            number,
            half,
            record,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::genes::{self, GeneId};

    fn self_play(games: u64, threads: usize) -> SelfPlay {
        SelfPlay {
            games,
            seed: 3,
            rules: Rules::default(),
            player: PlayerParams {
                depth: 1,
                table_kib: 64,
                ..PlayerParams::default()
            },
            openings: RandomOpenings::default(),
            sampling: Sampling::default(),
            threads,
            stop: Arc::default(),
        }
    }

    /// Shapes stay, so that the tests are quick.
    fn settings() -> FitSettings {
        let mut settings = FitSettings::default();
        for (n, gene) in TABLE.iter().enumerate() {
            if gene.role == Role::Shape {
                settings.bounds[n] = [gene.default; 2];
            }
        }
        settings
    }

    #[test]
    fn rounds_double_from_500_games() {
        let ends = |games| self_play(games, 1).round_ends();
        assert_eq!(ends(4000), [250, 500, 1000, 2000]);
        assert_eq!(ends(1200), [250, 500, 600]);
        assert_eq!(ends(40), [10, 20]);
        assert_eq!(ends(2), [1]);
    }

    #[test]
    fn any_number_of_threads_plays_and_learns_the_same() {
        let learn = |threads| {
            let mut fits = 0;
            let found = self_play(24, threads).learn(&settings(), &mut |event| {
                fits += usize::from(matches!(event, SelfPlayEvent::Round(_)));
                ControlFlow::Continue(())
            });
            let found = found.unwrap();
            assert_eq!((fits, found.rounds.len(), found.played), (2, 2, 24));
            // The random players' games are not among them.
            assert_eq!(found.games.len(), 12);
            found
        };
        let (one, three) = (learn(1), learn(3));
        assert_eq!(one.games, three.games);
        assert_eq!(one.rounds, three.rounds);
    }

    #[test]
    fn one_self_play_learns_what_shorter_ones_would_have() {
        let budgets = [1200, 40, 1000];
        let go = &mut |_: SelfPlayEvent<'_>| ControlFlow::Continue(());
        let all = self_play(2, 2).learn_budgets(&budgets, &settings(), None, go);
        let all = all.unwrap();
        for (games, found) in budgets.into_iter().zip(all) {
            let alone = self_play(games, 1).learn(&settings(), go).unwrap();
            assert_eq!(alone.rounds.last(), Some(&found), "{games}");
        }
    }

    #[test]
    fn games_can_be_replaced_before_they_are_learned_from() {
        let go = &mut |_: SelfPlayEvent<'_>| ControlFlow::Continue(());
        let last = |games: &[SampledGame], before: Option<&Fit>| {
            before.map(|_| games[games.len() - 4..].to_vec())
        };
        let found = self_play(2, 1).learn_budgets(&[24], &settings(), Some(&last), go);
        assert_eq!(found.unwrap()[0].games, 4);
    }

    #[test]
    fn an_observer_can_end_it() {
        let ended = self_play(24, 2).learn(&settings(), &mut |_| ControlFlow::Break(()));
        assert!(matches!(ended, Err(SelfPlayError::Interrupted)));
    }

    #[test]
    fn perturbed_weights_stay_within_bounds_and_keep_their_shapes() {
        let mut bounds = genes::bounds();
        bounds[GeneId::Quad3 as usize] = [0, 0];
        let mut rng = random::rng(1, Purpose::Learning(0));
        let mut base = Weights::source();
        base.opening[GeneId::Quad3 as usize] = 0;
        base.endgame = base.opening;
        let mut sum = 0;
        for _ in 0..500 {
            let found = perturbed(&base, &bounds, 1, &mut rng);
            assert_eq!(found.validate(), Ok(()));
            assert!(!found.has_phases());
            assert_eq!(found.get(GeneId::Quad3), 0);
            assert_eq!(
                found.get(GeneId::SpreadPower),
                base.get(GeneId::SpreadPower)
            );
            sum += found.get(GeneId::Euler);
        }
        // The mean of e^(0.25·n) is 1.03.
        let mean = f64::from(sum) / 500.0;
        assert!((mean - 62.0).abs() < 3.0, "{mean}");
        assert!(perturbed(&base, &bounds, 2, &mut rng).has_phases());
    }
}
