//! Certificates in weight files: `[certificate]`, a `[[certificate.match]]` for
//! each opponent and its weights. Checks every key's range; whether the numbers
//! are true is for [`crate::run::proof`] to find out.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::certificate::{Certificate, ChampionKind, Conditions, ProofMatch};
use super::weight_file::{ENDGAME, allowed_gene, genes, line_of, values_json};
use crate::document::Problem;
use crate::document::key_check::{self, Checked, Entry};
use crate::document::raw::{Document, Item, Raw};
use crate::eval::Weights;
use crate::eval::genes::{Role, TABLE};
use crate::game::Rules;
use crate::params::find_group;
use crate::params::{self, OpeningParams, Params, PlayerParams, gene_value};
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, Table as Memory};

/// The table's name.
pub(super) const CERTIFICATE: &str = "certificate";
const MATCH: &str = "match";
const MATCHES: &str = "certificate.match";
const WEIGHTS: &str = "weights";
const OPENING_OF: &str = "certificate.match.weights";
const ENDGAME_OF: &str = "certificate.match.endgame";

/// The most games of one match, and the most generations and matches.
const MOST_GAMES: u64 = 100_000_000;
const MOST_LINES: usize = 10_000;

/// A key: its range and its place.
struct Key<T> {
    name: &'static str,
    is_required: bool,
    allowed: fn() -> String,
    get: fn(&T) -> Option<Value>,
    /// `false` if the value is not allowed.
    set: fn(&mut T, &Raw) -> bool,
}

