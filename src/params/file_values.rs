//! What the file of parameters said when a population was begun, or when a
//! change was accepted. It is kept as comments behind the population's own
//! parameters, so that a later start can tell a key that was edited from one
//! that a flag overruled from the beginning.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Key;
use super::table::find_key;

/// What begins a line that keeps a key of the file.
const PREFIX: &str = "# file: ";

/// The values of the keys that a file sets, as `params.toml` writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileValues(BTreeMap<(&'static str, &'static str), String>);

impl FileValues {
    /// Reads the comments that [`FileValues::to_comments`] wrote into the text
    /// of some parameters; other lines, and keys that are unknown by now, are
    /// skipped.
    pub fn from_comments(text: &str) -> FileValues {
        let kept = text.lines().filter_map(|line| {
            let (path, value) = line.strip_prefix(PREFIX)?.split_once(" = ")?;
            let key = find_key(path)?;
            Some(((key.group, key.name), value.to_owned()))
        });
        FileValues(kept.collect())
    }

    /// The values that are not the built-in defaults, as comments; empty where
    /// there are none.
    pub fn to_comments(&self) -> String {
        let mut text = String::new();
        for ((group, name), value) in &self.0 {
            let path = format!("{group}.{name}");
            if find_key(&path).is_some_and(|key| key.default_text() != *value) {
                let _ = writeln!(text, "{PREFIX}{path} = {value}");
            }
        }
        if text.is_empty() {
            return text;
        }
        format!("\n# What the file of parameters said where it was not the default:\n{text}")
    }

    pub(super) fn insert(&mut self, key: &Key, value: String) {
        self.0.insert((key.group, key.name), value);
    }

    /// Whether the file said this already, in words or by leaving the key at
    /// its default.
    pub(super) fn says(&self, key: &Key, value: &str) -> bool {
        match self.0.get(&(key.group, key.name)) {
            Some(said) => said == value,
            None => key.default_text() == value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_as_comments() {
        let mut values = FileValues::default();
        for (path, value) in [
            ("player.depth", "5"),
            ("run.window", "8"),
            ("genome.features", r#"["quads", "capturable"]"#),
        ] {
            let key = find_key(path).expect("a key");
            values.insert(key, value.to_owned());
        }
        let text = values.to_comments();
        assert!(text.contains("\n# file: player.depth = 5\n"), "{text}");
        assert!(!text.contains("window"), "a default is not kept: {text}");
        let again = FileValues::from_comments(&format!("[player]\ndepth = 3\n{text}"));
        assert_eq!(again.to_comments(), text);
        for (path, value, is_said) in [
            ("player.depth", "5", true),
            ("player.depth", "3", false),
            ("run.window", "8", true),
            ("run.window", "9", false),
            ("genome.features", r#"["quads", "capturable"]"#, true),
        ] {
            let key = find_key(path).expect("a key");
            assert_eq!(again.says(key, value), is_said, "{path} = {value}");
        }
        let odd = FileValues::from_comments("# file: no.key = 1\n# file: broken\n# other");
        assert_eq!(odd, FileValues::default());
        assert_eq!(odd.to_comments(), "");
    }
}
