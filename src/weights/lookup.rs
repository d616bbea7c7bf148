//! Weights by name: `default`, `source`, `random:SEED`, the path of a weight file, or
//! the name of a published champion, with `published:` before it where a file has
//! the same name. Every place that takes weights takes all of these forms.

use std::path::{Path, PathBuf};

use super::built_in::{DEFAULT_WEIGHTS, SOURCE_WEIGHTS};
use super::published::{PUBLISHED, champions};
use super::{WeightFile, random_weights};
use crate::document::FileError;

/// What the names of random weights start with; a seed follows.
const RANDOM: &str = "random:";

/// What may stand before a champion's name, so that no file is meant.
const CHAMPION: &str = "published:";

/// Why a name leads to no weights.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// There is neither a file nor a champion of that name.
    #[error(
        "no weights {:?}: neither a file nor `{DEFAULT_WEIGHTS}`, `{SOURCE_WEIGHTS}`, \
         `{RANDOM}SEED` or a published champion ({published})", cut(.name)
    )]
    Unknown {
        /// The name as it was given.
        name: String,
        /// Which champions there are, in words.
        published: String,
    },
    /// The seed of random weights is no whole number from 0.
    #[error("bad seed {0:?} in {RANDOM}SEED: a whole number from 0 is expected")]
    Seed(String),
    /// There is a file, but it cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The beginning of a name that is longer than any file's, for messages.
fn cut(name: &str) -> String {
    const LONGEST: usize = 255;
    match name.char_indices().nth(LONGEST) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}...", &name[..end]),
    }
}

/// The weights that a name stands for, looked up in the current directory.
///
/// # Errors
/// Those of [`find_weights`].
///
/// ```
/// use loatune::weights::{WeightFile, named_weights};
///
/// assert_eq!(named_weights("default")?, WeightFile::built_in());
/// let error = named_weights("no/such.toml").unwrap_err().to_string();
/// assert!(error.starts_with("no weights \"no/such.toml\": neither a file nor `default`"));
/// # Ok::<(), loatune::weights::LookupError>(())
/// ```
pub fn named_weights(name: &str) -> Result<WeightFile, LookupError> {
    let file = find_weights(name, Path::new(""))?;
    log::info!("weights {:?} from {name}: {}", file.name, file.origin);
    Ok(file)
}

/// The weights of a published champion, `NAME` or `published:NAME`; a name is
/// never taken for the path of a file. `None` where there is no such champion.
///
/// # Errors
/// The champion's file cannot be used.
pub fn published_weights(name: &str, directory: &Path) -> Result<Option<WeightFile>, FileError> {
    let name = name.strip_prefix(CHAMPION).unwrap_or(name);
    let file = champion_file(name, directory);
    file.map(|path| WeightFile::read(&path)).transpose()
}

/// The weights that a name stands for, in every form. Files are looked up in
/// `directory` and champions in its [`PUBLISHED`]; an empty path is the current
/// directory.
///
/// # Errors
/// [`LookupError::Unknown`] where there is nothing of that name,
/// [`LookupError::Seed`] for a bad seed, [`LookupError::File`] for a file that
/// cannot be used.
///
/// ```
/// use std::path::Path;
///
/// use loatune::weights::{find_weights, random_weights};
///
/// let here = Path::new("");
/// assert_eq!(find_weights("random:7", here)?.weights, random_weights(7));
/// assert!(find_weights("random:x", here).is_err());
/// # Ok::<(), loatune::weights::LookupError>(())
/// ```
pub fn find_weights(name: &str, directory: &Path) -> Result<WeightFile, LookupError> {
    locate(name, directory)?.read()
}

/// Where the weights of a name come from.
enum Location {
    BuiltIn(Box<WeightFile>),
    Seed(u64),
    File(PathBuf),
}

impl Location {
    fn read(self) -> Result<WeightFile, LookupError> {
        match self {
            Location::BuiltIn(file) => Ok(*file),
            Location::Seed(seed) => Ok(WeightFile {
                name: format!("{RANDOM}{seed}"),
                origin: format!("drawn from seed {seed}"),
                weights: random_weights(seed),
                certificate: None,
            }),
            Location::File(path) => Ok(WeightFile::read(&path)?),
        }
    }
}

