//! Players as people name them: `mine.toml`, `default@alphabeta:3`.
//!
//! Owns the spelling. Names of weights are looked up by [`crate::weights`], how
//! a player plays is its contender's.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::book_player::{BookPlayer, PlayerBook};
use super::builtin::Builtin;
use super::contender::{Contender, MoveLimits};
use super::external::{External, StartError, Timeouts};
use crate::book::BookFileError;
use crate::eval::Weights;
use crate::game::Rules;
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, EngineVersion, SearchSetup, SetupError, check_names};
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
    /// How long another program is waited for.
    pub timeouts: Timeouts,
    /// The version of the engine that a built-in player searches with.
    pub version: EngineVersion,
    /// The opening book that a built-in player follows.
    pub book: Option<PlayerBook>,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// Our own engine.
    Builtin {
        /// Its search with its options.
        search: Box<SearchSetup>,
        /// Its weights.
        weights: Box<Weights>,
    },
    /// Another program that speaks UGI.
    External {
        /// The command that starts it.
        command: String,
        /// Options that it is told before its games.
        values: Vec<(String, i64)>,
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
    /// Not a search, or not an option of it.
    #[error("{text:?}: {cause}")]
    Search {
        /// The whole text.
        text: String,
        /// What is wrong with it.
        cause: SetupError,
    },
    /// A book that cannot be used.
    #[error("{text:?}: {cause}")]
    Book {
        /// The whole text.
        text: String,
        /// What is wrong with it.
        cause: BookFileError,
    },
    /// No file behind `book=`.
    #[error("{0:?}: book needs a file, as in book=mine.book")]
    NoBook(String),
    /// Not a number of games.
    #[error(
        "{text:?}: book_games is {value:?}, but must be a whole number from 1; it needs book=FILE"
    )]
    BookGames {
        /// The whole text.
        text: String,
        /// The value in it.
        value: String,
    },
    /// Not a limit.
    #[error(
        "{text:?}: bad limit {limit:?}; write a depth from 1 to {MAX_DEPTH} as in mtdf:5, \
         nodes as in mtdf:n20000, seconds from 0.001 as in mtdf:t0.5, a clock as in \
         mtdf:c10+0.1 or simulations as in mcts:s2000"
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
                kind: PlayerKind::External {
                    command,
                    values: Vec::new(),
                },
                limits: limits.for_search(None),
                table_kib,
                timeouts: Timeouts::default(),
                version: EngineVersion::PRESENT,
                book: None,
            });
        }
        let (name, search) = match text.rsplit_once('@') {
            Some((name, search)) => (name, Some(search)),
            None => (text, None),
        };
        let search = match search {
            Some(search) => parse_search(text, search)?,
            None => Search::new(Algorithm::Mtdf),
        };
        let weights = Box::new(weights(text, name, here)?);
        let book = search.book(text, here)?;
        let limits = search.limits.unwrap_or(limits);
        let checked = search.setup.check(limits.is_timed());
        checked.map_err(|cause| SpecError::Search {
            text: text.to_owned(),
            cause,
        })?;
        Ok(PlayerSpec {
            text: text.to_owned(),
            kind: PlayerKind::Builtin {
                search: Box::new(search.setup),
                weights,
            },
            limits: limits.for_search(Some(search.setup.algorithm)),
            table_kib,
            timeouts: Timeouts::default(),
            version: EngineVersion::PRESENT,
            book,
        })
    }

    /// The search of our own engine; `None` for another program.
    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.kind {
            PlayerKind::Builtin { search, .. } => Some(search.algorithm),
            PlayerKind::External { .. } => None,
        }
    }

    /// Checks that its book, if it has one, is made for these rules.
    ///
    /// # Errors
    /// What differs, in words, with the book's name.
    pub fn check_book(&self, rules: &Rules) -> Result<(), String> {
        let book = self.book.as_ref();
        book.map_or(Ok(()), |book| book.check_rules(rules))
    }

    /// Whether it plays the same game every time.
    pub fn is_repeatable(&self) -> bool {
        matches!(self.kind, PlayerKind::Builtin { .. }) && !self.limits.is_timed()
    }

    /// The bytes that the trees of a Monte-Carlo tree search may take; 0 for any
    /// other player.
    pub fn tree_bytes(&self) -> u64 {
        match &self.kind {
            PlayerKind::Builtin { search, .. } => search.tree_bytes(self.limits.simulations),
            PlayerKind::External { .. } => 0,
        }
    }

    /// Starts the player; its searches end when `halt` is set.
    ///
    /// # Errors
    /// Where another program cannot be started.
    pub fn contender(&self, halt: &Arc<AtomicBool>) -> Result<Box<dyn Contender>, StartError> {
        if let Some(builtin) = self.builtin(halt) {
            return Ok(match &self.book {
                Some(book) => Box::new(BookPlayer::new(Box::new(builtin), book.clone())),
                None => Box::new(builtin),
            });
        }
        let PlayerKind::External { command, values } = &self.kind else {
            unreachable!("what is not built in is another program");
        };
        let mut engine = External::start(command, self.limits, self.timeouts)?;
        if !values.is_empty() {
            engine.become_player(&self.text, values.clone());
        }
        Ok(Box::new(engine.with_halt(Arc::clone(halt))))
    }

    /// Our own engine as this player, without its book, whose searches end when
    /// `halt` is set; `None` for another program.
    pub fn builtin(&self, halt: &Arc<AtomicBool>) -> Option<Builtin> {
        let PlayerKind::Builtin { search, weights } = &self.kind else {
            return None;
        };
        let builtin = Builtin::new(&self.text, **search, weights, self.limits)
            .with_table(self.table_kib)
            .with_version(self.version)
            .with_halt(Arc::clone(halt));
        Some(builtin)
    }
}

