//! What the world does to a population: full disks, directories that may not be
//! written, clocks that jump, a second process.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{bail, ensure};

use super::Case;
use super::victim::{Stock, Victim, Way};

/// Where libfaketime lies on common systems.
const FAKETIME: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
];

pub(super) fn cases(stock: &Stock) -> Vec<Case> {
    let mut cases = Vec::new();
    for kib in [4, 64, 300, 600, 1100] {
        let name = format!("no file larger than {kib} KiB, from the start");
        cases.push(Case::new(name, move |victim| {
            full_from_start(victim, &format!("ulimit -f {}; exec \"$@\"", 2 * kib))
        }));
    }
    let half = stock.half.clone();
    cases.push(Case::new("no file may grow, on the way", move |victim| {
        full_on_the_way(victim, &half)
    }));
    let half = stock.half.clone();
    cases.push(Case::new("a disk of 1 MiB (tmpfs)", move |victim| {
        full_disk(victim, &half)
    }));
    let half = stock.half.clone();
    cases.push(Case::new("a directory that is read-only", move |victim| {
        read_only(victim, &half)
    }));
    let half = stock.half.clone();
    cases.push(Case::new("a second process", move |victim| {
        second(victim, &half)
    }));
    for (name, at) in [
        ("files of the year 1970", SystemTime::UNIX_EPOCH),
        (
            "files of the year 2100",
            SystemTime::UNIX_EPOCH + Duration::from_secs(4_102_444_800),
        ),
    ] {
        let half = stock.half.clone();
        cases.push(Case::new(name, move |victim| other_time(victim, &half, at)));
    }
    for (name, offsets) in [
        ("a clock 10 years ahead", ["+10y", "+10y"]),
        ("a clock 10 years back", ["-10y", "-10y"]),
        ("a clock that jumps ahead on the way", ["+0", "+10y"]),
        ("a clock that jumps back on the way", ["+0", "-10y"]),
    ] {
        let half = stock.half.clone();
        cases.push(Case::new(name, move |victim| faked(victim, &half, offsets)));
    }
    cases
}

/// It goes on to the same champion once there is room.
fn goes_on(victim: &Victim, dir: &Path) -> anyhow::Result<()> {
    let ended = victim.run(dir, &Way::Threads(2))?;
    victim.must_be_done(dir, &ended)
}

fn full_from_start(victim: &Victim, script: &str) -> anyhow::Result<String> {
    let dir = victim.dir("full");
    let ended = victim.run(&dir, &Way::Shell(script.to_owned()))?;
    if ended.code == Some(0) {
        victim.must_be_done(&dir, &ended)?;
        return Ok(String::from("it has room enough: the same champion"));
    }
    let message = victim.must_explain(&ended)?;
    goes_on(victim, &dir)?;
    Ok(format!("refused: {message}; then the same champion"))
}

fn full_on_the_way(victim: &Victim, half: &Path) -> anyhow::Result<String> {
    let dir = victim.copy_of(half, "full")?;
    let journal = fs::metadata(dir.join("journal"))?.len() / 512;
    let script = format!("ulimit -f {journal}; exec \"$@\"");
    let ended = victim.run(&dir, &Way::Shell(script))?;
    let message = victim.must_explain(&ended)?;
    goes_on(victim, &dir)?;
    Ok(format!("refused: {message}; then the same champion"))
}

/// A mount that is taken away again.
struct Mount(PathBuf);

