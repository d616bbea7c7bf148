//! A search with its options, as people write it: `mtdf`, `selective:lmr=0`,
//! `mcts:c=0.1,rave=1000`.
//!
//! Owns the spelling of options wherever a search is named: in players' texts,
//! parameters, certificates, the protocol. Limits belong to whoever searches.

use std::fmt;
use std::str::FromStr;

use super::mcts::Options as TreeOptions;
use super::mcts::options::OptionError;
use super::selective::Tuning;
use super::selective::tuning::TuningError;
use super::{Algorithm, UnknownAlgorithm};

/// What a simulation adds to a tree, about: the nodes of 40 moves, and as much that
/// is kept from the move before.
const BYTES_A_SIMULATION: u64 = 2 * 40 * 48;

/// A search and its options.
///
/// # Examples
///
/// ```
/// use loatune::search::{Algorithm, SearchSetup};
///
/// let setup: SearchSetup = "selective:lmr=0,null_move=3".parse()?;
/// assert_eq!(setup.algorithm, Algorithm::Selective);
/// // What is as usual is not said.
/// assert_eq!(setup.to_string(), "selective:lmr=0");
/// let error = "mcts:c=much".parse::<SearchSetup>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "option c of `mcts` is \"much\"; it takes a number from -10 to 10"
/// );
/// # Ok::<(), loatune::search::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSetup {
    /// The search.
    pub algorithm: Algorithm,
    /// The constants of a selective search.
    pub tuning: Tuning,
    /// The options of a Monte-Carlo tree search.
    pub tree_options: TreeOptions,
}

/// Why a text is no search with options.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// Not a search.
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    /// Not a constant of the selective search, or none of its values.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// Not an option of the tree search, or none of its values.
    #[error(transparent)]
    Tree(#[from] OptionError),
    /// A search without options.
    #[error("`{algorithm}` has no option {name:?}; only selective and mcts have options")]
    NoOptions {
        /// The search.
        algorithm: Algorithm,
        /// The option's name.
        name: String,
    },
    /// Something else than an option.
    #[error(
        "{0:?} is no option; options are written NAME=VALUE with commas between them, as in \
         selective:lmr=0,null_move=0, and limits are set apart"
    )]
    NoOption(String),
    /// The same option once more.
    #[error("option {0} is set twice")]
    Twice(String),
}

/// Checks that no option stands twice in a text such as `c=0.1,rave=1000`.
///
/// # Errors
/// The name of the option that does.
pub fn check_names(options: &str) -> Result<(), SetupError> {
    let mut known = Vec::new();
    for (name, _) in options.split(',').filter_map(|part| part.split_once('=')) {
        if known.contains(&name) {
            return Err(SetupError::Twice(name.to_owned()));
        }
        known.push(name);
    }
    Ok(())
}

impl SearchSetup {
    /// A search with its usual options.
    pub fn new(algorithm: Algorithm) -> SearchSetup {
        SearchSetup {
            algorithm,
            tuning: Tuning::default(),
            tree_options: TreeOptions::default(),
        }
    }

