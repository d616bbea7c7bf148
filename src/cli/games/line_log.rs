//! A file of JSON lines that grows while games are played, so that the same
//! command can go on after a kill.
//!
//! The first line holds the settings and gets its name whole or not at all; each
//! other one is appended by one write. What a crash tears is the last line,
//! which is cut off. The file is locked while it is in use. What the lines mean
//! is left to the caller.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::output::BadUsage;
use crate::util::atomic_file;

/// At least so often what was written is made safe against a power cut, too.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// What a log is, for its first line and for messages.
pub(crate) struct LogKind {
    /// What the first line says that it is.
    pub(super) format: &'static str,
    pub(super) version: u32,
    /// What stands before the file's name in messages, with a space: a flag.
    pub(super) flag: &'static str,
    /// What a file that is something else does not hold.
    pub(super) content: &'static str,
    /// What to do about other settings.
    pub(super) remedy: &'static str,
}

/// Why a line cannot be taken.
pub(super) enum LineFault {
    /// It is damaged; the last line may be.
    Damaged(String),
    /// It says what is not asked for.
    Refused(String),
}

/// A log that is open.
pub(super) struct LineLog {
    path: PathBuf,
    file: File,
    synced: Instant,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    settings: Value,
}

impl LineLog {
    /// Opens or begins the file, and gives its lines to `take`.
    ///
    /// # Errors
    /// [`BadUsage`] where it holds something else, was made with other settings
    /// or is in use; and errors of the file system.
    pub(super) fn open(
        path: &Path,
        kind: &LogKind,
        settings: &Value,
        take: &mut dyn FnMut(&str) -> Result<(), LineFault>,
    ) -> anyhow::Result<LineLog> {
        begin(path, kind, settings)?;
        let opened = OpenOptions::new().read(true).append(true).open(path);
        let file =
            opened.map_err(|error| kind.refusal(path, &format!("cannot be opened: {error}")))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!(kind.refusal(path, "is in use by another process"));
            }
            Err(TryLockError::Error(error)) => {
                log::debug!("{} cannot be locked: {error}", path.display());
            }
        }
        let mut lines = Lines::new(&file);
        let header = lines.next_line().with_context(|| cannot_read(path))?;
        check_header(path, kind, header.as_deref(), settings)?;
        let mut end = lines.read;
        let mut number = 1;
        while let Some(line) = lines.next_line().with_context(|| cannot_read(path))? {
            number += 1;
            match take(&line) {
                Ok(()) => end = lines.read,
                Err(LineFault::Refused(what)) => bail!(kind.refusal(path, &what)),
                Err(LineFault::Damaged(problem)) => {
                    // Only the end can be torn.
                    let next = lines.next_line().with_context(|| cannot_read(path))?;
                    if next.is_some() {
                        let what = format!("is damaged in line {number}: {problem}");
                        bail!(kind.refusal(path, &what));
                    }
                    break;
                }
            }
        }
        file.set_len(end).with_context(|| cannot_write(path))?;
        Ok(LineLog {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
        })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn append(&mut self, content: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(content).context("a line is JSON")?;
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        let written = written.and_then(|()| {
            if self.synced.elapsed() < SYNC_INTERVAL {
                return Ok(());
            }
            self.synced = Instant::now();
            self.file.sync_data()
        });
        written.with_context(|| cannot_write(&self.path))
    }

    /// Makes everything safe.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let synced = self.file.sync_data();
        synced.with_context(|| cannot_write(&self.path))
    }
}

impl LogKind {
    fn refusal(&self, path: &Path, what: &str) -> BadUsage {
        BadUsage::new(format!("{}{} {what}", self.flag, path.display()))
    }
}

/// Writes the first line, unless the file has content.
fn begin(path: &Path, kind: &LogKind, settings: &Value) -> anyhow::Result<()> {
    let overwrite = match path.metadata() {
        Ok(found) if !found.is_file() => bail!(kind.refusal(path, "is no regular file")),
        Ok(found) if found.len() > 0 => return Ok(()),
        Ok(_) => true,
        Err(_) => false,
    };
    let header = Header {
        format: kind.format.to_owned(),
        version: kind.version,
        settings: settings.clone(),
    };
    let line = serde_json::to_string(&header).context("settings are JSON")? + "\n";
    match atomic_file::save(path, line, overwrite) {
        // Another process was faster; the lock decides.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(BadUsage::new(format!("{}: {error}", cannot_write(path))).into()),
        Ok(()) => Ok(()),
    }
}

fn check_header(
    path: &Path,
    kind: &LogKind,
    line: Option<&str>,
    settings: &Value,
) -> anyhow::Result<()> {
    let header: Option<Header> = line.and_then(|line| serde_json::from_str(line).ok());
    let Some(header) = header.filter(|header| header.format == kind.format) else {
        bail!(kind.refusal(path, &format!("holds no {}", kind.content)));
    };
    if header.version != kind.version {
        let (there, here) = (header.version, kind.version);
        let what = format!("has version {there}; this program knows {here}");
        bail!(kind.refusal(path, &what));
    }
    let mut differences = Vec::new();
    compare("", &header.settings, settings, &mut differences);
    if differences.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} was made with other settings:\n  {}\n{}",
        path.display(),
        differences.join("\n  "),
        kind.remedy
    );
    Err(BadUsage::new(message).into())
}

/// Adds a line for every field that differs: `players.0.depth: 3 there, 4 here`.
fn compare(name: &str, there: &Value, here: &Value, differences: &mut Vec<String>) {
    let inner = |key: &str| match name {
        "" => key.to_owned(),
        _ => format!("{name}.{key}"),
    };
    match (there, here) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            for key in keys {
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned();
                let (a, b) = (of(a).unwrap_or_default(), of(b).unwrap_or_default());
                compare(&inner(key), &a, &b, differences);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&inner(&n.to_string()), a, b, differences);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            differences.push(format!("{name}: {} there, {} here", a.len(), b.len()));
        }
        (a, b) if a == b => {}
        (a, b) => differences.push(format!("{name}: {a} there, {b} here")),
    }
}

/// The complete lines of a file, and how many bytes they take.
struct Lines<'a> {
    input: BufReader<&'a File>,
    read: u64,
}

impl<'a> Lines<'a> {
    fn new(mut file: &'a File) -> Lines<'a> {
        // A file that cannot be rewound cannot be read either.
        let _ = file.seek(SeekFrom::Start(0));
        Lines {
            input: BufReader::new(file),
            read: 0,
        }
    }

    /// The next line; `None` at the end, and where the last one has no end.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let length = self.input.read_until(b'\n', &mut bytes)?;
        if bytes.pop() != Some(b'\n') {
            return Ok(None);
        }
        self.read += length as u64;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
