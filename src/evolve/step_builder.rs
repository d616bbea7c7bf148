//! Collects what a step changes while it is being applied.

use super::{Event, FileId, Step, Totals};

/// A [`Step`] that is being built.
#[derive(Default)]
pub(super) struct StepBuilder {
    events: Vec<Event>,
    /// Individuals whose totals changed; their values are read at the end.
    changed: Vec<FileId>,
    /// The last totals of individuals that the state no longer holds.
    last_totals: Vec<(FileId, Totals)>,
}

impl StepBuilder {
    pub(super) fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Notes that the totals of an individual changed.
    pub(super) fn totals_changed(&mut self, id: FileId) {
        self.changed.push(id);
    }

    /// Keeps the totals of an individual that leaves the state.
    pub(super) fn last_totals(&mut self, id: FileId, totals: Totals) {
        self.last_totals.push((id, totals));
    }

    /// The finished step; `totals_of` answers for the individuals that the
    /// state still holds.
    pub(super) fn build(mut self, totals_of: impl Fn(FileId) -> Option<Totals>) -> Step {
        self.changed.sort_unstable();
        self.changed.dedup();
        let mut totals = self.last_totals;
        totals.extend(
            self.changed
                .iter()
                .filter_map(|&id| Some((id, totals_of(id)?))),
        );
        totals.sort_unstable_by_key(|&(id, _)| id);
        Step {
            events: self.events,
            totals,
        }
    }
}
