//! Ways to learn, the parameters of a task, and the fingerprint of both.

use std::fmt;

use loatune::params::{Layers, Params, Source, find_key, keys};
use loatune::search::EngineVersion;

use crate::regression::Labels;
use crate::report::entry::{Learner, short_hash};
use crate::spsa::Gains;

/// A way to learn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Method {
    /// The rule, with some parameters changed.
    Evolution {
        keys: Vec<[String; 2]>,
    },
    /// The rule without school, with some parameters changed.
    Genetic {
        keys: Vec<[String; 2]>,
    },
    Halving,
    Spsa(Gains),
    Regression(Labels),
}

/// A method at work.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) method: Method,
    pub(crate) games: u64,
    pub(crate) depth: u32,
    pub(crate) seed: u64,
}

/// Groups that the methods beside the rule depend on.
const COMMON_GROUPS: [&str; 4] = ["rules", "genome", "player", "openings"];

impl Method {
    pub(crate) fn parse(text: &str) -> Result<Method, String> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut keys = Vec::new();
        for part in rest.split(':').filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("{part:?} must be KEY=VALUE"));
            };
            keys.push([key.to_owned(), value.to_owned()]);
        }
        let method = match name {
            "evolution" => Method::Evolution { keys },
            "genetic" => Method::Genetic { keys },
            "halving" if keys.is_empty() => Method::Halving,
            "spsa" => Method::Spsa(Gains::parse(&keys)?),
            "regression" => Method::Regression(Labels::parse(&keys)?),
            _ => {
                let names = "evolution, genetic, regression, spsa or halving";
                return Err(format!("{text:?} must be one of {names}"));
            }
        };
        let trial = Task {
            method: method.clone(),
            games: 1000,
            depth: 1,
            seed: 1,
        };
        trial.checked_params()?;
        Ok(method)
    }

    /// The number of this version of the method's code. A change that makes it
    /// learn other weights from the same parameters raises it, so that old
    /// results are not taken for new ones.
    const fn revision(&self) -> u32 {
        match self {
            Method::Evolution { .. } | Method::Genetic { .. } => 1,
            Method::Halving | Method::Spsa(_) => 1,
            // As many phases as the genome has; it had one before.
            Method::Regression(_) => 2,
        }
    }

    /// All that decides what is learned, but for games, depth and seed.
    fn fingerprint(&self) -> String {
        let task = Task {
            method: self.clone(),
            games: 10_000,
            depth: 2,
            seed: 1,
        };
        let params = task.params();
        let text = match self {
            Method::Evolution { .. } | Method::Genetic { .. } => params.fingerprint(),
            Method::Halving | Method::Spsa(_) | Method::Regression(_) => {
                let common = keys()
                    .filter(|key| key.affects_result && COMMON_GROUPS.contains(&key.group))
                    .map(|key| format!("{} = {}\n", key.path(), key.text(&params)));
                // SPSA begins with the mean of so many founders.
                let founders = params.evolution.population;
                let founders = matches!(self, Method::Spsa(_)).then_some(founders);
                format!("{}{founders:?}", common.collect::<String>())
            }
        };
        short_hash(&format!("{self} {} {text}", self.revision()))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rule = |name, keys: &[[String; 2]]| {
            f.write_str(name)?;
            keys.iter()
                .try_for_each(|[key, value]| write!(f, ":{key}={value}"))
        };
        match self {
            Method::Evolution { keys } => rule("evolution", keys),
            Method::Genetic { keys } => rule("genetic", keys),
            Method::Halving => f.write_str("halving"),
            Method::Spsa(gains) => gains.fmt(f),
            Method::Regression(labels) => labels.fmt(f),
        }
    }
}

impl Task {
    /// The effective parameters: the defaults but for what is asked for.
    pub(crate) fn params(&self) -> Params {
        self.checked_params().unwrap()
    }

    fn checked_params(&self) -> Result<Params, String> {
        let mut layers = Layers::new();
        let mut set = |path: &str, text: &str| {
            let key = if path.contains('.') {
                find_key(path)
            } else {
                find_key(&format!("evolution.{path}"))
            };
            let key = key.ok_or_else(|| format!("{path}: there is no such parameter"))?;
            let set = layers.set(key, text, Source::Flag(key.flag_name()));
            set.map_err(|error| format!("{path}={text}: {error}"))
        };
        set("player.depth", &self.depth.to_string())?;
        set("run.seed", &self.seed.to_string())?;
        set("run.threads", "1")?;
        set("evolution.budget", &self.games.to_string())?;
        if let Method::Genetic { .. } = self.method {
            set("school.enabled", "false")?;
        }
        if let Method::Evolution { keys } | Method::Genetic { keys } = &self.method {
            for [key, value] in keys {
                set(key, value)?;
            }
        }
        let params = layers.finish().map_err(|error| error.to_string())?;
        Ok(params.params)
    }

    /// Who learns, as the raw results name it.
    pub(crate) fn learner(&self) -> Learner {
        Learner {
            method: self.method.to_string(),
            games: self.games,
            depth: self.depth,
            seed: self.seed,
            engine: EngineVersion::PRESENT.signature(),
            fingerprint: self.method.fingerprint(),
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {} games, depth {}, seed {}",
            self.method, self.games, self.depth, self.seed
        )
    }
}