/// What stands behind the `@`.
struct Search {
    setup: SearchSetup,
    limits: Option<MoveLimits>,
    book: Option<String>,
    book_games: Option<String>,
}

impl Search {
    fn new(algorithm: Algorithm) -> Search {
        Search {
            setup: SearchSetup::new(algorithm),
            limits: None,
            book: None,
            book_games: None,
        }
    }

    /// The book that the player follows.
    fn book(&self, text: &str, here: &Path) -> Result<Option<PlayerBook>, SpecError> {
        let bad_games = |value: &str| SpecError::BookGames {
            text: text.to_owned(),
            value: value.to_owned(),
        };
        let Some(path) = &self.book else {
            return match &self.book_games {
                Some(value) => Err(bad_games(value)),
                None => Ok(None),
            };
        };
        let mut book = PlayerBook::read(path, here).map_err(|cause| SpecError::Book {
            text: text.to_owned(),
            cause,
        })?;
        if let Some(value) = &self.book_games {
            let games = value.parse().ok().filter(|games| *games > 0);
            book.least_games = games.ok_or_else(|| bad_games(value))?;
        }
        Ok(Some(book))
    }
}

/// `mtdf`, `mtdf:5`, `mtdf:n20000`, `mtdf:t0.5`, `mtdf:c10+0.1`, `selective:t0.5,null_move=0`,
/// `mcts:s2000,c=0.3`, `mtdf:5,book=mine.book`.
fn parse_search(text: &str, search: &str) -> Result<Search, SpecError> {
    let (algorithm, rest) = match search.split_once(':') {
        Some((algorithm, rest)) => (algorithm, Some(rest)),
        None => (search, None),
    };
    let refused = |cause| SpecError::Search {
        text: text.to_owned(),
        cause,
    };
    let algorithm: Result<Algorithm, _> = algorithm.parse();
    let algorithm = algorithm.map_err(|unknown| refused(unknown.into()))?;
    let mut search = Search::new(algorithm);
    check_names(rest.unwrap_or_default()).map_err(refused)?;
    for part in rest.into_iter().flat_map(|rest| rest.split(',')) {
        match part.split_once('=') {
            Some(("book", "")) => return Err(SpecError::NoBook(text.to_owned())),
            Some(("book", path)) => search.book = Some(path.to_owned()),
            Some(("book_games", games)) => search.book_games = Some(games.to_owned()),
            Some((name, value)) => search.setup.set(name, value).map_err(refused)?,
            None => {
                let limit = parse_limit(part).filter(|limit| {
                    let counted = limit.simulations.is_none() || algorithm == Algorithm::Mcts;
                    counted && search.limits.is_none()
                });
                search.limits = Some(limit.ok_or_else(|| SpecError::Limit {
                    text: text.to_owned(),
                    limit: part.to_owned(),
                })?);
            }
        }
    }
    Ok(search)
}

