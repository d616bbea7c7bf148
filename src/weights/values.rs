//! Values that weight files and certificates have in common: those of genes,
//! and texts of one line.

use serde_json::{Map, Value, json};

use crate::document::raw_document::Raw;
use crate::eval::genes::{GENES, Gene, Role, TABLE};

/// The table of endgame values, in a weight file and in a certificate's match.
pub(super) const ENDGAME: &str = "endgame";

/// The longest text of one line, in characters.
pub(super) const MAX_LINE: usize = 200;

/// Takes a value, if there is one; `false` if there is none.
pub(super) fn assign<T>(place: &mut T, value: Option<T>) -> bool {
    let is_some = value.is_some();
    if let Some(value) = value {
        *place = value;
    }
    is_some
}

/// A text that fits on a line and is not blank.
pub(super) fn one_line(value: &Raw) -> Option<String> {
    let text = value.as_text()?;
    let fits = text.chars().count() <= MAX_LINE && !text.chars().any(char::is_control);
    (fits && !text.trim().is_empty()).then(|| text.to_owned())
}

/// The genes with a role, and their numbers in the gene table.
pub(super) fn genes_with_role(role: Role) -> impl Iterator<Item = (usize, &'static Gene)> {
    let all = TABLE.iter().enumerate();
    all.filter(move |(_, gene)| gene.role == role)
}

/// What a gene's value may be, to follow "must be".
pub(super) fn allowed_gene(gene: &Gene) -> String {
    format!("from {}", gene.range_text())
}

/// The values of some genes by name, in the units that people write.
pub(super) fn gene_values_json<'a>(
    rows: impl Iterator<Item = (usize, &'a Gene)>,
    values: &[i32; GENES],
) -> Value {
    let by_name = |(n, gene): (usize, &Gene)| {
        let number = match gene.grid {
            1 => json!(values[n]),
            parts => json!(f64::from(values[n]) / f64::from(parts)),
        };
        (gene.name.to_owned(), number)
    };
    rows.map(by_name).collect::<Map<_, _>>().into()
}
