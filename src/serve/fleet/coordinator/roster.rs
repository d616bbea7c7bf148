//! The workers that a coordinator knows, and how far each is trusted.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::api::{WorkerState, WorkerView};
use crate::serve::fleet::wire::Beat;

/// The most workers that are kept in mind; further ones are not heard.
const MAX_WORKERS: usize = 100_000;

/// How long a worker that is gone is kept in mind.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3600);

/// Refused results after which a worker is barred: no game of an honest one is
/// ever refused, but its messages may be damaged on the way.
pub(super) const MAX_REFUSED: u64 = 3;

/// One worker.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    threads: u32,
    games_per_second: f64,
    load: Option<f64>,
    holding: u64,
    seen: Instant,
    is_leaving: bool,
    /// Games that were accepted from it.
    pub(super) games: u64,
    /// Its matches that were played again and found right.
    pub(super) checked: u64,
    /// Its results that were refused or found false.
    pub(super) faults: u64,
    /// Why nothing is taken from it any more.
    pub(super) barred: Option<String>,
}

impl Entry {
    fn new(now: Instant) -> Entry {
        Entry {
            threads: 0,
            games_per_second: 0.0,
            load: None,
            holding: 0,
            seen: now,
            is_leaving: false,
            games: 0,
            checked: 0,
            faults: 0,
            barred: None,
        }
    }
}

/// The workers by name.
#[derive(Debug)]
pub(super) struct Roster {
    workers: BTreeMap<String, Entry>,
    /// Matches that must be right before a worker is trusted.
    probation: u64,
    /// How long a silent worker counts as present.
    gone_after: Duration,
}

impl Roster {
    pub(super) fn new(probation: u64) -> Roster {
        Roster {
            workers: BTreeMap::new(),
            probation,
            gone_after: Duration::from_secs(10),
        }
    }

    /// Seconds between two signs of life: 500 a second are heard from all
    /// workers together, at most one in two seconds from each.
    pub(super) fn beat_seconds(&self) -> f64 {
        (self.workers.len() as f64 / 500.0).max(2.0)
    }

    /// Takes a sign of life; whether the worker is a new one, or `None` where
    /// there are too many.
    pub(super) fn beat(&mut self, beat: &Beat, now: Instant) -> Option<bool> {
        let is_new = !self.workers.contains_key(&beat.worker);
        let entry = self.entry(&beat.worker, now)?;
        entry.threads = beat.threads.min(4096);
        entry.games_per_second = if beat.games_per_second.is_finite() {
            beat.games_per_second.clamp(0.0, 1e9)
        } else {
            0.0
        };
        entry.load = beat.load.filter(|load| load.is_finite());
        entry.holding = beat.holding.len() as u64;
        entry.is_leaving = beat.leaving;
        self.gone_after = Duration::from_secs_f64(5.0 * self.beat_seconds());
        Some(is_new)
    }

    /// The worker with this name, heard of now; `None` where there are too many.
    pub(super) fn entry(&mut self, name: &str, now: Instant) -> Option<&mut Entry> {
        if !self.workers.contains_key(name) {
            if self.workers.len() >= MAX_WORKERS {
                return None;
            }
            self.workers.insert(name.to_owned(), Entry::new(now));
        }
        let entry = self.workers.get_mut(name)?;
        entry.seen = now;
        Some(entry)
    }

    /// Bars a worker that an earlier process has barred, when it did.
    pub(super) fn restore_bar(&mut self, name: &str, why: &str, at: Instant) {
        if let Some(entry) = self.entry(name, at) {
            entry.faults += 1;
            entry.barred = Some(why.to_owned());
        }
    }

    /// The worker with this name, without a sign of life.
    pub(super) fn known(&mut self, name: &str) -> Option<&mut Entry> {
        self.workers.get_mut(name)
    }

    pub(super) fn barred_because(&self, name: &str) -> Option<&str> {
        self.workers.get(name)?.barred.as_deref()
    }

    /// Whether only a share of a worker's matches is checked.
    pub(super) fn is_trusted(&self, name: &str) -> bool {
        let entry = self.workers.get(name);
        entry.is_some_and(|entry| entry.barred.is_none() && entry.checked >= self.probation)
    }

    /// Trusted workers that are present.
    pub(super) fn trusted(&self, now: Instant) -> usize {
        let present = self.workers.iter();
        present
            .filter(|(_, entry)| self.state(entry, now) == WorkerState::Trusted)
            .count()
    }

    /// Matches that the workers that are present have room for: one on each
    /// thread and one that waits for it, and some on their way.
    pub(super) fn capacity(&self, now: Instant) -> usize {
        let present = self
            .workers
            .values()
            .filter(|entry| self.is_present(entry, now));
        present.map(|entry| 2 * entry.threads as usize + 2).sum()
    }

    /// Threads of the workers that are present.
    pub(super) fn threads(&self, now: Instant) -> u64 {
        let workers = self.workers.values();
        let present = workers.filter(|entry| self.is_present(entry, now));
        present.map(|entry| u64::from(entry.threads)).sum()
    }

    /// Whether no worker is there that could play.
    pub(super) fn is_deserted(&self, now: Instant) -> bool {
        !self
            .workers
            .values()
            .any(|entry| self.is_present(entry, now))
    }

    /// Forgets workers that are gone for long, but not those that are barred.
    pub(super) fn forget(&mut self, now: Instant) {
        self.workers.retain(|_, entry| {
            entry.barred.is_some() || now.saturating_duration_since(entry.seen) < FORGOTTEN_AFTER
        });
    }

    fn is_present(&self, entry: &Entry, now: Instant) -> bool {
        matches!(
            self.state(entry, now),
            WorkerState::New | WorkerState::Trusted
        )
    }

    fn state(&self, entry: &Entry, now: Instant) -> WorkerState {
        let silent = now.saturating_duration_since(entry.seen);
        if entry.barred.is_some() {
            WorkerState::Barred
        } else if entry.is_leaving || silent > self.gone_after {
            WorkerState::Gone
        } else if entry.checked >= self.probation {
            WorkerState::Trusted
        } else {
            WorkerState::New
        }
    }

    /// The workers as they are shown.
    pub(super) fn view(&self, now: Instant) -> Vec<WorkerView> {
        let view = |(name, entry): (&String, &Entry)| {
            let state = self.state(entry, now);
            let is_there = matches!(state, WorkerState::New | WorkerState::Trusted);
            WorkerView {
                worker: name.clone(),
                state,
                threads: entry.threads,
                games: entry.games,
                games_per_second: if is_there {
                    entry.games_per_second
                } else {
                    0.0
                },
                load: entry.load.filter(|_| is_there),
                checked: entry.checked,
                faults: entry.faults,
                holding: if is_there { entry.holding } else { 0 },
                seen_seconds: now.saturating_duration_since(entry.seen).as_secs_f64(),
                why: entry.barred.clone(),
            }
        };
        self.workers.iter().map(view).collect()
    }
}
