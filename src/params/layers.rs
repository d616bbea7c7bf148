//! Parameters from several places, one over the other: built-in defaults, a
//! preset, a file, the environment, flags. Owns where each value comes from,
//! and the check of the values together once all are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use super::table::{find_key, keys};
use super::{Key, Kind, Params, Preset, constraints};
use crate::document::key_check::{self, Entry};
use crate::document::{Content, FileError, Problem};
use crate::document::{read_text, toml_text};

/// Where a parameter's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody set it.
    BuiltIn,
    /// It is what a population has.
    Population,
    /// A preset of this name.
    Preset(&'static str),
    /// Another parameter, which overrules it.
    Key(&'static str),
    /// A file.
    File {
        /// Its name.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// An environment variable.
    Variable(String),
    /// A flag, without its dashes.
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

/// Parameters that are in force, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Effective {
    /// The parameters, checked.
    pub params: Params,
    /// How many keys a file sets, whatever came of it.
    pub in_file: usize,
    sources: Sources,
}

type Sources = BTreeMap<(&'static str, &'static str), Source>;

impl Effective {
    /// Where a key's value comes from.
    pub fn source(&self, key: &Key) -> &Source {
        source(&self.sources, key)
    }
}

fn source<'a>(sources: &'a Sources, key: &Key) -> &'a Source {
    let found = sources.get(&(key.group, key.name));
    found.unwrap_or(&Source::BuiltIn)
}

/// Parameters as they come in. What is set later wins, so the order of the
/// calls is the order of precedence, lowest first.
#[derive(Debug, Default)]
pub struct Layers {
    params: Params,
    sources: Sources,
    /// The name of the file, for messages.
    file: String,
    in_file: usize,
    problems: Vec<Problem>,
    /// Keys whose value is not what the user wanted.
    doubtful: BTreeSet<(&'static str, &'static str)>,
    /// The file could not be made out, so that keys may be missing.
    is_torn: bool,
}

impl Layers {
    /// The built-in defaults.
    pub fn new() -> Layers {
        Layers::default()
    }

    /// What a population has.
    pub fn over(params: Params) -> Layers {
        let own = keys().map(|key| ((key.group, key.name), Source::Population));
        Layers {
            sources: own.collect(),
            params,
            ..Layers::default()
        }
    }

    /// Puts a preset over what is there. It gives way to what comes later, but
    /// for a file that only repeats the default: a file with every key, as
    /// `params init` writes it, would leave nothing of the preset.
    pub fn preset(&mut self, preset: &Preset) {
        for (path, text) in preset.settings {
            let name = Source::Preset(preset.name);
            let set = find_key(path).map(|key| self.set(key, text, name));
            debug_assert!(matches!(set, Some(Ok(()))), "{path} = {text}");
        }
    }

    /// Puts a file over what is there; what is wrong in it is told by
    /// [`Layers::finish`].
    pub fn read(&mut self, path: &Path) -> Result<(), FileError> {
        let text = read_text(path, Content::Parameters)?;
        self.text(&text, &path.display().to_string());
        Ok(())
    }

    /// Puts the text of a file over what is there; `file` is its name in
    /// messages.
    pub fn text(&mut self, text: &str, file: &str) {
        file.clone_into(&mut self.file);
        let text = text.trim_start_matches('\u{feff}');
        let found = key_check::check(toml_text::read(text), &super::outline());
        self.is_torn |= !found.is_whole;
        self.problems.extend(found.problems);
        for entry in &found.entries {
            if let Err(problem) = self.entry(entry) {
                self.problems.push(problem);
            }
        }
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), Problem> {
        let id = (entry.table, entry.key);
        let Some(key) = find_key(&format!("{}.{}", entry.table, entry.key)) else {
            return Ok(());
        };
        let preset = key.plain_text(&self.params);
        if let Err(what) = key.set(&mut self.params, &entry.value) {
            self.doubtful.insert(id);
            return Err(entry.problem(&what));
        }
        self.in_file += 1;
        let is_preset = matches!(source(&self.sources, key), Source::Preset(_));
        if is_preset && key.text(&self.params) == key.default_text() {
            let restored = key.set_text(&mut self.params, &preset);
            debug_assert_eq!(restored, Ok(()), "it was there before");
            return Ok(());
        }
        let (file, line) = (self.file.clone(), entry.line);
        self.sources.insert(id, Source::File { file, line });
        Ok(())
    }

    /// Puts one value over what is there, or says what is allowed.
    pub fn set(&mut self, key: &Key, text: &str, source: Source) -> Result<(), String> {
        key.set_text(&mut self.params, text)?;
        self.sources.insert((key.group, key.name), source);
        self.doubtful.remove(&(key.group, key.name));
        Ok(())
    }

