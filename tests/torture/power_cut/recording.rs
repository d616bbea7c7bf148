//! The records of a population's life, which the images are made from.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::io_shim::Shim;
use crate::io_shim::record::Record;
use crate::victim::{Running, Victim};
use loatune::api::Source;
use loatune::serve::control;

/// Where the population is, seen from the watched directory. The directory above
/// it is made along with it.
pub(super) const POPULATION: &str = "a/p";

/// How often a run is stopped, at most, while it is recorded.
const STOPS: u32 = 8;

/// The most milliseconds from the moment in which it listens to the stop.
const LONGEST: u64 = 40;

/// Records a population to its end, from what lies in `root` on. Its process is
/// asked to stop some times, so that there are many groups and many openings.
pub(super) fn record(
    victim: &Victim,
    shim: &Shim,
    root: &Path,
    log: &Path,
    rng: &mut ChaCha8Rng,
) -> anyhow::Result<Vec<Record>> {
    fs::create_dir_all(root)?;
    let mut first = Vec::new();
    describe(root, "", &mut first)?;
    first.push(Record::Settled);
    let bytes: Vec<u8> = first.iter().flat_map(Record::encode).collect();
    fs::write(log, bytes)?;
    let dir = root.join(POPULATION);
    for stop in 0..=STOPS {
        let mut running = victim.start(&dir, &shim.recording(root, log))?;
        if stop < STOPS {
            let after = Duration::from_millis(rng.random_range(0..=LONGEST));
            ask_to_stop(&mut running, &dir, after)?;
        }
        let ended = running.wait(Duration::from_secs(60))?;
        ended.check()?;
        match ended.code {
            Some(0) => {
                victim.must_be_done(&dir, &ended).context("recording")?;
                return read(log);
            }
            Some(3) => {}
            _ => bail!("recording: {}", ended.describe()),
        }
    }
    bail!("a recorded run does not end");
}

fn ask_to_stop(running: &mut Running, dir: &Path, after: Duration) -> anyhow::Result<()> {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if running.is_over()? {
            return Ok(());
        }
        if let Some(daemon) = control::connect(dir) {
            thread::sleep(after);
            // It may have ended meanwhile.
            let _ = daemon.stop();
            return Ok(());
        }
        thread::sleep(Duration::from_millis(1));
    }
    bail!("a recorded run does not listen");
}

/// Reads a log.
pub(super) fn read(log: &Path) -> anyhow::Result<Vec<Record>> {
    let bytes = fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
    let mut rest = bytes.as_slice();
    let mut records = Vec::new();
    while let Some(record) = Record::decode(&mut rest) {
        records.push(record);
    }
    ensure!(rest.is_empty(), "{} ends in a part", log.display());
    Ok(records)
}

/// The records that would make what lies in a directory.
fn describe(root: &Path, inside: &str, records: &mut Vec<Record>) -> anyhow::Result<()> {
    for entry in fs::read_dir(root.join(inside))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = match inside {
            "" => name,
            _ => format!("{inside}/{name}"),
        };
        if entry.file_type()?.is_dir() {
            records.push(Record::MakeDirectory { path: path.clone() });
            describe(root, &path, records)?;
        } else if entry.file_type()?.is_file() {
            let data = fs::read(entry.path())?;
            let fd = 0;
            records.push(Record::Open {
                fd,
                path,
                created: true,
                truncated: false,
            });
            let offset = 0;
            records.push(Record::Write { fd, offset, data });
            records.push(Record::Close { fd });
        }
    }
    Ok(())
}