/// `[certificate]`, but for its matches.
static KEYS: [Key<Certificate>; 19] = [
    Key {
        name: "champion",
        is_required: true,
        allowed: || String::from("\"elder\" or \"last\""),
        get: |it| Some(json!(it.champion.name())),
        set: |it, raw| {
            let known = |name: &str| ChampionKind::NAMES.iter().find(|(known, _)| *known == name);
            set(
                &mut it.champion,
                text(raw).and_then(known).map(|(_, kind)| *kind),
            )
        },
    },
    Key {
        name: "file",
        is_required: true,
        allowed: any_number,
        get: |it| Some(number_json(it.file)),
        set: |it, raw| set(&mut it.file, number(raw)),
    },
    Key {
        name: "ancestry",
        is_required: true,
        allowed: || format!("a list of at most {MOST_LINES} texts, each on one line"),
        get: |it| Some(json!(it.ancestry)),
        set: |it, raw| {
            let items = list(raw).filter(|items| items.len() <= MOST_LINES);
            let lines = items.map(|items| items.iter().map(|item| line_of(&item.value)).collect());
            set(&mut it.ancestry, lines.flatten())
        },
    },
    Key {
        name: "seed",
        is_required: true,
        allowed: any_number,
        get: |it| Some(number_json(it.seed)),
        set: |it, raw| set(&mut it.seed, number(raw)),
    },
    Key {
        name: "params",
        is_required: true,
        allowed: || String::from("a text of 8 to 128 hexadecimal digits"),
        get: |it| Some(json!(it.params)),
        set: |it, raw| {
            let is_hash = |text: &&str| {
                (8..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
            };
            set(&mut it.params, text(raw).filter(is_hash).map(str::to_owned))
        },
    },
    Key {
        name: "engine",
        is_required: true,
        allowed: any_number,
        get: |it| Some(number_json(it.engine)),
        set: |it, raw| set(&mut it.engine, number(raw)),
    },
    Key {
        name: "games",
        is_required: true,
        allowed: any_number,
        get: |it| Some(number_json(it.games)),
        set: |it, raw| set(&mut it.games, number(raw)),
    },
    Key {
        name: "matches",
        is_required: true,
        allowed: any_number,
        get: |it| Some(number_json(it.matches)),
        set: |it, raw| set(&mut it.matches, number(raw)),
    },
    Key {
        name: "search",
        is_required: true,
        allowed: || {
            let names = Algorithm::ALL.map(|player| format!("{:?}", player.name()));
            names.join(" or ")
        },
        get: |it| Some(json!(it.conditions.player.search.name())),
        set: |it, raw| {
            let player = text(raw).and_then(|text| text.parse().ok());
            set(&mut it.conditions.player.search, player)
        },
    },
    Key {
        name: "depth",
        is_required: true,
        allowed: || format!("an integer from 0 (only nodes limit) to {MAX_DEPTH}"),
        get: |it| Some(json!(it.conditions.player.depth)),
        set: |it, raw| set(&mut it.conditions.player.depth, small(raw, 0, MAX_DEPTH)),
    },
    Key {
        name: "nodes",
        is_required: true,
        allowed: || String::from("an integer from 0 (only the depth limits)"),
        get: |it| Some(number_json(it.conditions.player.nodes)),
        set: |it, raw| set(&mut it.conditions.player.nodes, number(raw)),
    },
    Key {
        name: "table_kib",
        is_required: true,
        allowed: || {
            let (least, most) = (Memory::KIB.start(), Memory::KIB.end());
            format!("an integer from {least} to {most}")
        },
        get: |it| Some(json!(it.conditions.player.table_kib)),
        set: |it, raw| {
            let kib = small(raw, *Memory::KIB.start(), *Memory::KIB.end());
            set(&mut it.conditions.player.table_kib, kib)
        },
    },
    Key {
        name: "opening_plies",
        is_required: true,
        allowed: || String::from("an integer from 1 to 40"),
        get: |it| Some(json!(it.conditions.openings.plies)),
        set: |it, raw| set(&mut it.conditions.openings.plies, small(raw, 1, 40)),
    },
    Key {
        name: "opening_bound",
        is_required: true,
        allowed: || String::from("an integer from 0 to 100000"),
        get: |it| Some(json!(it.conditions.openings.bound)),
        set: |it, raw| {
            let bound = small(raw, 0, 100_000).map(u32::cast_signed);
            set(&mut it.conditions.openings.bound, bound)
        },
    },
    Key {
        name: "opening_seed",
        is_required: true,
        allowed: any_number,
        get: |it| Some(number_json(it.conditions.seed)),
        set: |it, raw| set(&mut it.conditions.seed, number(raw)),
    },
    Key {
        name: "simultaneous",
        is_required: true,
        allowed: || allowed_rule("simultaneous"),
        get: |it| Some(json!(it.conditions.rules.simultaneous.name())),
        set: |it, raw| set_rule(it, "simultaneous", raw),
    },
    Key {
        name: "no_moves",
        is_required: true,
        allowed: || allowed_rule("no_moves"),
        get: |it| Some(json!(it.conditions.rules.no_moves.name())),
        set: |it, raw| set_rule(it, "no_moves", raw),
    },
    Key {
        name: "repetition",
        is_required: true,
        allowed: || allowed_rule("repetition"),
        get: |it| Some(json!(it.conditions.rules.repetition)),
        set: |it, raw| set_rule(it, "repetition", raw),
    },
    Key {
        name: "max_plies",
        is_required: true,
        allowed: || allowed_rule("max_plies"),
        get: |it| Some(json!(it.conditions.rules.max_plies)),
        set: |it, raw| set_rule(it, "max_plies", raw),
    },
];

/// A `[[certificate.match]]`, but for its weights.
static MATCH_KEYS: [Key<ProofMatch>; 9] = [
    Key {
        name: "opponent",
        is_required: true,
        allowed: || String::from("a text of 1 to 200 characters on one line"),
        get: |it| Some(json!(it.opponent)),
        set: |it, raw| set(&mut it.opponent, line_of(raw)),
    },
    Key {
        name: "games",
        is_required: true,
        allowed: || format!("an even integer from 2 to {MOST_GAMES}"),
        get: |it| Some(json!(it.games)),
        set: |it, raw| {
            let is_good = |games: &u64| (2..=MOST_GAMES).contains(games) && games.is_multiple_of(2);
            set(&mut it.games, number(raw).filter(is_good))
        },
    },
    Key {
        name: "wins",
        is_required: true,
        allowed: a_count,
        get: |it| Some(json!(it.record.wins)),
        set: |it, raw| set(&mut it.record.wins, count(raw)),
    },
    Key {
        name: "draws",
        is_required: true,
        allowed: a_count,
        get: |it| Some(json!(it.record.draws)),
        set: |it, raw| set(&mut it.record.draws, count(raw)),
    },
    Key {
        name: "losses",
        is_required: true,
        allowed: a_count,
        get: |it| Some(json!(it.record.losses)),
        set: |it, raw| set(&mut it.record.losses, count(raw)),
    },
    Key {
        name: "pentanomial",
        is_required: true,
        allowed: || format!("a list of five integers from 0 to {MOST_GAMES}"),
        get: |it| Some(json!(it.pairs.0)),
        set: |it, raw| {
            let counts = list(raw).and_then(|items| {
                let counts: Option<Vec<u64>> =
                    items.iter().map(|item| count(&item.value)).collect();
                counts?.try_into().ok()
            });
            set(&mut it.pairs.0, counts)
        },
    },
    Key {
        name: "elo",
        is_required: false,
        allowed: || String::from("a number from -10000 to 10000, or left out where it is infinite"),
        get: |it| it.elo.map(|elo| json!(elo)),
        set: |it, raw| set(&mut it.elo, within(raw, -10_000.0, 10_000.0).map(Some)),
    },
    Key {
        name: "elo_error",
        is_required: false,
        allowed: || String::from("a number from 0 to 10000, or left out where there is none"),
        get: |it| it.elo_error.map(|error| json!(error)),
        set: |it, raw| set(&mut it.elo_error, within(raw, 0.0, 10_000.0).map(Some)),
    },
    Key {
        name: "los",
        is_required: true,
        allowed: || String::from("a number from 0 to 1"),
        get: |it| Some(json!(it.los)),
        set: |it, raw| set(&mut it.los, within(raw, 0.0, 1.0)),
    },
];

// ---- reading

/// The keys that `[certificate]` may have.
pub(super) fn names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).chain([MATCH]).collect()
}

