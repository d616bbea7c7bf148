//! Which genes a weight file knows.
//!
//! A file of format 1 has the first genes and no others. A file of format 2
//! lists its genes and says which version of the program wrote it, so that a
//! program without one of them can say who has it. A file has the genes of the
//! earliest table that has all that it uses, within the ranges of that table, so that the same weights are written
//! alike by every version; those of the first table are written in format 1, which
//! every version reads.

use std::ops::Range;

use super::values::ENDGAME;
use crate::document::Problem;
use crate::document::raw_document::{Document, Item, Raw, name_excerpt};
use crate::eval::Weights;
use crate::eval::genes::{EDITIONS, FIRST_GENES, GENES, TABLE, range_in};

/// The genes that a file of these weights names: those of its edition.
pub(super) fn written_genes(weights: &Weights) -> Range<usize> {
    0..EDITIONS[written_edition(weights)]
}

/// The first edition of the gene table that has the genes and the values of these
/// weights, so that what an earlier version wrote is written in the same way today.
pub(super) fn written_edition(weights: &Weights) -> usize {
    let absent = Weights::absent();
    let is_used = |&n: &usize| [weights.opening[n], weights.endgame[n]] != [absent.opening[n]; 2];
    let used = (0..GENES).rev().find(is_used).map_or(0, |last| last + 1);
    let fits = |&edition: &usize| {
        let holds = |n: usize| {
            let [least, most] = range_in(n, edition);
            let mut values = [weights.opening[n], weights.endgame[n]].into_iter();
            values.all(|value| (least..=most).contains(&value))
        };
        EDITIONS[edition] >= used && (0..used).all(holds)
    };
    (0..EDITIONS.len()).find(fits).unwrap_or(EDITIONS.len() - 1)
}

/// Whether weights use a gene that is not one of the first.
pub(super) fn uses_later_genes(weights: &Weights) -> bool {
    written_genes(weights).len() > FIRST_GENES.len()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::genes::GeneId;

    /// What an earlier version wrote is written in the same way today.
    #[test]
    fn files_have_the_genes_of_the_earliest_table_that_is_enough() {
        let with = |gene: GeneId| {
            let mut weights = Weights::source();
            weights.opening[gene as usize] = 7;
            written_genes(&weights).len()
        };
        assert_eq!(written_genes(&Weights::source()).len(), 11);
        assert_eq!(with(GeneId::Euler), 11);
        assert_eq!(with(GeneId::Pieces), 14);
        assert_eq!(with(GeneId::Concentration), 14);
        assert_eq!(with(GeneId::EdgeMoves), 16);
        // A value that no earlier table allowed.
        let mut weights = Weights::source();
        weights.endgame[GeneId::Quad4 as usize] = -51;
        assert_eq!(written_genes(&weights).len(), GENES);
        assert_eq!(written_edition(&weights), 2);
        weights.endgame[GeneId::Capturable as usize] = 101;
        assert_eq!(written_edition(&weights), 3);
        weights.endgame[GeneId::Quad4 as usize] = -201;
        assert_eq!(written_edition(&weights), 4);
    }
}
