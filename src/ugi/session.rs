//! The session of the protocol: commands in, answers out, and one search at a
//! time.
//!
//! One thread reads lines and another searches; both send events to a third,
//! which alone keeps the state and writes. So every line of output is whole,
//! and `stop` is handled while a search runs.

use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::board::{Move, Side};
use crate::game::{Game, Winner};
use crate::notation;
use crate::search::time_management::{allot, left_after_overhead};
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Engine, Iteration, Limits, Report};
use crate::util::bounded_lines::{Line, MAX_LINE_BYTES, next_line};

use super::command::{Command, Go, Query, parse};
use super::option::Settings;
use super::{features, info};

/// The time between two lines of a search that finishes no depth. Writing them
/// is also how the loss of the other program is noticed.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// The most events that wait; with more, the thread that reads lines blocks.
const MAX_QUEUED_EVENTS: usize = 64;

/// Why a session cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The input cannot be read.
    #[error("cannot read commands")]
    Read(#[source] io::Error),
    /// The output cannot be written.
    #[error("cannot write answers")]
    Write(#[source] io::Error),
    /// A thread could not be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// A search ended without an answer.
    #[error("the search has failed")]
    Search,
}

/// What the session's thread waits for.
enum Event {
    /// A line of the input.
    Line(Line),
    /// The input is over, or cannot be read any more.
    End(io::Result<()>),
    /// The search finished a depth.
    Depth(Iteration),
    /// The search is over, and the engine is free again.
    Done(Box<Engine>, Report),
}

/// A search that is running.
struct Search {
    thread: JoinHandle<()>,
    /// Set to stop the search.
    stop: Arc<AtomicBool>,
    started: Instant,
    /// Whether it ends without `stop`.
    ends_by_itself: bool,
    /// Whether its thread had ended at the last heartbeat without an answer.
    is_thread_gone: bool,
}

/// The state of a session.
struct Session<'a> {
    out: &'a mut dyn Write,
    events: SyncSender<Event>,
    settings: Settings,
    game: Game,
    /// `None` while the search has it, and after the settings have changed.
    engine: Option<Box<Engine>>,
    search: Option<Search>,
    /// Whether the session ends as soon as no search runs.
    is_exiting: bool,
}

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
///
/// [`SessionError`] where the input cannot be read, the output cannot be
/// written, a thread cannot be started, or a search ended without an answer.
pub fn run(
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
    settings: Settings,
) -> Result<(), SessionError> {
    let (events, arriving) = sync_channel(MAX_QUEUED_EVENTS);
    let lines = events.clone();
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &lines))
        .map_err(SessionError::Thread)?;
    let mut session = Session {
        out,
        events,
        game: Game::new(settings.rules),
        settings,
        engine: None,
        search: None,
        is_exiting: false,
    };
    let result = session.event_loop(&arriving);
    if let Some(search) = &session.search {
        search.stop.store(true, Ordering::Relaxed);
    }
    result
}

