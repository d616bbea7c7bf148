//! The values of `params.toml` once checked, a struct for each group other
//! than `[rules]`. Plain data: the ranges, meanings and names are in the table
//! of keys.

use serde::{Deserialize, Serialize};

use super::ChosenGene;
use crate::eval::genes::{self, Family, GENES, Role, TABLE};
use crate::genome::{GeneTable, GenomeSpec};
use crate::search::{Algorithm, SearchSetup};

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
    /// The command of another program whose options are the genes; empty where
    /// the evaluation of this program is tuned.
    pub engine: String,
    /// The options of that program that are genes, as `[genes]` has them; all of
    /// them where it is empty. A population that was begun with another program
    /// has every gene with all of its numbers here.
    pub genes: Vec<ChosenGene>,
    /// Genes that a stored population does not have, because it was begun before
    /// they were. Nothing is said about them, and their bounds keep them out.
    pub is_absent: [bool; GENES],
    /// The least and the most of genes that only another version of the program
    /// has, as a stored population says; each in the values of its gene.
    pub other_bounds: Vec<(String, [i32; 2])>,
}

/// `[engine]`: how the program of `genome.engine` is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineParams {
    /// The time for a move in milliseconds; 0 where depth and nodes limit alone.
    pub movetime: u32,
    /// Whether its games need not be the same when they are played again.
    pub nondeterministic: bool,
    /// What a game counts in which it failed twice.
    pub fault: FaultRule,
    /// The number of seconds without a move after which it hangs, where it has no
    /// time for a move.
    pub timeout: u32,
}

/// What a game counts in which a program failed when it was played, and again
/// when it was played once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultRule {
    /// The side that failed has lost.
    Loss,
    /// Neither side has won.
    Draw,
    /// Nothing: the run stops.
    Stop,
}

impl FaultRule {
    /// Every rule, in the order of their names.
    pub const ALL: [FaultRule; 3] = [FaultRule::Loss, FaultRule::Draw, FaultRule::Stop];

    /// The names in `params.toml`.
    pub const NAMES: [&'static str; 3] = ["loss", "draw", "stop"];
}

/// `[player]`: the search that plays the games of the evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerParams {
    /// The search of both sides, with its options.
    pub search: SearchSetup,
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
    /// The size of a mutation at the start, as a share of a gene's range.
    pub sigma: f64,
    /// The size of a mutation at the end of the evolution, to which it falls
    /// geometrically; 0, or more than `sigma`, where it stays what it is at the
    /// start.
    pub sigma_end: f64,
    /// How far a mutation of a weight follows the weight's own size, from 0,
    /// where it is a share of the range alone, to 1, where it is a share of
    /// twice the weight alone.
    pub relative: f64,
    /// The chance that a birth has two parents.
    pub crossover: f64,
    /// The chance that a gene goes to the side of a parent.
    pub inherit: f64,
    /// The least distance that twins keep at a bound, as a share of the range.
    pub border: f64,
    /// The part of the evolution, from 0 to 1, after which the elder is the
    /// running mean of the consensus.
    pub elder_from: f64,
    /// The number of births after which a file does not count in the consensus
    /// any more; 0 where it counts as long as it lives.
    pub memory: u32,
    /// The part of the evolution, from 0 to 1, after which the capacity shrinks
    /// to one file.
    pub shrink_from: f64,
    /// With fewer files than this, and none about to be born, the consensus
    /// doubles for free.
    pub refill_below: u32,
    /// How far a twin match moves the consensus by itself; 0 for not at all.
    pub vote: f64,
}

/// `[school]`: what is learned from the positions of the run's games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchoolParams {
    /// Whether there are lessons at all.
    pub enabled: bool,
    /// The number of games after which the first lesson is due.
    pub first: u64,
    /// The most games that a lesson learns from, the most recent ones.
    pub games: u32,
    /// The number of positions at the end of a game that are left out.
    pub skip_last: u32,
    /// Whether positions in which a capture was played are left out.
    pub quiet: bool,
    /// The most matches of a scholar against the consensus.
    pub challenge: u32,
    /// The standard errors by which a scholar must lead for the consensus to
    /// move to it.
    pub errors: f64,
    /// The largest mutation around a scholar, as a share of a gene's range.
    pub sigma: f64,
}

/// `[final]`: how the champion is found and proved.
#[derive(Clone, Debug, PartialEq)]
pub struct FinalParams {
    /// The final's part of the budget, from 0 to 0.9.
    pub share: f64,
    /// The standard errors by which the last file must lead the elder to take
    /// the title.
    pub errors: f64,
    /// The number of games against each opponent of the certificate; even.
    pub certificate_games: u64,
    /// The weights that the hall of fame and the champion are measured against.
    pub reference: Reference,
    /// The number of games of each file of the hall of fame against the
    /// reference; even.
    pub hall_games: u64,
    /// Players of other kinds that the champion is measured against, as
    /// [`crate::arena::panel`] reads them; only their form is checked here.
    pub panel: Vec<String>,
    /// The number of games against each player of the panel; even.
    pub panel_games: u64,
}

/// The weights that the strength of a population is measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The built-in learned weights.
    Default,
    /// The hand-written weights.
    Source,
    /// The hand-written weights, under the name that they had while there were no
    /// learned ones: `default`. Populations that were begun then have no such key.
    SourceAsDefault,
}

impl Reference {
    /// What may be chosen for a new population.
    pub const CHOICES: [Reference; 2] = [Reference::Default, Reference::Source];

    /// The names of [`Reference::CHOICES`] in `params.toml`.
    pub const NAMES: [&'static str; 2] = ["default", "source"];

    /// The name in `params.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Reference::Default => "default",
            Reference::Source | Reference::SourceAsDefault => "source",
        }
    }
}

