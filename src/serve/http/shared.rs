//! What all answers need, and the one way to ask the population.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::guard::Door;
use super::reply::Failure;
use super::thinker::Thinker;
use crate::api::Status;
use crate::api::{Source, SourceError};
use crate::game::Rules;

/// How old a status may be for those who ask often.
const FRESH: Duration = Duration::from_millis(500);

/// What all answers need.
pub(super) struct Shared {
    pub(super) source: Arc<dyn Source>,
    pub(super) rules: Rules,
    pub(super) door: Door,
    pub(super) thinker: Thinker,
    /// Becomes `true` when the server ends.
    pub(super) closing: watch::Receiver<bool>,
    pub(super) counters: Counters,
    latest: Mutex<Option<(Instant, Status)>>,
}

/// What the server counts about itself.
#[derive(Default)]
pub(super) struct Counters {
    pub(super) requests: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) streams: AtomicUsize,
}

impl Shared {
    pub(super) fn new(
        source: Arc<dyn Source>,
        rules: Rules,
        door: Door,
        thinker: Thinker,
        closing: watch::Receiver<bool>,
    ) -> Shared {
        Shared {
            source,
            rules,
            door,
            thinker,
            closing,
            counters: Counters::default(),
            latest: Mutex::new(None),
        }
    }

    /// Asks the population on a thread that may wait.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Source) -> Result<T, SourceError> + Send + 'static,
    ) -> Result<T, Failure> {
        let source = self.source.clone();
        let asked = tokio::task::spawn_blocking(move || question(&*source));
        match asked.await {
            Ok(answer) => Ok(answer?),
            Err(error) => {
                let why = format!("the population gave no answer: {error}");
                Err(SourceError::Failed(why).into())
            }
        }
    }

    /// The status, at most half a second old: many browsers cost no more than
    /// one.
    pub(super) async fn status(&self) -> Result<Status, Failure> {
        let latest = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((then, status)) = &*latest()
            && then.elapsed() < FRESH
        {
            return Ok(status.clone());
        }
        let status = self.ask(|source| source.status()).await?;
        *latest() = Some((Instant::now(), status.clone()));
        Ok(status)
    }
}

/// Counts one more for as long as it lives.
pub(super) struct Counted(Arc<Shared>);

impl Counted {
    /// One more stream; `None` where there are enough.
    pub(super) fn stream(shared: &Arc<Shared>, most: usize) -> Option<Counted> {
        let before = shared.counters.streams.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(shared.clone());
        (before < most).then_some(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.counters.streams.fetch_sub(1, Ordering::Relaxed);
    }
}
