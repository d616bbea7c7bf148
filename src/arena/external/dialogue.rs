//! A running engine and what is said to it: questions, each with the word that
//! answers it and the time it may take.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::arena::clock::Clocks;
use crate::board::Board;
use crate::game::Game;
use crate::game::Rules;
use crate::util::text::excerpt;

use super::command_line::CommandLine;
use super::error::StartError;
use super::process::{PipeError, Process, ProcessEnd};
use super::protocol::{self, Info, RuleOption, SpinOption};
use super::{MoveLimits, NamedFeatures, Timeouts};

/// Longer than any sensible wait; keeps the arithmetic of deadlines in range.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// The most numbers of an engine that are remembered.
const MOST_OPTIONS: usize = 10_000;

/// The most characters of an engine's own name that are kept.
const NAME: usize = 60;

/// An engine that has shaken hands.
pub(super) struct Engine {
    process: Process,
    /// Its own name for itself.
    pub(super) name: Option<String>,
    /// The rules that it can be told.
    options: Vec<RuleOption>,
    /// The numbers that it can be told.
    pub(super) spins: Vec<SpinOption>,
    /// The numbers that it was told last.
    told: Vec<(String, i64)>,
    /// Whether it was said which rules it cannot be told.
    warned: bool,
    /// A move that it chose when nobody asked for one.
    pub(super) unasked: Option<String>,
}

/// A question that was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unanswered {
    /// The word that it should have said.
    missing: &'static str,
    pub(super) why: NoAnswer,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The time is over.
    Late {
        /// How long it was.
        waited: Duration,
        /// Lines heard that are no answer, and the last of them.
        others: (u64, String),
    },
    /// It reads nothing of what it is told.
    Deaf,
    /// The match was stopped before the answer.
    Halted,
    /// It has ended.
    Gone(ProcessEnd),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = self.missing;
        match &self.why {
            NoAnswer::Late { waited, others } => {
                write!(f, "no `{missing}` within {waited:?}")?;
                match others {
                    (0, _) => Ok(()),
                    (1, last) => write!(f, " (but {:?})", excerpt(last)),
                    (count, last) => {
                        write!(f, " (but {count} lines, the last {:?})", excerpt(last))
                    }
                }
            }
            NoAnswer::Deaf => f.write_str("it does not read what it is told"),
            NoAnswer::Halted => write!(f, "the match was stopped before `{missing}`"),
            NoAnswer::Gone(ProcessEnd { how, complaint }) => {
                write!(f, "{how} before `{missing}`")?;
                if complaint.is_empty() {
                    return Ok(());
                }
                write!(f, "; its last complaint: {:?}", excerpt(complaint))
            }
        }
    }
}

impl Engine {
    /// Starts a program and waits until it is ready.
    pub(super) fn start(command: &CommandLine, timeouts: &Timeouts) -> Result<Engine, StartError> {
        let text = command.to_string();
        let process = Process::start(command, timeouts.quit).map_err(|cause| {
            StartError::from_spawn(cause, text.clone(), command.program().to_owned())
        })?;
        let mut engine = Engine {
            process,
            name: None,
            options: Vec::new(),
            spins: Vec::new(),
            told: Vec::new(),
            warned: false,
            unasked: None,
        };
        let (mut name, mut options, mut spins) = (None, Vec::new(), Vec::new());
        let read_line = |line: &str| {
            if let Some(found) = protocol::id_name(line) {
                let plain = found.chars().filter(|letter| !letter.is_control());
                name = Some(plain.take(NAME).collect());
            }
            if let Some(option) = RuleOption::announced(line)
                && !options.contains(&option)
            {
                options.push(option);
            }
            if spins.len() < MOST_OPTIONS
                && let Some(spin) = SpinOption::announced(line)
            {
                spins.push(spin);
            }
            protocol::is_word(line, "ugiok").then_some(())
        };
        let shaken = engine.ask("ugi\n".to_owned(), "ugiok", timeouts.start, read_line);
        let ready = shaken.and_then(|()| engine.ready(timeouts.ready));
        ready.map_err(|why| StartError::NotReady {
            command: text,
            why: why.to_string(),
        })?;
        engine.name = name.filter(|name: &String| !name.is_empty());
        engine.options = options;
        engine.spins = spins;
        Ok(engine)
    }

