//! The reporter of a run: keeps the live population and the observer up to date
//! and handles commands, between the matches.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::command::immigrate;
use super::event_loop::{LoopError, LoopHandler};
use super::game_source::GameSource;
use super::hall_matches::HallMatches;
use super::live_population::Latest;
use super::pace::Pace;
use super::proof::planned::proof_workload;
use super::run::{Observer, Run};
use super::status::RunContext;
use super::worker::Played;
use super::workload::Workload;
use crate::evolve::{Plan, State};
use crate::store::{Population, StoreError};

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
        let proof = proof_workload(population, &run.opponents)?;
        Ok(Reporter {
            run,
            observer,
            context: RunContext {
                running: true,
                threads: run.threads,
                proof,
                ..RunContext::default()
            },
            pace: Pace::new(begin, population.state().games() + proof[0]),
            looked: begin,
            busy: Duration::ZERO,
            hall_matches: HallMatches::default(),
        })
    }

    pub(super) fn is_due(&mut self) -> bool {
        let due = self.looked.elapsed() >= REPORT_EVERY;
        if due {
            self.looked = Instant::now();
        }
        due
    }

    /// Notes how many games have been played, `proof` of them outside of the
    /// evolution.
    pub(super) fn count(&mut self, population: &Population, proof: u64) {
        self.context.proof[0] = proof;
        let games = population.state().games() + proof;
        self.pace.count(Instant::now(), games);
        self.context.stopping = self.run.stop.load(Ordering::Relaxed);
    }

    pub(super) fn show(&mut self, population: &Population) {
        self.update_forecast(population.state(), population.plan());
        let latest = Latest::new(&self.run.name, population, &self.context);
        self.publish(latest);
    }

    /// Estimates the time that is left from the speed so far.
    fn update_forecast(&mut self, state: &State, plan: &Plan) {
        let workload = Workload::new(state, plan, self.context.proof);
        self.context.forecast = self.pace.forecast(workload.left());
    }

    fn publish(&mut self, latest: Latest) {
        self.observer.status(&latest.status);
        self.run.live.show(latest);
    }
}

impl LoopHandler<Population> for Reporter<'_> {
    fn tick(
        &mut self,
        population: &mut Population,
        games: &dyn GameSource,
    ) -> Result<(), LoopError<StoreError>> {
        population.check().map_err(LoopError::Sink)?;
        self.run
            .handle_commands(&mut |file| immigrate(population, file));
        // The busy time grows when a game is finished, and at no other time.
        let busy = games.busy();
        if busy > self.busy {
            self.busy = busy;
            self.observer.heartbeat();
        }
        let measured = self.hall_matches.tick(population, games);
        measured.map_err(LoopError::Sink)?;
        if self.is_due() {
            self.run.live.show_fleet(games.fleet());
            self.count(population, population.measurements().games());
            self.show(population);
        }
        Ok(())
    }

    fn measured(
        &mut self,
        population: &mut Population,
        played: Played,
    ) -> Result<(), LoopError<StoreError>> {
        self.hall_matches.add(population, played)
    }
}
