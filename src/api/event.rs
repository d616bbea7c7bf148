//! Something that happened, with its number: what `/api/events` sends.

use serde::{Deserialize, Serialize};

use crate::evolve::{Birth, Cause, Event, FileId, MatchResult, Origin, Sample};

/// An event and its place in the order of all events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventView {
    /// Rises from event to event.
    pub number: u64,
    /// Matches applied when it happened.
    pub matches: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happening {
    /// A match was applied.
    Match {
        /// Its number in the run.
        played: u64,
        /// Who played.
        files: [FileId; 2],
        /// For the first file, -1 to 1.
        score: f64,
    },
    /// A file came to be.
    Born {
        /// Which.
        file: FileId,
        /// Where it comes from.
        origin: Origin,
        /// None, one or two.
        parents: Vec<FileId>,
        /// The other one of the twins.
        twin: Option<FileId>,
    },
    /// A file left the population.
    Died {
        /// Which.
        file: FileId,
        /// Why.
        cause: Cause,
    },
    /// The elder was put into the hall.
    Hall {
        /// Its file.
        file: FileId,
    },
    /// A look at the population; the numbers are in the history.
    Sample {
        /// Files that live.
        population: u32,
        /// Files that may live.
        capacity: u32,
        /// The most points of a living file.
        best_points: f64,
        /// The mean of the living files' points.
        mean_points: f64,
    },
    /// One file is left, and plays the elder.
    Final {
        /// The last file.
        last: FileId,
        /// The elder.
        elder: FileId,
    },
    /// It is over.
    Champion {
        /// The champion's file.
        file: FileId,
        /// The last file's mean score in the final, -1 to 1.
        score: f64,
        /// Its standard error.
        error: f64,
    },
    /// The parameters were changed, and the user agreed.
    Changed {
        /// What changed, a line a key.
        keys: Vec<String>,
    },
}

impl EventView {
    /// An event of the evolution.
    pub fn of(number: u64, matches: u64, event: &Event) -> EventView {
        let what = match event {
            Event::Born(birth) => born(birth),
            &Event::Died { file, cause } => Happening::Died { file, cause },
            &Event::Hall { file } => Happening::Hall { file },
            Event::Sample(sample) => looked(sample),
            &Event::Final { last, elder } => Happening::Final { last, elder },
            &Event::Champion {
                file, score, error, ..
            } => Happening::Champion { file, score, error },
            Event::Changed { keys } => Happening::Changed { keys: keys.clone() },
        };
        EventView {
            number,
            matches,
            what,
        }
    }

    /// A match that was applied.
    pub fn of_match(number: u64, result: &MatchResult) -> EventView {
        EventView {
            number,
            matches: result.number + 1,
            what: Happening::Match {
                played: result.number,
                files: result.files,
                score: result.score,
            },
        }
    }
}

fn born(birth: &Birth) -> Happening {
    Happening::Born {
        file: birth.file,
        origin: birth.origin,
        parents: birth.parents.clone(),
        twin: birth.twin,
    }
}

fn looked(sample: &Sample) -> Happening {
    Happening::Sample {
        population: sample.population,
        capacity: sample.capacity,
        best_points: sample.best_points,
        mean_points: sample.mean_points,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn events_are_flat() {
        let event = Event::Died {
            file: FileId(3),
            cause: Cause::BelowMinimum,
        };
        let view = EventView::of(9, 4, &event);
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(
            text,
            r#"{"number":9,"matches":4,"kind":"died","file":3,"cause":"below-minimum"}"#
        );
        let back: EventView = serde_json::from_str(&text).unwrap();
        assert_eq!(back, view);
    }
}
