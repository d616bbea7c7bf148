//! Players as people name them: `mine.toml`, `default@alphabeta:3`.
//!
//! Owns the spelling. Names of weights are looked up by [`crate::weights`], how
//! a player plays is its contender's.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::builtin::Builtin;
use super::contender::{Contender, MoveLimits};
use super::external::{External, StartError, Timeouts};
use crate::eval::Weights;
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, UnknownAlgorithm};
use crate::weights::{LookupError, find_weights};

/// How the parts are put together, for messages.
const FORMS: &str = "a weight file, a published champion, `default`, `random:SEED` or \
                     `ugi:COMMAND`, with an optional @PLAYER[:DEPTH] as in mine.toml@mtdf:5";

/// A player that can be started any number of times.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// As it was named; the name in reports.
    pub text: String,
    /// Our own engine, or another program.
    pub kind: PlayerKind,
    /// The limits of one move.
    pub limits: MoveLimits,
    /// The memory of a built-in player's transposition table, in KiB.
    pub table_kib: u32,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// Our own engine.
    Builtin {
        /// Its search.
        algorithm: Algorithm,
        /// Its weights.
        weights: Box<Weights>,
    },
    /// Another program that speaks UGI.
    External {
        /// The command that starts it.
        command: String,
    },
}

/// Why a text is no player.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// Nothing, or nothing before the `@`.
    #[error("{0:?} names no player; it takes {FORMS}")]
    Empty(String),
    /// No file and no name.
    #[error(
        "no player {name:?}: no such file, and no published champion of that name ({published})"
    )]
    Unknown {
        /// What was looked for.
        name: String,
        /// Which champions there are, in words.
        published: String,
    },
    /// Weights that cannot be used.
    #[error(transparent)]
    Weights(LookupError),
    /// No command.
    #[error("no command in ugi:COMMAND")]
    NoCommand,
    /// Not a search.
    #[error("{text:?}: {cause}")]
    Algorithm {
        /// The whole text.
        text: String,
        /// The name in it.
        cause: UnknownAlgorithm,
    },
    /// Not a limit.
    #[error(
        "{text:?}: bad limit {limit:?}; write a depth from 1 to {MAX_DEPTH} as in mtdf:5, \
         nodes as in mtdf:n20000 or seconds as in mtdf:t0.5"
    )]
    Limit {
        /// The whole text.
        text: String,
        /// The limit in it.
        limit: String,
    },
}

impl From<LookupError> for SpecError {
    fn from(error: LookupError) -> SpecError {
        match error {
            LookupError::Unknown { name, published } => SpecError::Unknown { name, published },
            error => SpecError::Weights(error),
        }
    }
}

impl PlayerSpec {
    /// Reads a player's name; `limits` hold where it has none of its own. Files
    /// are looked up in `here`; an empty path is the current directory.
    ///
    /// # Errors
    /// Where the text names no player, or its weights cannot be read.
    pub fn parse(text: &str, limits: MoveLimits, here: &Path) -> Result<PlayerSpec, SpecError> {
        let table_kib = Builtin::DEFAULT_TABLE_KIB;
        if let Some(command) = text.strip_prefix("ugi:") {
            let command = command.trim().to_owned();
            if command.is_empty() {
                return Err(SpecError::NoCommand);
            }
            return Ok(PlayerSpec {
                text: text.to_owned(),
                kind: PlayerKind::External { command },
                limits,
                table_kib,
            });
        }
        let (name, search) = match text.rsplit_once('@') {
            Some((name, search)) => (name, Some(search)),
            None => (text, None),
        };
        let (algorithm, own_limits) = match search {
            Some(search) => parse_search(text, search)?,
            None => (Algorithm::Mtdf, None),
        };
        let weights = Box::new(weights(text, name, here)?);
        Ok(PlayerSpec {
            text: text.to_owned(),
            kind: PlayerKind::Builtin { algorithm, weights },
            limits: own_limits.unwrap_or(limits),
            table_kib,
        })
    }

    /// Whether it plays the same game every time.
    pub fn is_repeatable(&self) -> bool {
        matches!(self.kind, PlayerKind::Builtin { .. }) && self.limits.time.is_none()
    }

    /// Starts the player; its searches end when `halt` is set.
    ///
    /// # Errors
    /// Where another program cannot be started.
    pub fn contender(&self, halt: &Arc<AtomicBool>) -> Result<Box<dyn Contender>, StartError> {
        match &self.kind {
            PlayerKind::Builtin { algorithm, weights } => Ok(Box::new(
                Builtin::new(&self.text, *algorithm, weights, self.limits)
                    .with_table(self.table_kib)
                    .with_halt(Arc::clone(halt)),
            )),
            PlayerKind::External { command } => {
                let mut engine = External::start(command, self.limits, Timeouts::default())?;
                engine.rename(&self.text);
                Ok(Box::new(engine.with_halt(Arc::clone(halt))))
            }
        }
    }
}

/// `mtdf`, `mtdf:5`, `mtdf:n20000`, `mtdf:t0.5`.
fn parse_search(text: &str, search: &str) -> Result<(Algorithm, Option<MoveLimits>), SpecError> {
    let (algorithm, limit) = match search.split_once(':') {
        Some((algorithm, limit)) => (algorithm, Some(limit)),
        None => (search, None),
    };
    let algorithm = algorithm.parse().map_err(|cause| SpecError::Algorithm {
        text: text.to_owned(),
        cause,
    })?;
    let Some(limit) = limit else {
        return Ok((algorithm, None));
    };
    let limits = parse_limit(limit).ok_or_else(|| SpecError::Limit {
        text: text.to_owned(),
        limit: limit.to_owned(),
    })?;
    Ok((algorithm, Some(limits)))
}

