//! A sitting of work on a population: evolution, proof and the champion's
//! file, from wherever the population stands, until it is done or stopped.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::champion::champion_file;
use super::event_loop::{Ended, RunError, Watcher, evolve};
use super::live_population::{Now, Window, Wish};
use super::measuring::Measuring;
use super::pace::Pace;
use super::proving::{ProofDuel, ProofError, duels, prove};
use super::status::{Circumstances, status};
use super::worker_pool::{Crew, Played};
use crate::api::{SourceError, Status};
use crate::eval::Weights;
use crate::evolve::{Event, FileId, Stage};
use crate::search::signature;
use crate::store::{Entry, Population, StoreError};
use crate::util::atomic_file;
use crate::weights::WeightFile;

/// Files that the hall will have.
const TENTHS: u64 = 10;

/// Between two looks at the state.
const LOOK: Duration = Duration::from_millis(100);

/// How to work.
pub struct Session {
    /// The population's name.
    pub name: String,
    /// Games at the same time.
    pub threads: usize,
    /// Champions that the new one is measured against.
    pub published: Vec<(String, Weights)>,
    /// Set from outside, it ends the work.
    pub stop: Arc<AtomicBool>,
    /// What people of the outside want.
    pub wishes: Receiver<Wish>,
    /// Where the state is shown.
    pub window: Arc<Window>,
}

/// Whoever is told how it goes, several times a second.
pub trait Audience: Send {
    /// The newest status.
    fn look(&mut self, status: &Status);

    /// Games were finished since the last time, and what could be applied was.
    /// Comes from the thread that applies matches, and never without a game:
    /// where nothing moves, nobody is told so.
    fn beat(&mut self) {}
}

/// What a sitting brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Sitting {
    /// How it ended.
    pub ended: Ended,
    /// The champion's file, once the proof is complete.
    pub champion: Option<(PathBuf, WeightFile)>,
    /// The part of all threads' time that was spent in games; `None` where no
    /// match was played.
    pub busy: Option<f64>,
    /// The part of the time in which matches had to wait for the store.
    pub storing: Option<f64>,
}

