//! The opponents that everybody is judged by: the weight files of `panel/`, and
//! the source weights.

use std::path::Path;

use loatune::eval::Weights;
use loatune::weights::WeightFile;

use crate::options::ROOT;
use crate::report::entry::short_hash;
use crate::report::summary::DEFAULT;

/// An opponent.
pub(crate) struct Opponent {
    /// The name of its file, without the ending.
    pub(crate) name: String,
    /// The beginning of a hash of its weights.
    pub(crate) id: String,
    pub(crate) weights: Weights,
}

/// All opponents, by name, the source weights last.
pub(crate) fn opponents() -> Result<Vec<Opponent>, String> {
    let folder = Path::new(ROOT).join("benches/ablation/panel");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut opponents = Vec::new();
    for file in std::fs::read_dir(&folder).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let file = WeightFile::read(&path).map_err(|error| error.to_string())?;
        let name = path.file_stem().unwrap_or_default();
        opponents.push(opponent(&name.to_string_lossy(), file.weights));
    }
    opponents.sort_by(|a, b| a.name.cmp(&b.name));
    opponents.push(opponent(DEFAULT, Weights::source()));
    Ok(opponents)
}

fn opponent(name: &str, weights: Weights) -> Opponent {
    Opponent {
        name: name.to_owned(),
        id: short_hash(&format!("{weights:?}")),
        weights,
    }
}
