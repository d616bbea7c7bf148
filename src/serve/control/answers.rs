//! From a request to its answer, through the daemon's source.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use serde::Serialize;

use super::protocol::{Answer, Request};
use crate::api::{Source, SourceError};
use crate::util::text::single_line;
use crate::weights::WeightFile;

/// What answers.
pub(super) enum Daemon {
    /// The population is still being opened; the flag ends that.
    Opening(Arc<AtomicBool>),
    /// The population is open.
    Open(Arc<dyn Source>),
}

/// The answer to a line, as a line.
pub(super) fn answer_line(daemon: &RwLock<Daemon>, line: &[u8]) -> String {
    let answer = match serde_json::from_slice(line) {
        Ok(request) => answer(daemon, request),
        Err(error) => Answer::Refused(single_line(&format!("not a request: {error}"))),
    };
    let text = serde_json::to_string(&answer);
    let mut text = text.unwrap_or_else(|error| format!("{{\"failed\":\"no JSON: {error}\"}}"));
    text.push('\n');
    text
}

fn answer(daemon: &RwLock<Daemon>, request: Request) -> Answer {
    // The lock is not held while the source answers.
    let source = match &*daemon.read().unwrap_or_else(PoisonError::into_inner) {
        Daemon::Open(source) => Arc::clone(source),
        Daemon::Opening(stop) if request == Request::Stop => {
            stop.store(true, Ordering::Relaxed);
            return to_answer(Ok(()));
        }
        Daemon::Opening(_) => return Answer::Opening(std::process::id()),
    };
    answer_from(&*source, request)
}

fn answer_from(source: &dyn Source, request: Request) -> Answer {
    let text = |file: Option<WeightFile>| file.map(|file| file.to_toml());
    match request {
        Request::Status => to_answer(source.status()),
        Request::Fleet => to_answer(source.fleet()),
        Request::Files(query) => to_answer(source.files(&query)),
        Request::File { file } => to_answer(source.file(file)),
        Request::Descent { file } => to_answer(source.descent(file)),
        Request::Options { which } => to_answer(source.options_of(which)),
        Request::Living => to_answer(source.living()),
        Request::Params => to_answer(source.params()),
        Request::Speed => to_answer(source.speed()),
        Request::Matches(query) => to_answer(source.matches(query)),
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
        Err(SourceError::Ended(why)) => Answer::Ended(why),
    }
}
