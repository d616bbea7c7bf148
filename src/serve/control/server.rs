//! The daemon's side: a thread that answers one request after the other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;

use super::address::Address;
use super::protocol::{Answer, MAX_LINE_BYTES, Request};
use crate::api::{MatchQuery, Source, SourceError};
use crate::util::text::single_line;
use crate::weights::WeightFile;

/// The longest time to wait for a client's request.
const IO_TIMEOUT: Duration = Duration::from_secs(5);

/// Answers requests until it is dropped.
pub struct Server {
    address: Address,
    /// Set when the server is dropped.
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens in a population's directory, whose lock the caller holds.
    ///
    /// # Errors
    ///
    /// An I/O error where the socket cannot be made, or where the thread cannot be
    /// started.
    pub fn start(directory: &Path, source: Arc<dyn Source>) -> io::Result<Server> {
        let address = Address::new(directory)?;
        let listener = address.listen()?;
        restrict(directory)?;
        let stopping = Arc::new(AtomicBool::new(false));
        let thread = std::thread::Builder::new()
            .name(String::from("control"))
            .spawn({
                let stopping = Arc::clone(&stopping);
                move || serve(&listener, &*source, &stopping)
            })?;
        Ok(Server {
            address,
            stopping,
            thread: Some(thread),
        })
    }
}

/// Lets only the owner connect.
fn restrict(directory: &Path) -> io::Result<()> {
    let path = directory.join("control.sock");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        // A connection wakes the thread out of `accept`.
        let woken = self.address.connect().is_ok();
        if let Some(thread) = self.thread.take()
            && woken
        {
            let _ = thread.join();
        }
        let _ = self.address.remove();
    }
}

fn serve(listener: &UnixListener, source: &dyn Source, stopping: &AtomicBool) {
    for stream in listener.incoming() {
        if stopping.load(Ordering::Relaxed) {
            return;
        }
        let served = stream.and_then(|stream| answer_one(stream, source));
        if let Err(error) = served {
            log::debug!("a request on the control socket failed: {error}");
        }
    }
}

fn answer_one(mut stream: UnixStream, source: &dyn Source) -> io::Result<()> {
    stream.set_read_timeout(Some(IO_TIMEOUT))?;
    stream.set_write_timeout(Some(IO_TIMEOUT))?;
    let mut line = String::new();
    BufReader::new((&stream).take(MAX_LINE_BYTES)).read_line(&mut line)?;
    let answer = match serde_json::from_str(&line) {
        Ok(request) => answer(source, request),
        Err(error) => Answer::Refused(single_line(&format!("not a request: {error}"))),
    };
    let mut text = serde_json::to_string(&answer)?;
    text.push('\n');
    stream.write_all(text.as_bytes())
}

fn answer(source: &dyn Source, request: Request) -> Answer {
    let text = |file: Option<WeightFile>| file.map(|file| file.to_toml());
    match request {
        Request::Status => to_answer(source.status()),
        Request::Files { from, count } => to_answer(source.files(from, count)),
        Request::File { file } => to_answer(source.file(file)),
        Request::Matches {
            before,
            count,
            file,
        } => to_answer(source.matches(MatchQuery {
            before,
            count,
            file,
        })),
        Request::Match { number } => to_answer(source.match_record(number)),
        Request::Events { after, count } => to_answer(source.events(after, count)),
        Request::EventsBetween { after, before } => to_answer(source.events_between(after, before)),
        Request::Champion => to_answer(source.champion().map(text)),
        Request::Leader => to_answer(source.leader().map(text)),
        Request::Elder => to_answer(source.elder().map(text)),
        Request::Weights { file } => to_answer(source.weights_of(file).map(text)),
        Request::History => to_answer(source.history()),
        Request::Charts => to_answer(source.charts()),
        Request::Chart { name, dark } => to_answer(source.chart(&name, dark)),
        Request::Stop => to_answer(source.stop()),
        Request::Import { weights } => match WeightFile::parse(&weights, "the imported file") {
            Ok(file) => to_answer(source.import(file)),
            Err(error) => Answer::Refused(error.to_string()),
        },
    }
}

/// A method's result as an answer.
fn to_answer<T: Serialize>(result: Result<T, SourceError>) -> Answer {
    let value = result.map(|value| serde_json::to_value(value));
    match value {
        Ok(Ok(value)) => Answer::Given(value),
        Ok(Err(error)) => Answer::Failed(error.to_string()),
        Err(SourceError::Refused(why)) => Answer::Refused(why),
        Err(SourceError::Failed(why)) => Answer::Failed(why),
    }
}
