//! What happened to a fleet, as a file beside the journal: one line of JSON an
//! event. It outlives the coordinator's process, so that a worker that was barred
//! stays barred and the page shows what happened before.
//!
//! The run's result does not depend on it. A file that cannot be read or written
//! is warned about, and the run goes on; lines that are none are skipped. The file
//! stays small: when it is too long, bars and the last events are kept.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::dispatcher::NewEvent;
use crate::api::FleetRecord;
use crate::util::atomic_file;

/// The length, in bytes, above which the file is written anew.
const MAX_BYTES: u64 = 4 << 20;

/// The events that are kept then.
const KEPT_EVENTS: usize = 1000;

/// The bars that are kept then, the latest.
const KEPT_BARS: usize = 10_000;

/// An open file of events.
pub(super) struct Logbook {
    path: PathBuf,
    file: Option<File>,
    bytes: u64,
}

impl Logbook {
    /// Opens the file, which need not be there, and reads what it has.
    pub(super) fn open(path: &Path) -> (Logbook, Vec<FleetRecord>) {
        let records = match read(path) {
            Ok(records) => records,
            Err(error) => {
                log::warn!("cannot read {}: {error}", path.display());
                Vec::new()
            }
        };
        let mut logbook = Logbook {
            path: path.to_owned(),
            file: None,
            bytes: 0,
        };
        logbook.attempt("open", Logbook::open_file);
        (logbook, records)
    }

    fn open_file(&mut self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).append(true).read(true);
        let file = options.open(&self.path)?;
        let whole = whole_lines(&read_bytes(&self.path)?).len() as u64;
        if file.metadata()?.len() != whole {
            // A process that was killed while it wrote has left half a line.
            file.set_len(whole)?;
        }
        self.bytes = whole;
        self.file = Some(file);
        Ok(())
    }

    /// Adds events. Those that bar a worker are on the disk when this returns.
    pub(super) fn write(&mut self, events: Vec<NewEvent>) {
        if events.is_empty() {
            return;
        }
        let time = unix_seconds();
        let must_last = events.iter().any(|event| event.bar.is_some());
        let mut text = String::new();
        for NewEvent {
            number,
            text: what,
            bar,
        } in events
        {
            let (worker, why) = bar.map(|bar| (bar.worker, bar.why)).unzip();
            push_line(
                &mut text,
                &FleetRecord {
                    number,
                    time,
                    text: what,
                    worker,
                    why,
                },
            );
        }
        self.attempt("write", |logbook| logbook.append(&text, must_last));
    }

    fn append(&mut self, text: &str, must_last: bool) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        file.write_all(text.as_bytes())?;
        if must_last {
            file.sync_data()?;
        }
        self.bytes += text.len() as u64;
        if self.bytes > MAX_BYTES {
            self.shorten()?;
        }
        Ok(())
    }

    /// Writes the file anew with what is worth keeping.
    fn shorten(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for record in &kept(read(&self.path)?) {
            push_line(&mut text, record);
        }
        self.file = None;
        atomic_file::save(&self.path, text, true)?;
        self.open_file()
    }

    /// Does something with the file. After a failure nothing more is written.
    fn attempt(&mut self, what: &str, action: impl FnOnce(&mut Logbook) -> io::Result<()>) {
        if let Err(error) = action(self) {
            self.file = None;
            log::warn!(
                "cannot {what} {}: {error}; the fleet's events and bars are not kept from now on",
                self.path.display()
            );
        }
    }
}

/// The events in a file, the oldest first; none where there is no file.
///
/// # Errors
/// It cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<FleetRecord>> {
    let bytes = read_bytes(path)?;
    let lines = whole_lines(&bytes).split(|&byte| byte == b'\n');
    let mut records = Vec::new();
    let mut bad = 0;
    for line in lines.filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(record) => records.push(record),
            Err(_) => bad += 1,
        }
    }
    if bad > 0 {
        log::warn!("{}: {bad} lines are no events of a fleet", path.display());
    }
    Ok(records)
}

/// The file, as far as it is read: the limit is for what something else has put
/// there.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(2 * MAX_BYTES).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
    };
    Ok(bytes)
}

/// Everything up to the end of the last whole line.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    &bytes[..end.map_or(0, |end| end + 1)]
}

/// The last bars and the last events, in their order.
fn kept(records: Vec<FleetRecord>) -> Vec<FleetRecord> {
    let bars = records
        .iter()
        .filter(|record| record.worker.is_some())
        .count();
    let mut bars_to_skip = bars.saturating_sub(KEPT_BARS);
    let events_from = records.len().saturating_sub(KEPT_EVENTS);
    let mut kept = Vec::new();
    for (place, record) in records.into_iter().enumerate() {
        let is_old_bar = record.worker.is_some() && bars_to_skip > 0;
        if is_old_bar {
            bars_to_skip -= 1;
        }
        if place >= events_from || (record.worker.is_some() && !is_old_bar) {
            kept.push(record);
        }
    }
    kept
}

fn push_line(text: &mut String, record: &FleetRecord) {
    let line = serde_json::to_string(record).expect("events have only text keys");
    text.push_str(&line);
    text.push('\n');
}

/// The time now, in seconds since 1970.
pub(super) fn unix_seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::dispatcher::Bar;
    use super::*;

    fn event(number: u64, barred: Option<&str>) -> NewEvent {
        NewEvent {
            number,
            text: format!("event {number}"),
            bar: barred.map(|worker| Bar {
                worker: worker.to_owned(),
                why: String::from("it lied"),
            }),
        }
    }

    #[test]
    fn what_was_written_is_read_whatever_stands_between() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("fleet.jsonl");
        let (mut logbook, records) = Logbook::open(&path);
        assert!(records.is_empty());
        logbook.write(vec![event(1, None), event(2, Some("liar"))]);
        drop(logbook);
        // Half a line, as a kill leaves it.
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend(b"{\"number\":3,\"ti");
        std::fs::write(&path, bytes).unwrap();
        let (mut logbook, records) = Logbook::open(&path);
        assert_eq!(records.len(), 2);
        assert_eq!(records[1].worker.as_deref(), Some("liar"));
        assert_eq!(records[1].why.as_deref(), Some("it lied"));
        logbook.write(vec![event(3, None)]);
        let numbers: Vec<u64> = read(&path)
            .unwrap()
            .iter()
            .map(|record| record.number)
            .collect();
        assert_eq!(numbers, [1, 2, 3]);
    }

    #[test]
    fn a_long_file_is_shortened_and_keeps_its_bars() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("fleet.jsonl");
        let (mut logbook, _) = Logbook::open(&path);
        logbook.write(vec![event(1, Some("liar"))]);
        let mut number = 2;
        let mut longest = 0;
        while logbook.bytes >= longest {
            longest = logbook.bytes;
            logbook.write(
                (number..number + 2000)
                    .map(|number| event(number, None))
                    .collect(),
            );
            number += 2000;
        }
        assert!(longest <= MAX_BYTES && logbook.bytes < MAX_BYTES / 4);
        logbook.write(vec![event(number, None)]);
        let records = read(&path).unwrap();
        assert_eq!(records[0].worker.as_deref(), Some("liar"));
        assert_eq!(records.len(), 1 + KEPT_EVENTS + 1);
        assert_eq!(records.last().unwrap().number, number);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_no_obstacle() {
        let place = tempfile::tempdir().unwrap();
        let (mut logbook, records) = Logbook::open(place.path());
        assert!(records.is_empty());
        logbook.write(vec![event(1, Some("liar"))]);
    }
}
