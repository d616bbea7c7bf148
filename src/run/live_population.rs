//! What is shown of an open population: the store's records, and the newest
//! state as the owner of the population puts it here.
//!
//! Any thread may look. The owner is the running daemon, or a command that has
//! opened a population that is not running.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};

use super::champion::{champion_file, champion_name, option_file};
use super::command::Command;
use super::event_feed;
use super::event_index::EventIndex;
use super::file_index::FileIndex;
use super::foreign::Foreign;
use super::match_list;
use super::source_answer::failed;
use super::speed_history::SpeedHistory;
use super::status::{RunContext, status};
use crate::api::{
    ChartView, EventView, FileChoice, FileQuery, FileRow, FileView, FilesView, FleetView,
    LivingView, MatchQuery, MatchView, MatchesView, ParamsView, Source, SourceError, SpeedView,
    Status, origin_name,
};
use crate::charts::{self, Chart, HallStrength, History, NotedEvent, Theme};
use crate::evolve::{Birth, FileId, Origin, Plan, State, Totals};
use crate::genome::{BuiltIn, Genome};
use crate::params::Params;
use crate::search::EngineVersion;
use crate::store::{Layout, MatchRecord, MeasuredMatch, Population, Purpose, Reader, StoreError};
use crate::weights::{OptionFile, WeightFile};

/// A population that other threads may look into.
pub struct LivePopulation {
    name: String,
    reader: Reader,
    latest: Mutex<Latest>,
    /// Where commands go; `None` where no run goes on.
    commands: Option<Sender<Command>>,
    page: OnceLock<String>,
    strengths: Mutex<Vec<HallStrength>>,
    files: Mutex<FileIndex>,
    events: Mutex<EventIndex>,
    speed: Mutex<SpeedHistory>,
    fleet: Mutex<Option<FleetView>>,
}

/// The newest state.
pub struct Latest {
    /// The status as it is printed and served.
    pub status: Status,
    /// The state of the evolution.
    pub state: State,
    /// The parameters in effect.
    pub params: Params,
    /// The plan of the evolution, with the genes and their bounds.
    pub plan: Plan,
    /// Where the population lies.
    pub layout: Layout,
    /// The matches outside of the evolution that are complete.
    pub measured: Vec<MeasuredMatch>,
}

impl Latest {
    /// The present state of an open population.
    pub fn new(name: &str, population: &Population, context: &RunContext) -> Latest {
        let (params, plan, state) = (population.params(), population.plan(), population.state());
        Latest {
            status: status(name, params, plan, state, context),
            state: state.clone(),
            params: params.clone(),
            plan: plan.clone(),
            layout: population.layout().clone(),
            measured: population.measurements().complete().cloned().collect(),
        }
    }
}

/// How many children of a file are named.
const OFFSPRING: usize = 200;

/// How many matches of a file are named.
const RECENT: usize = 50;

/// How long a file that is born already is waited for, and the pause between two looks
/// into the store.
const SYNC_PATIENCE: Duration = Duration::from_secs(10);
const SYNC_PAUSE: Duration = Duration::from_millis(10);

impl LivePopulation {
    /// Shows `latest` until the owner shows something newer.
    pub fn new(
        name: &str,
        reader: Reader,
        latest: Latest,
        commands: Option<Sender<Command>>,
    ) -> LivePopulation {
        LivePopulation {
            name: name.to_owned(),
            reader,
            latest: Mutex::new(latest),
            commands,
            page: OnceLock::new(),
            strengths: Mutex::default(),
            files: Mutex::default(),
            events: Mutex::default(),
            speed: Mutex::default(),
            fleet: Mutex::default(),
        }
    }

    /// Shows a newer state.
    pub fn show(&self, latest: Latest) {
        let Status {
            games,
            games_per_second,
            ..
        } = latest.status;
        if let Some(rate) = games_per_second {
            let speed = self.speed.lock();
            speed
                .unwrap_or_else(PoisonError::into_inner)
                .note(games, rate);
        }
        *self.latest() = latest;
    }

    /// Shows the fleet that plays; `None` where threads of this process do.
    pub fn show_fleet(&self, fleet: Option<FleetView>) {
        *self.fleet.lock().unwrap_or_else(PoisonError::into_inner) = fleet;
    }

