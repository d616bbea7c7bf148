//! Weight files: the weights of a player as TOML or JSON that a person can
//! read and edit. The keys, their order, meanings and ranges are those of the
//! gene table; every gene must be given. A champion's file carries its
//! certificate, whose text is read and written in [`super::certificate`].

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::certificate::{self, CERTIFICATE, Certificate};
use super::values::{
    ENDGAME, MAX_LINE, allowed_gene, assign, gene_values_json, genes_with_role, one_line,
};
use crate::document::key_check::{self, AllowedTable, Checked, Entry};
use crate::document::raw_document::Raw;
use crate::document::{Content, FileError, Problem, json_text, read_text, toml_text};
use crate::eval::Weights;
use crate::eval::genes::{Role, TABLE};
use crate::params::gene_value;

/// Named weights, and where they come from.
///
/// ```
/// use loatune::weights::WeightFile;
///
/// let mut file = WeightFile::default();
/// file.name = String::from("mine");
/// let text = file.to_toml();
/// assert_eq!(WeightFile::parse(&text, "mine.toml")?, file);
/// // The same tables and keys as JSON.
/// let text = file.to_json().to_string();
/// assert_eq!(WeightFile::parse(&text, "mine.json")?, file);
/// # Ok::<(), loatune::document::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WeightFile {
    /// The name that people use for the weights: one line of at most 200
    /// characters.
    pub name: String,
    /// Who made the weights, and how: one line of at most 200 characters.
    pub origin: String,
    /// The values of all genes.
    pub weights: Weights,
    /// The proof of strength that a champion's file carries.
    pub certificate: Option<Certificate>,
}

const HEADER: &str = "loatune";
const OPENING: &str = "weights";

/// The tables of a weight file. Any other is refused; a new one is a row here
/// and an arm in [`Draft::set`]. The certificate's entries are read in
/// [`certificate::read`].
const TABLES: [Table; 4] = [
    Table {
        name: HEADER,
        is_required: true,
        keys: || vec!["format", "name", "origin"],
    },
    Table {
        name: OPENING,
        is_required: true,
        keys: || TABLE.iter().map(|gene| gene.name).collect(),
    },
    Table {
        name: ENDGAME,
        is_required: false,
        keys: || {
            genes_with_role(Role::Weight)
                .map(|(_, gene)| gene.name)
                .collect()
        },
    },
    Table {
        name: CERTIFICATE,
        is_required: false,
        keys: certificate::names,
    },
];

struct Table {
    name: &'static str,
    is_required: bool,
    /// The keys that must be given where the table is, except for those of the
    /// certificate, which has optional ones.
    keys: fn() -> Vec<&'static str>,
}

impl WeightFile {
    /// The format that is written, and the only one that is read.
    pub const FORMAT: i64 = 1;

    /// Reads and checks a file: JSON where its name ends in `.json` or its
    /// first character is a brace, else TOML.
    ///
    /// # Errors
    /// [`FileError::Read`] where the file cannot be read, otherwise as
    /// [`WeightFile::parse`].
    pub fn read(path: &Path) -> Result<WeightFile, FileError> {
        let text = read_text(path, Content::Weights)?;
        WeightFile::parse(&text, &path.display().to_string())
    }

