//! What is counted and told of the fleet: the numbers and events that
//! `loatune fleet`, the page and the metrics show, and the records of the logbook.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Dispatcher;
use crate::api::{FleetEventView, FleetRecord, FleetView};

/// Events that are kept for the page.
const MAX_EVENTS: usize = 100;

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) games: u64,
    pub(super) republished: u64,
    pub(super) duplicates: u64,
    pub(super) late: u64,
    pub(super) refused: u64,
    pub(super) checks: u64,
    pub(super) differences: u64,
}

/// A worker that is barred, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Bar {
    pub(in super::super) worker: String,
    pub(in super::super) why: String,
}

/// An event that the logbook does not have yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct NewEvent {
    pub(in super::super) number: u64,
    pub(in super::super) text: String,
    /// The worker that it bars.
    pub(in super::super) bar: Option<Bar>,
}

/// What happened lately.
#[derive(Debug)]
pub(super) struct FleetEvents {
    latest: VecDeque<(u64, Instant, String)>,
    new: Vec<NewEvent>,
    next: u64,
}

impl FleetEvents {
    pub(super) fn new() -> FleetEvents {
        FleetEvents {
            latest: VecDeque::new(),
            new: Vec::new(),
            next: 1,
        }
    }

    fn push(&mut self, number: u64, at: Instant, text: String) {
        if self.latest.len() == MAX_EVENTS {
            self.latest.pop_front();
        }
        self.latest.push_back((number, at, text));
        self.next = number.saturating_add(1);
    }
}

impl Dispatcher {
    /// A message that cannot be read, or not by who sent it.
    pub(in super::super) fn unreadable(&mut self) {
        self.counts.refused += 1;
    }

    /// A result that nobody waits for.
    pub(in super::super) fn late(&mut self) {
        self.counts.late += 1;
    }

    /// Notes something that happened.
    pub(in super::super) fn tell_event(&mut self, now: Instant, text: String) {
        self.note(now, text, None);
    }

    /// Notes something unless it is among what happened lately: a worker that is
    /// not wanted asks again and again.
    pub(super) fn tell_event_once(&mut self, now: Instant, text: String) {
        if !self
            .events
            .latest
            .iter()
            .any(|(_, _, known)| *known == text)
        {
            self.note(now, text, None);
        }
    }

    pub(super) fn note(&mut self, now: Instant, text: String, bar: Option<Bar>) {
        log::info!("fleet: {text}");
        let number = self.events.next;
        self.events.push(number, now, text.clone());
        self.events.new.push(NewEvent { number, text, bar });
    }

    /// The events since the last time.
    pub(in super::super) fn take_events(&mut self) -> Vec<NewEvent> {
        std::mem::take(&mut self.events.new)
    }

    /// Takes over what an earlier process of this run has recorded: its last
    /// events are shown, and whom it barred stays barred. `clock` is the time
    /// now, in seconds since 1970.
    pub(in super::super) fn restore(&mut self, records: &[FleetRecord], clock: u64, now: Instant) {
        for record in records {
            let age = Duration::from_secs(clock.saturating_sub(record.time));
            let at = now.checked_sub(age).unwrap_or(now);
            let number = record.number.max(self.events.next);
            self.events.push(number, at, record.text.clone());
            if let (Some(worker), Some(why)) = (&record.worker, &record.why) {
                self.roster.restore_bar(worker, why, at);
            }
        }
    }

    /// What is shown of the fleet.
    pub(in super::super) fn view(
        &self,
        name: &str,
        broker: &str,
        connected: bool,
        now: Instant,
    ) -> FleetView {
        let workers = self.roster.view(now);
        let counts = &self.counts;
        let event = |(number, at, text): &(u64, Instant, String)| FleetEventView {
            number: *number,
            seconds_ago: now.saturating_duration_since(*at).as_secs_f64(),
            text: text.clone(),
        };
        FleetView {
            name: name.to_owned(),
            broker: broker.to_owned(),
            connected,
            // The sum of nothing is minus zero.
            games_per_second: if connected {
                let speeds = workers.iter().map(|worker| worker.games_per_second);
                speeds.fold(0.0, |sum, speed| sum + speed)
            } else {
                0.0
            },
            games: counts.games,
            waiting: self.queue.len() as u64,
            out: self.out as u64,
            checking: self.local_checks as u64,
            republished: counts.republished,
            duplicates: counts.duplicates,
            late: counts.late,
            refused: counts.refused,
            checks: counts.checks,
            differences: counts.differences,
            workers,
            events: self.events.latest.iter().map(event).collect(),
        }
    }
}
