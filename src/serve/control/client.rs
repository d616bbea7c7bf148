//! The client's side: a [`Source`] whose answers come from a running daemon.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::address::Address;
use super::protocol::{Answer, MAX_LINE_BYTES, Request};
use crate::api::{
    ChartView, EventView, FileView, FilesView, MatchQuery, MatchView, MatchesView, Source,
    SourceError, Status,
};
use crate::charts::History;
use crate::evolve::FileId;
use crate::weights::WeightFile;

/// The longest time to wait for the daemon's answer.
const IO_TIMEOUT: Duration = Duration::from_secs(30);

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

impl DaemonClient {
    /// Sends a request and reads the answer as `T`.
    fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<T, SourceError> {
        let failed = |error: io::Error| {
            SourceError::Failed(format!(
                "the process that works on {} does not answer: {error}",
                self.directory.display()
            ))
        };
        let line = self.exchange(request).map_err(failed)?;
        match serde_json::from_str(&line).map_err(|error| failed(error.into()))? {
            Answer::Given(value) => {
                serde_json::from_value(value).map_err(|error| failed(error.into()))
            }
            Answer::Refused(why) => Err(SourceError::Refused(why)),
            Answer::Failed(why) => Err(SourceError::Failed(why)),
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

    fn files(&self, from: FileId, count: usize) -> Result<FilesView, SourceError> {
        self.ask(&Request::Files { from, count })
    }

    fn file(&self, file: FileId) -> Result<Option<FileView>, SourceError> {
        self.ask(&Request::File { file })
    }

    fn matches(&self, query: MatchQuery) -> Result<MatchesView, SourceError> {
        self.ask(&Request::Matches {
            before: query.before,
            count: query.count,
            file: query.file,
        })
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
