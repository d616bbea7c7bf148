//! The panel of a proof: players of other kinds than the run's own, which only
//! the champion meets. The champion plays as it did in the run (`[player]`), with
//! the table of the run on both sides; the opponent has the search and the limit
//! of its text.

use std::path::Path;

use crate::arena::PlayerSpec;
use crate::arena::panel::{PanelError, member, search_of, with_weights};
use crate::arena::spec::PlayerKind;
use crate::eval::Weights;
use crate::genome::{BuiltIn, Genome, UnknownGenes};
use crate::search::EngineVersion;
use crate::store::{MeasuredPair, Population, Purpose};
use crate::weights::{Conditions, ProofMatch};

/// A player of a panel.
#[derive(Clone, Debug)]
pub struct PanelMember {
    /// Who it is; its text is its name.
    pub(super) spec: PlayerSpec,
    /// Its weights as genes of the population.
    pub(super) genome: Genome,
}

/// Why a population cannot have its panel.
#[derive(Debug, thiserror::Error)]
pub enum UnusableMember {
    /// It is no player that could sit there.
    #[error("final.panel: {0}")]
    Player(#[from] PanelError),
    /// The population's genes cannot hold its weights.
    #[error(
        "final.panel: {0:?} uses genes that this population does not have, so its games could not \
         be saved; measure it by `loatune gauntlet`"
    )]
    Genes(String),
    /// This program does not have the genes of the population.
    #[error(transparent)]
    UnknownGenes(#[from] UnknownGenes),
}

/// The panel of a population. Weights are looked up in `here`, but those of a
/// match that has begun stay what they were: a published champion may have
/// become another one since.
///
/// # Errors
/// A player cannot sit on the panel.
pub fn panel_members(
    population: &Population,
    here: &Path,
) -> Result<Vec<PanelMember>, UnusableMember> {
    let texts = &population.params().final_stage.panel;
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let genes = BuiltIn::new(&population.plan().genome.table)?;
    let champion = population.state().champion().map(|champion| champion.file);
    let found = texts.iter().map(|text| {
        let measurements = population.measurements();
        let begun = champion.and_then(|file| measurements.panel_weights(file, text));
        if let Some(genome) = begun {
            let spec = with_weights(text, search_of(text), &genes.weights(genome))?;
            let genome = genome.clone();
            return Ok(PanelMember { spec, genome });
        }
        let spec = member(text, here)?;
        let genome = match &spec.kind {
            PlayerKind::Builtin { weights, .. } => genes.genome(weights),
            PlayerKind::External { .. } => None,
        };
        let genome = genome.ok_or_else(|| UnusableMember::Genes(text.clone()))?;
        Ok(PanelMember { spec, genome })
    });
    found.collect()
}

impl PanelMember {
    /// What its match is played for.
    pub(super) fn purpose(&self) -> Purpose {
        let engine = present_engine(&self.spec.text);
        Purpose::Panel { engine }
    }
}

/// A player of a panel with the memory of the run's own player. New matches are
/// played by the present version of its engine, whichever version the run has:
/// its signature is recorded beside it.
pub(in crate::run) fn panel_player(
    spec: &PlayerSpec,
    conditions: &Conditions,
    version: EngineVersion,
) -> PlayerSpec {
    PlayerSpec {
        table_kib: conditions.player.table_kib,
        version,
        ..spec.clone()
    }
}

/// The opponent of a certificate's match where it is of another kind.
pub(super) fn certified_player(
    claimed: &ProofMatch,
    conditions: &Conditions,
) -> Result<Option<PlayerSpec>, PanelError> {
    let Some(player) = &claimed.player else {
        return Ok(None);
    };
    let spec = with_weights(&claimed.opponent, &player.search, &claimed.weights)?;
    let version = known_version(&spec, player.engine).unwrap_or_default();
    Ok(Some(panel_player(&spec, conditions, version)))
}

/// Whether this program plays as the opponent of a certificate's match did, where
/// it is of another kind.
pub fn knows_opponent(claimed: &ProofMatch) -> bool {
    claimed.player.as_ref().is_none_or(|player| {
        let spec = with_weights(&claimed.opponent, &player.search, &claimed.weights);
        spec.is_ok_and(|spec| known_version(&spec, player.engine).is_some())
    })
}

/// The version of the engine with this signature, by which a player of a panel
/// played.
fn known_version(spec: &PlayerSpec, engine: u64) -> Option<EngineVersion> {
    EngineVersion::from_signature(spec.algorithm()?, engine)
}

/// The opponent of a pair of the panel, as the journal has it, with the weights
/// that its genes stand for; `None` where this program does not know the engine
/// that played.
pub(in crate::run) fn player_in_journal(
    pair: &MeasuredPair,
    engine: u64,
    weights: &Weights,
    conditions: &Conditions,
) -> Result<Option<PlayerSpec>, PanelError> {
    let spec = with_weights(&pair.opponent, search_of(&pair.opponent), weights)?;
    let version = known_version(&spec, engine);
    Ok(version.map(|version| panel_player(&spec, conditions, version)))
}

/// The signature of this program's engine where a player of a panel with this
/// text plays; 0 where the text is none.
pub(in crate::run) fn present_engine(text: &str) -> u64 {
    let spec = with_weights(text, search_of(text), &Weights::source()).ok();
    let search = spec.and_then(|spec| spec.algorithm());
    search.map_or(0, EngineVersion::present_signature)
}
