//! What a page shows of a population beside its files and matches: the genes of
//! all that live, the parameters, and the speed so far.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schema::FamilyName;
use crate::eval::genes::TABLE;
use crate::evolve::{FileId, Individual};
use crate::genome::GeneTable;
use crate::params::{Params, keys};

/// The genes of all files that live.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Living)]
pub struct LivingView {
    /// The genes, in the order of the files' values.
    pub genes: Vec<GeneBounds>,
    /// The files, in the order of their numbers.
    pub files: Vec<LivingFile>,
}

/// A gene and the values that it may have, in its own unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GeneBounds {
    /// The gene's name.
    pub name: String,
    /// The family of its feature.
    #[schema(value_type = FamilyName)]
    pub family: String,
    /// What the gene means, in one sentence.
    pub meaning: String,
    /// The least value that is allowed.
    pub min: f64,
    /// The greatest value that is allowed.
    pub max: f64,
    /// The gene's default, its value in the source weights.
    pub default: f64,
}

/// A file that lives, with its genes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LivingFile {
    /// The file's number.
    pub file: FileId,
    /// Its points under the selection rule.
    pub points: f64,
    /// Games that counted for its points.
    pub games: u64,
    /// Its genes at the start of a game, in their own units.
    pub values: Vec<f64>,
}

/// The parameters of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Params)]
pub struct ParamsView {
    /// Every key, in the order of `params.toml`.
    pub params: Vec<ParamView>,
}

/// A key of `params.toml` and its value in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Param)]
pub struct ParamView {
    /// Group and name: `player.depth`.
    pub key: String,
    /// Its value, as `params.toml` has it.
    pub value: String,
    /// The default, as `params.toml` has it.
    pub default: String,
    /// What the key means, in a sentence.
    pub meaning: String,
    /// Whether the result of a run depends on it.
    pub affects_result: bool,
}

/// How fast games were played since the process began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Speed)]
pub struct SpeedView {
    /// The speed from time to time, the oldest first; empty where no process
    /// works on the population.
    pub samples: Vec<SpeedSample>,
}

/// The speed at one time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeedSample {
    /// Seconds since the process began to play.
    pub seconds: f64,
    /// Games that the run had played by then, those of the hall and of the
    /// proof left out.
    pub games: u64,
    /// Games a second.
    pub games_per_second: f64,
}

impl LivingView {
    /// The genes of these individuals.
    pub fn new(table: &GeneTable, individuals: &[Individual]) -> LivingView {
        let genes = table.iter().map(|gene| {
            let own = TABLE.iter().find(|own| own.name == gene.name);
            let number = |value: i32| gene.number(f64::from(value));
            GeneBounds {
                name: gene.name.clone(),
                family: own.map_or("other", |own| own.family.name()).to_owned(),
                meaning: own.map_or("", |own| own.meaning).to_owned(),
                min: number(gene.range[0]),
                max: number(gene.range[1]),
                default: number(gene.default),
            }
        });
        let values = |one: &Individual| {
            let pairs = table.iter().zip(&one.weights.opening);
            let numbers = pairs.map(|(gene, &value)| gene.number(f64::from(value)));
            numbers.collect()
        };
        let file = |one: &Individual| LivingFile {
            file: one.id,
            points: one.totals.points,
            games: one.totals.games,
            values: values(one),
        };
        let mut files: Vec<LivingFile> = individuals.iter().map(file).collect();
        files.sort_by_key(|one| one.file);
        LivingView {
            genes: genes.collect(),
            files,
        }
    }
}

impl ParamsView {
    /// Every key and its value in `params`.
    pub fn new(params: &Params) -> ParamsView {
        let view = |key: &crate::params::Key| ParamView {
            key: key.path(),
            value: key.text(params),
            default: key.default_text(),
            meaning: key.doc.to_owned(),
            affects_result: key.affects_result,
        };
        ParamsView {
            params: keys().map(view).collect(),
        }
    }
}
