//! The program as a process, with small populations in a directory of its own.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};

use loatune::api::Source;
use loatune::run::verify::{Replay, Verification};
use loatune::serve::control;
use loatune::store::{Entry, FrameReader, Layout, decode};

/// Longer than any run of these takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A message says what to do in one of these ways.
const ADVICE: [&str; 5] = [
    "What to do: ",
    "put this right and start again",
    "put that right and start again",
    "use the newer loatune",
    "`loatune status`, `export` and `stop` talk to it",
];

/// Where everything happens.
pub(super) struct Victim {
    program: PathBuf,
    root: PathBuf,
    /// What the champion's file must be.
    champion: Vec<u8>,
    /// How long a run takes.
    pub(super) calm: Duration,
    games: u64,
    /// For names of files.
    next: AtomicU64,
}

/// How much a run has to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) games: u64,
    pub(super) population: u32,
    /// Games of the proof against each opponent.
    pub(super) proof: u32,
}

impl Size {
    /// About as little as a run can have to do, and still every part of it.
    pub(super) const TINY: Size = Size {
        games: 100,
        population: 8,
        proof: 4,
    };

    pub(super) const fn new(games: u64) -> Size {
        Size {
            games,
            population: 16,
            proof: 20,
        }
    }

    fn params(self, seed: u64) -> String {
        let Size {
            games,
            population,
            proof,
        } = self;
        format!(
            "[player]\ndepth = 1\n\n[evolution]\nbudget = {games}\npopulation = {population}\n\n\
             [final]\ncertificate_games = {proof}\nhall_games = 2\n\n\
             [run]\nseed = {seed}\nwindow = 4\ncheckpoint = 20\n\n[http]\nenabled = false\n"
        )
    }
}

/// How it is started.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// With so many threads.
    Threads(u32),
    /// By a shell that runs this script first; `"$@"` is the command.
    Shell(String),
    /// With one thread and these variables.
    Variables(Vec<(&'static str, String)>),
}

/// A process that has ended.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) stderr: String,
}

/// What a journal has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Saved {
    /// Good entries, the beginning included.
    pub(super) entries: u64,
    /// Matches of the evolution among them.
    pub(super) matches: u64,
}

/// Populations to be broken.
pub(super) struct Stock {
    /// One that was stopped on its way.
    pub(super) half: PathBuf,
    /// The same at its end.
    pub(super) whole: PathBuf,
    /// One of another seed.
    pub(super) other: PathBuf,
}

/// A process at work.
pub(super) struct Running {
    child: Child,
    stderr: PathBuf,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Whoever lost interest in it does not want it to go on.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Victim {
    /// Writes parameters, and runs once in peace.
    pub(super) fn prepare(
        program: PathBuf,
        root: &Path,
        size: Size,
        seed: u64,
    ) -> anyhow::Result<Victim> {
        let mut victim = Victim {
            program,
            root: root.to_owned(),
            champion: Vec::new(),
            calm: Duration::ZERO,
            games: size.games,
            next: AtomicU64::new(0),
        };
        for (name, seed) in [("params.toml", seed), ("other.toml", seed ^ 1)] {
            fs::write(root.join(name), size.params(seed))?;
        }
        let dir = victim.dir("calm");
        let begin = Instant::now();
        let ended = victim.start(&dir, &Way::Threads(1))?.wait(PATIENCE)?;
        victim.calm = begin.elapsed();
        ensure!(
            ended.code == Some(0),
            "a run in peace fails: {}",
            ended.describe()
        );
        victim.champion = fs::read(Layout::new(&dir).champion())?;
        Ok(victim)
    }

    /// A directory for a population.
    pub(super) fn dir(&self, name: &str) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        // All are called the same: the name is in the champion's file.
        self.root.join(format!("{name}-{number}")).join("p")
    }

    pub(super) fn start(&self, dir: &Path, way: &Way) -> anyhow::Result<Running> {
        self.start_with(dir, way, "params.toml")
    }

