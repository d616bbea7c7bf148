//! Weight files: the weights of a player as TOML or JSON that a person can
//! read and edit. The keys, their order, meanings and ranges are those of the
//! gene table; every gene must be given. A champion's file carries its
//! certificate.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Certificate, certificate_text};
use crate::document::key_check::{self, Checked, Entry};
use crate::document::raw::Raw;
use crate::document::{Content, FileError, Problem};
use crate::document::{json_text, read_text, toml_text};
use crate::eval::Weights;
use crate::eval::genes::{GENES, Gene, Role, TABLE};
use crate::params::gene_value;

/// Named weights, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightFile {
    /// What people call them: one line.
    pub name: String,
    /// Who made them, and how: one line.
    pub origin: String,
    /// The weights themselves.
    pub weights: Weights,
    /// A champion's proof.
    pub certificate: Option<Certificate>,
}

const HEADER: &str = "loatune";
const OPENING: &str = "weights";
pub(super) const ENDGAME: &str = "endgame";

/// The tables of a weight file. Any other is refused; a new one is a row here
/// and an arm in [`Draft::set`]. What the certificate holds is read in
/// `certificate_text`.
const TABLES: [Table; 4] = [
    Table {
        name: HEADER,
        required: true,
        keys: || vec!["format", "name", "origin"],
    },
    Table {
        name: OPENING,
        required: true,
        keys: || TABLE.iter().map(|gene| gene.name).collect(),
    },
    Table {
        name: ENDGAME,
        required: false,
        keys: || genes(Role::Weight).map(|(_, gene)| gene.name).collect(),
    },
    Table {
        name: certificate_text::CERTIFICATE,
        required: false,
        keys: certificate_text::names,
    },
];

struct Table {
    name: &'static str,
    required: bool,
    /// All of these must be given where the table is, the certificate's apart.
    keys: fn() -> Vec<&'static str>,
}

/// The genes with a role, and their numbers.
pub(super) fn genes(role: Role) -> impl Iterator<Item = (usize, &'static Gene)> {
    let all = TABLE.iter().enumerate();
    all.filter(move |(_, gene)| gene.role == role)
}

impl WeightFile {
    /// The format that is written, and the only one that is read.
    pub const FORMAT: i64 = 1;

    /// Reads and checks a file: JSON where its name ends in `.json` or its
    /// first character is a brace, else TOML.
    pub fn read(path: &Path) -> Result<WeightFile, FileError> {
        let text = read_text(path, Content::Weights)?;
        WeightFile::parse(&text, &path.display().to_string())
    }

    /// Checks the text of a file; `file` is its name in messages and may say
    /// that it is JSON.
    pub fn parse(text: &str, file: &str) -> Result<WeightFile, FileError> {
        let text = text.trim_start_matches('\u{feff}');
        let document = if file.ends_with(".json") || text.trim_start().starts_with('{') {
            json_text::read(text)
        } else {
            toml_text::read(text)
        };
        let mut found = key_check::check(document, &outline());
        let mut draft = Draft::default();
        for entry in &found.entries {
            if entry.table != certificate_text::CERTIFICATE && !draft.set(entry) {
                let what = format!("must be {}", allowed(entry.table, entry.key));
                found.problems.push(entry.problem(&what));
            }
        }
        if found.is_whole {
            found.problems.extend(missing(&found));
        }
        draft.file.certificate = certificate_text::read(&mut found);
        let has_endgame = found.tables.contains(&ENDGAME);
        FileError::of(Content::Weights, file, found.problems)
            .map_or_else(|| Ok(draft.finished(has_endgame)), Err)
    }

    /// The file as TOML, with the meaning and the range of every gene.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let has_phases = self.weights.has_phases();
        let mut text = format!(
            "\
# A loatune weight file: what makes a position good. Change the values as you
# like; `loatune weights FILE` checks them. [endgame] is optional: with it, the
# values of [weights] hold in the opening and turn into those of [endgame] as
# pieces leave the board and plies are played.

[{HEADER}]
format = {}
name = {}
origin = {}

[{OPENING}]
",
            WeightFile::FORMAT,
            quoted(&self.name),
            quoted(&self.origin),
        );
        for (gene, value) in TABLE.iter().zip(self.weights.opening) {
            let _ = write!(
                text,
                "\n# {}\n# {}\n{} = {}\n",
                gene.meaning,
                gene.range_text(),
                gene.name,
                gene.text(value),
            );
        }
        if has_phases {
            let _ = writeln!(text, "\n[{ENDGAME}]");
            for (n, gene) in genes(Role::Weight) {
                let value = gene.text(self.weights.endgame[n]);
                let _ = writeln!(text, "{} = {value}", gene.name);
            }
        }
        if let Some(certificate) = &self.certificate {
            text += &certificate_text::to_toml(certificate);
        }
        text
    }

    /// The file as JSON: the same tables and keys.
    pub fn to_json(&self) -> Value {
        let opening = values_json(TABLE.iter().enumerate(), &self.weights.opening);
        let mut file = json!({
            HEADER: {
                "format": WeightFile::FORMAT,
                "name": self.name,
                "origin": self.origin,
            },
            OPENING: opening,
        });
        if self.weights.has_phases() {
            file[ENDGAME] = values_json(genes(Role::Weight), &self.weights.endgame);
        }
        if let Some(certificate) = &self.certificate {
            file[certificate_text::CERTIFICATE] = certificate_text::to_json(certificate);
        }
        file
    }
}