/// Why a sitting failed.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The matches of the evolution.
    #[error(transparent)]
    Run(#[from] RunError<StoreError>),
    /// The proof.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The champion's file.
    #[error("cannot write {}: {source}", path.display())]
    Champion {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

/// The state of a population that is open here, as a window shows it.
pub fn now(name: &str, population: &Population, circumstances: &Circumstances) -> Now {
    let (params, plan, state) = (population.params(), population.plan(), population.state());
    Now {
        status: status(name, params, plan, state, circumstances),
        state: state.clone(),
        params: params.clone(),
    }
}

impl Session {
    /// Works. The population is saved and closed in any case.
    pub fn work(
        &self,
        mut population: Population,
        audience: &mut dyn Audience,
    ) -> Result<Sitting, SessionError> {
        let found = self.sit(&mut population, audience);
        self.window.remember();
        let closed = population.close();
        let sitting = found?;
        closed?;
        Ok(sitting)
    }

    fn sit(
        &self,
        population: &mut Population,
        audience: &mut dyn Audience,
    ) -> Result<Sitting, SessionError> {
        let mut sitting = Sitting {
            ended: Ended::Over,
            champion: None,
            busy: None,
            storing: None,
        };
        let mut keeper = Keeper::new(self, population, audience)?;
        if population.state().stage() != Stage::Over {
            let begin = Instant::now();
            let params = population.params().clone();
            sitting.ended = evolve(population, &params, self.threads, &self.stop, &mut keeper)?;
            let spent = begin.elapsed().as_secs_f64();
            sitting.busy = Some(keeper.busy.as_secs_f64() / spent / self.threads as f64);
            sitting.storing = Some(population.load().waited.as_secs_f64() / spent);
            population.flush()?;
        }
        if sitting.ended == Ended::Over {
            sitting.ended = self.prove(population, &mut keeper)?;
        }
        if sitting.ended == Ended::Over {
            sitting.champion = Some(self.hand_over(population)?);
            keeper.circumstances.proved = true;
        }
        keeper.circumstances.running = false;
        keeper.show(population);
        Ok(sitting)
    }

    fn prove(
        &self,
        population: &mut Population,
        keeper: &mut Keeper<'_>,
    ) -> Result<Ended, SessionError> {
        let all = duels(population, &self.published)?;
        keeper.circumstances.proof[1] = all.iter().map(|duel| duel.games).sum();
        let (params, plan) = (population.params().clone(), population.plan().clone());
        let state = population.state().clone();
        let mut watch = |games: u64, _: &ProofDuel, _: &_| {
            if games > keeper.circumstances.proof[0] {
                keeper.circumstances.proof[0] = games;
                keeper.audience.beat();
            }
            let stops = self.hears_stop();
            if keeper.is_due() {
                keeper.count(state.games() + games);
                let status = status(&self.name, &params, &plan, &state, &keeper.circumstances);
                keeper.tell(Now {
                    status,
                    state: state.clone(),
                    params: params.clone(),
                });
            }
            match stops {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        match prove(population, &all, self.threads, &mut watch)? {
            true => Ok(Ended::Over),
            false => Ok(Ended::Stopped),
        }
    }

    /// Writes the champion's file, where the population lies.
    fn hand_over(&self, population: &Population) -> Result<(PathBuf, WeightFile), SessionError> {
        population.flush()?;
        let reader = population.reader();
        let engine = reader.engine()?.unwrap_or(signature::SIGNATURE);
        let duels = reader.duels()?;
        let (state, params) = (population.state(), population.params());
        let births = |file| Ok(reader.file(file)?.map(|(birth, _)| birth));
        let file = champion_file(&self.name, state, params, &births, &duels, engine)?
            .expect("the evolution is over, so there is a champion");
        let path = population.layout().champion();
        atomic_file::save(&path, &file.to_toml(), true).map_err(|source| {
            SessionError::Champion {
                path: path.clone(),
                source,
            }
        })?;
        Ok((path, file))
    }

    /// Whether somebody wants an end. Weights are not taken in any more.
    fn hears_stop(&self) -> bool {
        self.hear(&mut |_| Err(SourceError::Refused(String::from("the evolution is over"))));
        self.stop.load(Ordering::Relaxed)
    }

    /// Fulfils what is wished for; `import` takes weights in.
    fn hear(&self, import: &mut dyn FnMut(&WeightFile) -> Result<FileId, SourceError>) {
        for wish in self.wishes.try_iter() {
            match wish {
                Wish::Stop => self.stop.store(true, Ordering::Relaxed),
                Wish::Import(file, answer) => {
                    // Whoever wished for it may be gone.
                    let _ = answer.send(import(&file));
                }
            }
        }
    }
}

/// Keeps the window and the audience up to date, and hears wishes.
struct Keeper<'a> {
    session: &'a Session,
    audience: &'a mut dyn Audience,
    circumstances: Circumstances,
    pace: Pace,
    looked: Instant,
    busy: Duration,
    measuring: Measuring,
}

impl<'a> Keeper<'a> {
    fn new(
        session: &'a Session,
        population: &Population,
        audience: &'a mut dyn Audience,
    ) -> Result<Keeper<'a>, StoreError> {
        let begin = Instant::now();
        let mut measuring = Measuring::default();
        measuring.recall(population)?;
        let measured = measuring.games();
        Ok(Keeper {
            session,
            audience,
            circumstances: Circumstances {
                running: true,
                threads: session.threads,
                proof: [measured, proof_games(population, session.published.len())],
                ..Circumstances::default()
            },
            pace: Pace::new(begin, population.state().games() + measured),
            looked: begin,
            busy: Duration::ZERO,
            measuring,
        })
    }

    fn is_due(&mut self) -> bool {
        let due = self.looked.elapsed() >= LOOK;
        if due {
            self.looked = Instant::now();
        }
        due
    }

    /// So many games have been played, those of the proof included.
    fn count(&mut self, games: u64) {
        self.pace.count(Instant::now(), games);
        self.circumstances.stopping = self.session.stop.load(Ordering::Relaxed);
    }

    fn show(&mut self, population: &Population) {
        let left = {
            let (state, plan) = (population.state(), population.plan());
            let [proved, proof] = self.circumstances.proof;
            2 * (state.ends_with(plan) - state.matches()) + proof - proved
        };
        self.circumstances.forecast = self.pace.forecast(left);
        let now = now(&self.session.name, population, &self.circumstances);
        self.tell(now);
    }

    fn tell(&mut self, now: Now) {
        self.audience.look(&now.status);
        self.session.window.show(now);
    }
}

impl Watcher<Population> for Keeper<'_> {
    fn look(
        &mut self,
        population: &mut Population,
        crew: &Crew,
    ) -> Result<(), RunError<StoreError>> {
        population.check().map_err(RunError::Ledger)?;
        self.session.hear(&mut |file| immigrate(population, file));
        // It grows when a game is finished, and at no other time.
        let busy = crew.busy();
        if busy > self.busy {
            self.busy = busy;
            self.audience.beat();
        }
        let measured = self.measuring.look(population, crew);
        measured.map_err(RunError::Ledger)?;
        self.circumstances.proof[0] = self.measuring.games();
        if self.is_due() {
            self.count(population.state().games() + self.measuring.games());
            self.show(population);
        }
        Ok(())
    }

    fn measured(
        &mut self,
        population: &mut Population,
        played: Played,
    ) -> Result<(), RunError<StoreError>> {
        if let Some(duel) = self.measuring.add(played)? {
            let kept = population.apply(Entry::Duel(duel));
            kept.map_err(RunError::Ledger)?;
        }
        Ok(())
    }
}

/// Games of the proof, as far as can be known: every opponent, and a hall that
/// has a file for each tenth of the evolution.
pub(super) fn proof_games(population: &Population, published: usize) -> u64 {
    let last = &population.params().final_stage;
    let opponents = 2 + published as u64;
    opponents * last.certificate_games + TENTHS * last.hall_games
}

/// Takes weights into the population. They are saved when this returns.
pub fn immigrate(population: &mut Population, file: &WeightFile) -> Result<FileId, SourceError> {
    let entry = Entry::Immigrant {
        name: file.name.clone(),
        weights: file.weights,
    };
    let applied = population.apply(entry);
    let saved = applied.and_then(|step| population.flush().map(|()| step));
    let step = saved.map_err(|error| match error {
        StoreError::Fold(_) => SourceError::Refused(error.to_string()),
        _ => SourceError::Failed(error.to_string()),
    })?;
    let born = |event: &Event| match event {
        Event::Born(birth) => Some(birth.file),
        _ => None,
    };
    let file = step.events.iter().find_map(born);
    file.ok_or_else(|| SourceError::Failed(String::from("nobody was born")))
}
