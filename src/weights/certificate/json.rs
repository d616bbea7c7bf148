//! Writes a certificate as JSON: the same tables and keys as in TOML.

use serde_json::{Map, Value};

use super::keys::{KEYS, Key, MATCH, MATCH_KEYS, WEIGHTS};
use super::{Certificate, ProofMatch};
use crate::eval::Weights;
use crate::eval::genes::{Role, TABLE};
use crate::weights::gene_list::written_genes;
use crate::weights::values::{ENDGAME, gene_values_json};

/// The certificate as JSON.
pub(in crate::weights) fn to_json(certificate: &Certificate) -> Value {
    let one = |result: &ProofMatch| {
        let mut map = object(&MATCH_KEYS, result);
        map.extend(opponent_weights(&result.weights).map(|(name, value)| (name.to_owned(), value)));
        Value::from(map)
    };
    let mut map = object(&KEYS, certificate);
    if !certificate.results.is_empty() {
        let results: Vec<Value> = certificate.results.iter().map(one).collect();
        map.insert(MATCH.to_owned(), results.into());
    }
    map.into()
}

fn object<T>(keys: &[Key<T>], source: &T) -> Map<String, Value> {
    let pair = |key: &Key<T>| Some((key.name.to_owned(), (key.get)(source)?));
    keys.iter().filter_map(pair).collect()
}

/// The opponent's weights, and its endgame values where they differ.
pub(super) fn opponent_weights(weights: &Weights) -> impl Iterator<Item = (&'static str, Value)> {
    let genes = || written_genes(weights).map(|n| (n, &TABLE[n]));
    let opening = (WEIGHTS, gene_values_json(genes(), &weights.opening));
    let endgame = weights.has_phases().then(|| {
        (
            ENDGAME,
            gene_values_json(
                genes().filter(|(_, gene)| gene.role == Role::Weight),
                &weights.endgame,
            ),
        )
    });
    std::iter::once(opening).chain(endgame)
}
