//! Which genes a weight file knows.
//!
//! A file of format 1 has the first genes and no others. A file of format 2
//! lists its genes and says which version of the program wrote it, so that a
//! program without one of them can say who has it. Weights that only use the
//! first genes are written in format 1, which every version reads.

use super::values::ENDGAME;
use crate::document::Problem;
use crate::document::raw_document::{Document, Item, Raw, name_excerpt};
use crate::eval::Weights;
use crate::eval::genes::{TABLE, is_first};

/// The genes that must be written down for these weights: the first ones, and
/// all others unless none of them is used.
pub(super) fn written_genes(weights: &Weights) -> impl Iterator<Item = usize> + use<> {
    let all = uses_later_genes(weights);
    (0..TABLE.len()).filter(move |&n| all || is_first(TABLE[n].name))
}

/// Whether weights use a gene that is not one of the first.
pub(super) fn uses_later_genes(weights: &Weights) -> bool {
    let absent = Weights::absent();
    (0..TABLE.len()).any(|n| {
        let values = [weights.opening[n], weights.endgame[n]];
        !is_first(TABLE[n].name) && values != [absent.opening[n]; 2]
    })
}

/// Takes the genes out of a document that its list has and this program does
/// not, with a problem for each.
pub(super) fn take_unknown(document: &mut Document, header: &str, groups: &[&str]) -> Vec<Problem> {
    let items = &document.items;
    let find = |key: &str| {
        let group = items.iter().find(|item| item.name == header)?;
        let Raw::Table(items) = &group.value else {
            return None;
        };
        items.iter().find(|item| item.name == key)
    };
    let listed = find("genes").and_then(|item| item.value.as_list());
    let text = |item: &Item| item.value.as_text().map(str::to_owned);
    let is_unknown = |name: &String| TABLE.iter().all(|gene| gene.name != name);
    let unknown = listed.unwrap_or_default().iter().filter_map(text);
    let unknown: Vec<String> = unknown.filter(is_unknown).collect();
    let writer = find("version").and_then(text);
    let writer = writer.map_or_else(
        || String::from("the version that wrote the file has it"),
        |version| format!("loatune {} has it", name_excerpt(&version)),
    );
    let mut problems: Vec<Problem> = unknown
        .iter()
        .map(|name| Problem {
            line: find("genes").map(|item| item.line),
            what: format!(
                "gene {} is unknown to this version ({}): {writer}",
                name_excerpt(name),
                env!("CARGO_PKG_VERSION")
            ),
        })
        .collect();
    problems.truncate(20);
    for group in &mut document.items {
        if groups.contains(&group.name.as_str()) {
            remove(&mut group.value, &unknown);
        } else {
            remove_in_matches(&mut group.value, &unknown);
        }
    }
    problems
}

fn remove(value: &mut Raw, names: &[String]) {
    if let Raw::Table(items) = value {
        items.retain(|item| !names.contains(&item.name));
    }
}

/// The same in the weights of a certificate's opponents.
fn remove_in_matches(value: &mut Raw, names: &[String]) {
    let Raw::Table(items) = value else {
        return;
    };
    for list in items.iter_mut() {
        let Raw::List(matches) = &mut list.value else {
            continue;
        };
        for one in matches {
            let Raw::Table(keys) = &mut one.value else {
                continue;
            };
            let values = keys
                .iter_mut()
                .filter(|key| key.name == "weights" || key.name == ENDGAME);
            values.for_each(|key| remove(&mut key.value, names));
        }
    }
}