    /// Sets an option by its name.
    ///
    /// # Errors
    /// The search has none of this name, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        match self.algorithm {
            Algorithm::Selective => Ok(self.tuning.set(name, value)?),
            Algorithm::Mcts => Ok(self.tree_options.set(name, value)?),
            algorithm => Err(SetupError::NoOptions {
                algorithm,
                name: name.to_owned(),
            }),
        }
    }

    /// Sets all options of a text such as `c=0.1,rave=1000`, which may be empty.
    ///
    /// # Errors
    /// Something in it is no option of the search, or an option stands there twice.
    pub fn set_all(&mut self, options: &str) -> Result<(), SetupError> {
        check_names(options)?;
        for part in options.split(',').filter(|_| !options.is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| SetupError::NoOption(part.to_owned()))?;
            self.set(name, value)?;
        }
        Ok(())
    }

    /// Checks that the options go together and with the limits; `timed` says
    /// whether the time decides.
    ///
    /// # Errors
    /// They do not.
    pub fn check(&self, timed: bool) -> Result<(), SetupError> {
        Ok(self.tree_options.check(timed)?)
    }

    /// The search of a text whose games can be played again, such as those of a
    /// population and of a certificate.
    ///
    /// # Errors
    /// It is no search with options, or the time would decide what it plays.
    pub fn parse_repeatable(text: &str) -> Result<SearchSetup, SetupError> {
        let setup: SearchSetup = text.parse()?;
        setup.check(false)?;
        Ok(setup)
    }

    /// What differs from the usual options, as in `c=0.1,rave=1000`.
    pub fn options_text(&self) -> String {
        match self.algorithm {
            Algorithm::Selective => self.tuning.to_string(),
            Algorithm::Mcts => self.tree_options.to_string(),
            _ => String::new(),
        }
    }

    /// The bytes that the trees of a Monte-Carlo tree search may take with this
    /// limit of simulations; 0 for any other search.
    pub fn tree_bytes(&self, simulations: Option<u64>) -> u64 {
        if self.algorithm != Algorithm::Mcts {
            return 0;
        }
        let most = self.tree_options.memory_bytes();
        let grown = |count: u64| count.saturating_mul(BYTES_A_SIMULATION);
        simulations.map_or(most, |count| most.min(grown(count)))
    }
}

impl From<Algorithm> for SearchSetup {
    fn from(algorithm: Algorithm) -> SearchSetup {
        SearchSetup::new(algorithm)
    }
}

impl fmt::Display for SearchSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.options_text();
        let colon = if options.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{options}", self.algorithm.name())
    }
}

impl FromStr for SearchSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<SearchSetup, SetupError> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let mut setup = SearchSetup::new(name.parse()?);
        match options {
            Some("") => return Err(SetupError::NoOption(String::new())),
            Some(options) => setup.set_all(options)?,
            None => {}
        }
        Ok(setup)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "minimax",
            "mtdf",
            "selective",
            "selective:null_move=0,lmr=0",
            "mcts",
            "mcts:c=0.1,rave=inf,seed=7",
        ] {
            let setup: SearchSetup = text.parse().unwrap();
            assert_eq!(setup.to_string(), text);
        }
        let usual: SearchSetup = "mcts:c=0.3".parse().unwrap();
        assert_eq!(usual, SearchSetup::new(Algorithm::Mcts));
    }

    #[test]
    fn what_is_no_option_is_refused_by_name() {
        for (text, message) in [
            ("mtdg", "unknown player `mtdg`"),
            ("mtdf:c=1", "`mtdf` has no option \"c\""),
            ("mtdf:5", "\"5\" is no option"),
            ("mtdf:", "\"\" is no option"),
            ("mcts:s500", "\"s500\" is no option"),
            ("mcts:c=0.3,", "\"\" is no option"),
            ("mcts:c=11", "option c of `mcts` is \"11\"; it takes"),
            (
                "selective:lmr=2",
                "option lmr of `selective` is \"2\"; it takes a whole number from 0 to 1",
            ),
            ("selective:book=x", "unknown option \"book\""),
            ("mcts:c=0.1,rave=5,c=0.2", "option c is set twice"),
        ] {
            let error = text.parse::<SearchSetup>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let shared = "mcts:threads=2,shared_tree=1";
        assert!(shared.parse::<SearchSetup>().is_ok());
        let error = SearchSetup::parse_repeatable(shared).unwrap_err();
        assert!(error.to_string().contains("not deterministic"), "{error}");
    }

    #[test]
    fn trees_have_their_memory() {
        let tree = SearchSetup::new(Algorithm::Mcts);
        assert_eq!(tree.tree_bytes(None), 64 << 20);
        assert_eq!(tree.tree_bytes(Some(1)), BYTES_A_SIMULATION);
        assert_eq!(tree.tree_bytes(Some(u64::MAX)), 64 << 20);
        assert_eq!(SearchSetup::new(Algorithm::Mtdf).tree_bytes(None), 0);
    }
}