/// The one place that decides what a name means. A file goes before a champion
/// of the same name.
fn locate(name: &str, directory: &Path) -> Result<Location, LookupError> {
    if let Some(file) = WeightFile::built_in_named(name) {
        return Ok(Location::BuiltIn(Box::new(file)));
    }
    if let Some(seed) = name.strip_prefix(RANDOM) {
        let seed = seed
            .parse()
            .map_err(|_| LookupError::Seed(seed.to_owned()))?;
        return Ok(Location::Seed(seed));
    }
    let champion = name.strip_prefix(CHAMPION);
    let path = directory.join(name);
    if champion.is_none() && path.exists() {
        return Ok(Location::File(path));
    }
    let found = champion_file(champion.unwrap_or(name), directory);
    found
        .map(Location::File)
        .ok_or_else(|| LookupError::Unknown {
            name: name.to_owned(),
            published: champions_in_words(directory),
        })
}

/// The file of a published champion. A champion's name is no path.
fn champion_file(name: &str, directory: &Path) -> Option<PathBuf> {
    if name.contains(['/', '\\']) || name == "." || name == ".." {
        return None;
    }
    let path = directory.join(PUBLISHED).join(format!("{name}.toml"));
    path.is_file().then_some(path)
}

/// Which champions there are, in words.
fn champions_in_words(directory: &Path) -> String {
    let names: Vec<String> = champions(&directory.join(PUBLISHED))
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    if names.is_empty() {
        return format!("{PUBLISHED} has none");
    }
    format!("{PUBLISHED} has {}", names.join(", "))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;

    /// A directory with a file `own.toml` and the champions `own` and `other`.
    fn directory() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let published = directory.path().join(PUBLISHED);
        fs::create_dir_all(&published).unwrap();
        let write = |path: PathBuf, seed: u64| {
            let file = WeightFile {
                weights: random_weights(seed),
                ..WeightFile::source()
            };
            fs::write(path, file.to_toml()).unwrap();
        };
        write(directory.path().join("own.toml"), 1);
        write(published.join("own.toml"), 2);
        write(published.join("other.toml"), 3);
        directory
    }

    #[test]
    fn every_form_of_a_name_is_found() {
        let directory = directory();
        let find = |name: &str| find_weights(name, directory.path()).unwrap().weights;
        assert_eq!(find("default"), WeightFile::built_in().weights);
        assert_eq!(find("source"), WeightFile::source().weights);
        assert_eq!(find("random:9"), random_weights(9));
        assert_eq!(find("own.toml"), random_weights(1));
        assert_eq!(find("own"), random_weights(2));
        assert_eq!(find("other"), random_weights(3));
        assert_eq!(find("published:other"), random_weights(3));
        let name = |name: &str| {
            let found = published_weights(name, directory.path()).unwrap();
            found.map(|file| file.weights)
        };
        assert_eq!(name("other"), Some(random_weights(3)));
        assert_eq!(name("published:own"), Some(random_weights(2)));
        for file in ["own.toml", "../../own", "default", "", "."] {
            assert_eq!(name(file), None, "{file}");
        }
    }

    #[test]
    fn what_is_not_found_is_explained() {
        let directory = directory();
        let find = |name: &str| {
            let error = find_weights(name, directory.path()).unwrap_err();
            error.to_string()
        };
        let hint = format!("({PUBLISHED} has other, own)");
        for name in [
            "third",
            "./other",
            "a\\other",
            "published/other",
            "published:own.toml",
        ] {
            assert!(find(name).ends_with(&hint), "{name}: {}", find(name));
        }
        assert!(find("random:-1").starts_with("bad seed \"-1\""));
        fs::write(directory.path().join("bad.toml"), "[weights]").unwrap();
        assert!(find("bad.toml").contains("bad.toml: missing"));
    }
}
