//! What is asked for: methods, games, seeds, and the parameters of a task.

use std::fmt;
use std::thread::available_parallelism;

use clap::Parser;
use loatune::params::Params;

use crate::spsa::Gains;

/// Compares ways to learn weights at equal numbers of games.
#[derive(Parser)]
pub(crate) struct Options {
    /// Games that each method may learn from; several, with commas
    #[arg(long, value_delimiter = ',', default_value = "1000",
          value_parser = clap::value_parser!(u64).range(40..=100_000_000))]
    pub(crate) games: Vec<u64>,
    /// Plies that all players search
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) depth: u32,
    /// How many seeds
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 40))]
    pub(crate) first_seed: u64,
    /// Games of each match that judges, in pairs
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) judge: u64,
    /// `evolution`, `halving`, `spsa`; `evolution:KEY=VALUE` changes keys of
    /// `[evolution]`, `spsa:width=0.2:step=0.05` the gains. Evolution is always there
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "evolution,halving,spsa",
        value_parser = Method::parse
    )]
    pub(crate) methods: Vec<Method>,
    /// Judges also what else the evolution's games have brought: the last
    /// consensus, the last file, the best founder and the founders' mean
    #[arg(long)]
    pub(crate) parts: bool,
    /// Tasks at the same time; 0 for one a core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Cargo says so
    #[arg(long, hide = true)]
    bench: bool,
    /// As for other benchmarks: nothing is done unless `ablation` contains one
    filter: Vec<String>,
}

/// A way to learn.
#[derive(Clone, PartialEq)]
pub(crate) enum Method {
    /// The rule, with some keys of `[evolution]` changed.
    Evolution {
        keys: Vec<[String; 2]>,
    },
    Halving,
    Spsa(Gains),
}

/// A method at work.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) method: Method,
    pub(crate) games: u64,
    pub(crate) depth: u32,
    pub(crate) seed: u64,
}

impl Method {
    const PLAIN: Method = Method::Evolution { keys: Vec::new() };

    fn parse(text: &str) -> Result<Method, String> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut keys = Vec::new();
        for part in rest.split(':').filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("{part:?} must be KEY=VALUE"));
            };
            keys.push([key.to_owned(), value.to_owned()]);
        }
        match name {
            "evolution" => {
                let method = Method::Evolution { keys };
                let task = Task {
                    method: method.clone(),
                    games: 1000,
                    depth: 1,
                    seed: 1,
                };
                Params::parse(&task.params_text(), text).map_err(|error| error.to_string())?;
                Ok(method)
            }
            "halving" if keys.is_empty() => Ok(Method::Halving),
            "spsa" => Gains::parse(&keys).map(Method::Spsa),
            _ => Err(String::from("must be evolution, halving or spsa")),
        }
    }

    pub(crate) fn is_plain_evolution(&self) -> bool {
        *self == Method::PLAIN
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Evolution { keys } => {
                f.write_str("evolution")?;
                keys.iter()
                    .try_for_each(|[key, value]| write!(f, ":{key}={value}"))
            }
            Method::Halving => f.write_str("halving"),
            Method::Spsa(gains) => gains.fmt(f),
        }
    }
}

impl Task {
    /// The effective parameters: the defaults but for what is asked for.
    pub(crate) fn params_text(&self) -> String {
        let mut text = format!(
            "[player]\ndepth = {}\n[run]\nseed = {}\n[evolution]\nbudget = {}\n",
            self.depth, self.seed, self.games
        );
        if let Method::Evolution { keys } = &self.method {
            for [key, value] in keys {
                text += &format!("{key} = {value}\n");
            }
        }
        text
    }

    pub(crate) fn params(&self) -> Params {
        Params::parse(&self.params_text(), "params.toml").unwrap()
    }
}

impl Options {
    /// Those of a test run.
    pub(crate) fn quick() -> Options {
        Options::parse_from([
            "ablation", "--games", "60", "--depth", "1", "--seeds", "1", "--judge", "4", "--parts",
        ])
    }

    /// Whether only other benchmarks are wanted.
    pub(crate) fn is_left_out(&self) -> bool {
        let wanted = |filter: &String| "ablation".contains(filter.as_str());
        !self.filter.is_empty() && !self.filter.iter().any(wanted)
    }

    pub(crate) fn thread_count(&self) -> usize {
        match self.threads {
            0 => available_parallelism().map_or(1, usize::from),
            some => some,
        }
    }

    /// The methods, evolution first: its champions are the others' opponents.
    pub(crate) fn methods(&self) -> Vec<Method> {
        let mut methods = vec![Method::PLAIN];
        for method in &self.methods {
            if !methods.contains(method) {
                methods.push(method.clone());
            }
        }
        methods
    }

    /// Every method with every number of games and seed, the longest first.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        let mut games = self.games.clone();
        games.sort_unstable_by(|a, b| b.cmp(a));
        games.dedup();
        let mut tasks = Vec::new();
        for games in games {
            for seed in self.first_seed..self.first_seed + self.seeds {
                for method in self.methods() {
                    tasks.push(Task {
                        method,
                        games,
                        depth: self.depth,
                        seed,
                    });
                }
            }
        }
        tasks
    }
}
