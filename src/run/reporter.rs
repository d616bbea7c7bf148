//! The reporter of a run: keeps the live population and the observer up to date
//! and handles commands, between the matches.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::command::immigrate;
use super::event_loop::{LoopError, LoopHandler};
use super::hall_matches::HallMatches;
use super::live_population::Latest;
use super::pace::Pace;
use super::run::{Observer, Run};
use super::status::RunContext;
use super::worker::{Played, RunPool};
use super::workload::Workload;
use crate::evolve::{Plan, State};
use crate::store::{Entry, Population, StoreError};

/// Files that the hall will have: one for each tenth of the evolution.
const TENTHS: u64 = 10;

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Keeps the window and the observer up to date, and hears commands.
pub(super) struct Reporter<'a> {
    run: &'a Run,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) context: RunContext,
    pace: Pace,
    looked: Instant,
    pub(super) busy: Duration,
    hall_matches: HallMatches,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        run: &'a Run,
        population: &Population,
        observer: &'a mut dyn Observer,
    ) -> Result<Reporter<'a>, StoreError> {
        let begin = Instant::now();
        let mut hall_matches = HallMatches::default();
        hall_matches.recall(population)?;
        let measured = hall_matches.games();
        Ok(Reporter {
            run,
            observer,
            context: RunContext {
                running: true,
                threads: run.threads,
                proof: [measured, proof_games(population, run.published.len())],
                ..RunContext::default()
            },
            pace: Pace::new(begin, population.state().games() + measured),
            looked: begin,
            busy: Duration::ZERO,
            hall_matches,
        })
    }

    pub(super) fn is_due(&mut self) -> bool {
        let due = self.looked.elapsed() >= REPORT_EVERY;
        if due {
            self.looked = Instant::now();
        }
        due
    }

    /// Notes that `games` games have been played, those of the proof included.
    pub(super) fn count(&mut self, games: u64) {
        self.pace.count(Instant::now(), games);
        self.context.stopping = self.run.stop.load(Ordering::Relaxed);
    }

    pub(super) fn show(&mut self, population: &Population) {
        self.update_forecast(population.state(), population.plan());
        let latest = Latest::new(&self.run.name, population, &self.context);
        self.publish(latest);
    }

    /// Estimates the time that is left from the speed so far.
    pub(super) fn update_forecast(&mut self, state: &State, plan: &Plan) {
        let workload = Workload::new(state, plan, self.context.proof);
        self.context.forecast = self.pace.forecast(workload.left());
    }

    pub(super) fn publish(&mut self, latest: Latest) {
        self.observer.status(&latest.status);
        self.run.live.show(latest);
    }
}

impl LoopHandler<Population> for Reporter<'_> {
    fn tick(
        &mut self,
        population: &mut Population,
        pool: &RunPool,
    ) -> Result<(), LoopError<StoreError>> {
        population.check().map_err(LoopError::Sink)?;
        self.run
            .handle_commands(&mut |file| immigrate(population, file));
        // The busy time grows when a game is finished, and at no other time.
        let busy = pool.busy();
        if busy > self.busy {
            self.busy = busy;
            self.observer.heartbeat();
        }
        let measured = self.hall_matches.tick(population, pool);
        measured.map_err(LoopError::Sink)?;
        self.context.proof[0] = self.hall_matches.games();
        if self.is_due() {
            self.count(population.state().games() + self.hall_matches.games());
            self.show(population);
        }
        Ok(())
    }

    fn measured(
        &mut self,
        population: &mut Population,
        played: Played,
    ) -> Result<(), LoopError<StoreError>> {
        if let Some(measured) = self.hall_matches.add(played)? {
            let kept = population.apply(Entry::Measured(measured));
            kept.map_err(LoopError::Sink)?;
        }
        Ok(())
    }
}

/// Games of the proof, as far as can be known: every opponent, and a hall that
/// has a file for each tenth of the evolution.
fn proof_games(population: &Population, published: usize) -> u64 {
    let last = &population.params().final_stage;
    let opponents = 2 + published as u64;
    opponents * last.certificate_games + TENTHS * last.hall_games
}
