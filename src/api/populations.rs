//! All populations of a directory: `/api/populations`.

use serde::Serialize;
use utoipa::ToSchema;

use super::status::{HallView, State, Status};

/// The populations beside the one that is shown, and that one.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Populations)]
pub struct PopulationsView {
    /// The populations in the order of their names.
    pub populations: Vec<PopulationView>,
}

/// A population in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Population)]
pub struct PopulationView {
    /// The population's name.
    pub name: String,
    /// Whether this server shows it.
    pub here: bool,
    /// The command that shows it.
    pub show: String,
    /// Its status; null where it cannot be read.
    pub status: Option<PopulationStatus>,
    /// Why it cannot be read; null where it can.
    pub problem: Option<String>,
}

/// What a list says of a population.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PopulationStatus {
    /// The stage that the run has reached.
    pub state: State,
    /// Whether a process works on it now.
    pub running: bool,
    /// The address of its page; null where it has none.
    pub page: Option<String>,
    /// Games played so far.
    pub games: u64,
    /// Games of the whole run.
    pub budget: u64,
    /// Elo of its newest measured elder above the reference weights.
    pub elo: Option<f64>,
    /// The 95 % error of that, in Elo.
    pub error: Option<f64>,
    /// All measured elders, the oldest first.
    pub strengths: Vec<PopulationStrength>,
}

/// How strong the elder of a population was at one time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct PopulationStrength {
    /// Games that the run had played by then.
    pub games: u64,
    /// Its Elo above the reference weights.
    pub elo: f64,
    /// The 95 % error of that, in Elo.
    pub error: Option<f64>,
}

impl From<&Status> for PopulationStatus {
    fn from(status: &Status) -> PopulationStatus {
        let strength = |entry: &HallView| {
            Some(PopulationStrength {
                games: 2 * entry.matches,
                elo: entry.elo?,
                error: entry.error,
            })
        };
        let strengths: Vec<_> = status.hall.iter().filter_map(strength).collect();
        PopulationStatus {
            state: status.state,
            running: status.running,
            page: status.page.clone(),
            games: status.games,
            budget: status.budget,
            elo: strengths.last().map(|newest| newest.elo),
            error: strengths.last().and_then(|newest| newest.error),
            strengths,
        }
    }
}
