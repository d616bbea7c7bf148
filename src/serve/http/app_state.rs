//! What every handler needs, and the one way in which handlers ask the
//! population.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::{Semaphore, watch};

use super::access_policy::AccessPolicy;
use super::analysis_engine::AnalysisEngine;
use super::chances::Curves;
use super::event_messages as messages;
use super::explanations::Explanations;
use super::feed::Feed;
use super::limited_log::LimitedLog;
use super::reply::Failure;
use super::server::ListPopulations;
use super::shared_answers::SharedAnswers;
use super::viewers::Viewers;
use crate::api::{Source, SourceError, Status};
use crate::game::Rules;

/// The greatest age of a status that is answered from the cache.
const MAX_STATUS_AGE: Duration = Duration::from_millis(500);

/// The most threads that ask the population at the same time, beside the one
/// that is kept for the status.
pub(super) const SOURCE_THREADS: usize = 4;

/// The state that all handlers share.
pub(super) struct AppState {
    /// The population.
    pub(super) source: Arc<dyn Source>,
    /// The rules of the population's games.
    pub(super) rules: Rules,
    pub(super) access: AccessPolicy,
    pub(super) analysis_engine: AnalysisEngine,
    /// From values to chances, by weights.
    pub(super) curves: Curves,
    /// What weights value.
    pub(super) explanations: Explanations,
    /// Becomes `true` when the server ends.
    pub(super) closing: watch::Receiver<bool>,
    pub(super) counters: Counters,
    /// Whether people look at the page.
    pub(super) viewers: Viewers,
    /// The command that shows the population again, for people.
    pub(super) show_again: Option<String>,
    /// Lists the populations beside this one.
    pub(super) list_populations: ListPopulations,
    /// Warnings about requests that were refused.
    pub(super) refusals: LimitedLog,
    /// What is new, for all event streams.
    pub(super) feed: Feed,
    pub(super) shared_answers: SharedAnswers,
    /// Places for questions to the population.
    questions: Semaphore,
    /// The newest status that was read, and when.
    latest: Mutex<Option<(Instant, Arc<RenderedStatus>)>>,
}

/// A status and the message that tells it.
pub(super) struct RenderedStatus {
    pub(super) status: Status,
    /// Grows whenever the status changes.
    pub(super) version: u64,
    pub(super) message: Bytes,
}

/// What the server counts about itself since it started.
#[derive(Default)]
pub(super) struct Counters {
    /// Requests, refused ones included.
    pub(super) requests: AtomicU64,
    /// Requests that the access policy refused.
    pub(super) refused: AtomicU64,
    /// Event streams that are open now.
    pub(super) streams: AtomicUsize,
}

impl AppState {
    pub(super) fn new(
        source: Arc<dyn Source>,
        rules: Rules,
        access: AccessPolicy,
        analysis_engine: AnalysisEngine,
        closing: watch::Receiver<bool>,
        show_again: Option<String>,
        list_populations: ListPopulations,
    ) -> AppState {
        AppState {
            source,
            rules,
            access,
            analysis_engine,
            curves: Curves::default(),
            explanations: Explanations::default(),
            closing,
            counters: Counters::default(),
            viewers: Viewers::default(),
            show_again,
            list_populations,
            refusals: LimitedLog::default(),
            feed: Feed::default(),
            shared_answers: SharedAnswers::default(),
            questions: Semaphore::new(SOURCE_THREADS),
            latest: Mutex::new(None),
        }
    }

    /// Asks the population on a thread that may block.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Source) -> Result<T, SourceError> + Send + 'static,
    ) -> Result<T, Failure> {
        // The semaphore is never closed.
        let _place = self.questions.acquire().await;
        self.ask_now(question).await
    }

    /// [`AppState::ask`] that does not wait for other questions.
    pub(super) async fn ask_now<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Source) -> Result<T, SourceError> + Send + 'static,
    ) -> Result<T, Failure> {
        let source = self.source.clone();
        let answer = tokio::task::spawn_blocking(move || question(&*source));
        match answer.await {
            Ok(answer) => Ok(answer?),
            Err(error) => {
                let why = format!("the population gave no answer: {error}");
                Err(SourceError::Failed(why).into())
            }
        }
    }

    /// The status, at most half a second old, so that many clients cost no
    /// more than one. It does not wait for other questions: monitoring needs it.
    pub(super) async fn status(&self) -> Result<Arc<RenderedStatus>, Failure> {
        if let Some((then, status)) = &*self.latest()
            && then.elapsed() < MAX_STATUS_AGE
        {
            return Ok(status.clone());
        }
        let status = self.ask_now(|source| source.status()).await?;
        Ok(self.keep_status(status))
    }

    /// Keeps the newest status for those who ask next.
    pub(super) fn keep_status(&self, status: Status) -> Arc<RenderedStatus> {
        let json = serde_json::to_string(&status).unwrap_or_default();
        let message = messages::status(&json);
        let mut latest = self.latest();
        let rendered = match &*latest {
            Some((_, known)) if known.message == message => known.clone(),
            known => Arc::new(RenderedStatus {
                status,
                version: known.as_ref().map_or(0, |(_, known)| known.version + 1),
                message,
            }),
        };
        *latest = Some((Instant::now(), rendered.clone()));
        rendered
    }

    fn latest(&self) -> MutexGuard<'_, Option<(Instant, Arc<RenderedStatus>)>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place among the event streams, given back when it is dropped.
pub(super) struct StreamSlot(Arc<AppState>);

impl StreamSlot {
    /// Takes a place; `None` where `most` streams are open already.
    pub(super) fn take(app: &Arc<AppState>, most: usize) -> Option<StreamSlot> {
        let before = app.counters.streams.fetch_add(1, Ordering::Relaxed);
        let slot = StreamSlot(app.clone());
        (before < most).then_some(slot)
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        self.0.counters.streams.fetch_sub(1, Ordering::Relaxed);
    }
}
