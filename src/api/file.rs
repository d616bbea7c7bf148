//! A weight file of a population: `/api/files` and `/api/files/{id}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::schema::FamilyName;
use crate::eval::genes::TABLE;
use crate::evolve::{Birth, Cause, FileId, Origin, Totals};
use crate::genome::{BuiltIn, GeneTable, Genome};
use crate::weights::WeightFile;

/// A page of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Files)]
pub struct FilesView {
    /// The files in the order of their numbers.
    pub files: Vec<FileRow>,
    /// The number of the file that comes next in the order; null after the
    /// last one.
    pub next: Option<FileId>,
    /// How many files fit the query, those that are not listed included.
    pub total: u64,
}

/// A file in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FileRow {
    /// The file's number.
    pub file: FileId,
    /// The name of the weights that were imported; null for all other files.
    pub name: Option<String>,
    /// How it came into the population.
    pub origin: Origin,
    /// The files that it was bred from: none, one or two.
    #[schema(max_items = 2)]
    pub parents: Vec<FileId>,
    /// The other one of the twins; null where it was born alone.
    pub twin: Option<FileId>,
    /// Matches applied before it was born.
    pub at: u64,
    /// Whether it lives in the population.
    pub alive: bool,
    /// When and why it left the population; null while it lives, and for an
    /// elder.
    pub death: Option<DeathView>,
    /// Its points under the selection rule.
    pub points: f64,
    /// Games that counted for its points.
    pub games: u64,
    /// Twins that were bred from it.
    pub children: u64,
}

/// When and why a file left the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Death)]
pub struct DeathView {
    /// Matches applied before it left.
    pub at: u64,
    /// The rule that removed it.
    pub cause: Cause,
}

/// Everything about a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = File)]
pub struct FileView {
    /// What a list shows of it.
    #[serde(flatten)]
    pub row: FileRow,
    /// The files bred from it, as far as they are known, the oldest first.
    pub offspring: Vec<FileId>,
    /// Every gene: its value in this file, by default and in the population.
    pub genes: Vec<GeneView>,
    /// The weight file, as `loatune export` writes it.
    #[schema(value_type = WeightsView)]
    pub weights: Value,
    /// The numbers of its newest matches, the newest first.
    pub matches: Vec<u64>,
}

/// A gene of a file, in the gene's own unit as weight files have it, not in
/// units of its grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Gene)]
pub struct GeneView {
    /// The gene's name.
    pub name: String,
    /// The family of its feature.
    #[schema(value_type = FamilyName)]
    pub family: String,
    /// What the gene means, in one sentence.
    pub meaning: String,
    /// Whether it shapes a feature rather than weighs it.
    pub shape: bool,
    /// Its value at the start of a game.
    pub opening: f64,
    /// Its value at the end of a game; the same where there is one phase.
    pub endgame: f64,
    /// The gene's default, its value in the source weights.
    pub default: f64,
    /// The least value that is allowed.
    pub min: f64,
    /// The greatest value that is allowed.
    pub max: f64,
    /// The opening values of the living files; null where none lives.
    pub population: Option<GeneRange>,
}

/// The range of a gene's values in several files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GeneRange {
    /// The least value.
    pub least: f64,
    /// The mean value.
    pub mean: f64,
    /// The greatest value.
    pub most: f64,
}

// `WeightFile::to_json` writes this form; the type only describes it.
/// A weight file.
#[derive(ToSchema)]
#[schema(as = Weights)]
pub struct WeightsView {
    /// What the file is.
    pub loatune: WeightsHeader,
    /// The weights by the name of their gene, at the start of a game.
    pub weights: BTreeMap<String, f64>,
    /// The weights by the name of their gene, at the end of a game. Left out
    /// where there is one phase.
    #[schema(nullable = false)]
    pub endgame: Option<BTreeMap<String, f64>>,
    /// The champion's certificate: how strong it is, and how that was measured.
    /// Left out where there is none.
    #[schema(value_type = Option<Object>, nullable = false)]
    pub certificate: Option<Value>,
}

/// The table `loatune` of a weight file.
#[derive(ToSchema)]
pub struct WeightsHeader {
    /// The version of the format.
    #[schema(minimum = 1, maximum = 2)]
    pub format: u32,
    /// The name of the weights.
    pub name: String,
    /// How the weights came about.
    pub origin: String,
    /// The version of the program that wrote the file; only in format 2.
    #[schema(nullable = false)]
    pub version: Option<String>,
    /// The genes that the file knows; only in format 2.
    #[schema(nullable = false)]
    pub genes: Option<Vec<String>>,
}

