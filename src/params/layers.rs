//! Layers of parameters, one over the other: built-in defaults, a preset, a
//! file, the environment, flags. Owns where each value comes from, and checks
//! the constraints between values once all layers are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use super::table::{find_key, keys};
use super::{ChosenGene, FileValues, Key, Kind, Params, Preset, constraints, earlier};
use crate::document::key_check::{self, Entry};
use crate::document::raw_document::{Document, Item, Raw};
use crate::document::{Content, FileError, Problem, read_text, toml_text};
use crate::eval::genes::TABLE;
use crate::genome::GeneTable;

/// The layer that a parameter's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// No layer sets the key: it has its built-in default.
    BuiltIn,
    /// The parameters with which a population was begun.
    Population,
    /// The preset of this name.
    Preset(&'static str),
    /// Another key, named by its path, which overrules this one.
    Key(&'static str),
    /// A line of a file.
    File {
        /// The name of the file in messages.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The environment variable of this name.
    Variable(String),
    /// The flag of this name, without its first dashes.
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::BuiltIn => f.write_str("built-in"),
            Source::Population => f.write_str("the population"),
            Source::Preset(name) => write!(f, "preset {name}"),
            Source::Key(path) => f.write_str(path),
            Source::File { file, line } => write!(f, "{file}:{line}"),
            Source::Variable(name) => f.write_str(name),
            Source::Flag(name) => write!(f, "--{name}"),
        }
    }
}

/// Parameters that are in force, and the layer that each comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Effective {
    /// The parameters, with every value and constraint checked.
    pub params: Params,
    /// How many keys the file sets, those included that another layer
    /// overrules.
    pub keys_in_file: usize,
    file_values: FileValues,
    sources: Sources,
}

type Sources = BTreeMap<(&'static str, &'static str), Source>;

impl Effective {
    /// The layer that a key's value comes from.
    pub fn source(&self, key: &Key) -> &Source {
        source(&self.sources, key)
    }

    /// The parameters as a population keeps them: as TOML, with what the file
    /// said in comments, which [`FileValues::from_comments`] reads.
    pub fn to_recorded_toml(&self) -> String {
        self.params.to_toml() + &self.file_values.to_comments()
    }
}

fn source<'a>(sources: &'a Sources, key: &Key) -> &'a Source {
    let found = sources.get(&(key.group, key.name));
    found.unwrap_or(&Source::BuiltIn)
}

/// Parameters while layers are added. A later layer wins, so the order of the
/// calls is the order of precedence, lowest first.
///
/// ```
/// use loatune::params::{Layers, QUICK, Source, find_key};
///
/// let mut layers = Layers::new();
/// layers.add_preset(&QUICK);
/// layers.add_text("[player]\ndepth = 4\nnodes = 900", "params.toml");
/// let depth = find_key("player.depth").expect("it is in the table");
/// layers.set(depth, "5", Source::Flag(depth.flag_name()))?;
/// let effective = layers.finish()?;
/// assert_eq!(effective.params.player.depth, 5);
/// assert_eq!(effective.params.player.nodes, 900);
/// assert_eq!(effective.source(depth).to_string(), "--depth");
/// let budget = find_key("evolution.budget").expect("it is in the table");
/// assert_eq!(effective.source(budget).to_string(), "preset quick");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Layers {
    params: Params,
    sources: Sources,
    /// The name of the file, for messages.
    file: String,
    keys_in_file: usize,
    file_values: FileValues,
    /// What the file said when the population was begun whose parameters are
    /// the lowest layer; `None` where the defaults are.
    begun_with: Option<FileValues>,
    problems: Vec<Problem>,
    /// Keys with a refused value: they keep the value of a lower layer, so
    /// constraints that concern them are not checked.
    refused: BTreeSet<(&'static str, &'static str)>,
    /// Whether the file has errors of syntax. Keys may be lost with them, so no
    /// constraint is checked.
    has_syntax_errors: bool,
}

