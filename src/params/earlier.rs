//! Parameters that a population was begun with before some of today's keys
//! existed. It keeps the rule that it began with: a key that its stored
//! parameters do not have stands at the value that says what was done then, not
//! at the default of a new population.
//!
//! A key that joins the table and changes what a run does gets a row here. With
//! the value of its row it must do exactly what a program without the key did:
//! the fingerprint leaves such a key out, so that old populations and the
//! certificates of their champions keep theirs.

use super::table::find_key;
use super::{Key, Params, Reference};
use crate::eval::genes::{self, FIRST_GENES, Family};

/// The paths of keys that joined later, with the value that stands for their
/// absence, as a flag gives it.
const ROWS: &[(&str, &str)] = &[
    ("evolution.sigma_end", "0"),
    ("evolution.relative", "0"),
    ("evolution.memory", "0"),
    ("school.enabled", "false"),
];

/// Whether a key has the value that stands for its absence, or belongs to a
/// group that has no effect then.
pub(super) fn is_at_earlier_value(key: &Key, params: &Params) -> bool {
    if key.group == "school" && !params.school.enabled {
        return true;
    }
    if key.has_path("final.reference") {
        return params.final_stage.reference == Reference::SourceAsDefault;
    }
    let mut rows = ROWS.iter();
    let row = rows.find(|(path, _)| key.has_path(path));
    row.is_some_and(|(_, value)| {
        let mut earlier = params.clone();
        let set = key.set_text(&mut earlier, value);
        debug_assert_eq!(set, Ok(()), "{} = {value}", key.path());
        key.text(&earlier) == key.text(params)
    })
}

/// The defaults for parameters that a population keeps: every key that joined
/// later stands for its absence.
pub(super) fn earlier_defaults() -> Params {
    let mut params = Params::default();
    keep_first_genes(&mut params);
    params.final_stage.reference = Reference::SourceAsDefault;
    for (path, value) in ROWS {
        let set = find_key(path).map(|key| key.set_text(&mut params, value));
        debug_assert_eq!(set, Some(Ok(())), "{path} = {value}");
    }
    params
}

/// Lets every gene of the first ones move, and no other, each with one value for the
/// whole game.
fn keep_first_genes(params: &mut Params) {
    let is_first = |family: Family| FIRST_GENES.iter().any(|gene| gene.family == family);
    params.genome.bounds = genes::first_bounds();
    params.genome.features = Family::ALL.map(is_first);
    params.genome.phases = 1;
}

/// For tests of the rule, which go by the genes that never change.
#[cfg(test)]
impl Params {
    /// The defaults, but for the genes, which are the first ones, and the school.
    pub(crate) fn with_first_genes() -> Params {
        let mut params = Params::default();
        keep_first_genes(&mut params);
        params.school.enabled = false;
        params
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::document::FileError;
    use crate::genome::GeneTable;

    /// What the defaults were before the first of the rows joined.
    const FIRST_FINGERPRINT: &str =
        "7c2d3e1daf4f9d2206bdc1d96959e8f0f3617bf90c49f541723d2e1366fda6de";

    /// The parameters of a population of the first genes.
    fn stored(text: &str) -> Result<Params, FileError> {
        Params::parse_recorded(text, "params.toml", &GeneTable::first())
    }

    #[test]
    fn stored_parameters_without_later_keys_keep_their_rule_and_fingerprint() {
        let first = "[evolution]\nsigma = 0.2\nborder = 0.15\nelder_from = 0.25\n";
        let kept = stored(first).unwrap();
        assert_eq!(kept.fingerprint(), FIRST_FINGERPRINT);
        assert_eq!(kept.evolution.sigma_end, 0.0);
        assert_eq!(kept.evolution.memory, 0);
        assert_eq!(kept.genome.phases, 1);
        assert_eq!(kept.final_stage.reference, Reference::SourceAsDefault);
        // Once written in full, they say the same.
        let full = stored(&kept.to_toml()).unwrap();
        assert_eq!(full, kept);
        assert_eq!(full.fingerprint(), FIRST_FINGERPRINT);
    }

    /// A population without a panel keeps its fingerprint; one with a panel has
    /// another, and its text says so.
    #[test]
    fn a_panel_counts_only_where_there_is_one() {
        let first = "[evolution]\nsigma = 0.2\nborder = 0.15\nelder_from = 0.25\n";
        let mut kept = stored(first).unwrap();
        assert_eq!(kept.final_stage.panel, [""; 0]);
        assert!(!kept.to_toml().contains("panel"));
        assert!(!Params::default().to_toml().contains("panel"));
        kept.final_stage.panel = vec![String::from("default@mcts:s500,c=0.3")];
        assert_ne!(kept.fingerprint(), FIRST_FINGERPRINT);
        let full = stored(&kept.to_toml()).unwrap();
        assert_eq!(full, kept);
        kept.final_stage.panel.clear();
        assert_eq!(kept.fingerprint(), FIRST_FINGERPRINT);
    }

    #[test]
    fn a_key_that_is_there_counts() {
        let text = "[evolution]\nsigma_end = 0.01\n";
        let kept = stored(text).unwrap();
        assert_eq!(kept.evolution.sigma_end, 0.01);
        assert_eq!(kept.evolution.relative, 0.0);
        let new = Params::parse(text, "params.toml").unwrap();
        assert_eq!(new.evolution.relative, Params::default().evolution.relative);
    }

    #[test]
    fn every_row_is_a_key_that_affects_the_result_and_is_not_the_default() {
        let earlier = earlier_defaults();
        let defaults = Params::default();
        for (path, value) in ROWS {
            let key = find_key(path).unwrap();
            assert!(key.affects_result, "{path}");
            assert!(is_at_earlier_value(key, &earlier), "{path} = {value}");
            assert_ne!(key.text(&earlier), key.text(&defaults), "{path}");
        }
    }
}
