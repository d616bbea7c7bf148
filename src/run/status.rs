//! The status of a population, from its state.

use crate::api::{self, BoundView, ChampionView, FinalView, HallView, Leader, ScholarView, Status};
use crate::evolve::{Plan, Stage, State};
use crate::params::Params;

use super::pace::Forecast;
use super::workload::Workload;

/// How many leading files are named.
const LEADERS: usize = 5;

/// What the state itself does not know.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunContext {
    /// Whether a process works on the population.
    pub running: bool,
    /// Whether that was asked to stop.
    pub stopping: bool,
    /// Whether the champion's proof is complete.
    pub proved: bool,
    /// Games at the same time.
    pub threads: usize,
    /// The speed, and the time that is left; `None` before it is known.
    pub forecast: Option<Forecast>,
    /// Games of the proof: those that have been played, and all.
    pub proof: [u64; 2],
}

/// The status of a population; the hall's strengths are added elsewhere.
pub fn status(
    name: &str,
    params: &Params,
    plan: &Plan,
    state: &State,
    context: &RunContext,
) -> Status {
    let mut living: Vec<_> = state.individuals().iter().collect();
    living.sort_by(|a, b| {
        let points = b.totals.points.total_cmp(&a.totals.points);
        points.then(a.id.cmp(&b.id))
    });
    let leaders = living.iter().take(LEADERS).map(|file| Leader {
        file: file.id,
        points: file.totals.points,
        games: file.totals.games,
        origin: file.origin,
    });
    let workload = Workload::new(state, plan, context.proof);
    let finished = state.stage() == Stage::Over && context.proved;
    Status {
        population: name.to_owned(),
        state: stage(state.stage(), context),
        running: context.running,
        stopping: context.stopping,
        games: state.games(),
        budget: plan.evolution.budget,
        matches: state.matches(),
        progress: if finished { 1.0 } else { workload.share() },
        games_per_second: context.forecast.map(|forecast| forecast.rate),
        eta_seconds: context.forecast.map(|forecast| forecast.seconds),
        eta_low: context.forecast.map(|forecast| forecast.low),
        eta_high: context.forecast.map(|forecast| forecast.high),
        files: state.individuals().len() as u32,
        capacity: state.capacity(plan),
        births: state.births(),
        deaths: state.deaths(),
        leaders: leaders.collect(),
        hall: state
            .hall_of_fame()
            .iter()
            .map(|&file| HallView {
                file,
                matches: 0,
                games: 0,
                elo: None,
                error: None,
            })
            .collect(),
        scholars: state.scholars().iter().map(ScholarView::from).collect(),
        last: state.final_record().map(|record| FinalView {
            last: record.last,
            elder: record.elder,
            matches: record.matches,
            score: (record.matches > 0).then_some(record.mean),
            error: (record.matches > 1).then_some(record.error),
        }),
        champion: state.champion().map(|champion| ChampionView {
            file: champion.file,
            is_elder: champion.is_elder,
            is_scholar: champion.is_scholar,
        }),
        at_bounds: state
            .at_bounds(plan)
            .into_iter()
            .map(|found| BoundView {
                gene: found.gene,
                value: found.value,
                is_most: found.is_most,
            })
            .collect(),
        ends: ends(plan, state, finished),
        seed: plan.seed,
        params: params.fingerprint(),
        threads: context.threads as u32,
        page: None,
    }
}

fn stage(stage: Stage, context: &RunContext) -> api::State {
    match stage {
        Stage::Over if context.proved => api::State::Finished,
        _ if !context.running => api::State::Stopped,
        Stage::Evolving => api::State::Evolving,
        Stage::Final => api::State::Final,
        Stage::Over => api::State::Proving,
    }
}

/// The rule that will end the run, or has.
fn ends(plan: &Plan, state: &State, finished: bool) -> String {
    let evolution = plan.evolution_matches();
    let shrink = (plan.evolution.shrink_from * evolution as f64) as u64;
    let last = plan.final_matches();
    match state.stage() {
        Stage::Evolving if state.matches() < shrink => format!(
            "from match {shrink} on the capacity shrinks from {} files to 1 at match {evolution}; \
             the last file then plays the elder in {last} matches for the title",
            plan.evolution.population
        ),
        Stage::Evolving => format!(
            "the capacity shrinks to 1 file at match {evolution}; the last file then plays the \
             elder in {last} matches for the title"
        ),
        Stage::Final => format!(
            "after {} matches the last file takes the title if its mean score is more than {} \
             standard errors above 0; otherwise the elder keeps it",
            state.total_matches(plan),
            plan.final_stage.errors
        ),
        Stage::Over if finished => String::from("one is left and its strength is measured"),
        Stage::Over => String::from(
            "one is left; it plays the matches of its certificate, then the run is over",
        ),
    }
}
