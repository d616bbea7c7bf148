//! Another program as a contender, over the Universal Game Interface.
//!
//! The program is started without a shell and driven line by line through its
//! standard input and output:
//!
//! ```text
//! once        ugi → option … type spin …, ugiok; isready → readyok
//! every match setoption name NAME value N, for a player that has such values
//! every game  setoption name MaxPlies value 200 (and the other rules that it
//!             announces: Simultaneous, NoMoves, Repetition); uginewgame;
//!             isready → readyok
//! every move  isready → readyok; position startpos moves b1-h1 …;
//!             go depth 6 → info … score cp 12 … nodes 4711 …; bestmove a2-c2
//!             with a clock go p1time 9500 p2time 10000 p1inc 100 p2inc 100
//! the end     quit
//! ```
//!
//! What goes wrong before the first game is a [`StartError`]; afterwards it
//! costs the game, as a [`Fault`], and the next game begins with a new process
//! where the old one hangs or has died. Nothing here waits without a deadline
//! ([`Timeouts`]), and nothing grows with what the program writes.
//!
//! This is the one part of a game that looks at the clock: a program outside
//! has to be waited for, and cannot be trusted to answer. Only the process
//! that was started is ended; a script that starts the engine proper should
//! `exec` it.
//!
//! `command_line` splits the command, `process` keeps the program and its
//! pipes, `protocol` reads and writes the protocol, and `dialogue` asks and
//! waits.

mod command_line;
mod dialogue;
mod error;
mod process;
mod protocol;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use command_line::CommandProblem;
pub use error::StartError;
pub use protocol::SpinOption;

use crate::board::{Board, Move};
use crate::game::Game;
use crate::game::Rules;
use crate::notation::parse_move;
use crate::search::time_management::Clock;

use super::clock::Clocks;
use super::contender::{Choice, Contender, Fault, MoveLimits};
use command_line::CommandLine;
use dialogue::{Engine, NoAnswer, Unanswered};

/// How long an engine is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From its start to `ugiok`.
    pub start: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// For a move without `movetime`. A slow search is no hanging one: give
    /// more where the limits ask for more.
    pub search: Duration,
    /// For a move with `movetime` or a clock, beyond it.
    pub grace: Duration,
    /// From `quit` to its end; then it is killed.
    pub quit: Duration,
}

impl Default for Timeouts {
    /// 10 s to start and to be ready, 60 s a move, 2 s beyond the time of a move
    /// or a clock, half a second to quit.
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            search: Duration::from_secs(60),
            grace: Duration::from_secs(2),
            quit: Duration::from_millis(500),
        }
    }
}

impl Timeouts {
    /// For a move of the side to move, by its own time or its clock.
    fn for_move(&self, limits: &MoveLimits, clock: Option<Clock>) -> Duration {
        let left = clock.map(|clock| clock.left);
        let time = limits.time.into_iter().chain(left).min();
        time.map_or(self.search, |time| time.saturating_add(self.grace))
    }
}

/// The features of a position, by the names of the options that weigh them.
pub type NamedFeatures = Vec<(String, f64)>;

/// Another program that plays.
pub struct External {
    command: CommandLine,
    limits: MoveLimits,
    timeouts: Timeouts,
    name: String,
    /// `None` after it had to be ended, until the next game.
    engine: Option<Engine>,
    halt: Arc<AtomicBool>,
    /// Options that it is told before a game.
    values: Vec<(String, i64)>,
    /// Whether a move that nobody asked for is a fault.
    is_strict: bool,
}

impl External {
    /// Starts `command` (what follows `ugi:` in a contender's text) and waits
    /// until it is ready. Words are split at spaces and may be quoted with
    /// `'`, `"` and `\`; no shell is involved.
    ///
    /// # Errors
    /// Where the command cannot be started or does not speak UGI in time.
    pub fn start(
        command: &str,
        limits: MoveLimits,
        timeouts: Timeouts,
    ) -> Result<External, StartError> {
        let command = CommandLine::parse(command).map_err(|problem| StartError::Command {
            command: command.to_owned(),
            problem,
        })?;
        if limits.is_open() {
            let command = command.to_string();
            return Err(StartError::Endless { command });
        }
        let engine = Engine::start(&command, &timeouts)?;
        let name = engine.name.clone().unwrap_or_else(|| {
            let file = Path::new(command.program()).file_name();
            file.map_or_else(|| command.to_string(), |f| f.to_string_lossy().into_owned())
        });
        Ok(External {
            command,
            limits,
            timeouts,
            name,
            engine: Some(engine),
            halt: Arc::default(),
            values: Vec::new(),
            is_strict: false,
        })
    }

    /// The command that it was started with.
    pub fn command(&self) -> String {
        self.command.to_string()
    }

    /// The same contender, which stops waiting as soon as `halt` is set. The
    /// game that it plays then ends with a fault and should not be counted.
    #[must_use]
    pub fn with_halt(mut self, halt: Arc<AtomicBool>) -> External {
        if let Some(engine) = &mut self.engine {
            engine.set_halt(&halt);
        }
        self.halt = halt;
        self
    }

