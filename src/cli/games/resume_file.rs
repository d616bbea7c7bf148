//! The file of `--resume`: the settings of some games and every pair that was
//! counted, so that the same command can go on.
//!
//! Lines of JSON. The first holds the settings and gets its name whole or not at
//! all; each other one is a pair, appended by one write once the pair is counted.
//! What a crash tears is the last line, which is cut off: its pair is played
//! again. The file is locked while it is in use.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::match_settings::MatchSettings;
use crate::arena::TimeUsed;
use crate::arena::match_runner::PlayedPair;
use crate::arena::schedule::{GamePair, Schedule};
use crate::cli::output::BadUsage;
use crate::store::StoredGame;
use crate::util::atomic_file;

/// What the first line says that it is.
const FORMAT: &str = "loatune games";
const VERSION: u32 = 1;

/// At least so often what was written is made safe against a power cut, too.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A file of games that grows.
pub(crate) struct ResumeFile {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// The seconds of all earlier parts.
    seconds_before: f64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    settings: Value,
}

/// A pair as its line holds it.
#[derive(Serialize, Deserialize)]
struct SavedPair {
    pair: u64,
    seed: u64,
    games: [StoredGame; 2],
    /// What Black and White took, in each game: all moves and the longest one,
    /// in nanoseconds.
    time: [[[u64; 2]; 2]; 2],
    /// Seconds since the first game.
    seconds: f64,
}

impl ResumeFile {
    /// Opens or begins the file, and returns the pairs that it holds.
    ///
    /// # Errors
    /// [`BadUsage`] where it holds something else, was made with other settings
    /// or is in use; and errors of the file system.
    pub(crate) fn open(
        path: &Path,
        settings: &MatchSettings,
        schedule: &Schedule,
        names: &[String],
    ) -> anyhow::Result<(ResumeFile, Vec<PlayedPair>)> {
        let settings = serde_json::to_value(settings).context("settings are JSON")?;
        begin(path, &settings)?;
        let opened = OpenOptions::new().read(true).append(true).open(path);
        let file = opened.map_err(|error| refusal(path, &format!("cannot be opened: {error}")))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!(refusal(path, "is in use by another process"));
            }
            Err(TryLockError::Error(error)) => {
                log::debug!("{} cannot be locked: {error}", path.display());
            }
        }
        let mut lines = Lines::new(&file);
        let header = lines.next_line().with_context(|| cannot_read(path))?;
        check_header(path, header.as_deref(), &settings)?;
        let (mut pairs, mut seconds_before) = (Vec::new(), 0.0);
        let mut end = lines.read;
        while let Some(line) = lines.next_line().with_context(|| cannot_read(path))? {
            let number = pairs.len() as u64;
            let Some(pair) = schedule.pair(number) else {
                let games = 2 * number;
                let what = format!("holds more than the {games} games that are asked for");
                bail!(refusal(path, &what));
            };
            match read_pair(&line, number, pair, names) {
                Ok((pair, seconds)) => {
                    seconds_before = seconds;
                    end = lines.read;
                    pairs.push(pair);
                }
                Err(problem) => {
                    // Only the end can be torn.
                    if lines
                        .next_line()
                        .with_context(|| cannot_read(path))?
                        .is_some()
                    {
                        let line = number + 2;
                        let what = format!("is damaged in line {line}: {problem}");
                        bail!(refusal(path, &what));
                    }
                    break;
                }
            }
        }
        file.set_len(end).with_context(|| cannot_write(path))?;
        let resumed = ResumeFile {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
            seconds_before,
        };
        Ok((resumed, pairs))
    }

    /// The seconds of all earlier parts.
    pub(crate) fn seconds_before(&self) -> f64 {
        self.seconds_before
    }

    /// Adds a pair, which is counted `seconds` after the beginning of this part.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn add(&mut self, pair: &PlayedPair, seconds: f64) -> anyhow::Result<()> {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let saved = SavedPair {
            pair: pair.number,
            seed: pair.games[0].seed,
            games: pair.games.each_ref().map(StoredGame::from),
            time: pair
                .time
                .map(|game| game.map(|used| [nanos(used.total), nanos(used.longest)])),
            seconds: self.seconds_before + seconds,
        };
        let mut line = serde_json::to_string(&saved).context("a pair is JSON")?;
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
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let synced = self.file.sync_data();
        synced.with_context(|| cannot_write(&self.path))
    }
}

/// Writes the first line, unless the file has content.
fn begin(path: &Path, settings: &Value) -> anyhow::Result<()> {
    let overwrite = match path.metadata() {
        Ok(found) if !found.is_file() => bail!(refusal(path, "is no regular file")),
        Ok(found) if found.len() > 0 => return Ok(()),
        Ok(_) => true,
        Err(_) => false,
    };
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
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

fn check_header(path: &Path, line: Option<&str>, settings: &Value) -> anyhow::Result<()> {
    let header: Option<Header> = line.and_then(|line| serde_json::from_str(line).ok());
    let Some(header) = header.filter(|header| header.format == FORMAT) else {
        bail!(refusal(path, "holds no games of --resume"));
    };
    if header.version != VERSION {
        let version = header.version;
        bail!(refusal(
            path,
            &format!("has version {version}; this program knows {VERSION}")
        ));
    }
    let mut differences = Vec::new();
    compare("", &header.settings, settings, &mut differences);
    if differences.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} was made with other settings:\n  {}\nGive the same ones, or another file to --resume",
        path.display(),
        differences.join("\n  ")
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

fn read_pair(
    line: &str,
    number: u64,
    pair: GamePair,
    names: &[String],
) -> Result<(PlayedPair, f64), String> {
    let saved: SavedPair = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if saved.pair != number {
        return Err(format!("pair {} stands where {number} should", saved.pair));
    }
    let [a, b] = pair.players.map(|player| names[player].clone());
    let seats = [[a.clone(), b.clone()], [b, a]];
    let [first, second] = &saved.games;
    let record = |game: &StoredGame, seat: usize| {
        let record = game.record(seats[seat].clone(), saved.seed);
        record.map_err(|error| error.to_string())
    };
    let used = |[total, longest]: [u64; 2]| TimeUsed {
        total: Duration::from_nanos(total),
        longest: Duration::from_nanos(longest),
    };
    let played = PlayedPair {
        number,
        pair,
        games: [record(first, 0)?, record(second, 1)?],
        time: saved.time.map(|game| game.map(used)),
    };
    Ok((played, saved.seconds))
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

fn refusal(path: &Path, what: &str) -> BadUsage {
    BadUsage::new(format!("--resume {} {}", path.display(), what))
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
