//! Collects what a step changes.

use super::{Event, FileId, Step, Totals};

/// A step in the making.
#[derive(Default)]
pub(super) struct Log {
    events: Vec<Event>,
    touched: Vec<FileId>,
    gone: Vec<(FileId, Totals)>,
}

impl Log {
    pub(super) fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// A file's totals are new.
    pub(super) fn touch(&mut self, file: FileId) {
        self.touched.push(file);
    }

    /// A file's totals will not change any more.
    pub(super) fn gone(&mut self, file: FileId, totals: Totals) {
        self.gone.push((file, totals));
    }

    /// The step; `totals` knows the files that are there.
    pub(super) fn done(mut self, totals: impl Fn(FileId) -> Option<Totals>) -> Step {
        self.touched.sort_unstable();
        self.touched.dedup();
        let mut all = self.gone;
        all.extend(
            self.touched
                .iter()
                .filter_map(|&id| Some((id, totals(id)?))),
        );
        all.sort_unstable_by_key(|&(id, _)| id);
        Step {
            events: self.events,
            totals: all,
        }
    }
}
