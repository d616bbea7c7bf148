//! The weights that need no file: `default`, which were learned, and `source`, the
//! hand-written values of the gene table.

use std::sync::LazyLock;

use super::WeightFile;
use crate::eval::Weights;

/// The name of the weights that a player has where nobody chooses others.
pub const DEFAULT_WEIGHTS: &str = "default";

/// The name of the hand-written weights.
pub const SOURCE_WEIGHTS: &str = "source";

/// The learned weights, compiled into the program. Their origin says how they were
/// made.
const BUILT_IN: &str = include_str!("default.toml");

impl WeightFile {
    /// The learned weights, [`DEFAULT_WEIGHTS`]: strong ones, for whoever plays,
    /// analyses or connects an engine without a choice.
    pub fn built_in() -> WeightFile {
        static FILE: LazyLock<WeightFile> = LazyLock::new(|| {
            WeightFile::parse(BUILT_IN, "the built-in weights")
                .expect("a test reads the built-in weights")
        });
        FILE.clone()
    }

    /// The hand-written weights of the gene table, [`SOURCE_WEIGHTS`]: a reference
    /// that stays what it is.
    pub fn source() -> WeightFile {
        WeightFile {
            name: String::from(SOURCE_WEIGHTS),
            origin: String::from("written by hand for the features of the source document"),
            weights: Weights::source(),
            certificate: None,
        }
    }

    /// The built-in weights of this name; `None` where it is not one of theirs.
    pub fn built_in_named(name: &str) -> Option<WeightFile> {
        match name {
            DEFAULT_WEIGHTS => Some(WeightFile::built_in()),
            SOURCE_WEIGHTS => Some(WeightFile::source()),
            _ => None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_a_file_as_this_program_writes_it() {
        let file = WeightFile::built_in();
        assert_eq!(file.name, DEFAULT_WEIGHTS);
        assert_eq!(file.to_toml(), BUILT_IN);
        file.weights.validate().unwrap();
        assert!(file.origin.starts_with("learned from"), "{}", file.origin);
    }

    #[test]
    fn both_have_a_name() {
        for name in [DEFAULT_WEIGHTS, SOURCE_WEIGHTS] {
            assert_eq!(WeightFile::built_in_named(name).unwrap().name, name);
        }
        assert_eq!(WeightFile::built_in_named("champion"), None);
        assert_ne!(WeightFile::built_in().weights, Weights::source());
    }
}