    /// The same contender, for which a move that nobody asked for is a fault.
    /// Opponents of a match are forgiven that.
    #[must_use]
    pub fn strict(mut self) -> External {
        self.is_strict = true;
        self
    }

    /// Ends the program; the next game begins with a new one.
    pub fn restart(&mut self) {
        if let Some(mut engine) = self.engine.take() {
            engine.kill();
        }
    }

    /// The features that it prints for each of some positions, with the values
    /// that it was given by [`External::become_player`]; `None` where it does not
    /// know the question `query features`.
    ///
    /// # Errors
    /// Where it dies or hangs, or answers for some positions only.
    pub fn features(
        &mut self,
        rules: &Rules,
        boards: &[Board],
    ) -> Result<Option<Vec<NamedFeatures>>, Fault> {
        self.new_game(rules, &Board::start())?;
        let wait = self.timeouts.search;
        let mut all = Vec::with_capacity(boards.len());
        for board in boards {
            let Some(engine) = &mut self.engine else {
                return Err(Fault::Dies("it has ended before".to_owned()));
            };
            match engine.features(board, wait) {
                Ok(Some(features)) => all.push(features),
                Ok(None) if all.is_empty() => return Ok(None),
                Ok(None) => {
                    let what = "it answers `query features` for some positions only";
                    return Err(Fault::Dies(what.to_owned()));
                }
                Err(unanswered) => return Err(self.end(&unanswered)),
            }
        }
        Ok(Some(all))
    }

    /// The fault that a move is which nobody asked for.
    fn check_unasked(&mut self) -> Result<(), Fault> {
        let unasked = self
            .engine
            .as_mut()
            .and_then(|engine| engine.unasked.take());
        match unasked.filter(|_| self.is_strict) {
            None => Ok(()),
            Some(line) => Err(Fault::Illegal(format!("{line:?}, which nobody asked for"))),
        }
    }

    /// The numbers that it can be told, as it announced them.
    pub fn spin_options(&self) -> &[SpinOption] {
        self.engine.as_ref().map_or(&[], |engine| &engine.spins)
    }

    /// Makes it another player: from its next game on it has this name and these
    /// values of its options, also after it had to be started again.
    pub fn become_player(&mut self, name: &str, values: Vec<(String, i64)>) {
        name.clone_into(&mut self.name);
        self.values = values;
    }

    /// The running engine, started again where the last one is gone.
    fn engine(&mut self) -> Result<&mut Engine, Fault> {
        let last = self.engine.take();
        let running = last.and_then(|mut last| last.is_running().then_some(last));
        let engine = match running {
            Some(engine) => engine,
            None => {
                log::info!("starting the engine `{}` again", self.command);
                let started = Engine::start(&self.command, &self.timeouts);
                let mut engine = started.map_err(|error| {
                    Fault::Dies(format!("it cannot be started again: {}", chain(&error)))
                })?;
                engine.set_halt(&self.halt);
                engine
            }
        };
        Ok(self.engine.insert(engine))
    }

    /// Ends an engine that did not answer: nothing it says later would fit.
    fn end(&mut self, unanswered: &Unanswered) -> Fault {
        if let Some(mut engine) = self.engine.take() {
            engine.kill();
        }
        if unanswered.why != NoAnswer::Halted {
            log::warn!("the engine `{}` loses a game: {unanswered}", self.command);
        }
        match unanswered.why {
            NoAnswer::Late { waited, .. } => {
                Fault::Hangs(u64::try_from(waited.as_millis()).unwrap_or(u64::MAX))
            }
            NoAnswer::Deaf | NoAnswer::Halted | NoAnswer::Gone(_) => {
                Fault::Dies(unanswered.to_string())
            }
        }
    }
}

impl Contender for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, rules: &Rules, _first: &Board) -> Result<(), Fault> {
        let wait = self.timeouts.ready;
        let values = std::mem::take(&mut self.values);
        let begun = self
            .engine()
            .map(|engine| engine.new_game(rules, &values, wait));
        self.values = values;
        let begun = begun?;
        begun.map_err(|unanswered| self.end(&unanswered))?;
        self.check_unasked()
    }

    fn choose(&mut self, game: &Game, clocks: &Clocks) -> Result<Choice, Fault> {
        // A side that has to pass has nothing to choose, and programs spell a
        // pass differently.
        if game.moves() == [Move::PASS] {
            return Ok(Choice {
                mv: Move::PASS,
                value: None,
                nodes: 0,
                from_book: false,
            });
        }
        let Some(engine) = &mut self.engine else {
            return Err(Fault::Dies("it has ended in this game before".to_owned()));
        };
        let (answer, info) = match engine.think(game, &self.limits, clocks, &self.timeouts) {
            Ok(thought) => thought,
            Err(unanswered) => return Err(self.end(&unanswered)),
        };
        self.check_unasked()?;
        let mv =
            parse_move(game.board(), &answer).map_err(|error| Fault::Illegal(error.to_string()))?;
        Ok(Choice {
            mv,
            value: info.value,
            nodes: info.nodes,
            from_book: false,
        })
    }
}

/// An error and its causes, in one line.
fn chain(error: &StartError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