/// The values of some genes by name.
pub(super) fn values_json<'a>(
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

/// The table's defaults.
impl Default for WeightFile {
    fn default() -> WeightFile {
        WeightFile {
            name: String::from("default"),
            origin: String::from("built-in defaults"),
            weights: Weights::default(),
            certificate: None,
        }
    }
}

/// A weight file as its entries come in.
#[derive(Default)]
struct Draft {
    file: WeightFile,
}

impl Draft {
    /// Takes an entry; `false` if its value is not allowed.
    fn set(&mut self, entry: &Entry) -> bool {
        let weights = &mut self.file.weights;
        match (entry.table, entry.key) {
            (HEADER, "format") => matches!(entry.value, Raw::Integer(WeightFile::FORMAT)),
            (HEADER, "name") => set(&mut self.file.name, line_of(&entry.value)),
            (HEADER, "origin") => set(&mut self.file.origin, line_of(&entry.value)),
            (table, key) => {
                let values = match table {
                    ENDGAME => &mut weights.endgame,
                    _ => &mut weights.opening,
                };
                let mut places = TABLE.iter().zip(values);
                let place = places.find(|(gene, _)| gene.name == key);
                place.is_some_and(|(gene, value)| set(value, gene_value(gene, &entry.value)))
            }
        }
    }

    /// The file: what has no endgame value of its own keeps its value
    /// throughout the game.
    fn finished(mut self, has_endgame: bool) -> WeightFile {
        let weights = &mut self.file.weights;
        if !has_endgame {
            weights.endgame = weights.opening;
        }
        for (n, _) in genes(Role::Shape) {
            weights.endgame[n] = weights.opening[n];
        }
        self.file
    }
}

fn set<T>(place: &mut T, value: Option<T>) -> bool {
    let is_good = value.is_some();
    if let Some(value) = value {
        *place = value;
    }
    is_good
}

/// The longest name or origin, in characters.
const LONGEST: usize = 200;

/// A text that fits on a line and is not blank.
pub(super) fn line_of(value: &Raw) -> Option<String> {
    let Raw::Text(text) = value else {
        return None;
    };
    let fits = text.chars().count() <= LONGEST && !text.chars().any(char::is_control);
    (fits && !text.trim().is_empty()).then(|| text.clone())
}

/// What a key's value must be.
fn allowed(table: &str, key: &str) -> String {
    match (table, key) {
        (HEADER, "format") => format!("{}, the format that this version reads", WeightFile::FORMAT),
        (HEADER, _) => format!("a text of 1 to {LONGEST} characters on one line"),
        _ => {
            let gene = TABLE.iter().find(|gene| gene.name == key);
            gene.map_or_else(String::new, allowed_gene)
        }
    }
}

/// What a gene's value must be.
pub(super) fn allowed_gene(gene: &Gene) -> String {
    format!("from {}", gene.range_text())
}

fn outline() -> Vec<key_check::Table> {
    let table = |table: &Table| key_check::Table {
        name: table.name,
        keys: (table.keys)(),
    };
    TABLES.iter().map(table).collect()
}

/// The tables and keys that the file must have and does not.
fn missing(found: &Checked) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut complain = |what: String| problems.push(Problem { line: None, what });
    for table in TABLES {
        let name = table.name;
        if !found.tables.contains(&name) {
            if table.required {
                complain(format!("missing group [{name}]"));
            }
            continue;
        }
        if name == certificate_text::CERTIFICATE {
            continue;
        }
        for key in (table.keys)() {
            let has = |entry: &Entry| entry.table == name && entry.key == key;
            if !found.entries.iter().any(has) {
                let allowed = allowed(name, key);
                complain(format!("missing key {name}.{key}: must be {allowed}"));
            }
        }
    }
    problems
}
