//! Published champions: the opponents that a new champion is measured
//! against.

use std::path::{Path, PathBuf};

use super::WeightFile;
use crate::document::FileError;

/// The directory of published champions, relative to the current directory.
pub const PUBLISHED: &str = "populations/published";

/// The names and files of the champions in a directory, sorted by name; none
/// where there is no directory.
pub fn champions(directory: &Path) -> Vec<(String, PathBuf)> {
    let entries = directory.read_dir().into_iter().flatten();
    let mut found: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some((name.strip_suffix(".toml")?.to_owned(), entry.path()))
        })
        .collect();
    found.sort();
    found
}

/// The champions in a directory, usually [`PUBLISHED`], sorted by name; none
/// where there is no such directory.
///
/// # Errors
/// A file that cannot be read or used: a proof that leaves an opponent out
/// would claim too much.
pub fn published(directory: &Path) -> Result<Vec<(String, WeightFile)>, FileError> {
    let read = |(name, path): (String, PathBuf)| Ok((name, WeightFile::read(&path)?));
    champions(directory).into_iter().map(read).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn champions_are_sorted_and_a_broken_one_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        assert!(published(&place.path().join("none")).unwrap().is_empty());
        let text = WeightFile::source().to_toml();
        for name in ["b.toml", "a.toml", "notes.txt"] {
            fs::write(place.path().join(name), &text).unwrap();
        }
        let found = published(place.path()).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(found[0].1, WeightFile::source());
        fs::write(place.path().join("c.toml"), "[weights]").unwrap();
        let error = published(place.path()).unwrap_err().to_string();
        assert!(error.contains("c.toml"), "{error}");
    }
}
