//! The one engine that searches for the page: a thread of its own with a short
//! queue, so that any number of browsers takes at most one core from the games.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::reply::Failure;
use crate::api::{Analysis, TimedReport};
use crate::board::Side;
use crate::eval::age_of;
use crate::game::{Game, Winner};
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Algorithm, Engine, Limits, value};
use crate::weights::WeightFile;

/// The longest time of one request's searches.
pub(super) const MAX_SEARCH_TIME: Duration = Duration::from_secs(5);

/// The most tasks that wait while another one runs; further ones are refused.
const QUEUE_LENGTH: usize = 4;

/// The memory of the transposition table, in KiB.
const TABLE_KIB: u32 = 8192;

/// A handle to the thread that runs one task after the other.
pub(super) struct AnalysisEngine {
    tasks: SyncSender<Task>,
}

/// A search, and the flag that stops it.
struct Task {
    work: Box<dyn FnOnce(&AtomicBool) + Send>,
    stop: Arc<AtomicBool>,
}

/// Stops the search when the handler that waits for it is dropped, because its
/// client has gone.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl AnalysisEngine {
    pub(super) fn start() -> io::Result<AnalysisEngine> {
        let (tasks, queue) = sync_channel(QUEUE_LENGTH);
        thread::Builder::new()
            .name("loatune-think".to_owned())
            .spawn(move || run_tasks(&queue))?;
        Ok(AnalysisEngine { tasks })
    }

    /// Runs a task on the engine's thread; refused where too many wait already.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        search: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let (answer, answered) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_on_drop = StopOnDrop(stop.clone());
        let task = Task {
            work: Box::new(move |stop| {
                // The receiver is gone where the client has gone.
                let _ = answer.send(search(stop));
            }),
            stop,
        };
        match self.tasks.try_send(task) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                return Err(Failure::busy("too many searches are waiting; try again"));
            }
            Err(TrySendError::Disconnected(_)) => {
                return Err(Failure::busy("the engine of the page has ended"));
            }
        }
        answered
            .await
            .map_err(|_| Failure::busy("the search was given up"))
    }
}

/// Runs tasks until the server is dropped.
fn run_tasks(queue: &Receiver<Task>) {
    while let Ok(task) = queue.recv() {
        if task.stop.load(Ordering::Relaxed) {
            continue;
        }
        let work = std::panic::AssertUnwindSafe(|| (task.work)(&task.stop));
        if std::panic::catch_unwind(work).is_err() {
            log::error!("a search for the page panicked");
        }
    }
}

/// How to search a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchSettings {
    pub(super) algorithm: Algorithm,
    pub(super) limits: Limits,
    /// The longest time of the search.
    pub(super) time: Duration,
    /// Plies played before the position, which give the phase of the game.
    pub(super) plies: usize,
}

/// Evaluates and searches a game's present position.
pub(super) fn analyse(
    game: &Game,
    file: &WeightFile,
    settings: SearchSettings,
    stop: &AtomicBool,
) -> Analysis {
    let mut engine = Engine::new(settings.algorithm, &file.weights, *game.rules(), TABLE_KIB);
    let trace = engine
        .evaluator()
        .trace(game.board(), age_of(settings.plies));
    let start = Instant::now();
    let deadline = Deadline {
        soft: None,
        hard: start.checked_add(settings.time.min(MAX_SEARCH_TIME)),
    };
    let report = timed_search(
        &mut engine,
        game.board(),
        settings.plies,
        settings.limits,
        deadline,
        stop,
        &mut |_| {},
    );
    let timed = TimedReport {
        report,
        seconds: start.elapsed().as_secs_f64(),
    };
    Analysis::new(game, &file.name, settings.algorithm, &trace, &timed)
}

/// The value of each position of a game for Black, searched `depth` plies deep;
/// `None` from where the time was over.
pub(super) fn curve(
    game: &Game,
    file: &WeightFile,
    depth: u32,
    stop: &AtomicBool,
) -> Vec<Option<i32>> {
    let mut engine = Engine::new(Algorithm::Mtdf, &file.weights, *game.rules(), TABLE_KIB);
    let deadline = Deadline {
        soft: None,
        hard: Instant::now().checked_add(MAX_SEARCH_TIME),
    };
    let limits = Limits {
        depth: Some(depth),
        nodes: None,
    };
    let last = game.boards().len() - 1;
    let positions = game.boards().iter().enumerate();
    positions
        .map(|(plies, board)| {
            let for_black = |value: i32| match board.turn() {
                Side::X => value,
                Side::O => -value,
            };
            if let Some(value) = value::terminal_value(board, game.rules(), 0) {
                return Some(for_black(value));
            }
            let is_drawn = |game: &Game| game.outcome().map(|end| end.winner) == Some(Winner::Draw);
            if plies == last && is_drawn(game) {
                return Some(0);
            }
            if depth == 0 {
                let trace = engine.evaluator().trace(board, age_of(plies));
                return Some(for_black(trace.value));
            }
            let report = timed_search(
                &mut engine,
                board,
                plies,
                limits,
                deadline,
                stop,
                &mut |_| {},
            );
            let is_whole = report.depth() == depth || value::plies_to_end(report.value()).is_some();
            is_whole.then(|| for_black(report.value()))
        })
        .collect()
}