fn parse_limit(limit: &str) -> Option<MoveLimits> {
    let open = MoveLimits::default();
    if let Some(nodes) = limit.strip_prefix('n') {
        let nodes = nodes.parse().ok().filter(|&nodes| nodes > 0);
        return nodes.map(|nodes| MoveLimits {
            nodes: Some(nodes),
            ..open
        });
    }
    if let Some(seconds) = limit.strip_prefix('t') {
        let time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        return (!time.is_zero()).then_some(MoveLimits {
            time: Some(time),
            ..open
        });
    }
    let depth = limit.parse().ok();
    let depth = depth.filter(|depth| (1..=MAX_DEPTH).contains(depth))?;
    Some(MoveLimits {
        depth: Some(depth),
        ..open
    })
}

fn weights(text: &str, name: &str, here: &Path) -> Result<Weights, SpecError> {
    if name.is_empty() {
        return Err(SpecError::Empty(text.to_owned()));
    }
    Ok(find_weights(name, here)?.weights)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;
    use crate::weights::{PUBLISHED, WeightFile, random_weights};

    fn parse(text: &str) -> Result<PlayerSpec, String> {
        let here = Path::new("/nowhere");
        let spec = PlayerSpec::parse(text, MoveLimits::default(), here);
        spec.map_err(|error| error.to_string())
    }

    fn search(text: &str) -> (Algorithm, MoveLimits) {
        let spec = parse(text).unwrap();
        match spec.kind {
            PlayerKind::Builtin { algorithm, .. } => (algorithm, spec.limits),
            PlayerKind::External { .. } => panic!("{text} is not built in"),
        }
    }

    #[test]
    fn searches_and_limits() {
        let open = MoveLimits::default();
        assert_eq!(search("default"), (Algorithm::Mtdf, open));
        assert_eq!(search("default@memory"), (Algorithm::Memory, open));
        let depth = MoveLimits {
            depth: Some(3),
            ..open
        };
        assert_eq!(search("default@alphabeta:3"), (Algorithm::AlphaBeta, depth));
        let nodes = MoveLimits {
            nodes: Some(20_000),
            ..open
        };
        assert_eq!(search("random:7@mtdf:n20000"), (Algorithm::Mtdf, nodes));
        let time = MoveLimits {
            time: Some(Duration::from_millis(250)),
            ..open
        };
        assert_eq!(search("default@mtdf:t0.25"), (Algorithm::Mtdf, time));
        assert!(!parse("default@mtdf:t0.25").unwrap().is_repeatable());
    }

    #[test]
    fn commands_are_taken_whole() {
        let spec = parse("ugi:./engine --net a@b:3").unwrap();
        let command = "./engine --net a@b:3".to_owned();
        assert_eq!(spec.kind, PlayerKind::External { command });
    }

    #[test]
    fn bad_names() {
        let cases = [
            ("", "\"\" names no player"),
            ("@mtdf", "\"@mtdf\" names no player"),
            ("random:x", "bad seed \"x\""),
            ("random:-1", "bad seed \"-1\""),
            ("random:", "bad seed \"\""),
            ("ugi: ", "no command"),
            (
                "default@mtdg",
                "\"default@mtdg\": unknown player `mtdg`; one of minimax",
            ),
            ("default@", "\"default@\": unknown player ``"),
            ("default@mtdf:", "\"default@mtdf:\": bad limit \"\""),
            ("default@mtdf:0", "\"default@mtdf:0\": bad limit \"0\""),
            ("default@mtdf:251", "\"default@mtdf:251\": bad limit"),
            ("default@mtdf:n0", "\"default@mtdf:n0\": bad limit"),
            ("default@mtdf:t-1", "\"default@mtdf:t-1\": bad limit"),
            ("default@mtdf:tNaN", "\"default@mtdf:tNaN\": bad limit"),
            (
                "nobody",
                "no player \"nobody\": no such file, and no published champion of that name \
                 (populations/published has none)",
            ),
        ];
        for (text, message) in cases {
            let found = parse(text).unwrap_err();
            assert!(found.starts_with(message), "{found}");
        }
    }

    #[test]
    fn champions_have_names() {
        let here = tempfile::tempdir().unwrap();
        let published = here.path().join(PUBLISHED);
        fs::create_dir_all(&published).unwrap();
        let file = WeightFile {
            weights: random_weights(9),
            ..WeightFile::default()
        };
        for name in ["first.toml", "second.toml"] {
            fs::write(published.join(name), file.to_toml()).unwrap();
        }
        let parse = |text| PlayerSpec::parse(text, MoveLimits::default(), here.path());
        let found = parse("second@mtdf:2").unwrap();
        let weights = Box::new(random_weights(9));
        let algorithm = Algorithm::Mtdf;
        assert_eq!(found.kind, PlayerKind::Builtin { algorithm, weights });
        let error = parse("third").unwrap_err().to_string();
        assert!(error.ends_with("has first, second)"), "{error}");
    }
}
