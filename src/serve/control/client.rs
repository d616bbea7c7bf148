//! The client's side: a [`Source`] whose answers come from a running daemon.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::address::Address;
use super::protocol::{Answer, MAX_LINE_BYTES, Request};
use crate::api::{
    ChartView, EventView, FileChoice, FileQuery, FileRow, FileView, FilesView, FleetView,
    LivingView, MatchQuery, MatchView, MatchesView, ParamsView, Source, SourceError, SpeedView,
    Status,
};
use crate::charts::History;
use crate::evolve::FileId;
use crate::weights::{OptionFile, WeightFile};

/// The longest time to wait for the daemon's answer.
const IO_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest time to wait for a daemon that still opens the population.
const OPENING_TIMEOUT: Duration = Duration::from_secs(30);

/// Between two requests to a daemon that still opens the population.
const OPENING_INTERVAL: Duration = Duration::from_millis(100);

/// A running daemon, asked through its socket.
#[derive(Debug)]
pub struct DaemonClient {
    directory: PathBuf,
}

/// The daemon that works on the population in `directory`; `None` where no
/// process listens there.
pub fn connect(directory: &Path) -> Option<DaemonClient> {
    let address = Address::new(directory).ok()?;
    // A connection without a request: the daemon refuses it and goes on.
    address.connect().ok()?;
    Some(DaemonClient {
        directory: directory.to_owned(),
    })
}

/// Whether a process listens that this user may not talk to: only the user who
/// started it may.
pub fn is_of_another_user(directory: &Path) -> bool {
    let connected = Address::new(directory).and_then(|address| address.connect());
    connected.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

impl DaemonClient {
    /// Sends a request and reads the answer as `T`. Waits for a daemon that
    /// still opens the population.
    fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<T, SourceError> {
        let begin = Instant::now();
        loop {
            match self.ask_once(request)? {
                Answer::Given(value) => {
                    return serde_json::from_value(value)
                        .map_err(|error| self.failed(&error.into()));
                }
                Answer::Refused(why) => return Err(SourceError::Refused(why)),
                Answer::Failed(why) => return Err(SourceError::Failed(why)),
                Answer::Ended(why) => return Err(SourceError::Ended(why)),
                Answer::Opening(process) if begin.elapsed() > OPENING_TIMEOUT => {
                    return Err(SourceError::Failed(format!(
                        "process {process} is still opening the population in {}; \
                         `loatune stop` ends it",
                        self.directory.display()
                    )));
                }
                Answer::Opening(_) => std::thread::sleep(OPENING_INTERVAL),
            }
        }
    }

    /// The fleet of the run, if the daemon says so at once: one that still opens its
    /// population is not waited for.
    pub fn fleet_at_once(&self) -> Option<FleetView> {
        match self.ask_once(&Request::Fleet).ok()? {
            Answer::Given(value) => serde_json::from_value(value).ok()?,
            _ => None,
        }
    }

    fn ask_once(&self, request: &Request) -> Result<Answer, SourceError> {
        let line = self
            .exchange(request)
            .map_err(|error| self.failed(&error))?;
        if !line.ends_with('\n') {
            return Err(SourceError::Ended(format!(
                "the process that worked on {} ended before it answered",
                self.directory.display()
            )));
        }
        serde_json::from_str(&line).map_err(|error| self.failed(&error.into()))
    }

    /// The problem that an exchange ended with: the daemon is gone, or gives no
    /// answer.
    fn failed(&self, error: &io::Error) -> SourceError {
        let directory = self.directory.display();
        match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::BrokenPipe => SourceError::Ended(format!(
                "the process that worked on {directory} ended before it answered: {error}"
            )),
            _ => SourceError::Failed(format!(
                "the process that works on {directory} does not answer: {error}"
            )),
        }
    }

    /// Sends one line and reads one.
    fn exchange(&self, request: &Request) -> io::Result<String> {
        let mut stream = Address::new(&self.directory)?.connect()?;
        stream.set_read_timeout(Some(IO_TIMEOUT))?;
        stream.set_write_timeout(Some(IO_TIMEOUT))?;
        let mut text = serde_json::to_string(request)?;
        text.push('\n');
        stream.write_all(text.as_bytes())?;
        let mut line = String::new();
        BufReader::new(stream.take(MAX_LINE_BYTES)).read_line(&mut line)?;
        Ok(line)
    }

    /// Sends a request that is answered with a weight file as TOML.
    fn weights(&self, request: &Request) -> Result<Option<WeightFile>, SourceError> {
        let text: Option<String> = self.ask(request)?;
        let parse = |text: String| WeightFile::parse(&text, "the daemon's answer");
        let file = text.map(parse).transpose();
        file.map_err(|error| SourceError::Failed(error.to_string()))
    }
}

