//! The dialogue: commands in, answers out, and one search at a time.
//!
//! One thread reads lines and another searches; both send events to this one,
//! which alone keeps the state and writes. So every line of output is whole,
//! and `stop` is heard while a search runs.

use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::board::Side;
use crate::game::{Game, Winner};
use crate::notation;
use crate::search::timed_search::{Deadline, timed_search};
use crate::search::{Engine, Iteration, Limits, Report};
use crate::util::bounded_lines::{Line, MAX_LINE_BYTES, next_line};

use super::clock::{left_after_overhead, share};
use super::command::{Command, Go, Query, parse};
use super::info;
use super::option::Settings;

/// How often a search that finishes no depth says that it lives. It is also
/// how a reader that is gone gets noticed.
const BEAT: Duration = Duration::from_secs(1);

/// Events that may wait; the reader of lines waits where there are more.
const WAITING: usize = 64;

/// Why a dialogue cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The input.
    #[error("cannot read commands")]
    Read(#[source] io::Error),
    /// The output.
    #[error("cannot write answers")]
    Write(#[source] io::Error),
    /// A thread could not be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// A search ended without an answer.
    #[error("the search has failed")]
    Search,
}

enum Event {
    Line(Line),
    /// The input is over, in one way or the other.
    End(io::Result<()>),
    Depth(Iteration),
    Done(Box<Engine>, Report),
}

/// A search that is running.
struct Search {
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
    started: Instant,
    ends_by_itself: bool,
    /// Its thread had ended a beat ago, and no answer had come.
    lost: bool,
}

struct Session<'a> {
    out: &'a mut dyn Write,
    events: SyncSender<Event>,
    settings: Settings,
    game: Game,
    /// Away while it searches; gone where the settings have changed.
    engine: Option<Box<Engine>>,
    search: Option<Search>,
    /// Nothing more is asked: ends when the search does.
    leaving: bool,
}

/// Answers commands until `quit` or the end of the input.
pub fn run(
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
    settings: Settings,
) -> Result<(), SessionError> {
    let (events, arriving) = sync_channel(WAITING);
    let lines = events.clone();
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(input, &lines))
        .map_err(SessionError::Thread)?;
    let mut session = Session {
        out,
        events,
        game: Game::new(settings.rules),
        settings,
        engine: None,
        search: None,
        leaving: false,
    };
    let result = session.listen(&arriving);
    if let Some(search) = &session.search {
        search.stop.store(true, Ordering::Relaxed);
    }
    result
}