    /// Tells it numbers that are others than before, and the rules, as far as it
    /// can be told, and that a game begins.
    pub(super) fn new_game(
        &mut self,
        rules: &Rules,
        values: &[(String, i64)],
        wait: Duration,
    ) -> Result<(), Unanswered> {
        let mut text = String::new();
        if self.told != values {
            let lines = values
                .iter()
                .map(|(name, value)| protocol::set_value(name, *value));
            text.extend(lines);
            self.told = values.to_vec();
        }
        for option in RuleOption::ALL {
            if self.options.contains(&option) {
                text += &protocol::set_option(option, rules);
            } else if !self.warned && option.value(rules) != option.value(&Rules::default()) {
                let (name, value) = (option.name(), option.value(rules));
                let engine = self.name.as_deref().unwrap_or("an engine");
                log::warn!("{engine} has no option {name}: it is not told that it is {value}");
            }
        }
        self.warned = true;
        self.until_ready(text + "uginewgame\nisready\n", wait)
    }

    /// The features that it prints for a position; `None` where it does not know
    /// the question.
    pub(super) fn features(
        &mut self,
        board: &Board,
        wait: Duration,
    ) -> Result<Option<NamedFeatures>, Unanswered> {
        let (mut found, mut is_answered) = (Vec::new(), false);
        let question = protocol::ask_features(board);
        self.ask(question, "readyok", wait, |line| {
            if found.len() < MOST_OPTIONS {
                found.extend(protocol::feature(line));
            }
            is_answered |= line.trim() == protocol::FEATURES_END;
            protocol::is_word(line, "readyok").then_some(())
        })?;
        Ok(is_answered.then_some(found))
    }

    /// The word after `bestmove`, and what it said of its search.
    pub(super) fn think(
        &mut self,
        game: &Game,
        limits: &MoveLimits,
        clocks: &Clocks,
        timeouts: &Timeouts,
    ) -> Result<(String, Info), Unanswered> {
        // What it still has to say of the move before comes before `readyok`.
        self.ready(timeouts.ready)?;
        let mut info = Info::default();
        let go = protocol::go(limits, clocks, game.turn());
        let question = protocol::position(game) + &go + "\n";
        let wait = timeouts.for_move(limits, clocks.of(game.turn()));
        let answer = self.ask(question, "bestmove", wait, |line| {
            info.read(line);
            protocol::best_move(line).map(str::to_owned)
        })?;
        Ok((answer, info))
    }

    pub(super) fn set_halt(&mut self, halt: &Arc<AtomicBool>) {
        self.process.set_halt(halt);
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        self.process.kill();
    }

    fn ready(&mut self, wait: Duration) -> Result<(), Unanswered> {
        self.until_ready("isready\n".to_owned(), wait)
    }

    /// Says something and waits for `readyok`; a move that comes before it is one
    /// that nobody asked for.
    fn until_ready(&mut self, text: String, wait: Duration) -> Result<(), Unanswered> {
        let mut unasked = None;
        let answer = self.ask(text, "readyok", wait, |line| {
            if protocol::best_move(line).is_some() {
                unasked = Some(excerpt(line));
            }
            protocol::is_word(line, "readyok").then_some(())
        });
        self.unasked = unasked;
        answer
    }

    /// Says something and listens until `answer` makes something of a line.
    fn ask<T>(
        &mut self,
        question: String,
        missing: &'static str,
        wait: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Unanswered> {
        let deadline = Instant::now() + wait.min(LONGEST);
        let mut others = (0, String::new());
        let exchange = || {
            self.process.send_text(question)?;
            loop {
                let line = self.process.recv_line(deadline)?;
                if let Some(answer) = answer(&line) {
                    return Ok(answer);
                }
                others = (others.0 + 1, line);
            }
        };
        exchange().map_err(|lost| Unanswered {
            missing,
            why: match lost {
                PipeError::Late => NoAnswer::Late {
                    waited: wait,
                    others,
                },
                PipeError::Deaf => NoAnswer::Deaf,
                PipeError::Halted => NoAnswer::Halted,
                PipeError::Gone(end) => NoAnswer::Gone(end),
            },
        })
    }
}
