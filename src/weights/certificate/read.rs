//! Reads a certificate from the entries of a weight file, TOML or JSON.

use super::keys::{
    CERTIFICATE, KEYS, Key, MATCH, MATCH_KEYS, MATCHES, PLAYER, PLAYER_ENGINE, WEIGHTS,
};
use super::values::MAX_ITEMS;
use super::{Certificate, ChampionKind, Conditions, ProofMatch};
use crate::document::Problem;
use crate::document::key_check::{AllowedTable, Checked, Entry, check};
use crate::document::raw_document::{Document, Item};
use crate::eval::Weights;
use crate::eval::genes::{Role, TABLE, is_first};
use crate::game::Rules;
use crate::params::{OpeningParams, PlayerParams, gene_value};
use crate::stats::{Pentanomial, Record};
use crate::weights::values::{ENDGAME, allowed_gene, assign, genes_with_role};

/// The tables of the opponent's values, as messages name them.
const OPENING_TABLE: &str = "certificate.match.weights";
const ENDGAME_TABLE: &str = "certificate.match.endgame";

/// The certificate that the entries of a file make; `None` where it has none.
/// What is wrong with it is added to the problems of the file.
pub(in crate::weights) fn read(found: &mut Checked) -> Option<Certificate> {
    if !found.tables.contains(&CERTIFICATE) {
        return None;
    }
    let mut certificate = empty();
    let mut reader = Reader {
        is_complete: found.is_complete,
        problems: Vec::new(),
    };
    let entries: Vec<&Entry> = found
        .entries
        .iter()
        .filter(|entry| entry.table == CERTIFICATE)
        .collect();
    reader.read_keys(&KEYS, CERTIFICATE, None, &entries, &mut certificate);
    if let Some(entry) = entries.iter().find(|entry| entry.key == MATCH) {
        match entry
            .value
            .as_list()
            .filter(|items| items.len() <= MAX_ITEMS)
        {
            Some(items) => {
                certificate.results = items.iter().map(|item| reader.read_match(item)).collect();
            }
            None => reader.problems.push(entry.problem(&format!(
                "must be [[{MATCHES}]] tables, at most {MAX_ITEMS}"
            ))),
        }
    }
    let player = &certificate.conditions.player;
    if reader.problems.is_empty() && player.depth == 0 && player.nodes == 0 {
        reader.report(
            None,
            format!("{CERTIFICATE}.depth and {CERTIFICATE}.nodes are both 0: one must limit"),
        );
    }
    found.problems.append(&mut reader.problems);
    Some(certificate)
}

/// A certificate whose fields are filled in by the keys.
fn empty() -> Certificate {
    Certificate {
        champion: ChampionKind::Elder,
        file: 0,
        ancestry: Vec::new(),
        seed: 0,
        params: String::new(),
        command: None,
        engine: 0,
        games: 0,
        matches: 0,
        conditions: Conditions {
            rules: Rules::default(),
            player: PlayerParams::default(),
            openings: OpeningParams::default(),
            seed: 0,
        },
        results: Vec::new(),
    }
}

struct Reader {
    /// Whether all of the file could be read. Where it could not, a key that
    /// seems to be missing may stand in the part that was skipped.
    is_complete: bool,
    problems: Vec<Problem>,
}

impl Reader {
    /// Fills in every key that has a row in `keys`; `line` is the table's, for
    /// keys that are missing.
    fn read_keys<T>(
        &mut self,
        keys: &[Key<T>],
        table: &str,
        line: Option<usize>,
        entries: &[&Entry],
        target: &mut T,
    ) {
        for key in keys {
            match entries.iter().find(|entry| entry.key == key.name) {
                Some(entry) if !(key.set)(target, &entry.value) => {
                    let what = format!("must be {}", (key.allowed)());
                    self.problems.push(entry.problem(&what));
                }
                None if key.is_required => {
                    self.report_missing(line, table, key.name, &(key.allowed)());
                }
                _ => {}
            }
        }
    }