/// The certificate that the entries of a file make; `None` where it has none.
/// What is wrong is added to the problems of the file.
pub(super) fn read(found: &mut Checked) -> Option<Certificate> {
    if !found.tables.contains(&CERTIFICATE) {
        return None;
    }
    let mut certificate = empty();
    let mut reader = Reader {
        is_whole: found.is_whole,
        problems: Vec::new(),
    };
    let entries: Vec<&Entry> = found
        .entries
        .iter()
        .filter(|entry| entry.table == CERTIFICATE)
        .collect();
    reader.keys(&KEYS, CERTIFICATE, None, &entries, &mut certificate);
    if let Some(entry) = entries.iter().find(|entry| entry.key == MATCH) {
        match list(&entry.value).filter(|items| items.len() <= MOST_LINES) {
            Some(items) => certificate.results = items.iter().map(|one| reader.one(one)).collect(),
            None => reader.problems.push(entry.problem(&format!(
                "must be [[{MATCHES}]] tables, at most {MOST_LINES}"
            ))),
        }
    }
    let player = &certificate.conditions.player;
    if reader.problems.is_empty() && player.depth == 0 && player.nodes == 0 {
        reader.complain(
            None,
            format!("{CERTIFICATE}.depth and {CERTIFICATE}.nodes are both 0: one must limit"),
        );
    }
    found.problems.append(&mut reader.problems);
    Some(certificate)
}