impl Layers {
    /// The built-in defaults, which are the lowest layer.
    pub fn new() -> Layers {
        Layers::default()
    }

    /// The defaults of a population's stored text, in which keys that joined
    /// later stand for their absence.
    pub(super) fn for_recorded() -> Layers {
        Layers {
            params: earlier::earlier_defaults(),
            ..Layers::default()
        }
    }

    /// The parameters of a population as the lowest layer, and what the file
    /// said when it was begun. Later layers overrule them, except for keys of a
    /// file that say what they said then, or nothing but the default: a file
    /// with every key, as `params init` writes it, would leave nothing of the
    /// population's own parameters.
    pub fn from_population(params: Params, begun_with: FileValues) -> Layers {
        let own = keys().map(|key| ((key.group, key.name), Source::Population));
        Layers {
            sources: own.collect(),
            params,
            begun_with: Some(begun_with),
            ..Layers::default()
        }
    }

    /// Adds a preset. Later layers overrule it, except for a file that repeats a
    /// default.
    pub fn add_preset(&mut self, preset: &Preset) {
        for (path, text) in preset.settings {
            let name = Source::Preset(preset.name);
            let set = find_key(path).map(|key| self.set(key, text, name));
            debug_assert!(matches!(set, Some(Ok(()))), "{path} = {text}");
        }
    }

    /// Adds a file. Problems in it are reported by [`Layers::finish`].
    ///
    /// # Errors
    /// [`FileError::Read`] where the file cannot be read at all.
    pub fn add_file(&mut self, path: &Path) -> Result<(), FileError> {
        let text = read_text(path, Content::Parameters)?;
        self.add_text(&text, &path.display().to_string());
        Ok(())
    }

    /// Adds the text of a file; `file` is its name in messages. Problems in it
    /// are reported by [`Layers::finish`].
    pub fn add_text(&mut self, text: &str, file: &str) {
        let text = text.trim_start_matches('\u{feff}');
        self.add_document(toml_text::read(text), file);
    }

    /// Adds the parameters that a stored population has recorded. Its genes are
    /// those of `table`: what is said about genes that only another version of
    /// the program has is kept, and genes that the population does not have
    /// take no part.
    pub(super) fn add_recorded(&mut self, text: &str, file: &str, table: &GeneTable) {
        let mut document = toml_text::read(text);
        self.params.genome.leave_out_absent(table);
        self.params.genome.other_bounds = take_other_bounds(&mut document, table);
        self.add_document(document, file);
    }

    fn add_document(&mut self, mut document: Document, file: &str) {
        file.clone_into(&mut self.file);
        if let Some(place) = document.items.iter().position(|item| item.name == "genes") {
            let table = document.items.remove(place);
            self.params.genome.genes = ChosenGene::read(&table, &mut self.problems);
        }
        let found = key_check::check(document, &super::allowed_tables());
        self.has_syntax_errors |= !found.is_complete;
        self.problems.extend(found.problems);
        for entry in &found.entries {
            if let Err(problem) = self.add_entry(entry) {
                self.problems.push(problem);
            }
        }
    }

    fn add_entry(&mut self, entry: &Entry) -> Result<(), Problem> {
        let id = (entry.table, entry.key);
        let Some(key) = find_key(&format!("{}.{}", entry.table, entry.key)) else {
            return Ok(());
        };
        if !key.is_present(&self.params) {
            // A file with every key says something about genes that came later.
            return Ok(());
        }
        let before = key.plain_text(&self.params);
        if let Err(what) = key.set(&mut self.params, &entry.value) {
            self.refused.insert(id);
            return Err(entry.problem(&what));
        }
        self.keys_in_file += 1;
        let value = key.text(&self.params);
        let is_old = match &self.begun_with {
            Some(said) => said.says(key, &value),
            None => {
                let is_preset = matches!(source(&self.sources, key), Source::Preset(_));
                is_preset && value == key.default_text()
            }
        };
        self.file_values.insert(key, value);
        if is_old {
            let restored = key.set_text(&mut self.params, &before);
            debug_assert_eq!(restored, Ok(()), "it was there before");
            return Ok(());
        }
        let (file, line) = (self.file.clone(), entry.line);
        self.sources.insert(id, Source::File { file, line });
        Ok(())
    }