    /// Checks the text of a file; `file` is its name in messages and may say
    /// that it is JSON.
    ///
    /// # Errors
    /// [`FileError::Problems`] with everything that is wrong: broken syntax,
    /// unknown and missing keys, values out of range.
    ///
    /// ```
    /// use loatune::weights::WeightFile;
    ///
    /// let text = WeightFile::default().to_toml().replace("euler = ", "euller = ");
    /// let error = WeightFile::parse(&text, "mine.toml").unwrap_err().to_string();
    /// assert!(error.contains("unknown key weights.euller: did you mean weights.euler?"));
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<WeightFile, FileError> {
        let text = text.trim_start_matches('\u{feff}');
        let document = if file.ends_with(".json") || text.trim_start().starts_with('{') {
            json_text::read(text)
        } else {
            toml_text::read(text)
        };
        let mut found = key_check::check(document, &allowed_tables());
        let mut draft = Draft::default();
        for entry in &found.entries {
            if entry.table != CERTIFICATE && !draft.set(entry) {
                let what = format!("must be {}", allowed(entry.table, entry.key));
                found.problems.push(entry.problem(&what));
            }
        }
        if found.is_complete {
            found.problems.extend(missing(&found));
        }
        draft.file.certificate = certificate::read(&mut found);
        let has_endgame = found.tables.contains(&ENDGAME);
        FileError::check(Content::Weights, file, found.problems)?;
        Ok(draft.finished(has_endgame))
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
            for (n, gene) in genes_with_role(Role::Weight) {
                let value = gene.text(self.weights.endgame[n]);
                let _ = writeln!(text, "{} = {value}", gene.name);
            }
        }
        if let Some(certificate) = &self.certificate {
            text += &certificate::to_toml(certificate);
        }
        text
    }

    /// The file as JSON: the same tables and keys.
    pub fn to_json(&self) -> Value {
        let opening = gene_values_json(TABLE.iter().enumerate(), &self.weights.opening);
        let mut file = json!({
            HEADER: {
                "format": WeightFile::FORMAT,
                "name": self.name,
                "origin": self.origin,
            },
            OPENING: opening,
        });
        if self.weights.has_phases() {
            file[ENDGAME] = gene_values_json(genes_with_role(Role::Weight), &self.weights.endgame);
        }
        if let Some(certificate) = &self.certificate {
            file[CERTIFICATE] = certificate::to_json(certificate);
        }
        file
    }
}

/// The defaults of the gene table.
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

/// A weight file while its entries are taken.
#[derive(Default)]
struct Draft {
    file: WeightFile,
}

impl Draft {
    /// Takes an entry of any table but the certificate; `false` if its value is
    /// not allowed.
    fn set(&mut self, entry: &Entry) -> bool {
        let weights = &mut self.file.weights;
        match (entry.table, entry.key) {
            (HEADER, "format") => matches!(entry.value, Raw::Integer(WeightFile::FORMAT)),
            (HEADER, "name") => assign(&mut self.file.name, one_line(&entry.value)),
            (HEADER, "origin") => assign(&mut self.file.origin, one_line(&entry.value)),
            (table, key) => {
                let values = if table == ENDGAME {
                    &mut weights.endgame
                } else {
                    &mut weights.opening
                };
                let mut places = TABLE.iter().zip(values);
                let place = places.find(|(gene, _)| gene.name == key);
                place.is_some_and(|(gene, value)| assign(value, gene_value(gene, &entry.value)))
            }
        }
    }

    /// The file once all entries are taken. A gene without an endgame value
    /// keeps its opening value throughout the game.
    fn finished(mut self, has_endgame: bool) -> WeightFile {
        let weights = &mut self.file.weights;
        if !has_endgame {
            weights.endgame = weights.opening;
        }
        for (n, _) in genes_with_role(Role::Shape) {
            weights.endgame[n] = weights.opening[n];
        }
        self.file
    }
}

/// What a key's value may be, to follow "must be".
fn allowed(table: &str, key: &str) -> String {
    match (table, key) {
        (HEADER, "format") => format!("{}, the format that this version reads", WeightFile::FORMAT),
        (HEADER, _) => format!("a text of 1 to {MAX_LINE} characters on one line"),
        _ => {
            let gene = TABLE.iter().find(|gene| gene.name == key);
            gene.map_or_else(String::new, allowed_gene)
        }
    }
}

/// The names that a weight file may have.
fn allowed_tables() -> Vec<AllowedTable> {
    let table = |table: &Table| AllowedTable {
        name: table.name,
        keys: (table.keys)(),
    };
    TABLES.iter().map(table).collect()
}

/// The tables and keys that the file must have and does not.
fn missing(found: &Checked) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut report = |what: String| problems.push(Problem { line: None, what });
    for table in TABLES {
        let name = table.name;
        if !found.tables.contains(&name) {
            if table.is_required {
                report(format!("missing group [{name}]"));
            }
            continue;
        }
        if name == CERTIFICATE {
            continue;
        }
        for key in (table.keys)() {
            let has = |entry: &Entry| entry.table == name && entry.key == key;
            if !found.entries.iter().any(has) {
                let allowed = allowed(name, key);
                report(format!("missing key {name}.{key}: must be {allowed}"));
            }
        }
    }
    problems
}