/// What is filled in by the keys.
fn empty() -> Certificate {
    Certificate {
        champion: ChampionKind::Elder,
        file: 0,
        ancestry: Vec::new(),
        seed: 0,
        params: String::new(),
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
    /// Whether all of the file could be read: else keys may seem to be missing
    /// that are not.
    is_whole: bool,
    problems: Vec<Problem>,
}

impl Reader {
    /// Fills in what has a row in `keys`.
    fn keys<T>(
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
                None if key.is_required => self.missing(line, table, key.name, &(key.allowed)()),
                _ => {}
            }
        }
    }

    /// A `[[certificate.match]]`.
    fn one(&mut self, item: &Item) -> ProofMatch {
        let mut result = ProofMatch {
            opponent: String::new(),
            weights: Weights::default(),
            games: 0,
            record: Default::default(),
            pairs: Default::default(),
            elo: None,
            elo_error: None,
            los: 0.0,
        };
        let keys = MATCH_KEYS.iter().map(|key| key.name);
        let Some(entries) = self.table(MATCHES, keys.chain([WEIGHTS, ENDGAME]).collect(), item)
        else {
            return result;
        };
        let entries: Vec<&Entry> = entries.iter().collect();
        self.keys(&MATCH_KEYS, MATCHES, Some(item.line), &entries, &mut result);
        let find = |name: &str| entries.iter().find(|entry| entry.key == name);
        match find(WEIGHTS) {
            Some(entry) => {
                let rows: Vec<usize> = (0..TABLE.len()).collect();
                self.genes(OPENING_OF, entry, &rows, &mut result.weights.opening);
            }
            None => self.missing(Some(item.line), MATCHES, WEIGHTS, "a value for every gene"),
        }
        result.weights.endgame = result.weights.opening;
        if let Some(entry) = find(ENDGAME) {
            let rows: Vec<usize> = genes(Role::Weight).map(|(n, _)| n).collect();
            self.genes(ENDGAME_OF, entry, &rows, &mut result.weights.endgame);
        }
        result
    }

    /// The values of some genes by their names.
    fn genes(&mut self, table: &'static str, entry: &Entry, rows: &[usize], values: &mut [i32]) {
        let item = Item {
            name: table.to_owned(),
            line: entry.line,
            value: entry.value.clone(),
            written: entry.written.clone(),
        };
        let names = rows.iter().map(|&n| TABLE[n].name).collect();
        let Some(entries) = self.table(table, names, &item) else {
            return;
        };
        for &n in rows {
            let gene = &TABLE[n];
            match entries.iter().find(|entry| entry.key == gene.name) {
                Some(entry) => {
                    if !set(&mut values[n], gene_value(gene, &entry.value)) {
                        let what = format!("must be {}", allowed_gene(gene));
                        self.problems.push(entry.problem(&what));
                    }
                }
                None => self.missing(Some(item.line), table, gene.name, &allowed_gene(gene)),
            }
        }
    }

    /// The known entries of a table inside of another; `None` where it is no
    /// table.
    fn table(
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
                written: item.written.clone(),
            }],
            problems: Vec::new(),
        };
        let checked = key_check::check(document, &[key_check::Table { name, keys }]);
        self.problems.extend(checked.problems);
        checked.is_whole.then_some(checked.entries)
    }

    fn missing(&mut self, line: Option<usize>, table: &str, key: &str, allowed: &str) {
        if self.is_whole {
            self.complain(
                line,
                format!("missing key {table}.{key}: must be {allowed}"),
            );
        }
    }

    fn complain(&mut self, line: Option<usize>, what: String) {
        self.problems.push(Problem { line, what });
    }
}

// ---- writing

/// The certificate as TOML, with a summary that a person can read.
pub(super) fn to_toml(certificate: &Certificate) -> String {
    let mut text = format!(
        "
# The certificate: where these weights come from, and how strong they are on
# openings that their evolution never saw. `loatune certify FILE` plays the
# matches again.
# The champion is {}.
",
        certificate.champion.meaning()
    );
    for result in &certificate.results {
        let name = result.opponent.replace(char::is_control, " ");
        let _ = writeln!(text, "# Against {name}: {}.", result.text());
    }
    let _ = writeln!(text, "\n[{CERTIFICATE}]");
    put(&mut text, &KEYS, certificate);
    for result in &certificate.results {
        let _ = writeln!(text, "\n[[{MATCHES}]]");
        put(&mut text, &MATCH_KEYS, result);
        for (name, values) in weights_json(&result.weights) {
            let _ = writeln!(text, "{name} = {}", toml_of(&values));
        }
    }
    text
}