    /// Adds one value, of a flag or a variable.
    ///
    /// # Errors
    /// What is allowed, where the value is not.
    pub fn set(&mut self, key: &Key, text: &str, source: Source) -> Result<(), String> {
        key.set_text(&mut self.params, text)?;
        self.sources.insert((key.group, key.name), source);
        self.refused.remove(&(key.group, key.name));
        Ok(())
    }

    /// The parameters in force.
    ///
    /// # Errors
    /// [`FileError::Problems`] with everything that is wrong: refused values of
    /// the file and constraints that do not hold.
    pub fn finish(mut self) -> Result<Effective, FileError> {
        self.leave_out_features();
        let cited = |key: &Key| {
            let place = match source(&self.sources, key) {
                Source::File { line, .. } => format!("line {line}"),
                other => other.to_string(),
            };
            format!("{} = {} ({place})", key.path(), key.text(&self.params))
        };
        for violation in constraints::violations(&self.params, &cited) {
            let is_refused = |key: &&Key| self.refused.contains(&(key.group, key.name));
            if self.has_syntax_errors || violation.keys.iter().any(is_refused) {
                continue;
            }
            let line = |key: &&Key| match source(&self.sources, key) {
                Source::File { line, .. } => Some(*line),
                _ => None,
            };
            self.problems.push(Problem {
                line: violation.keys.iter().filter_map(line).max(),
                what: violation.what,
            });
        }
        FileError::check(Content::Parameters, &self.file, self.problems)?;
        Ok(Effective {
            params: self.params,
            keys_in_file: self.keys_in_file,
            file_values: self.file_values,
            sources: self.sources,
        })
    }

    /// Fixes the genes of the families that are left out, and records why.
    fn leave_out_features(&mut self) {
        let before = self.params.genome.bounds;
        self.params.genome.leave_out_features();
        for key in keys() {
            if let Kind::Bounds { gene } = key.kind
                && self.params.genome.bounds[gene] != before[gene]
            {
                let reason = Source::Key("genome.features");
                self.sources.insert((key.group, key.name), reason);
            }
        }
    }
}