/// The limit that a text such as `5`, `n20000`, `s2000`, `t0.5` or `c10+0.1` names.
pub fn parse_limit(limit: &str) -> Option<MoveLimits> {
    let open = MoveLimits::default();
    if let Some(nodes) = limit.strip_prefix('n') {
        let nodes = nodes.parse().ok().filter(|&nodes| nodes > 0);
        return nodes.map(|nodes| MoveLimits {
            nodes: Some(nodes),
            ..open
        });
    }
    if let Some(simulations) = limit.strip_prefix('s') {
        let simulations = simulations.parse().ok().filter(|&count| count > 0);
        return simulations.map(|simulations| MoveLimits {
            simulations: Some(simulations),
            ..open
        });
    }
    if let Some(seconds) = limit.strip_prefix('t') {
        let time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        return (time >= MoveLimits::LEAST_TIME).then_some(MoveLimits {
            time: Some(time),
            ..open
        });
    }
    if let Some(control) = limit.strip_prefix('c') {
        let control = control.parse().ok()?;
        return Some(MoveLimits {
            clock: Some(control),
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
            PlayerKind::Builtin { search, .. } => (search.algorithm, spec.limits),
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
        let clock = MoveLimits {
            clock: Some("10+0.1".parse().unwrap()),
            ..open
        };
        assert_eq!(search("default@mtdf:c10+0.1"), (Algorithm::Mtdf, clock));
        for timed in ["default@mtdf:t0.25", "default@mtdf:c10"] {
            assert!(!parse(timed).unwrap().is_repeatable());
        }
    }

    #[test]
    fn options_of_the_tree_search() {
        let spec = parse("default@mcts:s16000,c=-0.3,rave=inf,bandit=tuned").unwrap();
        assert_eq!(spec.limits.simulations, Some(16_000));
        assert!(spec.is_repeatable());
        let PlayerKind::Builtin { search, .. } = spec.kind else {
            panic!("it is built in");
        };
        assert_eq!(search.options_text(), "bandit=tuned,c=-0.3,rave=inf");
        for (text, message) in [
            ("default@mcts:s0", "bad limit \"s0\""),
            ("default@mtdf:s100", "bad limit \"s100\""),
            ("default@mtdf:4,c=1", "`mtdf` has no option \"c\""),
            ("default@mcts:s100,n100", "bad limit \"n100\""),
            ("default@mcts:s100,c=x", "option c of `mcts` is \"x\""),
            ("default@mcts:s100,d=1", "unknown option \"d\" of `mcts`"),
            (
                "default@mcts:s100,threads=2,shared_tree=1",
                "only under a limit of time",
            ),
            ("default@mcts:c=0.1,s100,c=0.2", "option c is set twice"),
            (
                "default@mcts:t1,threads=2,shared_tree=1,roots=2",
                "roots must be 1",
            ),
        ] {
            let found = parse(text).unwrap_err();
            assert!(found.contains(message) && found.contains(text), "{found}");
        }
        let no_book = parse("default@mtdf:4,book=").unwrap_err();
        assert!(no_book.contains("book needs a file"), "{no_book}");
        let timed = parse("default@mcts:t0.5,threads=2,shared_tree=1").unwrap();
        assert!(!timed.is_repeatable());
    }

    #[test]
    fn simulations_limit_only_who_simulates() {
        let given = MoveLimits {
            simulations: Some(10),
            ..MoveLimits::default()
        };
        let halt = Arc::default();
        let nodes = |text| {
            let spec = PlayerSpec::parse(text, given, Path::new("/nowhere")).unwrap();
            let mut player = spec.contender(&halt).unwrap();
            let game = crate::game::Game::new(Rules::default());
            player.new_game(game.rules(), game.board()).unwrap();
            player
                .choose(&game, &crate::arena::Clocks::default())
                .unwrap()
                .nodes
        };
        assert!(nodes("source@mcts") < 200);
        assert_eq!(nodes("source"), nodes("source@mtdf:4"));
    }

    #[test]
    fn commands_are_taken_whole() {
        let spec = parse("ugi:./engine --net a@b:3").unwrap();
        let command = "./engine --net a@b:3".to_owned();
        let values = Vec::new();
        assert_eq!(spec.kind, PlayerKind::External { command, values });
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
            (
                "default@mtdf:t0.0009",
                "\"default@mtdf:t0.0009\": bad limit",
            ),
            ("default@mtdf:c", "\"default@mtdf:c\": bad limit"),
            ("default@mtdf:c0+1", "\"default@mtdf:c0+1\": bad limit"),
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
            ..WeightFile::source()
        };
        for name in ["first.toml", "second.toml"] {
            fs::write(published.join(name), file.to_toml()).unwrap();
        }
        let parse = |text| PlayerSpec::parse(text, MoveLimits::default(), here.path());
        let found = parse("second@mtdf:2").unwrap();
        let weights = Box::new(random_weights(9));
        let kind = PlayerKind::Builtin {
            search: Box::new(SearchSetup::new(Algorithm::Mtdf)),
            weights,
        };
        assert_eq!(found.kind, kind);
        let error = parse("third").unwrap_err().to_string();
        assert!(error.ends_with("has first, second)"), "{error}");
    }
}