    /// The parameters in force, or all that is wrong with them.
    pub fn finish(mut self) -> Result<Effective, FileError> {
        self.leave_out_features();
        let cited = |key: &Key| {
            let place = match source(&self.sources, key) {
                Source::File { line, .. } => format!("line {line}"),
                other => other.to_string(),
            };
            format!("{} = {} ({place})", key.path(), key.text(&self.params))
        };
        for fault in constraints::faults(&self.params, &cited) {
            let is_doubtful = |key: &&Key| self.doubtful.contains(&(key.group, key.name));
            if self.is_torn || fault.keys.iter().any(is_doubtful) {
                continue;
            }
            let line = |key: &&Key| match source(&self.sources, key) {
                Source::File { line, .. } => Some(*line),
                _ => None,
            };
            self.problems.push(Problem {
                line: fault.keys.iter().filter_map(line).max(),
                what: fault.what,
            });
        }
        match FileError::of(Content::Parameters, &self.file, self.problems) {
            Some(error) => Err(error),
            None => Ok(Effective {
                params: self.params,
                in_file: self.in_file,
                sources: self.sources,
            }),
        }
    }

    /// Fixes the genes of the families that are left out.
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
    fn what_is_set_later_wins() {
        let mut layers = Layers::new();
        layers.preset(&QUICK);
        layers.text("[evolution]\nbudget = 500\n[player]\ndepth = 5", "p.toml");
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
        layers.preset(&QUICK);
        let text = crate::params::DEFAULT_TEXT.replace("hall_games = 200", "hall_games = 100");
        layers.text(&text, "p.toml");
        let found = layers.finish().unwrap();
        assert_eq!(found.params.evolution.budget, 12_000);
        assert_eq!(found.params.final_stage.hall_games, 100);
        assert_eq!(found.in_file, keys().count());
        let budget = found.source(key("evolution.budget"));
        assert_eq!(budget, &Source::Preset("quick"));
        let mut layers = Layers::new();
        layers.preset(&QUICK);
        layers.text(&text, "p.toml");
        flag(&mut layers, "evolution.budget", "150000");
        assert_eq!(layers.finish().unwrap().params.evolution.budget, 150_000);
    }

    #[test]
    fn every_preset_is_good() {
        let mut layers = Layers::new();
        layers.preset(&QUICK);
        let params = layers.finish().unwrap().params;
        assert_eq!(params.differences(&Params::default()).len(), 3);
        assert_eq!(params.evolution.budget, 12_000);
    }

    #[test]
    fn contradictions_name_both_sides() {
        let text = "[run]\nwindow = 40\n[evolution]\nmin_points = 0.3\n[player]\ndepth = 0\n";
        let mut layers = Layers::new();
        layers.text(text, "p.toml");
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
        // What is set over the file settles it.
        let mut layers = Layers::new();
        layers.text(text, "p.toml");
        flag(&mut layers, "evolution.population", "40");
        flag(&mut layers, "evolution.min_points", "0.2999");
        flag(&mut layers, "player.nodes", "1");
        layers.finish().unwrap();
        // Where the file has no part in it, it is not blamed.
        let mut layers = Layers::new();
        layers.text("", "p.toml");
        flag(&mut layers, "evolution.population", "7");
        assert!(
            complaint(layers)
                .starts_with("evolution.population = 7 (--files) must be at least run.window = 8")
        );
    }

    #[test]
    fn a_contradiction_with_a_bad_value_is_not_told() {
        let mut layers = Layers::new();
        layers.text("[evolution]\npopulation = 3\n[run]\nwindow = 0", "p.toml");
        assert!(complaint(layers).starts_with("p.toml:4: run.window = 0: must be an integer"));
        let mut layers = Layers::new();
        layers.text("[evolution]\npopulation = 3\nbudget = \n", "p.toml");
        let told = complaint(layers);
        assert!(told.starts_with("p.toml:3: "), "{told}");
    }

    #[test]
    fn something_must_be_left_to_evolve() {
        let mut text = String::from("[genome]\nfeatures = ['quads', 'capturable']\n");
        text += "quad3 = [5, 5]\nquad4 = [0, 0]\n";
        let mut layers = Layers::new();
        layers.text(&text, "p.toml");
        assert_eq!(
            complaint(layers),
            "p.toml:4: genome.normalise = true (built-in) needs at least 2 weights that are not \
             fixed, and there are 1: with the scale fixed, a single weight cannot change; free \
             more genes or set normalise = false"
        );
        let mut layers = Layers::new();
        layers.text(&text, "p.toml");
        flag(&mut layers, "genome.normalise", "false");
        layers.finish().unwrap();
        text += "capturable = [-1, -1]";
        let mut layers = Layers::new();
        layers.text(&text, "p.toml");
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
        layers.text(&text, "p.toml");
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
