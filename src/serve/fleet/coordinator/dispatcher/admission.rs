//! Who may take part: requests to join, signs of life, and the reasons for which a
//! worker is not wanted.

use std::time::Instant;

use super::{Action, Dispatcher};
use crate::serve::fleet::wire::{Beat, Notice, PROTOCOL, Verdict};

impl Dispatcher {
    /// What a worker is told that wants to take part.
    pub(in super::super) fn join(&mut self, beat: &Beat, now: Instant) -> Verdict {
        let verdict = self.judge(beat);
        if verdict.unwanted.is_none() {
            self.beat(beat, now);
        } else {
            let why = verdict.unwanted.as_deref().unwrap_or_default();
            self.tell_event_once(now, format!("{} is not wanted: {why}", beat.worker));
        }
        verdict
    }

    /// Takes a sign of life.
    pub(in super::super) fn beat(&mut self, beat: &Beat, now: Instant) {
        let verdict = self.judge(beat);
        if verdict.unwanted.is_some() {
            self.actions.push(Action::Tell(Notice::Unwanted {
                worker: beat.worker.clone(),
                verdict,
            }));
            return;
        }
        let is_new = self.roster.beat(beat, now);
        if is_new == Some(true) {
            let threads = if beat.threads == 1 {
                "thread"
            } else {
                "threads"
            };
            let event = format!("{} joined with {} {threads}", beat.worker, beat.threads);
            self.tell_event(now, event);
        } else if beat.leaving {
            self.tell_event(now, format!("{} leaves", beat.worker));
        }
        for order in &beat.holding {
            if let Some(open) = self.open.get_mut(order)
                && let Some(alive) = &mut open.out
            {
                *alive = now;
            }
        }
    }

    /// Whether a worker may take part, and why not.
    fn judge(&self, beat: &Beat) -> Verdict {
        let charter = &self.charter;
        let barred = self.roster.barred_because(&beat.worker);
        let unwanted = if let Some(why) = barred {
            Some(why.to_owned())
        } else if beat.protocol != PROTOCOL {
            Some(format!(
                "it speaks version {} of the messages, the run version {PROTOCOL}: use loatune {} \
                 there",
                beat.protocol, charter.program
            ))
        } else if beat.engine != charter.engine {
            Some(format!(
                "its engine has the signature {}, the run's {}: use loatune {} there",
                beat.engine, charter.engine, charter.program
            ))
        } else if beat.fingerprint != charter.fingerprint {
            Some(format!(
                "it reads the run's parameters as {}, the run as {}: use loatune {} there",
                beat.fingerprint, charter.fingerprint, charter.program
            ))
        } else {
            None
        };
        Verdict {
            unwanted,
            barred: barred.is_some(),
        }
    }

    /// The notice that a run goes on.
    pub(in super::super) fn here(&self, now: Instant) -> Notice {
        let threads = self.roster.threads(now).max(1);
        Notice::Here {
            charter: self.charter_id,
            beat_seconds: self.roster.beat_seconds(),
            orders_per_thread: Some(self.policy.window as f64 / threads as f64),
        }
    }

    /// Whether no worker is there that could play.
    pub(in super::super) fn is_deserted(&self, now: Instant) -> bool {
        self.roster.is_deserted(now)
    }
}