fn put<T>(text: &mut String, keys: &[Key<T>], source: &T) {
    for key in keys {
        if let Some(value) = (key.get)(source) {
            let _ = writeln!(text, "{} = {}", key.name, toml_of(&value));
        }
    }
}

/// A value as TOML has it.
fn toml_of(value: &Value) -> String {
    match value {
        Value::String(text) => toml::Value::from(text.as_str()).to_string(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(toml_of).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(values) => {
            let pair = |(name, value): (&String, &Value)| format!("{name} = {}", toml_of(value));
            let pairs: Vec<String> = values.iter().map(pair).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

/// The certificate as JSON: the same tables and keys.
pub(super) fn to_json(certificate: &Certificate) -> Value {
    let one = |result: &ProofMatch| {
        let mut map = object(&MATCH_KEYS, result);
        map.extend(weights_json(&result.weights).map(|(name, value)| (name.to_owned(), value)));
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
fn weights_json(weights: &Weights) -> impl Iterator<Item = (&'static str, Value)> {
    let all = TABLE.iter().enumerate();
    let opening = (WEIGHTS, values_json(all, &weights.opening));
    let endgame = weights
        .has_phases()
        .then(|| (ENDGAME, values_json(genes(Role::Weight), &weights.endgame)));
    std::iter::once(opening).chain(endgame)
}

// ---- values

fn set<T>(place: &mut T, value: Option<T>) -> bool {
    let is_good = value.is_some();
    if let Some(value) = value {
        *place = value;
    }
    is_good
}

fn text(raw: &Raw) -> Option<&str> {
    match raw {
        Raw::Text(text) => Some(text),
        _ => None,
    }
}

fn list(raw: &Raw) -> Option<&[Item]> {
    match raw {
        Raw::List(items) => Some(items),
        _ => None,
    }
}

fn any_number() -> String {
    format!("an integer from 0 to {}", u64::MAX)
}

/// A number that may be too large for TOML; then it is a text.
fn number(raw: &Raw) -> Option<u64> {
    match raw {
        Raw::Integer(number) => (*number).try_into().ok(),
        Raw::Text(text) => text.parse().ok(),
        _ => None,
    }
}

fn number_json(number: u64) -> Value {
    match i64::try_from(number) {
        Ok(number) => json!(number),
        Err(_) => json!(number.to_string()),
    }
}

fn a_count() -> String {
    format!("an integer from 0 to {MOST_GAMES}")
}

fn count(raw: &Raw) -> Option<u64> {
    match raw {
        Raw::Integer(number) => (*number).try_into().ok().filter(|&n: &u64| n <= MOST_GAMES),
        _ => None,
    }
}

fn small(raw: &Raw, least: u32, most: u32) -> Option<u32> {
    match raw {
        Raw::Integer(number) => u32::try_from(*number)
            .ok()
            .filter(|number| (least..=most).contains(number)),
        _ => None,
    }
}

fn within(raw: &Raw, least: f64, most: f64) -> Option<f64> {
    let number = match *raw {
        Raw::Integer(number) => number as f64,
        Raw::Float(number) => number,
        _ => return None,
    };
    (least..=most).contains(&number).then_some(number)
}

fn rule(name: &str) -> Option<&'static params::Key> {
    let rules = find_group("rules")?;
    rules.keys.iter().find(|key| key.name == name)
}

fn allowed_rule(name: &str) -> String {
    rule(name).map_or_else(String::new, params::Key::allowed)
}

/// Sets one of the four rules, as `params.toml` would.
fn set_rule(certificate: &mut Certificate, name: &str, raw: &Raw) -> bool {
    let rules = &mut certificate.conditions.rules;
    let mut params = Params {
        rules: *rules,
        ..Params::default()
    };
    let is_good = rule(name).is_some_and(|key| key.set(&mut params, raw).is_ok());
    *rules = params.rules;
    is_good
}
