//! What is shown of an open population: the store's records, and the newest
//! state as the owner of the population puts it here.
//!
//! Any thread may look. The owner is the running daemon, or a command that has
//! opened a population that is not running.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crossbeam_channel::{Sender, bounded};

use super::command::Command;
use super::status::{RunContext, status};

use super::champion::champion_file;
use crate::api::{
    ChartView, EventView, FileRow, FileView, FilesView, MatchQuery, MatchRow, MatchView,
    MatchesView, Source, SourceError, Status, origin_name,
};
use crate::charts::{self, Chart, HallStrength, History, Theme};
use crate::eval::Weights;
use crate::evolve::{FileId, State};
use crate::params::Params;
use crate::search::signature;
use crate::store::{MatchRecord, MeasuredMatch, Population, Purpose, Reader, StoreError};
use crate::weights::WeightFile;

/// A population that other threads may look into.
pub struct LivePopulation {
    name: String,
    reader: Reader,
    latest: Mutex<Latest>,
    /// Where commands go; `None` where no run goes on.
    commands: Option<Sender<Command>>,
    page: OnceLock<String>,
    strengths: Mutex<Vec<HallStrength>>,
}

/// The newest state.
pub struct Latest {
    /// The status as it is printed and served.
    pub status: Status,
    /// The state of the evolution.
    pub state: State,
    /// The parameters in effect.
    pub params: Params,
}

impl Latest {
    /// The present state of an open population.
    pub fn new(name: &str, population: &Population, context: &RunContext) -> Latest {
        let (params, plan, state) = (population.params(), population.plan(), population.state());
        Latest {
            status: status(name, params, plan, state, context),
            state: state.clone(),
            params: params.clone(),
        }
    }
}

/// How many children of a file are named.
const OFFSPRING: usize = 200;

/// How many matches of a file are named.
const RECENT: usize = 50;