impl FileRow {
    /// A row from the file's birth and what the file has done since.
    pub fn new(birth: &Birth, totals: &Totals) -> FileRow {
        FileRow {
            file: birth.file,
            name: None,
            origin: birth.origin,
            parents: birth.parents.clone(),
            twin: birth.twin,
            at: birth.at,
            alive: totals.death.is_none() && birth.origin.lives(),
            death: totals.death.map(|(at, cause)| DeathView { at, cause }),
            points: totals.points,
            games: totals.games,
            children: totals.children,
        }
    }
}

impl FileView {
    /// A view from the file's birth and what the file has done since. `name` is
    /// the name of its weight file, `genes` those of the population, `living` the
    /// genomes of the population now.
    pub fn new(
        birth: &Birth,
        totals: &Totals,
        name: &str,
        genes: &GeneTable,
        living: &[Genome],
        offspring: Vec<FileId>,
        matches: Vec<u64>,
    ) -> FileView {
        let file = BuiltIn::new(genes).ok().map(|known| WeightFile {
            name: name.to_owned(),
            origin: origin_name(birth.origin).to_owned(),
            weights: known.weights(&birth.weights),
            certificate: None,
        });
        FileView {
            row: FileRow::new(birth, totals),
            offspring,
            genes: GeneView::all(genes, &birth.weights, living),
            weights: file.map_or(Value::Null, |file| file.to_json()),
            matches,
        }
    }
}

impl GeneView {
    /// Every gene of a genome, in the order of the gene table, beside the
    /// `living` files' values.
    pub fn all(genes: &GeneTable, genome: &Genome, living: &[Genome]) -> Vec<GeneView> {
        let rows = genes.iter().enumerate();
        rows.map(|(n, gene)| {
            let own = TABLE.iter().find(|own| own.name == gene.name);
            let number = |value: i32| gene.number(f64::from(value));
            let values = living.iter().map(|file| number(file.opening[n]));
            GeneView {
                name: gene.name.clone(),
                family: own.map_or("other", |own| own.family.name()).to_owned(),
                meaning: own.map_or("", |own| own.meaning).to_owned(),
                shape: !gene.shares_scale,
                opening: number(genome.opening[n]),
                endgame: number(genome.endgame[n]),
                default: number(gene.default),
                min: number(gene.range[0]),
                max: number(gene.range[1]),
                population: GeneRange::from_values(values),
            }
        })
        .collect()
    }
}

impl GeneRange {
    /// The range of some values; `None` where there are none.
    pub fn from_values(values: impl Iterator<Item = f64>) -> Option<GeneRange> {
        let (mut count, mut sum) = (0.0, 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            count += 1.0;
            sum += value;
            least = least.min(value);
            most = most.max(value);
        }
        (count > 0.0).then(|| GeneRange {
            least,
            mean: sum / count,
            most,
        })
    }
}

/// The name of a file's origin in every output.
pub const fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Founder => "founder",
        Origin::Seeded => "seeded",
        Origin::Crossover => "crossover",
        Origin::Doubling => "doubling",
        Origin::Refill => "refill",
        Origin::Immigrant => "immigrant",
        Origin::Elder => "elder",
        Origin::Scholar => "scholar",
        Origin::Consensus => "consensus",
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
            weights: Genome::default(),
        }
    }

    #[test]
    fn an_elder_neither_lives_nor_dies() {
        let row = |origin| FileRow::new(&birth(origin), &Totals::default());
        assert!(row(Origin::Crossover).alive);
        assert!(!row(Origin::Elder).alive);
        let dead = Totals {
            death: Some((90, Cause::Capacity)),
            ..Totals::default()
        };
        let row = FileRow::new(&birth(Origin::Founder), &dead);
        assert!(!row.alive);
        let text = serde_json::to_value(&row).unwrap();
        assert_eq!(text["death"]["cause"], "capacity");
    }

    #[test]
    fn genes_are_in_their_own_units() {
        let table = GeneTable::first();
        let mut other = Genome::default();
        other.opening[1] = 8;
        let genes = GeneView::all(
            &table,
            &Genome::default(),
            &[Genome::default(), other.clone()],
        );
        assert_eq!(genes.len(), table.len());
        // The hole penalty counts in quarters.
        assert_eq!(genes[1].opening, 1.0);
        let range = genes[1].population.unwrap();
        assert_eq!((range.least, range.mean, range.most), (1.0, 1.5, 2.0));
        assert!(GeneView::all(&table, &other, &[])[0].population.is_none());
    }
}
