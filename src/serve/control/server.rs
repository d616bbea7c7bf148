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
use super::protocol::{Answer, LONGEST, Request};
use crate::api::{MatchQuery, Source, SourceError};
use crate::util::text::sentence;
use crate::weights::WeightFile;

/// A client that says nothing for so long is left.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers requests until it is dropped.
pub struct Server {
    address: Address,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens in a population's directory, whose lock the caller holds.
    pub fn start(directory: &Path, source: Arc<dyn Source>) -> io::Result<Server> {
        let address = Address::new(directory)?;
        let listener = address.listen()?;
        restrict(directory)?;
        let over = Arc::new(AtomicBool::new(false));
        let thread = std::thread::Builder::new()
            .name(String::from("control"))
            .spawn({
                let over = Arc::clone(&over);
                move || serve(&listener, &*source, &over)
            })?;
        Ok(Server {
            address,
            over,
            thread: Some(thread),
        })
    }
}

/// Only the owner may talk to the daemon.
fn restrict(directory: &Path) -> io::Result<()> {
    let path = directory.join("control.sock");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // A call of our own, so that the thread looks up.
        let woken = self.address.call().is_ok();
        if let Some(thread) = self.thread.take()
            && woken
        {
            let _ = thread.join();
        }
        let _ = self.address.remove();
    }
}

fn serve(listener: &UnixListener, source: &dyn Source, over: &AtomicBool) {
    for stream in listener.incoming() {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let served = stream.and_then(|stream| answer_one(stream, source));
        if let Err(error) = served {
            log::debug!("a request on the control socket failed: {error}");
        }
    }
}

fn answer_one(mut stream: UnixStream, source: &dyn Source) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new((&stream).take(LONGEST)).read_line(&mut line)?;
    let answer = match serde_json::from_str(&line) {
        Ok(request) => answer(source, request),
        Err(error) => Answer::Refused(sentence(&format!("not a request: {error}"))),
    };
    let mut text = serde_json::to_string(&answer)?;
    text.push('\n');
    stream.write_all(text.as_bytes())
}

fn answer(source: &dyn Source, request: Request) -> Answer {
    let text = |file: Option<WeightFile>| file.map(|file| file.to_toml());
    match request {
        Request::Status => told(source.status()),
        Request::Files { from, count } => told(source.files(from, count)),
        Request::File { file } => told(source.file(file)),
        Request::Matches {
            before,
            count,
            file,
        } => told(source.matches(MatchQuery {
            before,
            count,
            file,
        })),
        Request::Match { number } => told(source.match_record(number)),
        Request::Events { after, count } => told(source.events(after, count)),
        Request::Champion => told(source.champion().map(text)),
        Request::Leader => told(source.leader().map(text)),
        Request::Elder => told(source.elder().map(text)),
        Request::Weights { file } => told(source.weights_of(file).map(text)),
        Request::History => told(source.history()),
        Request::Charts => told(source.charts()),
        Request::Chart { name, dark } => told(source.chart(&name, dark)),
        Request::Stop => told(source.stop()),
        Request::Import { weights } => match WeightFile::parse(&weights, "the imported file") {
            Ok(file) => told(source.import(file)),
            Err(error) => Answer::Refused(error.to_string()),
        },
    }
}

fn told<T: Serialize>(result: Result<T, SourceError>) -> Answer {
    let value = result.map(|value| serde_json::to_value(value));
    match value {
        Ok(Ok(value)) => Answer::Given(value),
        Ok(Err(error)) => Answer::Failed(error.to_string()),
        Err(SourceError::Refused(why)) => Answer::Refused(why),
        Err(SourceError::Failed(why)) => Answer::Failed(why),
    }
}