    fn start_with(&self, dir: &Path, way: &Way, params: &str) -> anyhow::Result<Running> {
        let mut args = vec![
            String::from("run"),
            String::from("--population"),
            dir.display().to_string(),
            String::from("--params"),
            params.to_owned(),
        ];
        let threads = match way {
            Way::Threads(threads) => Some(*threads),
            Way::Variables(_) => Some(1),
            Way::Shell(_) => None,
        };
        if let Some(threads) = threads {
            args.extend([String::from("--threads"), threads.to_string()]);
        }
        self.spawn(&args, way)
    }

    fn spawn(&self, args: &[String], way: &Way) -> anyhow::Result<Running> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let stderr = self.root.join(format!("stderr-{number}"));
        let mut command = match way {
            Way::Threads(_) | Way::Variables(_) => Command::new(&self.program),
            Way::Shell(script) => {
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", script, "sh"]).arg(&self.program);
                shell
            }
        };
        command
            .args(args)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&stderr)?);
        if let Way::Variables(variables) = way {
            command.envs(variables.iter().cloned());
        }
        let child = command.spawn().context("cannot start the program")?;
        Ok(Running { child, stderr })
    }

    /// Runs another command to its end.
    pub(super) fn command(&self, args: &[&str], dir: &Path) -> anyhow::Result<Ended> {
        let mut all: Vec<String> = args.iter().map(ToString::to_string).collect();
        all.extend([String::from("--population"), dir.display().to_string()]);
        self.spawn(&all, &Way::Threads(1))?.wait(PATIENCE)
    }

    /// Runs a population to its end, in whatever condition it is.
    pub(super) fn run(&self, dir: &Path, way: &Way) -> anyhow::Result<Ended> {
        let ended = self.start(dir, way)?.wait(PATIENCE)?;
        ended.check()?;
        Ok(ended)
    }

    /// Runs a new population from its beginning to the same champion.
    pub(super) fn run_whole(&self, name: &str, way: &Way) -> anyhow::Result<String> {
        let dir = self.dir(name);
        let ended = self.run(&dir, way)?;
        self.must_be_done(&dir, &ended)?;
        Ok(String::from("the same champion"))
    }

    /// The run has ended well, its champion is the right one, and everything
    /// that is stored is true.
    pub(super) fn must_be_done(&self, dir: &Path, ended: &Ended) -> anyhow::Result<()> {
        ended.check()?;
        ensure!(ended.code == Some(0), "it fails: {}", ended.describe());
        let champion = fs::read(Layout::new(dir).champion())?;
        ensure!(champion == self.champion, "another champion");
        let verified = self.verify(dir)?;
        ensure!(verified.is_empty(), "verify finds: {}", verified.join("; "));
        Ok(())
    }

    /// Whether the run failed with one clear message.
    pub(super) fn must_explain(&self, ended: &Ended) -> anyhow::Result<String> {
        ended.check()?;
        ensure!(
            matches!(ended.code, Some(1 | 2)),
            "neither done nor refused: {}",
            ended.describe()
        );
        let errors = ended.stderr.matches("loatune: error: ").count();
        ensure!(errors == 1, "no clear message: {}", ended.describe());
        let helps = ADVICE.iter().any(|advice| ended.stderr.contains(advice));
        ensure!(helps, "it does not say what to do: {}", ended.describe());
        let message = ended.stderr.split("loatune: error: ").last();
        let first = message.and_then(|text| text.lines().next());
        Ok(first.unwrap_or_default().to_owned())
    }

    /// What `verify` finds, without another process: the engine's signature is
    /// known here already.
    fn verify(&self, dir: &Path) -> anyhow::Result<Vec<String>> {
        let verification = Verification {
            dir,
            name: "p",
            replay: Replay::Nothing,
            threads: 1,
            stop: &Arc::default(),
        };
        Ok(verification.run(&mut |_| {})?.audit.differences)
    }

    /// Populations to be broken.
    pub(super) fn stock(&self) -> anyhow::Result<Stock> {
        let half = self.dir("half");
        // A quarter of the matches, played by a process that is stopped.
        let wanted = self.games / 8;
        self.stop_after(&half, "params.toml", wanted)?;
        let whole = self.dir("whole");
        copy(&half, &whole)?;
        let ended = self.run(&whole, &Way::Threads(2))?;
        self.must_be_done(&whole, &ended)?;
        let other = self.dir("other");
        self.stop_after(&other, "other.toml", wanted)?;
        Ok(Stock { half, whole, other })
    }

    /// Runs until the journal has so many entries, then asks for an end.
    fn stop_after(&self, dir: &Path, params: &str, entries: u64) -> anyhow::Result<()> {
        let mut running = self.start_with(dir, &Way::Threads(1), params)?;
        let begin = Instant::now();
        while self.entries(dir) < entries {
            if running.child.try_wait()?.is_some() || begin.elapsed() > PATIENCE {
                bail!("a run ended before it could be stopped; use more --games");
            }
            thread::sleep(Duration::from_millis(5));
        }
        let daemon = control::connect(dir).ok_or_else(|| anyhow!("nobody listens"))?;
        daemon.stop()?;
        let ended = running.wait(PATIENCE)?;
        ended.check()?;
        ensure!(ended.code == Some(3), "stopping: {}", ended.describe());
        Ok(())
    }

    /// Good entries of a journal.
    pub(super) fn entries(&self, dir: &Path) -> u64 {
        self.saved(dir).entries
    }

    /// What a journal has.
    pub(super) fn saved(&self, dir: &Path) -> Saved {
        let mut saved = Saved::default();
        let Ok(mut frames) = FrameReader::open(&Layout::new(dir).journal()) else {
            return saved;
        };
        while let Ok(Some(payload)) = frames.next_frame() {
            // The first frame is no entry.
            if saved.entries > 0 {
                let is_match = matches!(decode(payload), Ok(Entry::Match(_)));
                saved.matches += u64::from(is_match);
            }
            saved.entries += 1;
        }
        saved
    }

    /// How many matches the evolution has.
    pub(super) fn matches(&self) -> u64 {
        self.games / 2
    }

    /// A copy of a population to be broken.
    pub(super) fn copy_of(&self, dir: &Path, name: &str) -> anyhow::Result<PathBuf> {
        let to = self.dir(name);
        copy(dir, &to)?;
        Ok(to)
    }
}

