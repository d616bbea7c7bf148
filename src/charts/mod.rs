//! The history of an evolution, and the worth of features, as tables and charts.
//!
//! Reads what the evolution recorded; knows neither store nor disk. The same
//! history gives the same picture on every machine, because the font is built
//! in.
//!
//! | file | purpose |
//! |---|---|
//! | `table` | CSV, and the samples as rows |
//! | `event_row` | an event as a row of the CSV |
//! | `chart` | SVG and PNG |
//! | `worth` | the worth of features as SVG |

pub mod chart;
mod event_row;
mod table;
mod worth;

pub use chart::{
    Chart, ChartError, PointChart, PointSeries, PointUnit, SERIES, Size, Theme, chart_png,
    chart_svg, points_svg,
};
pub use table::{GeneSample, SampleRow};
pub use worth::{WorthBar, worth_svg};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::evolve::{Event, FileId, Origin, Sample, Scholar};
use crate::genome::{Gene, GenomeSpec};

/// What a run recorded about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The population's name.
    pub name: String,
    /// Games of the whole run.
    pub budget: u64,
    /// Which genes may evolve, and within which bounds.
    pub genome: GenomeSpec,
    /// The population from time to time, the oldest sample first.
    pub samples: Vec<Sample>,
    /// The strengths of the files in the hall of fame, the oldest first.
    pub strengths: Vec<HallStrength>,
    /// The scholars, the oldest first.
    #[serde(default)]
    pub scholars: Vec<Scholar>,
    /// The notable events, the oldest first; only the newest where there are very
    /// many.
    #[serde(default)]
    pub events: Vec<NotedEvent>,
}

/// An event that a history tells: no birth of the population's own, no death, no
/// sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedEvent {
    /// Its number among all events of the run.
    pub number: u64,
    /// Matches applied when it happened.
    pub matches: u64,
    /// What happened.
    pub event: Event,
}

impl NotedEvent {
    /// Games that the run had played by then.
    pub fn games(&self) -> u64 {
        2 * self.matches
    }

    /// Whether an event is worth a line in a history.
    pub fn is_notable(event: &Event) -> bool {
        match event {
            Event::Born(birth) => birth.origin == Origin::Immigrant,
            // The hall is told by its strengths.
            Event::Died { .. } | Event::Sample(_) | Event::Hall { .. } => false,
            Event::Final { .. }
            | Event::Champion { .. }
            | Event::Changed { .. }
            | Event::Extended { .. }
            | Event::Scholar { .. }
            | Event::Challenge { .. }
            | Event::Semifinal { .. } => true,
        }
    }
}

/// The strength of a file in the hall of fame against the reference weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HallStrength {
    /// The file's number.
    pub file: FileId,
    /// Matches that the run had applied when the file entered the hall.
    pub matches: u64,
    /// Games that the run had played by then.
    pub games: u64,
    /// Elo above the reference weights; null where it is infinite or not measured
    /// yet.
    pub elo: Option<f64>,
    /// The 95 % error of that, in Elo; null where the games do not bound it.
    pub error: Option<f64>,
    /// Games that measure the strength.
    pub played: u64,
}

/// The place of a value in a sample's gene vectors: a gene's value, or its
/// endgame value.
#[derive(Clone, Copy, Debug)]
struct Column<'a> {
    gene: &'a Gene,
    /// The place of the gene in its table.
    place: usize,
    /// How many genes the table has.
    genes: usize,
    is_endgame: bool,
}

impl Column<'_> {
    /// The column's name: `euler`, `euler_endgame`.
    fn name(self) -> String {
        let name = &self.gene.name;
        if self.is_endgame {
            format!("{name}_endgame")
        } else {
            name.clone()
        }
    }

    /// The column's value in one of a sample's vectors, in the gene's own unit
    /// as weight files have it; `None` where it is not known.
    fn value_in(self, values: &[f32]) -> Option<f64> {
        let place = self.place + usize::from(self.is_endgame) * self.genes;
        let value = f64::from(*values.get(place)?);
        value.is_finite().then(|| self.gene.number(value))
    }
}