/// An event's number holds the matches applied before it, and its place among
/// those of one match.
const PLACES: u64 = 1 << 20;

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
        }
    }

    /// Shows a newer state.
    pub fn show(&self, latest: Latest) {
        *self.latest() = latest;
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

    fn file_name(&self, file: FileId) -> String {
        format!("{}-{}", self.name, file.0)
    }

    fn measured(&self) -> Result<Vec<MeasuredMatch>, SourceError> {
        self.reader.measured_matches().map_err(failed)
    }

    /// How strong the hall's files are; once the population is closed, how
    /// strong they were found last.
    fn strengths(&self) -> Result<Vec<HallStrength>, SourceError> {
        let known = || {
            self.strengths
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let measured = match self.reader.measured_matches() {
            Err(StoreError::Closed) => return Ok(known().clone()),
            measured => measured.map_err(failed)?,
        };
        let hall = self.latest().state.hall_of_fame().to_vec();
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

fn failed(error: impl std::fmt::Display) -> SourceError {
    SourceError::Failed(error.to_string())
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
            view.elo = strength.elo;
            view.error = strength.error;
        }
        Ok(status)
    }

    fn files(&self, from: FileId, count: usize) -> Result<FilesView, SourceError> {
        let more = count.saturating_add(1);
        let mut found = self.reader.files(from, more).map_err(failed)?;
        let next = (found.len() > count).then(|| found.pop()).flatten();
        Ok(FilesView {
            files: found
                .iter()
                .map(|(birth, totals)| FileRow::new(birth, totals))
                .collect(),
            next: next.map(|(birth, _)| birth.file),
        })
    }

    fn file(&self, file: FileId) -> Result<Option<FileView>, SourceError> {
        let Some((birth, totals)) = self.reader.file(file).map_err(failed)? else {
            return Ok(None);
        };
        let living: Vec<Weights> = {
            let latest = self.latest();
            latest
                .state
                .individuals()
                .iter()
                .map(|file| file.weights)
                .collect()
        };
        let offspring = self.reader.offspring(file, OFFSPRING).map_err(failed)?;
        let matches = self
            .reader
            .matches_of(file, u64::MAX, RECENT)
            .map_err(failed)?;
        let matches = matches.iter().map(|record| record.number).collect();
        Ok(Some(FileView::new(
            &birth,
            &totals,
            &self.file_name(file),
            &living,
            offspring,
            matches,
        )))
    }

    fn matches(&self, query: MatchQuery) -> Result<MatchesView, SourceError> {
        let more = query.count.saturating_add(1);
        let before = query.before.unwrap_or(u64::MAX);
        let found = match query.file {
            None => self.reader.matches_backwards(before, more),
            Some(file) => self.reader.matches_of(file, before, more),
        };
        let mut found = found.map_err(failed)?;
        let is_more = found.len() > query.count;
        found.truncate(query.count);
        let before = found.last().map(|record| record.number);
        let rows = found.iter().map(|record| {
            let games = record.game_records().map_err(failed)?;
            Ok(MatchRow::new(&record.result(), record.is_final, &games))
        });
        Ok(MatchesView {
            matches: rows.collect::<Result<_, SourceError>>()?,
            before: before.filter(|_| is_more),
        })
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
        events(&self.reader, after, count)
    }

    fn events_between(&self, after: u64, before: u64) -> Result<u64, SourceError> {
        let [after, before] = [after, before].map(|number| rank(&self.reader, number));
        Ok(before?.saturating_sub(after?).saturating_sub(1))
    }

    fn champion(&self) -> Result<Option<WeightFile>, SourceError> {
        let (state, params) = {
            let latest = self.latest();
            (latest.state.clone(), latest.params.clone())
        };
        let measured = self.measured()?;
        let births = |file| Ok(self.reader.file(file)?.map(|(birth, _)| birth));
        let engine = self.reader.engine().map_err(failed)?;
        let engine = engine.unwrap_or(signature::SIGNATURE);
        champion_file(&self.name, &state, &params, &births, &measured, engine).map_err(failed)
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
        let latest = self.latest();
        let matches = latest.state.matches();
        Ok(latest.state.elder().map(|weights| WeightFile {
            name: format!("{}-elder-{matches}", self.name),
            origin: format!(
                "the elder of a run that goes on: the running mean of its consensus after \
                 {matches} matches"
            ),
            weights,
            certificate: None,
        }))
    }

    fn weights_of(&self, file: FileId) -> Result<Option<WeightFile>, SourceError> {
        let found = self.reader.file(file).map_err(failed)?;
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
            weights: birth.weights,
            certificate: None,
        }))
    }

    fn history(&self) -> Result<History, SourceError> {
        let params = self.latest().params.clone();
        Ok(History {
            name: self.name.clone(),
            budget: params.evolution.budget,
            genome: params.genome,
            samples: self.reader.samples().map_err(failed)?,
            strengths: self.strengths()?,
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
    fn send(&self, command: Command) -> Result<(), SourceError> {
        let nobody =
            || SourceError::Refused(format!("nobody works on the population {}", self.name));
        let commands = self.commands.as_ref().ok_or_else(nobody)?;
        commands.send(command).map_err(|_| nobody())
    }
}

/// How many events there are up to the one with this number, and with it.
fn rank(reader: &Reader, number: u64) -> Result<u64, SourceError> {
    let matches = number / PLACES;
    let earlier = reader.first_event_at(matches).map_err(failed)?;
    // One event for each match, and those of the store.
    Ok(matches.saturating_add(earlier) + number % PLACES)
}

/// Matches and what they brought, merged in the order in which they happened.
fn events(
    reader: &Reader,
    after: Option<u64>,
    count: usize,
) -> Result<Vec<EventView>, SourceError> {
    let applied = reader.counts().map_err(failed)?.matches;
    let Some(after) = after else {
        // Every match is an event itself, so the newest `count` are among those
        // of the last `count` matches.
        let after = applied.saturating_sub(count as u64) * PLACES;
        let mut found = events_after(reader, after, usize::MAX, applied)?;
        found.drain(..found.len().saturating_sub(count));
        return Ok(found);
    };
    events_after(reader, after, count, applied)
}

/// The oldest `count` events after number `after`, of `applied` matches.
fn events_after(
    reader: &Reader,
    after: u64,
    count: usize,
    applied: u64,
) -> Result<Vec<EventView>, SourceError> {
    let mut found = Vec::new();
    let mut sequence = reader.first_event_at(after / PLACES).map_err(failed)?;
    let mut matches = after / PLACES;
    // Place 0 is the match itself; what came before the first match has none.
    while found.len() < count && matches <= applied {
        let mut number = matches * PLACES;
        if matches > 0
            && number > after
            && let Some(record) = reader.match_record(matches - 1).map_err(failed)?
        {
            found.push(EventView::from_match(number, &record.result()));
        }
        loop {
            let told = reader.events(sequence, 1).map_err(failed)?.pop();
            let Some(told) = told.filter(|told| told.matches == matches) else {
                break;
            };
            sequence = told.sequence + 1;
            number += 1;
            if number > after {
                found.push(EventView::from_event(number, told.matches, &told.event));
            }
        }
        matches += 1;
    }
    found.truncate(count);
    Ok(found)
}