impl FinalParams {
    /// What the players of a panel are, to follow "a list of".
    pub const PANEL_FORM: &'static str = "players, each with a limit by depth, nodes or \
        simulations, such as \"default@selective:n2000\" or \"champion@mcts:s500\"";

    /// Whether a text has the form of a player with a limit: one line, of which a
    /// certificate can make a name, with something before and behind its `@`.
    pub fn is_panel_member(text: &str) -> bool {
        const LONGEST: usize = 200;
        let is_line = text.chars().count() <= LONGEST
            && !text.contains(|c: char| c.is_control() || c == ';')
            && text.trim() == text;
        let parts = text.rsplit_once('@');
        let limit = parts.and_then(|(name, search)| {
            let (search, limit) = search.split_once(':')?;
            (!name.is_empty() && !search.is_empty()).then_some(limit)
        });
        is_line && limit.is_some_and(|limit| !limit.is_empty())
    }
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

/// `[fleet]`: how far the workers of a fleet are trusted, and for how long they
/// are waited for. None of it changes a run's result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FleetParams {
    /// The share of a trusted worker's matches that is played again, from 0 to 1.
    pub check: f64,
    /// The number of a new worker's first matches that are all played again.
    pub probation: u32,
    /// The number of seconds without a sign of a match after which it is
    /// published again.
    pub timeout: u32,
}

/// `[http]`: the page of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpParams {
    /// Whether the run serves its page.
    pub enabled: bool,
    /// The address and the port on which it is served, as `IP:PORT`.
    pub address: String,
    /// Names, beside `localhost`, by which users reach it.
    pub hosts: Vec<String>,
}

impl HttpParams {
    /// The form of a name in `hosts`, in words.
    pub const HOST_FORM: &'static str = "host names without a port, such as \"loa.example.org\"";

    /// Whether a text is the name of a host: letters, digits, dashes and points.
    pub fn is_host_name(text: &str) -> bool {
        let is_label = |label: &str| {
            let mut bytes = label.bytes();
            !label.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        text.len() <= 253 && text.split('.').all(is_label)
    }
}

impl Default for GenomeParams {
    fn default() -> GenomeParams {
        GenomeParams {
            phases: 2,
            normalise: true,
            features: [true; Family::ALL.len()],
            bounds: genes::bounds(),
            engine: String::new(),
            genes: Vec::new(),
            is_absent: [false; GENES],
            other_bounds: Vec::new(),
        }
    }
}

impl Default for EngineParams {
    fn default() -> EngineParams {
        EngineParams {
            movetime: 0,
            nondeterministic: false,
            fault: FaultRule::Loss,
            timeout: 60,
        }
    }
}

impl Default for PlayerParams {
    fn default() -> PlayerParams {
        PlayerParams {
            search: SearchSetup::new(Algorithm::Mtdf),
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
            sigma_end: 0.03,
            relative: 0.5,
            crossover: 0.8,
            inherit: 0.5,
            border: 0.15,
            elder_from: 0.5,
            memory: 256,
            shrink_from: 0.95,
            refill_below: 4,
            vote: 0.0,
        }
    }
}

impl SchoolParams {
    /// The most that `games` may be.
    pub const MAX_GAMES: u32 = 100_000;
}

impl Default for SchoolParams {
    fn default() -> SchoolParams {
        SchoolParams {
            enabled: true,
            first: 500,
            games: 8000,
            skip_last: 2,
            quiet: false,
            challenge: 100,
            errors: 0.0,
            sigma: 0.08,
        }
    }
}

impl Default for FinalParams {
    fn default() -> FinalParams {
        FinalParams {
            share: 0.05,
            errors: 2.0,
            certificate_games: 1000,
            reference: Reference::Default,
            hall_games: 200,
            panel: Vec::new(),
            panel_games: 200,
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

impl Default for FleetParams {
    fn default() -> FleetParams {
        FleetParams {
            check: 0.02,
            probation: 8,
            timeout: 60,
        }
    }
}

impl Default for HttpParams {
    fn default() -> HttpParams {
        HttpParams {
            enabled: true,
            address: String::from("127.0.0.1:8420"),
            hosts: Vec::new(),
        }
    }
}

impl GenomeParams {
    /// What an evolution of these genes may choose. A gene that the parameters
    /// say nothing about may have every value of its range, and so may one of
    /// another program, whatever it is called.
    pub fn spec(&self, table: &GeneTable) -> GenomeSpec {
        // Populations that do not name the genes of their program were begun when
        // the bounds of a gene of the same name counted.
        let is_foreign = !self.genes.is_empty();
        let bounds = |name: &str| {
            if is_foreign {
                return None;
            }
            let own = genes::place_of(name).map(|n| self.bounds[n]);
            let other = || self.other_bounds.iter().find(|(other, _)| other == name);
            own.or_else(|| other().map(|(_, bounds)| *bounds))
        };
        let genes = table.iter();
        GenomeSpec {
            bounds: genes
                .map(|gene| bounds(&gene.name).unwrap_or(gene.range))
                .collect(),
            table: table.clone(),
            phases: self.phases,
            normalise: self.normalise,
        }
    }

    /// Fixes the genes of the families that are left out, and those that the
    /// population does not have.
    pub fn leave_out_features(&mut self) {
        for (n, gene) in TABLE.iter().enumerate() {
            if self.is_absent[n] || !self.features[gene.family as usize] {
                let value = match gene.role {
                    Role::Weight => 0,
                    Role::Shape => gene.default,
                };
                self.bounds[n] = [value; 2];
            }
        }
    }

    /// Notes which genes of this program a table does not have.
    pub(super) fn leave_out_absent(&mut self, table: &GeneTable) {
        self.is_absent = std::array::from_fn(|n| table.position(TABLE[n].name).is_none());
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
