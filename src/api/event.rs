//! Something that happened, with its number: what `/api/events` sends.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::evolve::{Birth, Cause, Event, FileId, MatchResult, Origin, Sample};

/// Several events: the data of a message `events`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Events)]
pub struct EventsView {
    /// The events in the order of their numbers.
    pub events: Vec<EventView>,
    /// Events left out before these.
    pub skipped: u64,
}

/// An event and its place in the order of all events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Event)]
pub struct EventView {
    /// The event's number, which rises from event to event.
    pub number: u64,
    /// Matches that had been applied when it happened.
    pub matches: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EventKind {
    /// A match was applied.
    Match {
        /// The match's number in the run, from 0.
        played: u64,
        /// The files that played.
        #[schema(min_items = 2, max_items = 2)]
        files: [FileId; 2],
        /// The match's score for the first file, from -1 to 1.
        score: f64,
    },
    /// A file was born.
    Born {
        /// The file's number.
        file: FileId,
        /// How it came into the population.
        origin: Origin,
        /// The files that it was bred from: none, one or two.
        #[schema(max_items = 2)]
        parents: Vec<FileId>,
        /// The other one of the twins; null where it was born alone.
        twin: Option<FileId>,
    },
    /// A file left the population.
    Died {
        /// The file's number.
        file: FileId,
        /// The rule that removed it.
        cause: Cause,
    },
    /// The elder entered the hall of fame.
    Hall {
        /// The number of the file that it became.
        file: FileId,
    },
    /// The population was sampled; the history has all of the sample.
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
    /// One file is left, and the final begins.
    Final {
        /// The last file of the population.
        last: FileId,
        /// The elder that it plays.
        elder: FileId,
    },
    /// The final is over, and the champion is known.
    Champion {
        /// The champion's file.
        file: FileId,
        /// The last file's mean score in the final, from -1 to 1.
        score: f64,
        /// The standard error of that score.
        error: f64,
    },
    /// The user changed the parameters of the run.
    Changed {
        /// The changes, one line for each key.
        keys: Vec<String>,
    },
    /// The population was finished and is taken further.
    Extended {
        /// The champion until then.
        champion: FileId,
        /// Games of the whole run from now on.
        budget: u64,
        /// The changes of parameters, one line for each key.
        keys: Vec<String>,
    },
    /// A scholar was learned from the positions of recent games.
    Scholar {
        /// The scholar's file.
        file: FileId,
        /// Games that it was learned from.
        games: u64,
        /// Positions of those games.
        positions: u64,
        /// The logarithm of the outcomes' likelihood, in nats a position.
        log_likelihood: f64,
    },
    /// A scholar's challenge is over.
    Challenge {
        /// The scholar's file.
        scholar: FileId,
        /// The file of the consensus that it played.
        consensus: FileId,
        /// Matches of the challenge.
        #[serde(rename = "played")]
        matches: u64,
        /// The scholar's mean score, from -1 to 1.
        score: f64,
        /// The standard error of that score.
        error: f64,
        /// Whether the consensus moved to the scholar.
        won: bool,
    },
    /// The best scholar and the elder have played for a place in the final.
    Semifinal {
        /// The scholar's file.
        scholar: FileId,
        /// The elder's file.
        elder: FileId,
        /// The scholar's mean score, from -1 to 1.
        score: f64,
        /// The standard error of that score.
        error: f64,
    },
}

impl EventView {
    /// A view of an event of the evolution that happened after so many
    /// `matches`.
    pub fn from_event(number: u64, matches: u64, event: &Event) -> EventView {
        let what = match event {
            Event::Born(birth) => born(birth),
            &Event::Died { file, cause } => EventKind::Died { file, cause },
            &Event::Hall { file } => EventKind::Hall { file },
            Event::Sample(sample) => sampled(sample),
            &Event::Final { last, elder } => EventKind::Final { last, elder },
            &Event::Champion {
                file, score, error, ..
            } => EventKind::Champion { file, score, error },
            Event::Changed { keys } => EventKind::Changed { keys: keys.clone() },
            Event::Extended {
                champion,
                budget,
                keys,
            } => EventKind::Extended {
                champion: *champion,
                budget: *budget,
                keys: keys.clone(),
            },
            &Event::Scholar {
                file,
                games,
                positions,
                micronats,
            } => EventKind::Scholar {
                file,
                games,
                positions,
                log_likelihood: nats(micronats),
            },
            &Event::Challenge { scholar, result } => EventKind::Challenge {
                scholar,
                consensus: result.consensus,
                matches: result.matches,
                score: result.score,
                error: result.error,
                won: result.won,
            },
            &Event::Semifinal {
                scholar,
                elder,
                score,
                error,
                ..
            } => EventKind::Semifinal {
                scholar,
                elder,
                score,
                error,
            },
        };
        EventView {
            number,
            matches,
            what,
        }
    }

    /// The event that a match was applied.
    pub fn from_match(number: u64, result: &MatchResult) -> EventView {
        EventView {
            number,
            matches: result.number + 1,
            what: EventKind::Match {
                played: result.number,
                files: result.files,
                score: result.score,
            },
        }
    }
}

/// Millionths of a nat as nats.
pub(super) fn nats(micronats: i64) -> f64 {
    micronats as f64 / 1e6
}

fn born(birth: &Birth) -> EventKind {
    EventKind::Born {
        file: birth.file,
        origin: birth.origin,
        parents: birth.parents.clone(),
        twin: birth.twin,
    }
}

fn sampled(sample: &Sample) -> EventKind {
    EventKind::Sample {
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
        let view = EventView::from_event(9, 4, &event);
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(
            text,
            r#"{"number":9,"matches":4,"kind":"died","file":3,"cause":"below-minimum"}"#
        );
        let back: EventView = serde_json::from_str(&text).unwrap();
        assert_eq!(back, view);
    }
}
