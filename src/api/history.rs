//! The history of a run: `loatune history --json` and `/api/history`.

use serde::Serialize;
use utoipa::ToSchema;

use super::event::EventView;
use super::status::ScholarView;
use crate::charts::{HallStrength, History, SampleRow};

/// The history of a run; `loatune history --json` prints the same.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = History)]
pub struct HistoryView {
    /// The population's name.
    pub name: String,
    /// Games of the whole run.
    pub budget: u64,
    /// Phases of the game that have weights of their own: 1, or 2 for opening
    /// and endgame.
    #[schema(minimum = 1, maximum = 2)]
    pub phases: u32,
    /// The population from time to time, the oldest sample first.
    pub samples: Vec<SampleRow>,
    /// The strengths of the files in the hall of fame against the reference
    /// weights, the oldest first.
    pub strengths: Vec<HallStrength>,
    /// The scholars: weights learned from the run's games, the oldest first.
    pub scholars: Vec<ScholarView>,
    /// The notable events, the oldest first: scholars and challenges, imports,
    /// changes of parameters, the final, champions, and that a finished population
    /// was taken further. The newest 500.
    pub events: Vec<EventView>,
}

impl From<&History> for HistoryView {
    fn from(history: &History) -> HistoryView {
        let noted = history.events.iter();
        HistoryView {
            name: history.name.clone(),
            budget: history.budget,
            phases: history.genome.phases,
            samples: history.sample_rows(),
            strengths: history.strengths.clone(),
            scholars: history.scholars.iter().map(ScholarView::from).collect(),
            events: noted
                .map(|noted| EventView::from_event(noted.number, noted.matches, &noted.event))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::charts::tests::history_with_events;

    #[test]
    fn scholars_and_events_are_told() {
        let history = history_with_events(3);
        let json = json!(HistoryView::from(&history));
        assert_eq!(json["name"], history.name);
        assert_eq!(json["strengths"][0]["file"], 100);
        assert_eq!(json["strengths"][0]["elo"], Value::Null);
        assert_eq!(json["strengths"][1]["played"], 200);
        assert_eq!(json["scholars"][1]["won"], true);
        assert_eq!(json["scholars"][1]["log_likelihood"], -0.55);
        assert_eq!(json["events"][0]["kind"], "scholar");
        assert_eq!(json["events"][3]["won"], true);
        assert_eq!(json["events"][4]["kind"], "extended");
        assert_eq!(json["events"][4]["budget"], 150_000);
    }
}