impl Running {
    /// Waits for its end.
    pub(super) fn wait(&mut self, most: Duration) -> anyhow::Result<Ended> {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if begin.elapsed() > most {
                self.child.kill()?;
                self.child.wait()?;
                bail!("it does not end within {} s", most.as_secs());
            }
            thread::sleep(Duration::from_millis(2));
        };
        let stderr = fs::read(&self.stderr)?;
        fs::remove_file(&self.stderr)?;
        Ok(Ended {
            code: status.code(),
            signal: status.signal(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        })
    }

    /// Kills it after a while; `None` where it had ended before.
    pub(super) fn kill_after(&mut self, after: Duration) -> anyhow::Result<(Ended, bool)> {
        let begin = Instant::now();
        while begin.elapsed() < after {
            if self.child.try_wait()?.is_some() {
                return Ok((self.wait(PATIENCE)?, false));
            }
            thread::sleep(Duration::from_millis(1).min(after));
        }
        self.child.kill()?;
        let ended = self.wait(PATIENCE)?;
        let killed = ended.signal.is_some();
        Ok((ended, killed))
    }

    pub(super) fn is_over(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }
}

impl Ended {
    /// What no process may ever do.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let has = |text: &str| self.stderr.contains(text);
        ensure!(!has("panicked"), "a panic: {}", self.describe());
        let signal = self.signal.filter(|&signal| signal != 9);
        ensure!(signal.is_none(), "ended by a signal: {}", self.describe());
        Ok(())
    }

    pub(super) fn describe(&self) -> String {
        let how = match (self.code, self.signal) {
            (Some(code), _) => format!("exit {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            _ => String::from("gone"),
        };
        format!("{how}, {}", self.stderr.trim().replace('\n', " | "))
    }
}

/// Copies a directory.
pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