impl History {
    /// The columns of every gene, then those of the endgame values that may
    /// differ.
    fn columns(&self) -> Vec<Column<'_>> {
        let genes = 0..self.genome.table.len();
        let mut columns: Vec<_> = genes.clone().map(|n| self.column(n, false)).collect();
        let with_endgame = genes.filter(|&n| self.genome.has_phases(n));
        columns.extend(with_endgame.map(|n| self.column(n, true)));
        columns
    }

    /// The column of the gene at a place of the table.
    fn column(&self, place: usize, is_endgame: bool) -> Column<'_> {
        Column {
            gene: &self.genome.table[place],
            place,
            genes: self.genome.table.len(),
            is_endgame,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::eval::genes::TABLE;
    use crate::evolve::ChallengeResult;
    use crate::genome::GeneTable;
    use crate::params::GenomeParams;

    /// A history of a run that went well.
    pub(crate) fn sample_history(samples: u64, phases: u32) -> History {
        let budget = 150_000;
        let sample = |n: u64| {
            let games = budget * n / samples.max(2);
            let t = games as f64 / budget as f64;
            let wave = (n as f64 * 0.7).sin();
            let gene = |n: usize, from: f64, to: f64| {
                let gene = &TABLE[n % TABLE.len()];
                let range = f64::from(gene.max - gene.min);
                (f64::from(gene.min) + range * (from + (to - from) * t + 0.03 * wave)) as f32
            };
            let range =
                |n: usize| f64::from(TABLE[n % TABLE.len()].max - TABLE[n % TABLE.len()].min);
            let all = 0..2 * TABLE.len();
            Sample {
                matches: games / 2,
                games,
                population: if t < 0.9 { 26 + (5.0 * wave) as u32 } else { 4 },
                capacity: if t < 0.9 {
                    32
                } else {
                    (32.0 * 10.0 * (1.0 - t)) as u32 + 1
                },
                births: 32 + games / 5 + (20.0 * wave) as u64,
                deaths: games / 5,
                best_points: 1.2 + wave,
                mean_points: 0.1 * wave,
                gene_means: all
                    .clone()
                    .map(|n| gene(n, 0.5, (n % 7) as f64 / 7.0))
                    .collect(),
                gene_spreads: all
                    .clone()
                    .map(|n| ((0.25 - 0.2 * t) * range(n)) as f32)
                    .collect(),
                consensus: all.map(|n| gene(n, 0.45, (n % 7) as f64 / 7.0)).collect(),
            }
        };
        let strength = |n: u64| HallStrength {
            file: FileId(100 * n),
            matches: n * budget / 20,
            games: n * budget / 10,
            elo: (n != 1).then_some(-120.0 + 300.0 * (n as f64 / 10.0).sqrt()),
            error: (n != 3).then_some(45.0),
            played: 200,
        };
        History {
            name: String::from("made <up> & \"quoted\""),
            budget,
            genome: GenomeSpec {
                phases,
                ..GenomeParams::default().spec(&GeneTable::built_in())
            },
            samples: (0..samples).map(sample).collect(),
            strengths: (1..=if samples > 1 { 10 } else { 0 })
                .map(strength)
                .collect(),
            scholars: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The same run with two scholars, one of which won its challenge, and an end
    /// from which it was taken further.
    pub(crate) fn history_with_events(samples: u64) -> History {
        let mut history = sample_history(samples, 1);
        let result = |won| ChallengeResult {
            consensus: FileId(7),
            matches: 50,
            score: if won { 0.25 } else { -0.125 },
            error: 0.0625,
            won,
        };
        let scholar = |n: u64| Scholar {
            file: FileId(1000 + n),
            at: 10_000 * n,
            games: 8000,
            positions: 200_000,
            micronats: -550_000,
            challenge: Some(result(n == 2)),
        };
        history.scholars = vec![scholar(1), scholar(2)];
        for one in &history.scholars {
            let event = Event::Scholar {
                file: one.file,
                games: one.games,
                positions: one.positions,
                micronats: one.micronats,
            };
            let challenge = one.challenge.map(|result| Event::Challenge {
                scholar: one.file,
                result,
            });
            for (later, event) in std::iter::once(event).chain(challenge).enumerate() {
                history.events.push(NotedEvent {
                    number: one.at << 20,
                    matches: one.at + 100 * later as u64,
                    event,
                });
            }
        }
        history.events.push(NotedEvent {
            number: 50_000 << 20,
            matches: 50_000,
            event: Event::Extended {
                champion: FileId(1002),
                budget: 150_000,
                keys: vec![String::from("evolution.budget: 100000 -> 150000")],
            },
        });
        history
    }

    #[test]
    fn columns_follow_the_phases() {
        assert_eq!(sample_history(1, 1).columns().len(), TABLE.len());
        let names: Vec<String> = sample_history(1, 2)
            .columns()
            .iter()
            .map(|c| c.name())
            .collect();
        assert!(names.contains(&String::from("euler_endgame")));
        assert!(!names.contains(&String::from("spread_power_endgame")));
        let history = sample_history(1, 1);
        let power = history.column(5, false);
        assert_eq!(power.value_in(&[0.0, 0.0, 0.0, 0.0, 0.0, 5.0]), Some(1.25));
        assert_eq!(power.value_in(&[0.0]), None);
    }
}
