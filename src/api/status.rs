//! The status of a population: `loatune status --json` and `/api/status`.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::event::nats;
use crate::evolve::{FileId, Origin, Scholar};

/// The stage that an evolution has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Files live, breed and die.
    Evolving,
    /// One file is left and plays the elder.
    Final,
    /// The champion is known and plays for its certificate.
    Proving,
    /// The champion is known and has its certificate.
    Finished,
    /// The run is not over, and no process works on it.
    Stopped,
}

impl State {
    /// All states, in the order in which a run passes through them.
    pub const ALL: [State; 5] = [
        State::Evolving,
        State::Final,
        State::Proving,
        State::Finished,
        State::Stopped,
    ];

    /// The name in every JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            State::Evolving => "evolving",
            State::Final => "final",
            State::Proving => "proving",
            State::Finished => "finished",
            State::Stopped => "stopped",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A population at a glance; `loatune status --json` prints the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Status {
    /// The population's name.
    pub population: String,
    /// The stage that the run has reached.
    pub state: State,
    /// Whether a process works on the population now.
    pub running: bool,
    /// Whether that process was asked to stop.
    pub stopping: bool,
    /// Games played so far.
    pub games: u64,
    /// Games of the whole run.
    pub budget: u64,
    /// Matches applied so far.
    pub matches: u64,
    /// The part of the run that is done, from 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub progress: f64,
    /// Games played in a second; null until the rate can be trusted.
    pub games_per_second: Option<f64>,
    /// The estimated time to the end of the run, in seconds.
    pub eta_seconds: Option<f64>,
    /// The low end of the estimate, in seconds.
    pub eta_low: Option<f64>,
    /// The high end of the estimate, in seconds.
    pub eta_high: Option<f64>,
    /// Files that live.
    pub files: u32,
    /// Files that may live.
    pub capacity: u32,
    /// Files born so far: founders count, elders do not.
    pub births: u64,
    /// Files that died so far.
    pub deaths: u64,
    /// The living files with the most points, the best first.
    pub leaders: Vec<Leader>,
    /// The hall of fame: the elders of the past, the oldest first.
    pub hall: Vec<HallView>,
    /// The scholars: weights learned from the run's games, the oldest first.
    #[serde(default)]
    pub scholars: Vec<ScholarView>,
    /// The final; null until it has begun.
    #[serde(rename = "final")]
    pub last: Option<FinalView>,
    /// The champion; null until it is known.
    pub champion: Option<ChampionView>,
    /// The genes whose consensus lies at a bound, beyond which better values may
    /// lie.
    #[serde(default)]
    pub at_bounds: Vec<BoundView>,
    /// The rule that will end the run, or has ended it.
    pub ends: String,
    /// The seed that every random number of the run follows from.
    pub seed: u64,
    /// The fingerprint of the parameters.
    pub params: String,
    /// Games that are played at the same time.
    pub threads: u32,
    /// The address of the population's page; null where it has none.
    pub page: Option<String>,
}

/// A gene whose consensus lies at one of its bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AtBound)]
pub struct BoundView {
    /// The gene's name; with `_endgame` for its endgame value.
    pub gene: String,
    /// The consensus, as weight files have it.
    pub value: f64,
    /// Whether it is the upper bound.
    pub is_most: bool,
}

/// A living file with many points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Leader {
    /// The file's number.
    pub file: FileId,
    /// Its points under the selection rule.
    pub points: f64,
    /// Games that counted for its points.
    pub games: u64,
    /// How it came into the population.
    pub origin: Origin,
}

/// An elder in the hall of fame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = HallEntry)]
pub struct HallView {
    /// The file's number.
    pub file: FileId,
    /// Matches that had been applied when it entered.
    pub matches: u64,
    /// Games against the reference weights that measured its strength; 0 until they
    /// are played.
    #[serde(default)]
    pub games: u64,
    /// Its Elo above the reference weights; null until it has been measured, and
    /// where all games ended alike.
    pub elo: Option<f64>,
    /// The 95 % error of that, in Elo.
    pub error: Option<f64>,
}

/// The final: the last file of the population plays the elder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Final)]
pub struct FinalView {
    /// The last file of the population.
    pub last: FileId,
    /// The elder.
    pub elder: FileId,
    /// Matches of the final applied so far.
    pub matches: u64,
    /// The last file's mean score so far, from -1 to 1.
    pub score: Option<f64>,
    /// The standard error of that score.
    pub error: Option<f64>,
}

/// The champion of a population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Champion)]
pub struct ChampionView {
    /// The file's number.
    pub file: FileId,
    /// Whether it is the elder, a consensus of survivors, rather than one file
    /// that survived.
    pub is_elder: bool,
    /// Whether it is a scholar, learned from the positions of the run's games.
    pub is_scholar: bool,
}

/// A scholar: weights that were learned from positions of the run's games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Scholar)]
pub struct ScholarView {
    /// The file's number.
    pub file: FileId,
    /// Matches applied when it was born.
    pub matches: u64,
    /// Games that it was learned from.
    pub games: u64,
    /// Positions of those games.
    pub positions: u64,
    /// The logarithm of the outcomes' likelihood, in nats a position.
    pub log_likelihood: f64,
    /// Its mean score against the consensus, from -1 to 1; null before the
    /// challenge is over.
    pub score: Option<f64>,
    /// The standard error of that score.
    pub error: Option<f64>,
    /// Whether the consensus moved to it; null before the challenge is over.
    pub won: Option<bool>,
}

impl From<&Scholar> for ScholarView {
    fn from(scholar: &Scholar) -> ScholarView {
        let challenge = scholar.challenge;
        ScholarView {
            file: scholar.file,
            matches: scholar.at,
            games: scholar.games,
            positions: scholar.positions,
            log_likelihood: nats(scholar.micronats),
            score: challenge.map(|it| it.score),
            error: challenge.map(|it| it.error),
            won: challenge.map(|it| it.won),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn state_names_are_those_of_the_json() {
        for state in State::ALL {
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(text, format!("\"{state}\""));
        }
    }
}
