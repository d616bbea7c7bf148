//! The one engine that searches for the page: a thread of its own with a short
//! queue, so that any number of browsers uses at most one core, and a priority
//! below that of the games, so that they keep most of that core, too.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::priority::lower_own_priority;
use super::reply::Failure;
use super::task_queue::{Refused, TaskQueue};
use crate::api::{Analysis, TimedReport};
use crate::board::{Board, Side};
use crate::eval::{Weights, age_of};
use crate::game::{Game, Rules, Winner};
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Algorithm, Engine, Limits, value};
use crate::weights::WeightFile;

/// The longest time of one request's searches.
pub(super) const MAX_SEARCH_TIME: Duration = Duration::from_secs(5);

/// The most tasks that wait while another one runs; further ones are refused.
const QUEUE_LENGTH: usize = 4;

/// The memory of the transposition table, in KiB.
pub(super) const TABLE_KIB: u32 = 8192;

/// A handle to the thread that runs one task after the other.
pub(super) struct AnalysisEngine {
    tasks: Arc<TaskQueue<Task>>,
}

/// A search, and the flag that stops it.
struct Task {
    work: Box<dyn FnOnce(&AtomicBool) + Send>,
    stop: Arc<AtomicBool>,
}

impl Task {
    fn is_abandoned(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
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
        let tasks = Arc::new(TaskQueue::new(QUEUE_LENGTH));
        let queue = tasks.clone();
        thread::Builder::new()
            .name("loatune-think".to_owned())
            .spawn(move || {
                lower_own_priority();
                run_tasks(&queue);
            })?;
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
        // Who steps quickly through a game leaves searches behind that nobody
        // waits for; they do not count.
        match self.tasks.push(task, Task::is_abandoned) {
            Ok(()) => {}
            Err(Refused::Full) => {
                return Err(Failure::busy("too many searches are waiting; try again"));
            }
            Err(Refused::Closed) => {
                return Err(Failure::busy("the engine of the page has ended"));
            }
        }
        answered
            .await
            .map_err(|_| Failure::busy("the search was given up"))
    }
}

impl Drop for AnalysisEngine {
    fn drop(&mut self) {
        self.tasks.close();
    }
}

/// Runs tasks until the server is dropped.
fn run_tasks(queue: &TaskQueue<Task>) {
    while let Some(task) = queue.pop() {
        if task.is_abandoned() {
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
    engine.set_past(game.reversible_keys());
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
    Analysis::new(game, &file.name, &settings.algorithm.into(), &trace, &timed)
}

/// The depths whose mean value is the value behind a chance, in plies: values of
/// odd and of even depths lean to opposite sides.
pub(super) const CHANCE_DEPTHS: [u32; 2] = [1, 2];

/// A position of a game that has ended.
#[derive(Clone, Debug)]
pub(super) struct PositionOfGame {
    pub(super) board: Board,
    /// Plies played before it.
    pub(super) plies: usize,
    /// How the game ended for Black: 1, a half or 0.
    pub(super) score: f64,
}

/// What a position is worth to Black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judgement {
    /// The game is over or its end is seen: 1, a half or 0.
    Decided(f64),
    /// The mean value of both depths, in points.
    Value(f64),
    /// The search was cut short.
    Unknown,
}

/// The points of each feature for the side to move, by its gene.
type Terms = Vec<(&'static str, f64)>;

/// Judges positions of games, and takes their evaluations apart.
pub(super) fn judge_all(
    positions: &[PositionOfGame],
    weights: &Weights,
    rules: &Rules,
    stop: &AtomicBool,
) -> Vec<(Judgement, Terms)> {
    let mut engine = Engine::new(Algorithm::Mtdf, weights, *rules, TABLE_KIB);
    let judged = positions.iter().map(|one| {
        let trace = engine.evaluator().trace(&one.board, age_of(one.plies));
        let terms = trace.terms.iter();
        let terms = terms.map(|term| (term.gene.name, term.points)).collect();
        let judgement = judge(&mut engine, &one.board, one.plies, rules, None, stop);
        (judgement, terms)
    });
    judged.collect()
}

/// Judges the present position of a game.
pub(super) fn judge_last(game: &Game, file: &WeightFile, stop: &AtomicBool) -> Judgement {
    if let Some(outcome) = game.outcome() {
        return Judgement::Decided(match outcome.winner {
            Winner::Side(Side::X) => 1.0,
            Winner::Side(Side::O) => 0.0,
            Winner::Draw => 0.5,
        });
    }
    let mut engine = Engine::new(Algorithm::Mtdf, &file.weights, *game.rules(), TABLE_KIB);
    let plies = game.played().len();
    let hard = Instant::now().checked_add(MAX_SEARCH_TIME);
    judge(&mut engine, game.board(), plies, game.rules(), hard, stop)
}

/// Judges every position of a game; unknown from where the time was over.
pub(super) fn judge_game(game: &Game, file: &WeightFile, stop: &AtomicBool) -> Vec<Judgement> {
    let mut engine = Engine::new(Algorithm::Mtdf, &file.weights, *game.rules(), TABLE_KIB);
    let hard = Instant::now().checked_add(MAX_SEARCH_TIME);
    let boards = game.boards().iter().enumerate();
    let mut judged: Vec<Judgement> = boards
        .map(|(plies, board)| judge(&mut engine, board, plies, game.rules(), hard, stop))
        .collect();
    if game.outcome().is_some()
        && let Some(last) = judged.last_mut()
    {
        *last = judge_last(game, file, stop);
    }
    judged
}

/// Judges one position.
fn judge(
    engine: &mut Engine,
    board: &Board,
    plies: usize,
    rules: &Rules,
    hard: Option<Instant>,
    stop: &AtomicBool,
) -> Judgement {
    let for_black = |value: i32| match board.turn() {
        Side::X => value,
        Side::O => -value,
    };
    let decided = |value: i32| Judgement::Decided(f64::from(u8::from(for_black(value) > 0)));
    if let Some(value) = value::terminal_value(board, rules, 0) {
        return if value == 0 {
            Judgement::Decided(0.5)
        } else {
            decided(value)
        };
    }
    let limits = Limits {
        depth: Some(CHANCE_DEPTHS[1]),
        ..Limits::default()
    };
    let deadline = Deadline { soft: None, hard };
    let report = timed_search(engine, board, plies, limits, deadline, stop, &mut |_| {});
    if value::plies_to_end(report.value()).is_some() && report.depth() > 0 {
        return decided(report.value());
    }
    let at = |depth: u32| {
        let found = report.iterations.iter().find(|one| one.depth == depth);
        found.map(|one| f64::from(for_black(one.value)))
    };
    match CHANCE_DEPTHS.map(at) {
        [Some(odd), Some(even)] => Judgement::Value((odd + even) / 2.0),
        _ => Judgement::Unknown,
    }
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
        ..Limits::default()
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