/// Sends every line, and how they end. Nobody listens any more once the
/// session is over.
fn read(input: impl Read, events: &SyncSender<Event>) {
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
    fn listen(&mut self, events: &Receiver<Event>) -> Result<(), SessionError> {
        while !(self.leaving && self.search.is_none()) {
            match events.recv_timeout(BEAT) {
                Ok(Event::Line(_)) if self.leaving => {}
                Ok(Event::Line(Line::Text(text))) => self.hear(&text)?,
                Ok(Event::Line(Line::TooLong)) => {
                    self.complain(&format!("a line of more than {MAX_LINE_BYTES} bytes"))?;
                }
                Ok(Event::End(end)) => {
                    end.map_err(SessionError::Read)?;
                    self.leave(|search| !search.ends_by_itself);
                }
                Ok(Event::Depth(iteration)) => {
                    let time = self.searching_for();
                    self.say(&info::line(
                        &iteration,
                        iteration.nodes,
                        time,
                        iteration.table_permille,
                    ))?;
                }
                Ok(Event::Done(engine, report)) => self.done(engine, &report)?,
                Err(RecvTimeoutError::Timeout) => self.beat()?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(())
    }

    /// Writes one line, whatever the text holds, and sends it off.
    fn say(&mut self, text: &str) -> Result<(), SessionError> {
        let line = text.replace(['\r', '\n'], " ") + "\n";
        let written = self.out.write_all(line.as_bytes());
        written
            .and_then(|()| self.out.flush())
            .map_err(SessionError::Write)
    }

    fn complain(&mut self, what: &str) -> Result<(), SessionError> {
        self.say(&format!("info string error: {what}"))
    }

    fn hear(&mut self, line: &str) -> Result<(), SessionError> {
        let command = match parse(line) {
            Ok(command) => command,
            Err(error) => return self.complain(&error.to_string()),
        };
        let needs_rest = match command {
            Command::NewGame => Some("uginewgame"),
            Command::SetOption { .. } => Some("setoption"),
            Command::Position { .. } => Some("position"),
            Command::Go(_) => Some("go"),
            _ => None,
        };
        if let (Some(name), Some(_)) = (needs_rest, &self.search) {
            return self.complain(&format!("{name} while searching: stop first"));
        }
        match command {
            Command::Nothing => Ok(()),
            Command::Ugi => self.introduce(),
            Command::IsReady => {
                self.prepare();
                self.say("readyok")
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
                self.leave(|_| true);
                Ok(())
            }
        }
    }

    fn introduce(&mut self) -> Result<(), SessionError> {
        self.say(concat!("id name loatune ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the loatune developers")?;
        for line in self.settings.lines() {
            self.say(&line)?;
        }
        self.say("ugiok")
    }

    /// Takes its memory, where no search has it.
    fn prepare(&mut self) {
        let Settings {
            weights,
            algorithm,
            hash,
            rules,
            ..
        } = &self.settings;
        if self.search.is_none() && self.engine.is_none() {
            let engine = Engine::new(*algorithm, weights, *rules, hash * 1024);
            self.engine = Some(Box::new(engine));
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        let mut settings = self.settings.clone();
        if let Err(error) = settings.set(name, value) {
            return self.complain(&error.to_string());
        }
        // The present game goes on under the new rules, if it can.
        let mut game = Game::from_board(settings.rules, *self.game.first_board());
        for &mv in self.game.played() {
            if let Err(error) = game.play(mv) {
                return self.complain(&format!(
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
            Err(error) => return self.complain(&format!("position: {error}")),
        };
        if let Err(error) = notation::parse_moves(&mut game, moves) {
            return self.complain(&format!("position: {error}"));
        }
        self.game = game;
        Ok(())
    }

    fn answer(&mut self, query: Query) -> Result<(), SessionError> {
        let outcome = self.game.outcome();
        let answer = match query {
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
        self.say(&format!("response {answer}"))
    }

    fn go(&mut self, go: &Go) -> Result<(), SessionError> {
        let started = Instant::now();
        if let Some(outcome) = self.game.outcome() {
            self.say(&format!("info string the game is over: {outcome}"))?;
            return self.say("bestmove (none)");
        }
        let (limits, deadline) = match limits(go, started, self.game.turn()) {
            Ok(found) => found,
            Err(missing) => return self.complain(&format!("go: {missing} is missing")),
        };
        self.prepare();
        let Some(mut engine) = self.engine.take() else {
            return Err(SessionError::Search);
        };
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
            lost: false,
        });
        Ok(())
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

    /// Ends as soon as the search has answered, which is at once if `now`.
    fn leave(&mut self, now: impl Fn(&Search) -> bool) {
        self.leaving = true;
        if self.search.as_ref().is_some_and(now) {
            self.stop();
        }
    }

    fn done(&mut self, engine: Box<Engine>, report: &Report) -> Result<(), SessionError> {
        let time = self.searching_for();
        self.search = None;
        let hashfull = Some(engine.table_permille());
        self.engine = Some(engine);
        self.say(&match report.iterations.last() {
            Some(last) => info::line(last, report.nodes, time, hashfull),
            None => format!("info{}", info::counts(report.nodes, time, hashfull)),
        })?;
        match report.best {
            Some(best) => self.say(&format!("bestmove {best}")),
            None => self.say("bestmove (none)"),
        }
    }

    fn beat(&mut self) -> Result<(), SessionError> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        if search.lost {
            return Err(SessionError::Search);
        }
        // Its answer may have come just now: that is seen before the next beat.
        search.lost = search.thread.is_finished();
        let time = search.started.elapsed();
        self.say(&format!("info time {}", time.as_millis()))
    }
}

/// Where a search that began at `started` ends.
///
/// # Errors
///
/// The word that is missing from the command.
fn limits(go: &Go, started: Instant, turn: Side) -> Result<(Limits, Deadline), &'static str> {
    let mut deadline = Deadline::default();
    if go.infinite {
        return Ok((Limits::default(), deadline));
    }
    let limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
    };
    if let Some(clock) = go.clock(turn)? {
        let share = share(clock);
        deadline.soft = Some(started + share.enough);
        deadline.hard = Some(started + share.most);
    }
    if let Some(time) = go.movetime {
        let latest = started + left_after_overhead(time);
        deadline.soft = None;
        deadline.hard = Some(deadline.hard.map_or(latest, |other| other.min(latest)));
    }
    Ok((limits, deadline))
}
