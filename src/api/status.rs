//! A population at a glance: `loatune status --json` and `/api/status`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evolve::{FileId, Origin};

/// How far an evolution has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Files live, breed and die.
    Evolving,
    /// One file is left and plays the elder.
    Final,
    /// The champion is known, and plays for its certificate.
    Proving,
    /// The champion is known and proved.
    Finished,
    /// None of these is over, and nobody works on it.
    Stopped,
}

impl State {
    /// All states, in the order in which they come.
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

/// Everything that is said about a population in one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Its name.
    pub population: String,
    /// How far it has come.
    pub state: State,
    /// Whether a process works on it now.
    pub running: bool,
    /// Whether that process was asked to stop.
    pub stopping: bool,
    /// Games played.
    pub games: u64,
    /// Games of the whole run.
    pub budget: u64,
    /// Matches applied.
    pub matches: u64,
    /// The part of the run that is done, 0 to 1.
    pub progress: f64,
    /// How fast games are played; `None` until it can be trusted.
    pub games_per_second: Option<f64>,
    /// Seconds to the end, as things go.
    pub eta_seconds: Option<f64>,
    /// With luck.
    pub eta_low: Option<f64>,
    /// Without.
    pub eta_high: Option<f64>,
    /// Files that live.
    pub files: u32,
    /// Files that may live.
    pub capacity: u32,
    /// Files born so far, founders included, elders not.
    pub births: u64,
    /// Files that died so far.
    pub deaths: u64,
    /// The living files with the most points, the best first.
    pub leaders: Vec<Leader>,
    /// The elders of the past, the oldest first.
    pub hall: Vec<HallView>,
    /// The final, once it has begun.
    #[serde(rename = "final")]
    pub last: Option<FinalView>,
    /// Who won, once that is known.
    pub champion: Option<ChampionView>,
    /// The rule that will end the run, or has ended it.
    pub ends: String,
    /// Everything random follows from it.
    pub seed: u64,
    /// The fingerprint of the parameters.
    pub params: String,
    /// Games at the same time.
    pub threads: u32,
    /// The address of its page, where it has one.
    pub page: Option<String>,
}

/// A file at the top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leader {
    /// Its number.
    pub file: FileId,
    /// Points of the selection rule.
    pub points: f64,
    /// Games that counted.
    pub games: u64,
    /// Where it comes from.
    pub origin: Origin,
}

/// An elder of the past.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HallView {
    /// Its number.
    pub file: FileId,
    /// Matches that had been applied.
    pub matches: u64,
    /// Its Elo above the default weights; `None` until it has been measured.
    pub elo: Option<f64>,
    /// The 95 % error of that.
    pub error: Option<f64>,
}

/// The match between the last file and the elder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinalView {
    /// The last file of the population.
    pub last: FileId,
    /// The elder.
    pub elder: FileId,
    /// Matches of the final applied so far.
    pub matches: u64,
    /// The last file's mean score so far, -1 to 1.
    pub score: Option<f64>,
    /// Its standard error.
    pub error: Option<f64>,
}

/// Who won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChampionView {
    /// Its number.
    pub file: FileId,
    /// Whether it is the elder, a consensus of survivors, and not one file
    /// that survived.
    pub is_elder: bool,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_json() {
        for state in State::ALL {
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(text, format!("\"{state}\""));
        }
    }
}
