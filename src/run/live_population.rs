//! What is shown of an open population: the store's records, and the newest
//! state as the owner of the population puts it here.
//!
//! Any thread may look. The owner is the running daemon, or a command that has
//! opened a population nobody works on.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crossbeam_channel::{Sender, bounded};

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
use crate::store::{Duel, MatchRecord, Purpose, Reader, StoreError};
use crate::weights::WeightFile;

/// Something that somebody wants of the run.
pub enum Wish {
    /// An end.
    Stop,
    /// A place for these weights.
    Import(Box<WeightFile>, Sender<Result<FileId, SourceError>>),
}

/// A window into a population.
pub struct Window {
    name: String,
    reader: Reader,
    now: Mutex<Now>,
    /// Where wishes go; nobody hears them where no run goes on.
    wishes: Option<Sender<Wish>>,
    page: OnceLock<String>,
    strengths: Mutex<Vec<HallStrength>>,
}

/// The newest state.
pub struct Now {
    /// At a glance.
    pub status: Status,
    /// The state itself.
    pub state: State,
    /// The parameters.
    pub params: Params,
}

/// How many children of a file are named.
const OFFSPRING: usize = 200;

/// How many matches of a file are named.
const RECENT: usize = 50;

/// An event's number holds the matches applied before it, and its place among
/// those of one match.
const PLACES: u64 = 1 << 20;

impl Window {
    /// A window; the owner keeps it up to date.
    pub fn new(name: &str, reader: Reader, now: Now, wishes: Option<Sender<Wish>>) -> Window {
        Window {
            name: name.to_owned(),
            reader,
            now: Mutex::new(now),
            wishes,
            page: OnceLock::new(),
            strengths: Mutex::default(),
        }
    }

    /// Shows a newer state.
    pub fn show(&self, now: Now) {
        *self.now() = now;
    }

    /// Keeps what the status needs of the store, which is about to be closed.
    pub fn remember(&self) {
        // What cannot be read now was read before, as far as it goes.
        let _ = self.strengths();
    }

    /// Says where the population's page is. It stays there.
    pub fn has_page(&self, address: String) {
        // The first one counts: there is one page a process.
        let _ = self.page.set(address);
    }

    /// The newest status, without what only the store knows.
    pub fn last_status(&self) -> Status {
        Status {
            page: self.page.get().cloned(),
            ..self.now().status.clone()
        }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file_name(&self, file: FileId) -> String {
        format!("{}-{}", self.name, file.0)
    }

    fn duels(&self) -> Result<Vec<Duel>, SourceError> {
        self.reader.duels().map_err(failed)
    }

    /// How strong the hall's files are; once the population is closed, how
    /// strong they were found last.
    fn strengths(&self) -> Result<Vec<HallStrength>, SourceError> {
        let known = || {
            self.strengths
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let duels = match self.reader.duels() {
            Err(StoreError::Closed) => return Ok(known().clone()),
            duels => duels.map_err(failed)?,
        };
        let hall = self.now().state.hall().to_vec();
        let strength = |&file: &FileId| {
            let birth = self.reader.file(file).map_err(failed)?;
            let matches = birth.map_or(0, |(birth, _)| birth.at);
            let duel = duels
                .iter()
                .find(|duel| duel.file == file && duel.purpose == Purpose::Hall);
            let (elo, error) = duel.map_or((None, None), elo);
            Ok(HallStrength {
                file,
                matches,
                games: 2 * matches,
                elo,
                error,
                played: duel.map_or(0, |duel| duel.tally.games()),
            })
        };
        let found = hall.iter().map(strength);
        let found = found.collect::<Result<Vec<_>, SourceError>>()?;
        known().clone_from(&found);
        Ok(found)
    }
}

/// Whatever the store says.
fn failed(error: impl std::fmt::Display) -> SourceError {
    SourceError::Failed(error.to_string())
}

/// Elo and its 95 % error, where they are finite.
fn elo(duel: &Duel) -> (Option<f64>, Option<f64>) {
    let Some(found) = duel.tally.moments().map(|moments| moments.elo()) else {
        return (None, None);
    };
    let value = found.value.is_finite().then_some(found.value);
    (value, found.error().filter(|error| error.is_finite()))
}

impl Source for Window {
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
            let now = self.now();
            now.state.files().iter().map(|file| file.weights).collect()
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

    fn champion(&self) -> Result<Option<WeightFile>, SourceError> {
        let (state, params) = {
            let now = self.now();
            (now.state.clone(), now.params.clone())
        };
        let duels = self.duels()?;
        let births = |file| Ok(self.reader.file(file)?.map(|(birth, _)| birth));
        let engine = self.reader.engine().map_err(failed)?;
        let engine = engine.unwrap_or(signature::SIGNATURE);
        champion_file(&self.name, &state, &params, &births, &duels, engine).map_err(failed)
    }

    fn leader(&self) -> Result<Option<WeightFile>, SourceError> {
        let leader = self.now().state.leader().map(|file| file.id);
        leader.map_or(Ok(None), |file| {
            let found = self.weights_of(file)?;
            Ok(found.map(|file| WeightFile {
                origin: format!("the leading file of a run that goes on: {}", file.origin),
                ..file
            }))
        })
    }

    fn elder(&self) -> Result<Option<WeightFile>, SourceError> {
        let now = self.now();
        let matches = now.state.matches();
        Ok(now.state.elder().map(|weights| WeightFile {
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
        let params = self.now().params.clone();
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
        self.wish(Wish::Stop)
    }

    fn import(&self, file: WeightFile) -> Result<FileId, SourceError> {
        let (send, answer) = bounded(1);
        self.wish(Wish::Import(Box::new(file), send))?;
        let gone = |_| SourceError::Refused(String::from("the run has ended"));
        answer.recv().map_err(gone)?
    }
}

impl Window {
    fn wish(&self, wish: Wish) -> Result<(), SourceError> {
        let nobody =
            || SourceError::Refused(format!("nobody works on the population {}", self.name));
        let wishes = self.wishes.as_ref().ok_or_else(nobody)?;
        wishes.send(wish).map_err(|_| nobody())
    }
}

/// Matches and what they brought, merged in the order in which they happened.
fn events(
    reader: &Reader,
    after: Option<u64>,
    count: usize,
) -> Result<Vec<EventView>, SourceError> {
    let applied = reader.counts().map_err(failed)?.matches;
    // Place 0 is the match itself; what came before the first match has none.
    let after = match after {
        Some(after) => after,
        None => applied.saturating_sub(count as u64 / 2) * PLACES,
    };
    let mut found = Vec::new();
    let mut sequence = reader.first_event_at(after / PLACES).map_err(failed)?;
    let mut matches = after / PLACES;
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