    /// Keeps what the status needs of the store, which is about to be closed.
    pub fn remember(&self) {
        // What cannot be read now was read before, as far as it goes.
        let _ = self.strengths();
    }

    /// Sets the address of the population's page, which stays the same.
    pub fn set_page(&self, address: String) {
        // The first one counts: there is one page a process.
        let _ = self.page.set(address);
    }

    /// The newest status, without what only the store knows.
    pub fn last_status(&self) -> Status {
        Status {
            page: self.page.get().cloned(),
            ..self.latest().status.clone()
        }
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the index of all files, brought up to date.
    fn with_files<T>(&self, question: impl FnOnce(&FileIndex) -> T) -> Result<T, SourceError> {
        let mut index = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        index.update(&self.reader).map_err(failed)?;
        Ok(question(&index))
    }

    /// What the genes of the population mean to the evaluation; refused where they
    /// are another program's, or those of another version.
    fn genes(&self) -> Result<BuiltIn, SourceError> {
        let latest = self.latest();
        let table = &latest.plan.genome.table;
        if let Some(engine) = Foreign::new(&latest.params, table) {
            return Err(SourceError::Refused(format!(
                "the genes of the population {} are options of the engine `{}`: its files are no \
                 weights of this program's evaluation",
                self.name, engine.command
            )));
        }
        BuiltIn::new(table).map_err(|unknown| {
            SourceError::Refused(format!(
                "the population {} has {unknown}; its files are no weights that this program \
                 could use",
                self.name
            ))
        })
    }

    fn file_name(&self, file: FileId) -> String {
        format!("{}-{}", self.name, file.0)
    }

    /// A file as the store has it. The status is ahead of the store by what the
    /// writer thread has not synced yet: a file that is born already is waited for.
    fn stored_file(&self, file: FileId) -> Result<Option<(Birth, Totals)>, SourceError> {
        let begin = Instant::now();
        loop {
            let found = self.reader.file(file).map_err(failed)?;
            let is_coming = || self.latest().state.is_born(file) && begin.elapsed() < SYNC_PATIENCE;
            if found.is_some() || !is_coming() {
                return Ok(found);
            }
            thread::sleep(SYNC_PAUSE);
        }
    }

    /// How strong the hall's files are; once the population is closed, how
    /// strong they were found last.
    fn strengths(&self) -> Result<Vec<HallStrength>, SourceError> {
        let known = || {
            self.strengths
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if matches!(self.reader.counts(), Err(StoreError::Closed)) {
            return Ok(known().clone());
        }
        let (hall, measured) = {
            let latest = self.latest();
            let hall = latest.state.hall_of_fame().to_vec();
            (hall, latest.measured.clone())
        };
        let strength = |&file: &FileId| {
            let birth = self.reader.file(file).map_err(failed)?;
            let matches = birth.map_or(0, |(birth, _)| birth.at);
            let found = measured
                .iter()
                .find(|one| one.file == file && one.purpose == Purpose::Hall);
            let (elo, error) = found.map_or((None, None), elo);
            Ok(HallStrength {
                file,
                matches,
                games: 2 * matches,
                elo,
                error,
                played: found.map_or(0, |one| one.tally.games()),
            })
        };
        let found = hall.iter().map(strength);
        let found = found.collect::<Result<Vec<_>, SourceError>>()?;
        known().clone_from(&found);
        Ok(found)
    }
}

/// Elo and its 95 % error, where they are finite.
fn elo(measured: &MeasuredMatch) -> (Option<f64>, Option<f64>) {
    let Some(found) = measured.tally.moments().map(|moments| moments.elo()) else {
        return (None, None);
    };
    let value = found.value.is_finite().then_some(found.value);
    (value, found.error().filter(|error| error.is_finite()))
}

impl Source for LivePopulation {
    fn status(&self) -> Result<Status, SourceError> {
        let mut status = self.last_status();
        let strengths = self.strengths()?;
        for (view, strength) in status.hall.iter_mut().zip(&strengths) {
            view.matches = strength.matches;
            view.games = strength.played;
            view.elo = strength.elo;
            view.error = strength.error;
        }
        Ok(status)
    }

    fn fleet(&self) -> Result<Option<FleetView>, SourceError> {
        let fleet = self.fleet.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(fleet.clone())
    }

    fn files(&self, query: &FileQuery) -> Result<FilesView, SourceError> {
        self.with_files(|index| index.list(query))
    }

    fn descent(&self, file: FileId) -> Result<Vec<FileRow>, SourceError> {
        self.with_files(|index| index.descent(file))
    }

    fn living(&self) -> Result<LivingView, SourceError> {
        let latest = self.latest();
        let table = &latest.plan.genome.table;
        Ok(LivingView::new(table, latest.state.individuals()))
    }

    fn params(&self) -> Result<ParamsView, SourceError> {
        Ok(ParamsView::new(&self.latest().params))
    }

    fn speed(&self) -> Result<SpeedView, SourceError> {
        let speed = self.speed.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(speed.view())
    }

    fn file(&self, file: FileId) -> Result<Option<FileView>, SourceError> {
        let Some((birth, totals)) = self.stored_file(file)? else {
            return Ok(None);
        };
        let (living, table): (Vec<Genome>, _) = {
            let latest = self.latest();
            let living = latest.state.individuals().iter();
            let living = living.map(|file| file.weights.clone()).collect();
            (living, latest.plan.genome.table.clone())
        };
        let children = FileQuery {
            parent: Some(file),
            ..FileQuery::page(FileId(0), OFFSPRING)
        };
        let children = self.files(&children)?.files;
        let offspring = children.iter().map(|child| child.file).collect();
        let matches = self.matches(MatchQuery {
            count: RECENT,
            file: Some(file),
            ..MatchQuery::default()
        })?;
        let matches = matches.matches.iter().map(|row| row.number).collect();
        let mut view = FileView::new(
            &birth,
            &totals,
            &self.file_name(file),
            &table,
            &living,
            offspring,
            matches,
        );
        if birth.origin == Origin::Immigrant {
            view.row.name = self.with_files(|index| index.row(file)?.name.clone())?;
        }
        Ok(Some(view))
    }

    fn matches(&self, query: MatchQuery) -> Result<MatchesView, SourceError> {
        match_list::matches(&self.reader, &query)
    }

    fn match_record(&self, number: u64) -> Result<Option<MatchView>, SourceError> {
        let view = |record: MatchRecord| {
            let games = record.game_records().map_err(failed)?;
            Ok(MatchView::new(&record.result(), record.is_final, &games))
        };
        let record = self.reader.match_record(number).map_err(failed)?;
        record.map(view).transpose()
    }

    fn events(&self, after: Option<u64>, count: usize) -> Result<Vec<EventView>, SourceError> {
        event_feed::events(&self.reader, after, count)
    }

    fn events_between(&self, after: u64, before: u64) -> Result<u64, SourceError> {
        event_feed::count_between(&self.reader, after, before)
    }

    fn champion(&self) -> Result<Option<WeightFile>, SourceError> {
        let genes = self.genes()?;
        let (state, params, measured, layout) = {
            let latest = self.latest();
            let Latest {
                state,
                params,
                measured,
                layout,
                ..
            } = &*latest;
            (
                state.clone(),
                params.clone(),
                measured.clone(),
                layout.clone(),
            )
        };
        let births = |file| Ok(self.reader.file(file)?.map(|(birth, _)| birth));
        let engine = self.reader.engine().map_err(failed)?;
        let engine = engine.unwrap_or(EngineVersion::present_signature(
            params.player.search.algorithm,
        ));
        let name = champion_name(&layout, &self.name);
        champion_file(&name, &state, &params, &genes, &births, &measured, engine).map_err(failed)
    }

    fn leader(&self) -> Result<Option<WeightFile>, SourceError> {
        let leader = self.latest().state.leader().map(|file| file.id);
        leader.map_or(Ok(None), |file| {
            let found = self.weights_of(file)?;
            Ok(found.map(|file| WeightFile {
                origin: format!("the leading file of a run that goes on: {}", file.origin),
                ..file
            }))
        })
    }

    fn elder(&self) -> Result<Option<WeightFile>, SourceError> {
        let genes = self.genes()?;
        let latest = self.latest();
        let matches = latest.state.matches();
        Ok(latest.state.elder().map(|elder| WeightFile {
            name: format!("{}-elder-{matches}", self.name),
            origin: format!(
                "the elder of a run that goes on: the running mean of its consensus after \
                 {matches} matches"
            ),
            weights: genes.weights(&elder),
            certificate: None,
        }))
    }

    fn weights_of(&self, file: FileId) -> Result<Option<WeightFile>, SourceError> {
        let genes = self.genes()?;
        let found = self.stored_file(file)?;
        Ok(found.map(|(birth, totals)| WeightFile {
            name: self.file_name(file),
            origin: format!(
                "file {file} of the population {}: {}, born at match {}, {:.2} points in {} games",
                self.name,
                origin_name(birth.origin),
                birth.at,
                totals.points,
                totals.games
            ),
            weights: genes.weights(&birth.weights),
            certificate: None,
        }))
    }

    fn options_of(&self, which: FileChoice) -> Result<Option<OptionFile>, SourceError> {
        let (state, params, plan, measured, layout) = {
            let latest = self.latest();
            (
                latest.state.clone(),
                latest.params.clone(),
                latest.plan.clone(),
                latest.measured.clone(),
                latest.layout.clone(),
            )
        };
        let Some(engine) = Foreign::new(&params, &plan.genome.table) else {
            return Ok(None);
        };
        let file = |name: String, origin: String, genome: &Genome| OptionFile {
            name,
            origin,
            engine: engine.command.clone(),
            values: engine.values(genome),
            certificate: None,
        };
        let matches = state.matches();
        match which {
            FileChoice::Champion => {
                let name = champion_name(&layout, &self.name);
                Ok(option_file(&name, &state, &params, &plan, &measured))
            }
            FileChoice::Elder => Ok(state.elder().map(|elder| {
                let name = format!("{}-elder-{matches}", self.name);
                file(name, format!("the elder after {matches} matches"), &elder)
            })),
            FileChoice::Leader => Ok(state.leader().map(|leader| {
                let origin = format!("the leading file after {matches} matches");
                file(self.file_name(leader.id), origin, &leader.weights)
            })),
            FileChoice::Number(number) => {
                let found = self.stored_file(number)?;
                Ok(found.map(|(birth, _)| {
                    let origin =
                        format!("{}, born at match {}", origin_name(birth.origin), birth.at);
                    file(self.file_name(number), origin, &birth.weights)
                }))
            }
        }
    }

    fn history(&self) -> Result<History, SourceError> {
        let (params, genome, scholars) = {
            let latest = self.latest();
            (
                latest.params.clone(),
                latest.plan.genome.clone(),
                latest.state.scholars().to_vec(),
            )
        };
        Ok(History {
            name: self.name.clone(),
            budget: params.evolution.budget,
            genome,
            samples: self.reader.samples().map_err(failed)?,
            strengths: self.strengths()?,
            scholars,
            events: self.noted_events()?,
        })
    }

    fn charts(&self) -> Result<Vec<ChartView>, SourceError> {
        let view = |chart: &Chart| ChartView {
            name: chart.name().to_owned(),
            title: chart.title().to_owned(),
        };
        // One picture with all of them is for files.
        let each = Chart::ALL.iter().filter(|&&chart| chart != Chart::All);
        Ok(each.map(view).collect())
    }

    fn chart(&self, name: &str, dark: bool) -> Result<Option<String>, SourceError> {
        let Some(&kind) = Chart::ALL.iter().find(|chart| chart.name() == name) else {
            return Ok(None);
        };
        let theme = if dark { Theme::Dark } else { Theme::Light };
        let drawn = charts::chart_svg(kind, &self.history()?, theme, kind.default_size());
        drawn.map(Some).map_err(failed)
    }

    fn stop(&self) -> Result<(), SourceError> {
        self.send(Command::Stop)
    }

    fn import(&self, file: WeightFile) -> Result<FileId, SourceError> {
        let (send, answer) = bounded(1);
        self.send(Command::Import(Box::new(file), send))?;
        let gone = |_| SourceError::Refused(String::from("the run has ended"));
        answer.recv().map_err(gone)?
    }
}

impl LivePopulation {
    fn noted_events(&self) -> Result<Vec<NotedEvent>, SourceError> {
        let mut index = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        index
            .update(&self.reader, event_feed::PLACES)
            .map_err(failed)?;
        Ok(index.noted())
    }

    fn send(&self, command: Command) -> Result<(), SourceError> {
        let nobody =
            || SourceError::Refused(format!("nobody works on the population {}", self.name));
        let commands = self.commands.as_ref().ok_or_else(nobody)?;
        commands.send(command).map_err(|_| nobody())
    }
}
