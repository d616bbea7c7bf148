//! Weights by name: `default`, `random:SEED`, the path of a weight file or the
//! name of a published champion. Which of these forms a caller accepts is its
//! choice: [`named_weights`] or [`find_weights`].

use std::path::{Path, PathBuf};

use super::published::{PUBLISHED, champions};
use super::{WeightFile, random_weights};
use crate::document::FileError;

/// The name of the built-in weights.
pub const DEFAULT_WEIGHTS: &str = "default";

/// What the names of random weights start with; a seed follows.
const RANDOM: &str = "random:";

/// Why a name leads to no weights.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// There is no such file, and no other form is accepted.
    #[error("no weights {:?}: neither a file nor `{DEFAULT_WEIGHTS}`", cut(.0))]
    NoFile(String),
    /// There is neither a file nor a champion of that name.
    #[error(
        "no weights {name:?}: no such file, and no published champion of that name ({published})"
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

/// The weights that a name stands for, where only `default` and the path of a
/// weight file are accepted.
///
/// # Errors
/// [`LookupError::NoFile`] where there is no such file, [`LookupError::File`]
/// where it cannot be used.
///
/// ```
/// use loatune::weights::{WeightFile, named_weights};
///
/// assert_eq!(named_weights("default")?, WeightFile::default());
/// let error = named_weights("no/such.toml").unwrap_err().to_string();
/// assert_eq!(error, "no weights \"no/such.toml\": neither a file nor `default`");
/// # Ok::<(), loatune::weights::LookupError>(())
/// ```
pub fn named_weights(name: &str) -> Result<WeightFile, LookupError> {
    let file = match locate(name, Path::new(""), Forms::DefaultAndFiles)? {
        Location::BuiltIn => return Ok(WeightFile::default()),
        location => location.read()?,
    };
    log::info!("weights {:?} from {name}: {}", file.name, file.origin);
    Ok(file)
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
    locate(name, directory, Forms::All)?.read()
}

/// Which forms of names are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forms {
    DefaultAndFiles,
    All,
}

/// Where the weights of a name come from.
enum Location {
    BuiltIn,
    Seed(u64),
    File(PathBuf),
}

impl Location {
    fn read(self) -> Result<WeightFile, LookupError> {
        match self {
            Location::BuiltIn => Ok(WeightFile::default()),
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
fn locate(name: &str, directory: &Path, forms: Forms) -> Result<Location, LookupError> {
    if name == DEFAULT_WEIGHTS {
        return Ok(Location::BuiltIn);
    }
    if forms == Forms::All
        && let Some(seed) = name.strip_prefix(RANDOM)
    {
        let seed = seed
            .parse()
            .map_err(|_| LookupError::Seed(seed.to_owned()))?;
        return Ok(Location::Seed(seed));
    }
    let path = directory.join(name);
    if path.exists() {
        return Ok(Location::File(path));
    }
    if forms == Forms::DefaultAndFiles {
        return Err(LookupError::NoFile(name.to_owned()));
    }
    let champion = champion_file(name, directory).ok_or_else(|| LookupError::Unknown {
        name: name.to_owned(),
        published: champions_in_words(directory),
    })?;
    Ok(Location::File(champion))
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
                ..WeightFile::default()
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
        assert_eq!(find("default"), WeightFile::default().weights);
        assert_eq!(find("random:9"), random_weights(9));
        assert_eq!(find("own.toml"), random_weights(1));
        assert_eq!(find("own"), random_weights(2));
        assert_eq!(find("other"), random_weights(3));
    }

    #[test]
    fn what_is_not_found_is_explained() {
        let directory = directory();
        let find = |name: &str| {
            let error = find_weights(name, directory.path()).unwrap_err();
            error.to_string()
        };
        let hint = format!("({PUBLISHED} has other, own)");
        for name in ["third", "./other", "a\\other", "published/other"] {
            assert!(find(name).ends_with(&hint), "{name}: {}", find(name));
        }
        assert!(find("random:-1").starts_with("bad seed \"-1\""));
        fs::write(directory.path().join("bad.toml"), "[weights]").unwrap();
        assert!(find("bad.toml").contains("bad.toml: missing"));
    }

    /// Where weights of one's own are asked for, a champion's name or a seed is
    /// taken as the name of a file.
    #[test]
    fn the_narrow_lookup_takes_files_only() {
        for name in ["random:9", "other", ""] {
            let error = named_weights(name).unwrap_err().to_string();
            let expected = format!("no weights {name:?}: neither a file nor `default`");
            assert_eq!(error, expected);
        }
        let directory = directory();
        let path = directory.path().join("own.toml");
        let found = named_weights(path.to_str().unwrap()).unwrap();
        assert_eq!(found.weights, random_weights(1));
    }
}