impl Source for DaemonClient {
    fn status(&self) -> Result<Status, SourceError> {
        self.ask(&Request::Status)
    }

    fn fleet(&self) -> Result<Option<FleetView>, SourceError> {
        self.ask(&Request::Fleet)
    }

    fn files(&self, query: &FileQuery) -> Result<FilesView, SourceError> {
        self.ask(&Request::Files(query.clone()))
    }

    fn descent(&self, file: FileId) -> Result<Vec<FileRow>, SourceError> {
        self.ask(&Request::Descent { file })
    }

    fn living(&self) -> Result<LivingView, SourceError> {
        self.ask(&Request::Living)
    }

    fn params(&self) -> Result<ParamsView, SourceError> {
        self.ask(&Request::Params)
    }

    fn speed(&self) -> Result<SpeedView, SourceError> {
        self.ask(&Request::Speed)
    }

    fn file(&self, file: FileId) -> Result<Option<FileView>, SourceError> {
        self.ask(&Request::File { file })
    }

    fn matches(&self, query: MatchQuery) -> Result<MatchesView, SourceError> {
        self.ask(&Request::Matches(query))
    }

    fn match_record(&self, number: u64) -> Result<Option<MatchView>, SourceError> {
        self.ask(&Request::Match { number })
    }

    fn events(&self, after: Option<u64>, count: usize) -> Result<Vec<EventView>, SourceError> {
        self.ask(&Request::Events { after, count })
    }

    fn events_between(&self, after: u64, before: u64) -> Result<u64, SourceError> {
        self.ask(&Request::EventsBetween { after, before })
    }

    fn champion(&self) -> Result<Option<WeightFile>, SourceError> {
        self.weights(&Request::Champion)
    }

    fn leader(&self) -> Result<Option<WeightFile>, SourceError> {
        self.weights(&Request::Leader)
    }

    fn elder(&self) -> Result<Option<WeightFile>, SourceError> {
        self.weights(&Request::Elder)
    }

    fn weights_of(&self, file: FileId) -> Result<Option<WeightFile>, SourceError> {
        self.weights(&Request::Weights { file })
    }

    fn options_of(&self, which: FileChoice) -> Result<Option<OptionFile>, SourceError> {
        match self.ask(&Request::Options { which }) {
            // An earlier version does not know the question.
            Err(SourceError::Refused(_)) => Ok(None),
            answer => answer,
        }
    }

    fn history(&self) -> Result<History, SourceError> {
        self.ask(&Request::History)
    }

    fn charts(&self) -> Result<Vec<ChartView>, SourceError> {
        self.ask(&Request::Charts)
    }

    fn chart(&self, name: &str, dark: bool) -> Result<Option<String>, SourceError> {
        self.ask(&Request::Chart {
            name: name.to_owned(),
            dark,
        })
    }

    fn stop(&self) -> Result<(), SourceError> {
        self.ask(&Request::Stop)
    }

    fn import(&self, file: WeightFile) -> Result<FileId, SourceError> {
        self.ask(&Request::Import {
            weights: file.to_toml(),
        })
    }
}