/// Sends every line of the input and how the input ended. The receiver is gone
/// once the session is over.
fn read_lines(input: impl Read, events: &SyncSender<Event>) {
    let mut input = BufReader::new(input);
    let end = loop {
        match next_line(&mut input) {
            Ok(Some(line)) => {
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let _ = events.send(Event::End(end));
}

impl Session<'_> {
    fn event_loop(&mut self, events: &Receiver<Event>) -> Result<(), SessionError> {
        while !(self.is_exiting && self.search.is_none()) {
            match events.recv_timeout(HEARTBEAT) {
                Ok(Event::Line(_)) if self.is_exiting => {}
                Ok(Event::Line(Line::Text(text))) => self.handle_line(&text)?,
                Ok(Event::Line(Line::TooLong)) => {
                    self.write_error(&format!("a line of more than {MAX_LINE_BYTES} bytes"))?;
                }
                Ok(Event::End(end)) => {
                    end.map_err(SessionError::Read)?;
                    self.begin_exit(|search| !search.ends_by_itself);
                }
                Ok(Event::Depth(iteration)) => {
                    let time = self.searching_for();
                    self.write_line(&info::line(
                        &iteration,
                        iteration.nodes,
                        time,
                        iteration.table_permille,
                    ))?;
                }
                Ok(Event::Done(engine, report)) => self.done(engine, &report)?,
                Err(RecvTimeoutError::Timeout) => self.heartbeat()?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(())
    }

    /// Writes a text as one line and flushes it.
    fn write_line(&mut self, text: &str) -> Result<(), SessionError> {
        let line = text.replace(['\r', '\n'], " ") + "\n";
        let written = self.out.write_all(line.as_bytes());
        written
            .and_then(|()| self.out.flush())
            .map_err(SessionError::Write)
    }

    fn write_error(&mut self, what: &str) -> Result<(), SessionError> {
        self.write_line(&format!("info string error: {what}"))
    }

    fn handle_line(&mut self, line: &str) -> Result<(), SessionError> {
        let command = match parse(line) {
            Ok(command) => command,
            Err(error) => return self.write_error(&error.to_string()),
        };
        let needs_idle_engine = match command {
            Command::NewGame => Some("uginewgame"),
            Command::SetOption { .. } => Some("setoption"),
            Command::Position { .. } => Some("position"),
            Command::Go(_) => Some("go"),
            _ => None,
        };
        if let (Some(name), Some(_)) = (needs_idle_engine, &self.search) {
            return self.write_error(&format!("{name} while searching: stop first"));
        }
        match command {
            Command::Nothing => Ok(()),
            Command::Ugi => self.identify(),
            Command::IsReady => {
                self.ensure_engine();
                self.write_line("readyok")
            }
            Command::NewGame => {
                self.game = Game::new(self.settings.rules);
                if let Some(engine) = &mut self.engine {
                    engine.new_game();
                }
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { text, moves } => self.set_position(text.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::Query(query) => self.answer(query),
            Command::Quit => {
                self.begin_exit(|_| true);
                Ok(())
            }
        }
    }

    fn identify(&mut self) -> Result<(), SessionError> {
        self.write_line(concat!("id name loatune ", env!("CARGO_PKG_VERSION")))?;
        self.write_line("id author the loatune developers")?;
        for line in self.settings.lines() {
            self.write_line(&line)?;
        }
        self.write_line("ugiok")
    }

    /// Creates the engine with its table where there is none and no search has
    /// it.
    fn ensure_engine(&mut self) {
        let Settings {
            weights,
            search,
            hash,
            rules,
            ..
        } = &self.settings;
        if self.search.is_none() && self.engine.is_none() {
            let engine = Engine::new(*search, weights, *rules, hash * 1024);
            self.engine = Some(Box::new(engine));
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        let mut settings = self.settings.clone();
        if let Err(error) = settings.set(name, value) {
            return self.write_error(&error.to_string());
        }
        // The game's moves are replayed, because a new rule may forbid them.
        let mut game = Game::from_board(settings.rules, *self.game.first_board());
        for &mv in self.game.played() {
            if let Err(error) = game.play(mv) {
                return self.write_error(&format!(
                    "setoption: {error} under this rule; set it before `position`"
                ));
            }
        }
        self.game = game;
        if settings != self.settings {
            self.settings = settings;
            self.engine = None;
        }
        Ok(())
    }

    fn set_position(&mut self, text: Option<&str>, moves: &str) -> Result<(), SessionError> {
        let mut game = match text.map(notation::parse_position).transpose() {
            Ok(None) => Game::new(self.settings.rules),
            Ok(Some(board)) => Game::from_board(self.settings.rules, board),
            Err(error) => return self.write_error(&format!("position: {error}")),
        };
        if let Err(error) = notation::parse_moves(&mut game, moves) {
            return self.write_error(&format!("position: {error}"));
        }
        self.game = game;
        Ok(())
    }

    fn answer(&mut self, query: Query) -> Result<(), SessionError> {
        let outcome = self.game.outcome();
        let answer = match query {
            Query::Features => {
                for line in features::lines(self.game.board(), &self.settings.weights) {
                    self.write_line(&line)?;
                }
                String::from("features")
            }
            Query::P1Turn => (self.game.turn() == Side::X).to_string(),
            Query::GameOver => outcome.is_some().to_string(),
            Query::Result => match outcome.map(|outcome| outcome.winner) {
                Some(Winner::Side(Side::X)) => "p1win",
                Some(Winner::Side(Side::O)) => "p2win",
                Some(Winner::Draw) => "draw",
                None => "none",
            }
            .to_owned(),
        };
        self.write_line(&format!("response {answer}"))
    }

    fn go(&mut self, go: &Go) -> Result<(), SessionError> {
        let started = Instant::now();
        if let Some(outcome) = self.game.outcome() {
            self.write_line(&format!("info string the game is over: {outcome}"))?;
            return self.write_line("bestmove (none)");
        }
        let (limits, deadline) = match limits(go, started, self.game.turn()) {
            Ok(found) => found,
            Err(missing) => return self.write_error(&format!("go: {missing} is missing")),
        };
        // Without any limit the one who says `stop` decides.
        let is_timed = deadline.hard.is_some() || !go.ends_by_itself();
        if let Err(error) = self.settings.search.check(is_timed) {
            return self.write_error(&format!("go: {error}"));
        }
        // An analysis without end is asked of the engine, not of a book.
        if go.ends_by_itself()
            && let Some(mv) = self.book_move()?
        {
            self.write_line("info string from the book")?;
            return self.write_line(&format!("bestmove {mv}"));
        }
        self.ensure_engine();
        let Some(mut engine) = self.engine.take() else {
            return Err(SessionError::Search);
        };
        engine.set_past(self.game.reversible_keys());
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, events) = (Arc::clone(&stop), self.events.clone());
        let (board, plies) = (*self.game.board(), self.game.played().len());
        let work = move || {
            let mut finished = |iteration: &Iteration| {
                let _ = events.send(Event::Depth(iteration.clone()));
            };
            let report = timed_search(
                &mut engine,
                &board,
                plies,
                limits,
                deadline,
                &stopped,
                &mut finished,
            );
            let _ = events.send(Event::Done(engine, report));
        };
        let thread = thread::Builder::new().name("search".to_owned()).spawn(work);
        self.search = Some(Search {
            thread: thread.map_err(SessionError::Thread)?,
            stop,
            started,
            ends_by_itself: go.ends_by_itself(),
            is_thread_gone: false,
        });
        Ok(())
    }

    /// The move of the opening book, if there is one that was made for these rules.
    fn book_move(&mut self) -> Result<Option<Move>, SessionError> {
        let Some(book) = &self.settings.book else {
            return Ok(None);
        };
        match book.check_rules(&self.settings.rules) {
            Ok(()) => Ok(book.choose(&self.game)),
            Err(problem) => {
                self.write_error(&problem)?;
                Ok(None)
            }
        }
    }

    fn searching_for(&self) -> Duration {
        self.search
            .as_ref()
            .map_or(Duration::ZERO, |search| search.started.elapsed())
    }

    fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the session as soon as the search has answered, and stops the search
    /// if `now` says so.
    fn begin_exit(&mut self, now: impl Fn(&Search) -> bool) {
        self.is_exiting = true;
        if self.search.as_ref().is_some_and(now) {
            self.stop();
        }
    }

    fn done(&mut self, engine: Box<Engine>, report: &Report) -> Result<(), SessionError> {
        let time = self.searching_for();
        self.search = None;
        let hashfull = Some(engine.table_permille());
        self.engine = Some(engine);
        self.write_line(&match report.iterations.last() {
            Some(last) => info::line(last, report.nodes, time, hashfull),
            None => format!("info{}", info::counts(report.nodes, time, hashfull)),
        })?;
        if let Some(last) = report.iterations.last().filter(|_| self.settings.tunable) {
            self.write_line(&format!("info string value {}", last.value))?;
        }
        match report.best {
            Some(best) => self.write_line(&format!("bestmove {best}")),
            None => self.write_line("bestmove (none)"),
        }
    }

    fn heartbeat(&mut self) -> Result<(), SessionError> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        if search.is_thread_gone {
            return Err(SessionError::Search);
        }
        // Its answer may be in the queue; it is handled before the next heartbeat.
        search.is_thread_gone = search.thread.is_finished();
        let time = search.started.elapsed();
        self.write_line(&format!("info time {}", time.as_millis()))
    }
}

/// The limits of a search that began at `started`.
///
/// # Errors
///
/// The word of `go` that is missing: the clock of the side to move.
fn limits(go: &Go, started: Instant, turn: Side) -> Result<(Limits, Deadline), &'static str> {
    let mut deadline = Deadline::default();
    if go.infinite {
        return Ok((Limits::default(), deadline));
    }
    let limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        ..Limits::default()
    };
    if let Some(clock) = go.clock(turn)? {
        let time = allot(clock);
        deadline.soft = Some(started + time.soft);
        deadline.hard = Some(started + time.hard);
    }
    if let Some(time) = go.movetime {
        let latest = started + left_after_overhead(time);
        deadline.soft = None;
        deadline.hard = Some(deadline.hard.map_or(latest, |other| other.min(latest)));
    }
    Ok((limits, deadline))
}
