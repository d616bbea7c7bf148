//! Weight files: the weights of a player as TOML or JSON that a person can
//! read and edit. The keys, their order, meanings and ranges are those of the
//! gene table; every gene that the file knows must be given, and any other does
//! not count. A champion's file carries its
//! certificate, whose text is read and written in [`super::certificate`].

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::certificate::{self, CERTIFICATE, Certificate};
use super::gene_list::{take_unknown, uses_later_genes, written_edition, written_genes};
use super::values::{
    ENDGAME, MAX_LINE, allowed_gene, assign, gene_values_json, genes_with_role, one_line,
};
use crate::document::key_check::{self, AllowedTable, Checked, Entry};
use crate::document::raw_document::Raw;
use crate::document::{Content, FileError, Problem, json_text, read_text, toml_text};
use crate::eval::Weights;
use crate::eval::genes::{Role, TABLE, is_first, place_of, range_in};
use crate::params::gene_value;

/// Named weights, and where they come from.
///
/// ```
/// use loatune::weights::WeightFile;
///
/// let mut file = WeightFile::source();
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
        keys: || vec!["format", "name", "origin", "version", "genes"],
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
    /// The keys that may be given.
    keys: fn() -> Vec<&'static str>,
}

impl WeightFile {
    /// The formats that are read. Weights that use none but the first genes are
    /// written in the first, all others in the second, which names its genes.
    pub const FORMATS: [i64; 2] = [1, 2];

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
    /// let text = WeightFile::source().to_toml().replace("euler = ", "euller = ");
    /// let error = WeightFile::parse(&text, "mine.toml").unwrap_err().to_string();
    /// assert!(error.contains("unknown key weights.euller: did you mean weights.euler?"));
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<WeightFile, FileError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut document = if file.ends_with(".json") || text.trim_start().starts_with('{') {
            json_text::read(text)
        } else {
            toml_text::read(text)
        };
        let unknown = take_unknown(&mut document, HEADER, &[OPENING, ENDGAME]);
        let mut found = key_check::check(document, &allowed_tables());
        found.problems.extend(unknown);
        let mut draft = Draft::new();
        for entry in &found.entries {
            if entry.table != CERTIFICATE && !draft.set(entry) {
                let what = format!("must be {}", allowed(entry.table, entry.key));
                found.problems.push(entry.problem(&what));
            }
        }
        if found.is_complete {
            found.problems.extend(missing(&found, &draft.genes()));
        }
        draft.file.certificate = certificate::read(&mut found);
        FileError::check(Content::Weights, file, found.problems)?;
        Ok(draft.finished())
    }

    /// The file as TOML, with the meaning and the range of every gene.
    pub fn to_toml(&self) -> String {
        self.to_toml_with(uses_later_genes(&self.weights))
    }

    /// The file as TOML; `named` where it lists its genes.
    fn to_toml_with(&self, named: bool) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let edition = written_edition(&self.weights);
        let written = written_genes(&self.weights);
        let genes = || written.clone().map(|n| (n, &TABLE[n]));
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
",
            WeightFile::FORMATS[usize::from(named)],
            quoted(&self.name),
            quoted(&self.origin),
        );
        if named {
            let names: Vec<String> = genes().map(|(_, gene)| quoted(gene.name)).collect();
            let _ = write!(
                text,
                "version = {}\ngenes = [{}]\n",
                quoted(env!("CARGO_PKG_VERSION")),
                names.join(", ")
            );
        }
        let _ = write!(text, "\n[{OPENING}]\n");
        for (n, gene) in genes() {
            let value = self.weights.opening[n];
            let _ = write!(
                text,
                "\n# {}\n# {}\n{} = {}\n",
                gene.meaning,
                gene.text_of_range(range_in(n, edition)),
                gene.name,
                gene.text(value),
            );
        }
        if has_phases {
            let _ = writeln!(text, "\n[{ENDGAME}]");
            for (n, gene) in genes().filter(|(_, gene)| gene.role == Role::Weight) {
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
        let genes = || written_genes(&self.weights).map(|n| (n, &TABLE[n]));
        let named = uses_later_genes(&self.weights);
        let mut header = json!({
            "format": WeightFile::FORMATS[usize::from(named)],
            "name": self.name,
            "origin": self.origin,
        });
        if named {
            let names: Vec<&str> = genes().map(|(_, gene)| gene.name).collect();
            header["version"] = json!(env!("CARGO_PKG_VERSION"));
            header["genes"] = json!(names);
        }
        let mut file = json!({
            HEADER: header,
            OPENING: gene_values_json(genes(), &self.weights.opening),
        });
        if self.weights.has_phases() {
            let weights = genes().filter(|(_, gene)| gene.role == Role::Weight);
            file[ENDGAME] = gene_values_json(weights, &self.weights.endgame);
        }
        if let Some(certificate) = &self.certificate {
            file[CERTIFICATE] = certificate::to_json(certificate);
        }
        file
    }
}

/// A weight file while its entries are taken.
struct Draft {
    file: WeightFile,
    format: i64,
    /// The genes that the file lists.
    listed: Vec<String>,
    /// The endgame values that the file gives.
    has_endgame: Vec<usize>,
}

impl Draft {
    /// A file that gives no gene a value.
    fn new() -> Draft {
        Draft {
            file: WeightFile {
                name: String::new(),
                origin: String::new(),
                weights: Weights::absent(),
                certificate: None,
            },
            format: WeightFile::FORMATS[0],
            listed: Vec::new(),
            has_endgame: Vec::new(),
        }
    }