impl Mount {
    /// `None` where mounting is not allowed.
    fn new(path: &Path, size: &str) -> anyhow::Result<Option<Mount>> {
        fs::create_dir_all(path)?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", size, "tmpfs"])
            .arg(path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        Ok(mounted
            .is_ok_and(|status| status.success())
            .then(|| Mount(path.to_owned())))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

fn full_disk(victim: &Victim, half: &Path) -> anyhow::Result<String> {
    let place = victim.dir("disk");
    let Some(mount) = Mount::new(&place, "size=1m")? else {
        return Ok(String::from("skipped: mounting is not allowed here"));
    };
    let dir = place.join("p");
    if super::victim::copy(half, &dir).is_err() {
        fs::remove_dir_all(&dir)?;
    }
    // What is free is taken but for a little.
    let _ = fs::write(place.join("filler"), vec![1; 1 << 20]);
    let filler = File::options().write(true).open(place.join("filler"))?;
    let left = filler.metadata()?.len().saturating_sub(16 << 10);
    filler.set_len(left)?;
    drop(filler);
    let ended = victim.run(&dir, &Way::Threads(2))?;
    let message = victim.must_explain(&ended)?;
    let saved = victim.copy_of(&dir, "saved")?;
    goes_on(victim, &saved)?;
    drop(mount);
    Ok(format!("refused: {message}; then the same champion"))
}

/// Rights do not bind the superuser, who becomes somebody else for this.
fn read_only(victim: &Victim, half: &Path) -> anyhow::Result<String> {
    let dir = victim.copy_of(half, "read-only")?;
    let is_root = fs::metadata(&dir)?.uid() == 0;
    let way = match is_root {
        false => Way::Threads(1),
        true => Way::Shell(String::from(
            "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"",
        )),
    };
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    // The way to it is open for all, itself for nobody to write.
    for above in dir.ancestors().skip(1).take(2) {
        allow(above, 0o755)?;
    }
    allow(&dir, 0o555)?;
    let ended = victim.run(&dir, &way);
    allow(&dir, 0o755)?;
    let ended = ended?;
    if matches!(ended.code, Some(126 | 127)) {
        return missing_tool("setpriv");
    }
    let message = victim.must_explain(&ended)?;
    goes_on(victim, &dir)?;
    Ok(format!("refused: {message}; then the same champion"))
}

fn second(victim: &Victim, half: &Path) -> anyhow::Result<String> {
    let dir = victim.copy_of(half, "second")?;
    let mut first = victim.start(&dir, &Way::Threads(1))?;
    let begin = Instant::now();
    while loatune::serve::control::connect(&dir).is_none() {
        if first.is_over()? || begin.elapsed() > Duration::from_secs(60) {
            bail!("the first process does not listen");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let ended = victim.run(&dir, &Way::Threads(1))?;
    let message = match ended.code {
        // The first one was done before.
        Some(0) => String::from("too late to meet the first"),
        _ => victim.must_explain(&ended)?,
    };
    let ended = first.wait(Duration::from_secs(300))?;
    victim.must_be_done(&dir, &ended)?;
    Ok(format!("refused: {message}; the first: the same champion"))
}

fn other_time(victim: &Victim, half: &Path, at: SystemTime) -> anyhow::Result<String> {
    let dir = victim.copy_of(half, "time")?;
    let mut open = vec![dir.clone()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let times = FileTimes::new().set_modified(at).set_accessed(at);
                File::options().append(true).open(&path)?.set_times(times)?;
            }
        }
    }
    goes_on(victim, &dir)?;
    Ok(String::from("the same champion"))
}

/// With a clock that is wrong by the first of `offsets`, then by the second.
/// What measures durations is left alone, as it is by a clock that is set.
fn faked(victim: &Victim, half: &Path, offsets: [&str; 2]) -> anyhow::Result<String> {
    let Some(library) = FAKETIME.iter().find(|path| Path::new(path).exists()) else {
        return missing_tool("libfaketime");
    };
    let dir = victim.copy_of(half, "clock")?;
    let offset = dir.with_extension("offset");
    fs::write(&offset, offsets[0])?;
    let script = format!(
        "export LD_PRELOAD={library} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
         DONT_FAKE_MONOTONIC=1 FAKETIME_TIMESTAMP_FILE='{}'; exec \"$@\"",
        offset.display()
    );
    let mut running = victim.start(&dir, &Way::Shell(script))?;
    let entries = victim.entries(&dir);
    while victim.entries(&dir) == entries && !running.is_over()? {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::write(&offset, offsets[1])?;
    let ended = running.wait(Duration::from_secs(300))?;
    ensure!(ended.code == Some(0), "it fails: {}", ended.describe());
    victim.must_be_done(&dir, &ended)?;
    Ok(String::from("the same champion"))
}

/// A case that cannot be tried without a tool. Where everything must be, that
/// is a failure.
fn missing_tool(name: &str) -> anyhow::Result<String> {
    let must = std::env::var("LOATUNE_TEST_ALL").is_ok_and(|value| value == "1");
    ensure!(!must, "{name} is not there, and LOATUNE_TEST_ALL wants it");
    Ok(format!("skipped: {name} is not there"))
}