    /// Reads a `[[certificate.match]]`.
    fn read_match(&mut self, item: &Item) -> ProofMatch {
        let mut result = ProofMatch {
            opponent: String::new(),
            weights: Weights::absent(),
            player: None,
            games: 0,
            record: Record::default(),
            pairs: Pentanomial::default(),
            elo: None,
            elo_error: None,
            los: 0.0,
        };
        let keys = MATCH_KEYS.iter().map(|key| key.name);
        let Some(entries) =
            self.known_entries(MATCHES, keys.chain([WEIGHTS, ENDGAME]).collect(), item)
        else {
            return result;
        };
        let entries: Vec<&Entry> = entries.iter().collect();
        self.read_keys(&MATCH_KEYS, MATCHES, Some(item.line), &entries, &mut result);
        let find = |name: &str| entries.iter().find(|entry| entry.key == name);
        for (one, other) in [(PLAYER, PLAYER_ENGINE), (PLAYER_ENGINE, PLAYER)] {
            if find(one).is_some() && find(other).is_none() {
                let allowed = format!("there, because {MATCHES}.{one} is");
                self.report_missing(Some(item.line), MATCHES, other, &allowed);
            }
        }
        match find(WEIGHTS) {
            Some(entry) => {
                let rows: Vec<usize> = (0..TABLE.len()).collect();
                self.read_genes(OPENING_TABLE, entry, &rows, &mut result.weights.opening);
            }
            None => {
                self.report_missing(Some(item.line), MATCHES, WEIGHTS, "a value for every gene");
            }
        }
        result.weights.endgame = result.weights.opening;
        if let Some(entry) = find(ENDGAME) {
            let rows: Vec<usize> = genes_with_role(Role::Weight).map(|(n, _)| n).collect();
            self.read_genes(ENDGAME_TABLE, entry, &rows, &mut result.weights.endgame);
        }
        result
    }

    /// Reads the values of the genes with the numbers `rows`.
    fn read_genes(
        &mut self,
        table: &'static str,
        entry: &Entry,
        rows: &[usize],
        values: &mut [i32],
    ) {
        let item = Item {
            name: table.to_owned(),
            line: entry.line,
            value: entry.value.clone(),
            excerpt: entry.excerpt.clone(),
        };
        let names = rows.iter().map(|&n| TABLE[n].name).collect();
        let Some(entries) = self.known_entries(table, names, &item) else {
            return;
        };
        for &n in rows {
            let gene = &TABLE[n];
            match entries.iter().find(|entry| entry.key == gene.name) {
                Some(entry) => {
                    if !assign(&mut values[n], gene_value(gene, &entry.value)) {
                        let what = format!("must be {}", allowed_gene(gene));
                        self.problems.push(entry.problem(&what));
                    }
                }
                // A gene that is not there does not count.
                None if !is_first(gene.name) => {}
                None => self.report_missing(Some(item.line), table, gene.name, &allowed_gene(gene)),
            }
        }
    }

    /// The known entries of a table inside of another; `None` where it is no
    /// table.
    fn known_entries(
        &mut self,
        name: &'static str,
        keys: Vec<&'static str>,
        item: &Item,
    ) -> Option<Vec<Entry>> {
        let document = Document {
            items: vec![Item {
                name: name.to_owned(),
                line: item.line,
                value: item.value.clone(),
                excerpt: item.excerpt.clone(),
            }],
            problems: Vec::new(),
        };
        let checked = check(document, &[AllowedTable { name, keys }]);
        self.problems.extend(checked.problems);
        checked.is_complete.then_some(checked.entries)
    }

    fn report_missing(&mut self, line: Option<usize>, table: &str, key: &str, allowed: &str) {
        if self.is_complete {
            self.report(
                line,
                format!("missing key {table}.{key}: must be {allowed}"),
            );
        }
    }

    fn report(&mut self, line: Option<usize>, what: String) {
        self.problems.push(Problem { line, what });
    }
}