/// Takes the bounds of genes out of a document that a table has and this
/// program does not.
fn take_other_bounds(document: &mut Document, table: &GeneTable) -> Vec<(String, [i32; 2])> {
    let mut taken = Vec::new();
    for group in &mut document.items {
        let Raw::Table(items) = &mut group.value else {
            continue;
        };
        if group.name != "genome" {
            continue;
        }
        items.retain(|item| {
            let is_own = TABLE.iter().any(|gene| gene.name == item.name);
            let gene = table.iter().find(|gene| gene.name == item.name);
            let (false, Some(gene), Some(bounds)) = (is_own, gene, item.value.as_list()) else {
                return true;
            };
            let value = |item: &Item| gene.value(item.value.as_number()?);
            match bounds {
                [least, most] => match (value(least), value(most)) {
                    (Some(least), Some(most)) => taken.push((gene.name.clone(), [least, most])),
                    _ => return true,
                },
                _ => return true,
            }
            false
        });
    }
    taken
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::params::QUICK;

    fn key(path: &str) -> &'static Key {
        find_key(path).unwrap()
    }

    fn flag(layers: &mut Layers, path: &str, text: &str) {
        let source = Source::Flag(key(path).flag_name());
        layers.set(key(path), text, source).unwrap();
    }

    fn complaint(layers: Layers) -> String {
        layers.finish().unwrap_err().to_string()
    }

    #[test]
    fn a_later_layer_wins() {
        let mut layers = Layers::new();
        layers.add_preset(&QUICK);
        layers.add_text("[evolution]\nbudget = 500\n[player]\ndepth = 5", "p.toml");
        let nodes = Source::Variable(String::from("LOATUNE_NODES"));
        layers.set(key("player.nodes"), "99", nodes).unwrap();
        flag(&mut layers, "player.depth", "6");
        let found = layers.finish().unwrap();
        assert_eq!(found.params.evolution.budget, 500);
        assert_eq!(found.params.final_stage.hall_games, 40);
        assert_eq!(found.params.player.depth, 6);
        assert_eq!(found.params.player.nodes, 99);
        for (path, source) in [
            ("evolution.budget", "p.toml:2"),
            ("final.hall_games", "preset quick"),
            ("player.depth", "--depth"),
            ("player.nodes", "LOATUNE_NODES"),
            ("player.search", "built-in"),
        ] {
            assert_eq!(found.source(key(path)).to_string(), source, "{path}");
        }
    }

    /// A file with every key must not undo a preset.
    #[test]
    fn a_preset_wins_over_a_default_that_a_file_repeats() {
        let mut layers = Layers::new();
        layers.add_preset(&QUICK);
        let text = crate::params::DEFAULT_TEXT.replace("hall_games = 200", "hall_games = 100");
        layers.add_text(&text, "p.toml");
        let found = layers.finish().unwrap();
        assert_eq!(found.params.evolution.budget, 12_000);
        assert_eq!(found.params.final_stage.hall_games, 100);
        assert_eq!(found.keys_in_file, keys().count());
        let budget = found.source(key("evolution.budget"));
        assert_eq!(budget, &Source::Preset("quick"));
        let mut layers = Layers::new();
        layers.add_preset(&QUICK);
        layers.add_text(&text, "p.toml");
        flag(&mut layers, "evolution.budget", "150000");
        assert_eq!(layers.finish().unwrap().params.evolution.budget, 150_000);
    }

    /// A population keeps its own parameters beside a file that repeats
    /// defaults or says what it said before; an edited key counts.
    #[test]
    fn a_population_gives_way_to_edited_keys_only() {
        let begin = "[player]\ndepth = 5\nnodes = 900\n[run]\nwindow = 6\nseed = 9";
        let mut layers = Layers::new();
        layers.add_text(begin, "p.toml");
        flag(&mut layers, "player.depth", "2");
        flag(&mut layers, "evolution.budget", "4000");
        let begun = layers.finish().unwrap();
        let text = begun.to_recorded_toml();
        assert_eq!(Params::parse(&text, "p.toml").unwrap(), begun.params);
        let resumed = |file: &str| {
            let said = FileValues::from_comments(&text);
            let mut layers = Layers::from_population(begun.params.clone(), said);
            layers.add_text(file, "p.toml");
            layers.finish().unwrap()
        };
        for file in ["", begin, "[evolution]\nbudget = 150000\npopulation = 32"] {
            assert_eq!(resumed(file).params, begun.params, "{file}");
        }
        let edited = resumed("[player]\ndepth = 4\nnodes = 900\n[run]\nwindow = 8\nseed = 1");
        let found = begun.params.differences(&edited.params);
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        let expected = [
            "player.depth: 2 -> 4",
            "run.seed: 9 -> 1",
            "run.window: 6 -> 8",
        ];
        assert_eq!(found, expected);
        assert_eq!(edited.source(key("run.seed")).to_string(), "p.toml:6");
        let mut layers = Layers::from_population(begun.params.clone(), FileValues::default());
        layers.add_text(crate::params::DEFAULT_TEXT, "p.toml");
        assert_eq!(layers.finish().unwrap().params, begun.params);
    }

    #[test]
    fn every_preset_is_good() {
        let mut layers = Layers::new();
        layers.add_preset(&QUICK);
        let params = layers.finish().unwrap().params;
        assert_eq!(params.differences(&Params::default()).len(), 3);
        assert_eq!(params.evolution.budget, 12_000);
    }

    #[test]
    fn a_violation_names_both_keys() {
        let text = "[run]\nwindow = 40\n[evolution]\nmin_points = 0.3\n[player]\ndepth = 0\n";
        let mut layers = Layers::new();
        layers.add_text(text, "p.toml");
        assert_eq!(
            complaint(layers),
            "3 problems in the parameters\n  \
             p.toml:2: evolution.population = 32 (built-in) must be at least run.window = 40 \
             (line 2): matches in flight see an older population, and there are as many as the \
             window is wide; 2.5 times as many files are better\n  \
             p.toml:4: evolution.min_points = 0.3 (line 4) must be less than \
             evolution.max_points = 0.3 (built-in): no file could be neither deleted nor breed\n  \
             p.toml:6: player.depth = 0 (line 6) and player.nodes = 0 (built-in): one of them \
             must limit the search"
        );
        // A layer above the file may repair it.
        let mut layers = Layers::new();
        layers.add_text(text, "p.toml");
        flag(&mut layers, "evolution.population", "40");
        flag(&mut layers, "evolution.min_points", "0.2999");
        flag(&mut layers, "player.nodes", "1");
        layers.finish().unwrap();
        // Where the file has no part in it, its name is left out.
        let mut layers = Layers::new();
        layers.add_text("", "p.toml");
        flag(&mut layers, "evolution.population", "7");
        assert!(
            complaint(layers)
                .starts_with("evolution.population = 7 (--files) must be at least run.window = 8")
        );
    }

    #[test]
    fn a_constraint_on_a_refused_value_is_not_checked() {
        let mut layers = Layers::new();
        layers.add_text("[evolution]\npopulation = 3\n[run]\nwindow = 0", "p.toml");
        assert!(complaint(layers).starts_with("p.toml:4: run.window = 0: must be an integer"));
        let mut layers = Layers::new();
        layers.add_text("[evolution]\npopulation = 3\nbudget = \n", "p.toml");
        let told = complaint(layers);
        assert!(told.starts_with("p.toml:3: "), "{told}");
    }

    #[test]
    fn something_must_be_left_to_evolve() {
        let mut text = String::from("[genome]\nfeatures = ['quads', 'capturable']\n");
        text += "quad3 = [5, 5]\nquad4 = [0, 0]\n";
        let mut layers = Layers::new();
        layers.add_text(&text, "p.toml");
        assert_eq!(
            complaint(layers),
            "p.toml:4: genome.normalise = true (built-in) needs at least 2 weights that are not \
             fixed, and there are 1: with the scale fixed, a single weight cannot change; free \
             more genes or set normalise = false"
        );
        let mut layers = Layers::new();
        layers.add_text(&text, "p.toml");
        flag(&mut layers, "genome.normalise", "false");
        layers.finish().unwrap();
        text += "capturable = [-1, -1]";
        let mut layers = Layers::new();
        layers.add_text(&text, "p.toml");
        assert_eq!(
            complaint(layers),
            "p.toml:5: every gene is fixed, by its bounds or by genome.features = [\"quads\", \
             \"capturable\"] (line 2): nothing is left to evolve"
        );
    }

    #[test]
    fn a_family_that_is_left_out_is_fixed() {
        let mut layers = Layers::new();
        let families = "features = ['connection', 'quads', 'capturable', 'mobility']";
        let text = format!("[genome]\nspread = [10, 100]\n{families}\neuler = [1, 2]");
        layers.add_text(&text, "p.toml");
        let found = layers.finish().unwrap();
        let shown = |path| key(path).text(&found.params);
        assert_eq!(shown("genome.spread"), "[0, 0]");
        assert_eq!(shown("genome.spread_power"), "[1.0, 1.0]");
        assert_eq!(shown("genome.euler"), "[1, 2]");
        assert_eq!(
            shown("genome.features"),
            r#"["connection", "quads", "capturable", "mobility"]"#
        );
        let source = |path| found.source(key(path)).to_string();
        assert_eq!(source("genome.spread"), "genome.features");
        assert_eq!(source("genome.quad3"), "built-in");
    }
}
