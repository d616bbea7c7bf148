//! What is asked for.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Parser;

use crate::method::{Method, Task};
use crate::report::document::RESULTS;

/// The repository.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Compares ways to learn weights at equal numbers of games.
///
/// Every result is added to a file at once, and what is there is not played
/// again: the same command goes on after a kill, and a longer one adds to it.
#[derive(Parser)]
#[command(after_help = "\
Examples, after cargo bench --bench ablation --:
  --games 2000,10000 --seeds 8
  --games 30000 --depth 3 --seeds 4 --methods evolution,spsa
  --methods regression:even=1 --results benches/ablation/variants.jsonl
  --export --methods spsa --games 10000 --first-seed 104 > spsa.toml
  --report")]
pub(crate) struct Options {
    /// Games that each method may learn from; several, with commas
    #[arg(long, value_delimiter = ',', default_value = "2000",
          value_parser = clap::value_parser!(u64).range(40..=100_000_000))]
    pub(crate) games: Vec<u64>,
    /// Plies that all players search
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) depth: u32,
    /// How many seeds
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 40))]
    pub(crate) first_seed: u64,
    /// Games against each opponent, in pairs
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) judge: u64,
    /// `evolution`, `genetic` (the rule without school), `regression`, `spsa`,
    /// `halving`. Keys follow with colons: of the rule any parameter
    /// (`evolution:sigma=0.1`, `evolution:school.games=4000`), of SPSA `width`,
    /// `step` and `phases`, of the regression `skip_last`, `quiet`, `even`, `discount`, `lambda`,
    /// `label_depth`, `ahead`, `phases`, `last`, `play_depth`
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "evolution,genetic,regression,spsa,halving",
        value_parser = Method::parse
    )]
    pub(crate) methods: Vec<Method>,
    /// Plays nothing: makes the tables and pictures of the documents from the raw
    /// results
    #[arg(long)]
    pub(crate) report: bool,
    /// Prints the weights of the first task as a weight file and ends
    #[arg(long)]
    pub(crate) export: bool,
    /// The file of raw results
    #[arg(long, value_name = "FILE", default_value = RESULTS)]
    results: PathBuf,
    /// Tasks at the same time; 0 for one a core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Cargo says so
    #[arg(long, hide = true)]
    bench: bool,
    /// As for other benchmarks: nothing is done unless `ablation` contains one
    filter: Vec<String>,
}

impl Options {
    /// Those of a test run: every method, quickly.
    pub(crate) fn quick(results: &Path) -> Options {
        let mut options = Options::parse_from([
            "ablation", "--games", "60", "--depth", "1", "--seeds", "1", "--judge", "4",
        ]);
        options.results = results.to_owned();
        options
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

    /// Where raw results are kept: paths are those of the repository.
    pub(crate) fn results(&self) -> PathBuf {
        Path::new(ROOT).join(&self.results)
    }

    /// Every method with every number of games and seed, the fewest games first.
    /// Those that learn on the way to more games are one piece of work.
    pub(crate) fn pieces(&self) -> Vec<Vec<Task>> {
        let mut games = self.games.clone();
        games.sort_unstable();
        games.dedup();
        let mut pieces: Vec<Vec<Task>> = Vec::new();
        for &games in &games {
            for seed in self.first_seed..self.first_seed + self.seeds {
                for method in &self.methods {
                    let task = Task {
                        method: method.clone(),
                        games,
                        depth: self.depth,
                        seed,
                    };
                    let joins = |piece: &&mut Vec<Task>| {
                        let first = &piece[0];
                        matches!(method, Method::Regression(_))
                            && (&first.method, first.seed) == (method, seed)
                    };
                    match pieces.iter_mut().find(joins) {
                        Some(piece) => piece.push(task),
                        None => pieces.push(vec![task]),
                    }
                }
            }
        }
        pieces
    }
}
