//! The program as a process: its time on processors, by thread, and its memory.

#![allow(dead_code, reason = "each benchmark uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run or a worker.
pub(crate) struct Program(pub(crate) Child);

/// The program that is measured: the one that `LOATUNE_PROGRAM` names, as for the
/// tests of documents, or the one that was built with the benchmark.
pub(crate) fn program() -> String {
    let named = std::env::var("LOATUNE_PROGRAM");
    named.unwrap_or_else(|_| String::from(env!("CARGO_BIN_EXE_loatune")))
}

/// Ticks of the system's clock in a second.
const TICKS: f64 = 100.0;

impl Program {
    pub(crate) fn start(place: &Path, args: &[&str]) -> Program {
        let child = Command::new(program())
            .args(args)
            .current_dir(place)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Program(child)
    }

    /// Waits for its end: the time by the clock, and the last that was seen of
    /// its threads' seconds and of its memory in MiB.
    pub(crate) fn watch(&mut self) -> Seen {
        let begin = Instant::now();
        let mut seen = Seen::default();
        loop {
            seen.update(self.0.id());
            if let Some(status) = self.0.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                seen.clock = begin.elapsed().as_secs_f64();
                return seen;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What was seen of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) clock: f64,
    pub(crate) memory: f64,
    /// Seconds of processors by the thread's name.
    pub(crate) threads: BTreeMap<String, f64>,
}

impl Seen {
    pub(crate) fn update(&mut self, id: u32) {
        let Ok(tasks) = fs::read_dir(format!("/proc/{id}/task")) else {
            return;
        };
        let mut threads = BTreeMap::new();
        for task in tasks.flatten() {
            let Ok(stat) = fs::read_to_string(task.path().join("stat")) else {
                continue;
            };
            let (Some(open), Some(close)) = (stat.find('('), stat.rfind(')')) else {
                continue;
            };
            let name: String = stat[open + 1..close]
                .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ')
                .to_owned();
            let fields: Vec<&str> = stat[close + 1..].split_whitespace().collect();
            let ticks = |n: usize| fields[n].parse::<f64>().unwrap();
            *threads.entry(name).or_insert(0.0) += (ticks(11) + ticks(12)) / TICKS;
        }
        // Threads that have ended are seen no more.
        for (name, seconds) in threads {
            let known = self.threads.entry(name).or_insert(0.0);
            *known = known.max(seconds);
        }
        if let Ok(status) = fs::read_to_string(format!("/proc/{id}/status")) {
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
            self.memory = self.memory.max(kib.unwrap_or(0.0) / 1024.0);
        }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.threads.values().sum()
    }
}

/// The times of a process so far, in seconds.
#[derive(Debug)]
pub(crate) struct Times {
    /// By the thread's name without its number: on processors, and ready to run.
    threads: BTreeMap<String, [f64; 2]>,
}

impl Times {
    pub(crate) fn of(id: u32) -> Times {
        let mut threads = BTreeMap::new();
        for task in fs::read_dir(format!("/proc/{id}/task")).unwrap().flatten() {
            let read = |file: &str| fs::read_to_string(task.path().join(file));
            let (Ok(name), Ok(times)) = (read("comm"), read("schedstat")) else {
                continue;
            };
            let name = name.trim_end_matches(|letter: char| !letter.is_ascii_alphabetic());
            let mut nanoseconds = times.split_whitespace().map(str::parse::<f64>);
            let sums: &mut [f64; 2] = threads.entry(name.to_owned()).or_default();
            for sum in sums {
                *sum += nanoseconds.next().unwrap().unwrap() / 1e9;
            }
        }
        Times { threads }
    }

    /// On processors, all threads.
    pub(crate) fn processor(&self) -> f64 {
        self.threads.values().map(|[ran, _]| ran).sum()
    }

    /// In which the threads that play ran or were ready to run.
    pub(crate) fn players_ready(&self) -> f64 {
        let players = self.threads.get("games");
        players.map_or(0.0, |[ran, waited]| ran + waited)
    }

    /// On processors since `earlier`, by name.
    pub(crate) fn since(&self, earlier: &Times) -> BTreeMap<String, f64> {
        let before = |name: &str| earlier.threads.get(name).map_or(0.0, |[ran, _]| *ran);
        let threads = self.threads.iter();
        threads
            .map(|(name, [ran, _])| (name.clone(), ran - before(name)))
            .collect()
    }
}
