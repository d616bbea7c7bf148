//! The one engine that thinks for the page: a thread of its own with a short
//! queue, so that no number of browsers takes more than one core from the
//! games.

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
use crate::search::timed_search::{Until, think};
use crate::search::{Algorithm, Engine, Limits, value};
use crate::weights::WeightFile;

/// The longest that anybody may let it think.
pub(super) const LONGEST: Duration = Duration::from_secs(5);

/// Tasks that wait while another one is done.
const QUEUE: usize = 4;

/// The memory of its transposition table.
const TABLE_KIB: u32 = 8192;

/// Thinks, one task after the other.
pub(super) struct Thinker {
    tasks: SyncSender<Task>,
}

/// Work, and whether it is still wanted.
struct Task {
    work: Box<dyn FnOnce(&AtomicBool) + Send>,
    stop: Arc<AtomicBool>,
}

/// Stops the search when whoever waits for it is gone.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Thinker {
    pub(super) fn start() -> io::Result<Thinker> {
        let (tasks, queue) = sync_channel(QUEUE);
        thread::Builder::new()
            .name("loatune-think".to_owned())
            .spawn(move || work(&queue))?;
        Ok(Thinker { tasks })
    }

    /// Has something done; refused where too many wait already.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let (answer, answered) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let _wanted = Wanted(stop.clone());
        let task = Task {
            work: Box::new(move |stop| {
                // Nobody waits any more where the browser has gone.
                let _ = answer.send(question(stop));
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

/// Until the server is gone.
fn work(queue: &Receiver<Task>) {
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

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) player: Algorithm,
    pub(super) limits: Limits,
    pub(super) time: Duration,
    pub(super) plies: usize,
}

/// A position taken apart and searched.
pub(super) fn analyse(
    game: &Game,
    file: &WeightFile,
    effort: Effort,
    stop: &AtomicBool,
) -> Analysis {
    let mut engine = Engine::new(effort.player, &file.weights, *game.rules(), TABLE_KIB);
    let trace = engine.evaluator().trace(game.board(), age_of(effort.plies));
    let start = Instant::now();
    let until = Until {
        limits: effort.limits,
        enough: None,
        deadline: start.checked_add(effort.time.min(LONGEST)),
    };
    let report = think(
        &mut engine,
        game.board(),
        effort.plies,
        until,
        stop,
        &mut |_| {},
    );
    let timed = TimedReport {
        report,
        seconds: start.elapsed().as_secs_f64(),
    };
    Analysis::new(game, &file.name, effort.player, &trace, &timed)
}

/// What each position of a game is worth to Black, `depth` plies deep; nothing
/// from where the time was over.
pub(super) fn curve(
    game: &Game,
    file: &WeightFile,
    depth: u32,
    stop: &AtomicBool,
) -> Vec<Option<i32>> {
    let mut engine = Engine::new(Algorithm::Mtdf, &file.weights, *game.rules(), TABLE_KIB);
    let deadline = Instant::now().checked_add(LONGEST);
    let last = game.boards().len() - 1;
    let positions = game.boards().iter().enumerate();
    positions
        .map(|(plies, board)| {
            let for_black = |value: i32| match board.turn() {
                Side::X => value,
                Side::O => -value,
            };
            if let Some(value) = value::finished(board, game.rules(), 0) {
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
            let until = Until {
                limits: Limits {
                    depth: Some(depth),
                    nodes: None,
                },
                enough: None,
                deadline,
            };
            let report = think(&mut engine, board, plies, until, stop, &mut |_| {});
            let is_whole = report.depth() == depth || value::plies_to_end(report.value()).is_some();
            is_whole.then(|| for_black(report.value()))
        })
        .collect()
}