    /// The genes that the file must give a value.
    fn genes(&self) -> Vec<&'static str> {
        let names = TABLE.iter().map(|gene| gene.name);
        let is_listed = |name: &&str| self.listed.iter().any(|listed| listed == name);
        let first = self.format == WeightFile::FORMATS[0];
        names
            .filter(|name| {
                if first {
                    is_first(name)
                } else {
                    is_listed(name)
                }
            })
            .collect()
    }

    /// Takes an entry of any table but the certificate; `false` if its value is
    /// not allowed.
    fn set(&mut self, entry: &Entry) -> bool {
        let weights = &mut self.file.weights;
        match (entry.table, entry.key) {
            (HEADER, "format") => match entry.value {
                Raw::Integer(format) if WeightFile::FORMATS.contains(&format) => {
                    self.format = format;
                    true
                }
                _ => false,
            },
            (HEADER, "version") => one_line(&entry.value).is_some(),
            (HEADER, "genes") => {
                let items = entry.value.as_list().unwrap_or_default();
                let names = items.iter().map(|item| one_line(&item.value));
                let names: Option<Vec<String>> = names.collect();
                let names = names.filter(|names| !names.is_empty());
                assign(&mut self.listed, names)
            }
            (HEADER, "name") => assign(&mut self.file.name, one_line(&entry.value)),
            (HEADER, "origin") => assign(&mut self.file.origin, one_line(&entry.value)),
            (table, key) => {
                let values = if table == ENDGAME {
                    &mut weights.endgame
                } else {
                    &mut weights.opening
                };
                let Some(n) = place_of(key) else {
                    return false;
                };
                if table == ENDGAME {
                    self.has_endgame.push(n);
                }
                assign(&mut values[n], gene_value(&TABLE[n], &entry.value))
            }
        }
    }

    /// The file once all entries are taken. A gene without an endgame value
    /// keeps its opening value throughout the game.
    fn finished(mut self) -> WeightFile {
        let weights = &mut self.file.weights;
        for n in 0..TABLE.len() {
            if !self.has_endgame.contains(&n) {
                weights.endgame[n] = weights.opening[n];
            }
        }
        self.file
    }
}

/// What a key's value may be, to follow "must be".
fn allowed(table: &str, key: &str) -> String {
    match (table, key) {
        (HEADER, "format") => String::from("1 or 2, the formats that this version reads"),
        (HEADER, "genes") => String::from("a list of the names of genes"),
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
fn missing(found: &Checked, genes: &[&str]) -> Vec<Problem> {
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
        let is_named = found.entries.iter().any(|entry| {
            (entry.table, entry.key) == (HEADER, "format") && matches!(entry.value, Raw::Integer(2))
        });
        let is_required = |key: &&str| match name {
            HEADER => is_named || !["version", "genes"].contains(key),
            _ => genes.contains(key),
        };
        for key in (table.keys)().into_iter().filter(is_required) {
            let has = |entry: &Entry| entry.table == name && entry.key == key;
            if !found.entries.iter().any(has) {
                let allowed = allowed(name, key);
                report(format!("missing key {name}.{key}: must be {allowed}"));
            }
        }
    }
    problems
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_lists_its_genes_is_read_back() {
        let file = WeightFile::source();
        let text = file.to_toml_with(true);
        assert!(text.contains("\nformat = 2\n"), "{text}");
        assert!(text.contains("\ngenes = [\"euler\", "), "{text}");
        assert_eq!(WeightFile::parse(&text, "w.toml").unwrap(), file);
        // Format 2 must say which genes it knows, and who wrote it.
        for key in ["version", "genes"] {
            let without: Vec<&str> = text.lines().filter(|it| !it.starts_with(key)).collect();
            let error = WeightFile::parse(&without.join("\n"), "w.toml").unwrap_err();
            let wanted = format!("missing key loatune.{key}");
            assert!(error.to_string().contains(&wanted), "{error}");
        }
    }

    #[test]
    fn genes_that_a_file_does_not_know_are_absent() {
        let text = "[loatune]\nformat = 2\nname = 'n'\norigin = 'o'\nversion = '9.1.0'\n\
                    genes = ['euler', 'spread']\n[weights]\neuler = 7\nspread = 3\n\
                    [endgame]\nspread = 5\neuler = 9\n";
        let weights = WeightFile::parse(text, "w.toml").unwrap().weights;
        let mut wanted = Weights::absent();
        (wanted.opening[0], wanted.endgame[0]) = (7, 9);
        (wanted.opening[4], wanted.endgame[4]) = (3, 5);
        assert_eq!(weights, wanted);
        let missing = text.replace("spread = 3\n", "");
        let error = WeightFile::parse(&missing, "w.toml").unwrap_err();
        assert!(error.to_string().contains("missing key weights.spread"));
    }

    #[test]
    fn an_unknown_gene_is_refused_by_name_with_the_version_that_has_it() {
        let mut text = WeightFile::source().to_toml_with(true);
        text = text.replace("genes = [", "genes = [\"tempo\", ");
        text = text.replace("\n[weights]\n", "\n[weights]\ntempo = 3\n");
        text = text.replace(env!("CARGO_PKG_VERSION"), "9.1.0");
        let error = WeightFile::parse(&text, "w.toml").unwrap_err().to_string();
        let line = 1 + text.lines().position(|it| it.starts_with("genes")).unwrap();
        assert_eq!(
            error,
            format!(
                "w.toml:{line}: gene tempo is unknown to this version ({}): loatune 9.1.0 has it",
                env!("CARGO_PKG_VERSION")
            )
        );
    }

    /// Published champions were written before files listed their genes: they
    /// read as they did, and are written as they are.
    #[test]
    fn published_champions_are_written_as_they_are() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("populations/published");
        let mut compared = 0;
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                let file = WeightFile::parse(&text, "champion.toml").unwrap();
                assert_eq!(file.to_toml(), text, "{}", path.display());
                compared += 1;
            }
        }
        assert!(compared > 0);
    }
}
