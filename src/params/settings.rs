//! The values of `params.toml` once checked, a struct for each group other
//! than `[rules]`. Plain data: the ranges, meanings and names are in the table
//! of keys.

use serde::{Deserialize, Serialize};

use crate::eval::genes::{self, Family, GENES, Role, TABLE};
use crate::search::Algorithm;

/// `[genome]`: what may evolve, and within which bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenomeParams {
    /// 1: a weight is the same throughout the game; 2: it has an opening and
    /// an endgame value.
    pub phases: u32,
    /// Whether the scale of all weights together, a free direction, is fixed.
    pub normalise: bool,
    /// Whether players may use each family of [`Family::ALL`]. The bounds of
    /// the genes say the same, so the evolution does not read this.
    pub features: [bool; Family::ALL.len()],
    /// The least and the most of each gene, in parts of its grid, within the
    /// gene's own range; the same number twice takes the gene out of the
    /// evolution. The weights of a family that is left out have 0 twice, its
    /// shapes their default.
    pub bounds: [[i32; 2]; GENES],
}

/// `[player]`: the search that plays the games of the evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerParams {
    /// The algorithm of both sides.
    pub search: Algorithm,
    /// The depth limit in plies; 0 where only `nodes` limits.
    pub depth: u32,
    /// The limit of positions for one move; 0 where only `depth` limits.
    pub nodes: u64,
    /// The size of each player's transposition table in KiB.
    pub table_kib: u32,
}

/// `[openings]`: how the first positions of games are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningParams {
    /// The number of random plies.
    pub plies: u32,
    /// The largest value of the position, for either side, that is not
    /// lopsided, in units of the evaluation.
    pub bound: i32,
}

/// `[evolution]`: the numbers of the selection rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvolutionParams {
    /// The number of games of the whole run, the final's included.
    pub budget: u64,
    /// The number of files at the start, and the most that live at once.
    pub population: u32,
    /// The number of games before a file can breed or be deleted.
    pub maturity: u32,
    /// The points below which a mature file is deleted.
    pub min_points: f64,
    /// The points above which a mature file breeds, and which a birth costs it.
    pub max_points: f64,
    /// The size of a mutation, as a share of a gene's range.
    pub sigma: f64,
    /// The chance that a birth has two parents.
    pub crossover: f64,
    /// The chance that a gene goes to the side of a parent.
    pub inherit: f64,
    /// The least distance that twins keep at a bound, as a share of the range.
    pub border: f64,
    /// The part of the evolution, from 0 to 1, after which the elder is the
    /// running mean of the consensus.
    pub elder_from: f64,
    /// The part of the evolution, from 0 to 1, after which the capacity shrinks
    /// to one file.
    pub shrink_from: f64,
    /// With fewer files than this, and none about to be born, the consensus
    /// doubles for free.
    pub refill_below: u32,
    /// How far a twin match moves the consensus by itself; 0 for not at all.
    pub vote: f64,
}

/// `[final]`: how the champion is found and proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinalParams {
    /// The final's part of the budget, from 0 to 0.9.
    pub share: f64,
    /// The standard errors by which the last file must lead the elder to take
    /// the title.
    pub errors: f64,
    /// The number of games against each opponent of the certificate; even.
    pub certificate_games: u64,
    /// The number of games of each file of the hall of fame against the default
    /// weights; even.
    pub hall_games: u64,
}

/// `[run]`: how the work is done. Only `seed` and `window` change its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunParams {
    /// The seed of every stream of random numbers.
    pub seed: u64,
    /// The number of games at the same time; 0 for one a core.
    pub threads: u32,
    /// The number of matches that are drawn before the oldest of them is
    /// applied.
    pub window: u32,
    /// The number of matches between two copies of the whole state in the
    /// store.
    pub checkpoint: u32,
}

/// `[http]`: the page of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpParams {
    /// Whether the run serves its page.
    pub enabled: bool,
    /// The address and the port on which it is served, as `IP:PORT`.
    pub address: String,
}

impl Default for GenomeParams {
    fn default() -> GenomeParams {
        GenomeParams {
            phases: 1,
            normalise: true,
            features: [true; Family::ALL.len()],
            bounds: genes::bounds(),
        }
    }
}

impl Default for PlayerParams {
    fn default() -> PlayerParams {
        PlayerParams {
            search: Algorithm::Mtdf,
            depth: 3,
            nodes: 0,
            table_kib: 256,
        }
    }
}

impl Default for OpeningParams {
    fn default() -> OpeningParams {
        OpeningParams {
            plies: 4,
            bound: 30,
        }
    }
}

impl Default for EvolutionParams {
    fn default() -> EvolutionParams {
        EvolutionParams {
            budget: 150_000,
            population: 32,
            maturity: 2,
            min_points: -0.3,
            max_points: 0.3,
            sigma: 0.2,
            crossover: 0.8,
            inherit: 0.5,
            border: 0.15,
            elder_from: 0.25,
            shrink_from: 0.95,
            refill_below: 4,
            vote: 0.0,
        }
    }
}

impl Default for FinalParams {
    fn default() -> FinalParams {
        FinalParams {
            share: 0.05,
            errors: 2.0,
            certificate_games: 1000,
            hall_games: 200,
        }
    }
}

impl Default for RunParams {
    fn default() -> RunParams {
        RunParams {
            seed: 1,
            threads: 0,
            window: 8,
            checkpoint: 1000,
        }
    }
}

impl Default for HttpParams {
    fn default() -> HttpParams {
        HttpParams {
            enabled: true,
            address: String::from("127.0.0.1:8420"),
        }
    }
}

impl GenomeParams {
    /// Fixes the genes of the families that are left out.
    pub fn leave_out_features(&mut self) {
        for (gene, bounds) in TABLE.iter().zip(&mut self.bounds) {
            if !self.features[gene.family as usize] {
                let value = match gene.role {
                    Role::Weight => 0,
                    Role::Shape => gene.default,
                };
                *bounds = [value; 2];
            }
        }
    }
}

impl RunParams {
    /// The number of threads to start: `threads`, or one a core.
    pub fn thread_count(&self) -> usize {
        if self.threads == 0 {
            std::thread::available_parallelism().map_or(1, usize::from)
        } else {
            self.threads as usize
        }
    }
}
