//! A weight file of a population: `/api/files` and `/api/files/{id}`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::eval::Weights;
use crate::eval::genes::{Family, Role, TABLE};
use crate::evolve::{Birth, Cause, FileId, Origin, Totals};
use crate::weights::WeightFile;

/// A page of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilesView {
    /// In the order of their numbers.
    pub files: Vec<FileRow>,
    /// The number to go on from; `None` after the last file.
    pub next: Option<FileId>,
}

/// A file in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRow {
    /// Its number.
    pub file: FileId,
    /// Where it comes from.
    pub origin: Origin,
    /// None, one or two.
    pub parents: Vec<FileId>,
    /// The other one of the twins.
    pub twin: Option<FileId>,
    /// Matches applied before it was born.
    pub at: u64,
    /// Whether it lives in the population.
    pub alive: bool,
    /// When and why it left; `None` while it lives, and for an elder.
    pub death: Option<DeathView>,
    /// Points of the selection rule.
    pub points: f64,
    /// Games that counted.
    pub games: u64,
    /// How many twins it brought into the world.
    pub children: u64,
}

/// The end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeathView {
    /// Matches applied before.
    pub at: u64,
    /// Why.
    pub cause: Cause,
}

/// All about a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileView {
    /// What a list says of it.
    #[serde(flatten)]
    pub row: FileRow,
    /// Its children, as far as they are known; the oldest first.
    pub offspring: Vec<FileId>,
    /// Every gene: its value here, by default and in the population.
    pub genes: Vec<GeneView>,
    /// The weight file, as `loatune export` writes it.
    pub weights: Value,
    /// The numbers of its newest matches, the newest first.
    pub matches: Vec<u64>,
}

/// A gene of a file. Numbers are as people write them, not in grid units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneView {
    /// Its name.
    pub name: String,
    /// Its feature family: `connection`, `quads`, `centre-of-mass`,
    /// `capturable` or `mobility`.
    pub family: String,
    /// One sentence for people.
    pub meaning: String,
    /// Whether it shapes a feature rather than weighs it.
    pub shape: bool,
    /// Its value at the start of a game.
    pub opening: f64,
    /// At the end; the same where there is one phase.
    pub endgame: f64,
    /// What the default weights have.
    pub default: f64,
    /// The least that is allowed.
    pub min: f64,
    /// The most that is allowed.
    pub max: f64,
    /// What the living files have at the start of a game; `None` where none
    /// lives.
    pub population: Option<Range>,
}

/// What several files have of a gene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The least.
    pub least: f64,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub most: f64,
}

impl FileRow {
    /// A file as it was born, and what it has done since.
    pub fn of(birth: &Birth, totals: &Totals) -> FileRow {
        FileRow {
            file: birth.file,
            origin: birth.origin,
            parents: birth.parents.clone(),
            twin: birth.twin,
            at: birth.at,
            alive: totals.death.is_none() && birth.origin != Origin::Elder,
            death: totals.death.map(|(at, cause)| DeathView { at, cause }),
            points: totals.points,
            games: totals.games,
            children: totals.children,
        }
    }
}

impl FileView {
    /// All about a file; `living` are the weights of the population now,
    /// `name` is what its weight file is called.
    pub fn of(
        birth: &Birth,
        totals: &Totals,
        name: &str,
        living: &[Weights],
        offspring: Vec<FileId>,
        matches: Vec<u64>,
    ) -> FileView {
        let file = WeightFile {
            name: name.to_owned(),
            origin: origin_name(birth.origin).to_owned(),
            weights: birth.weights,
            certificate: None,
        };
        FileView {
            row: FileRow::of(birth, totals),
            offspring,
            genes: GeneView::all(&birth.weights, living),
            weights: file.to_json(),
            matches,
        }
    }
}

impl GeneView {
    /// Every gene of `weights` beside those of the `living`.
    pub fn all(weights: &Weights, living: &[Weights]) -> Vec<GeneView> {
        let rows = TABLE.iter().enumerate();
        rows.map(|(n, gene)| {
            let number = |value: i32| f64::from(value) / f64::from(gene.grid);
            let values = living.iter().map(|file| number(file.opening[n]));
            GeneView {
                name: gene.name.to_owned(),
                family: family_name(gene.family).to_owned(),
                meaning: gene.meaning.to_owned(),
                shape: gene.role == Role::Shape,
                opening: number(weights.opening[n]),
                endgame: number(weights.endgame[n]),
                default: number(gene.default),
                min: number(gene.min),
                max: number(gene.max),
                population: Range::of(values),
            }
        })
        .collect()
    }
}

impl Range {
    /// The range of some numbers; `None` of none.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Range> {
        let (mut count, mut sum) = (0.0, 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            count += 1.0;
            sum += value;
            least = least.min(value);
            most = most.max(value);
        }
        (count > 0.0).then(|| Range {
            least,
            mean: sum / count,
            most,
        })
    }
}

const fn family_name(family: Family) -> &'static str {
    match family {
        Family::Connection => "connection",
        Family::Quads => "quads",
        Family::CentreOfMass => "centre-of-mass",
        Family::Capturable => "capturable",
        Family::Mobility => "mobility",
    }
}

/// Where a file comes from, as every output names it.
pub const fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Founder => "founder",
        Origin::Seeded => "seeded",
        Origin::Crossover => "crossover",
        Origin::Doubling => "doubling",
        Origin::Refill => "refill",
        Origin::Immigrant => "immigrant",
        Origin::Elder => "elder",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn birth(origin: Origin) -> Birth {
        Birth {
            file: FileId(7),
            origin,
            parents: vec![FileId(2), FileId(5)],
            twin: Some(FileId(8)),
            at: 40,
            weights: Weights::default(),
        }
    }

    #[test]
    fn an_elder_neither_lives_nor_dies() {
        let row = |origin| FileRow::of(&birth(origin), &Totals::default());
        assert!(row(Origin::Crossover).alive);
        assert!(!row(Origin::Elder).alive);
        let dead = Totals {
            death: Some((90, Cause::Capacity)),
            ..Totals::default()
        };
        let row = FileRow::of(&birth(Origin::Founder), &dead);
        assert!(!row.alive);
        let text = serde_json::to_value(&row).unwrap();
        assert_eq!(text["death"]["cause"], "capacity");
    }

    #[test]
    fn genes_are_written_as_people_write_them() {
        let mut other = Weights::default();
        other.opening[1] = 8;
        let genes = GeneView::all(&Weights::default(), &[Weights::default(), other]);
        assert_eq!(genes.len(), TABLE.len());
        // The hole penalty counts in quarters.
        assert_eq!(genes[1].opening, 1.0);
        let range = genes[1].population.unwrap();
        assert_eq!((range.least, range.mean, range.most), (1.0, 1.5, 2.0));
        assert!(GeneView::all(&other, &[])[0].population.is_none());
    }
}
