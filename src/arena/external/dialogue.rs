//! A running engine and what is said to it: questions, each with the word that
//! answers it and the time it may take.

use std::time::{Duration, Instant};

use crate::game::Game;
use crate::rules::Rules;

use super::command_line::CommandLine;
use super::error::StartError;
use super::lines::quoted;
use super::process::{Lost, Process};
use super::words::{self, Info, RuleOption};
use super::{MoveLimits, Timeouts};

/// More than anybody waits; keeps the arithmetic of deadlines in range.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// The most characters of an engine's own name that are kept.
const NAME: usize = 60;

/// An engine that has shaken hands.
pub(super) struct Engine {
    process: Process,
    /// Its own name for itself.
    pub(super) name: Option<String>,
    /// The rules that it can be told.
    options: Vec<RuleOption>,
}

/// A question that was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// The time is over: after so long, having heard that, in brackets.
    Late(Duration, String),
    /// It reads nothing of what it is told.
    Deaf,
    /// It has ended, this way.
    Gone(String),
}

impl Engine {
    /// Starts a program and waits until it is ready.
    pub(super) fn start(command: &CommandLine, timeouts: &Timeouts) -> Result<Engine, StartError> {
        let started = Instant::now();
        let text = command.to_string();
        let process = Process::start(command, timeouts.quit).map_err(|cause| {
            StartError::of_spawn(cause, text.clone(), command.program().to_owned())
        })?;
        let mut engine = Engine {
            process,
            name: None,
            options: Vec::new(),
        };
        let failed = |missing| {
            move |why| match why {
                Unanswered::Gone(how) => StartError::Ends {
                    command: text,
                    how,
                    missing,
                },
                Unanswered::Late(..) | Unanswered::Deaf => StartError::Silent {
                    command: text,
                    missing,
                    waited: timeouts.start,
                    heard: match why {
                        Unanswered::Late(_, heard) => heard,
                        _ => String::new(),
                    },
                },
            }
        };
        let (mut name, mut options) = (None, Vec::new());
        let hear = |line: &str| {
            if let Some(found) = words::id_name(line) {
                name = Some(found.chars().take(NAME).collect());
            }
            if let Some(option) = RuleOption::announced(line)
                && !options.contains(&option)
            {
                options.push(option);
            }
            words::is_word(line, "ugiok").then_some(())
        };
        engine
            .ask("ugi\n".to_owned(), timeouts.start, hear)
            .map_err(failed.clone()("ugiok"))?;
        engine.name = name;
        engine.options = options;
        // Both answers share the time.
        let left = timeouts.start.saturating_sub(started.elapsed());
        engine.ready(left).map_err(failed("readyok"))?;
        Ok(engine)
    }

    /// Tells it the rules, as far as it can be told, and that a game begins.
    pub(super) fn new_game(&mut self, rules: &Rules, wait: Duration) -> Result<(), Unanswered> {
        let mut text = String::new();
        for option in RuleOption::ALL {
            if self.options.contains(&option) {
                text += &words::set_option(option, rules);
            } else if option.value(rules) != option.value(&Rules::default()) {
                let (name, value) = (option.name(), option.value(rules));
                log::warn!("an engine has no option {name} and does not know that it is {value}");
            }
        }
        self.tell(text + "uginewgame\n")?;
        self.ready(wait)
    }

    /// The word after `bestmove`, and what it said of its search.
    pub(super) fn think(
        &mut self,
        game: &Game,
        limits: &MoveLimits,
        timeouts: &Timeouts,
    ) -> Result<(String, Info), Unanswered> {
        // What it still has to say of the move before comes before `readyok`.
        self.ready(timeouts.ready)?;
        let mut info = Info::default();
        let question = words::position(game) + &words::go(limits) + "\n";
        let answer = self.ask(question, timeouts.for_move(limits), |line| {
            info.hear(line);
            words::best_move(line).map(str::to_owned)
        })?;
        Ok((answer, info))
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        self.process.kill();
    }

    fn ready(&mut self, wait: Duration) -> Result<(), Unanswered> {
        self.ask("isready\n".to_owned(), wait, |line| {
            words::is_word(line, "readyok").then_some(())
        })
    }

    fn tell(&mut self, text: String) -> Result<(), Unanswered> {
        self.process.tell(text).map_err(|lost| match lost {
            Lost::Gone(how) => Unanswered::Gone(how),
            Lost::Late | Lost::Deaf => Unanswered::Deaf,
        })
    }

    /// Says something and listens until `answer` makes something of a line.
    fn ask<T>(
        &mut self,
        question: String,
        wait: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Unanswered> {
        self.tell(question)?;
        let deadline = Instant::now() + wait.min(LONGEST);
        let (mut others, mut last) = (0u64, String::new());
        loop {
            match self.process.hear(deadline) {
                Ok(line) => {
                    if let Some(answer) = answer(&line) {
                        return Ok(answer);
                    }
                    others += 1;
                    last = line;
                }
                Err(Lost::Gone(how)) => return Err(Unanswered::Gone(how)),
                Err(Lost::Late | Lost::Deaf) => {
                    let heard = match others {
                        0 => String::new(),
                        1 => format!(" (but {})", quoted(&last)),
                        _ => format!(" (but {others} lines, the last {})", quoted(&last)),
                    };
                    return Err(Unanswered::Late(wait, heard));
                }
            }
        }
    }
}
