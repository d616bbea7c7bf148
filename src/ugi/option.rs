//! The engine's options. Owns their names, ranges and present values; the
//! options for the rules come from the table of parameters.

use std::path::Path;

use crate::arena::PlayerBook;
use crate::eval::Weights;
use crate::eval::genes::TABLE;
use crate::game::Rules;
use crate::params::{Key, Kind, Params, Restriction, find_group};
use crate::search::{Algorithm, SearchSetup};
use crate::util::memory;
use crate::util::text::excerpt;
use crate::weights::{DEFAULT_WEIGHTS, WeightFile, named_weights};

/// The value of an option of type string that stands for nothing, as the protocol has
/// it.
const EMPTY: &str = "<empty>";

/// The present values of the engine's options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The name or the file that `weights` were read from.
    pub weights_name: String,
    /// The evaluation's weights.
    pub weights: Weights,
    /// The search with its options.
    pub search: SearchSetup,
    /// The memory of the transposition table, in MB of 1024 KiB.
    pub hash: u32,
    /// The opening book that is followed.
    pub book: Option<PlayerBook>,
    /// The rules that end a game.
    pub rules: Rules,
    /// Whether each gene of the evaluation is an option, with one value for the whole
    /// game, for programs that tune engines (see [`Settings::make_tunable`]); then the exact value of a position is said as well.
    pub tunable: bool,
}

impl Settings {
    /// The allowed values of `hash`, in MB.
    pub const HASH: std::ops::RangeInclusive<u32> = 1..=1024;

    /// The defaults, under these rules.
    pub fn new(rules: Rules) -> Settings {
        Settings {
            weights_name: DEFAULT_WEIGHTS.to_owned(),
            weights: WeightFile::built_in().weights,
            search: SearchSetup::new(Algorithm::Mtdf),
            hash: 16,
            book: None,
            rules,
            tunable: false,
        }
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("setoption: unknown option {name:?}; the options are {known}")]
    Unknown {
        /// The name as written.
        name: String,
        /// The names of all options.
        known: String,
    },
    /// The option does not allow the value.
    #[error("setoption: {name} is {value:?}, but {must}")]
    Value {
        /// The option's name.
        name: String,
        /// The value as written.
        value: String,
        /// What is allowed, beginning with `must be`.
        must: String,
    },
    /// The weights cannot be read.
    #[error("setoption: {0}")]
    Weights(String),
    /// The book cannot be read.
    #[error("setoption: {0}")]
    Book(String),
    /// Not options of the player.
    #[error("setoption: PlayerOptions: {0}")]
    Player(String),
}

impl Settings {
    /// Sets an option. Case does not matter in names and in values that are
    /// words.
    ///
    /// # Errors
    ///
    /// [`OptionError`] where there is no such option or where it does not allow
    /// the value; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let wrong = |name: &str, must: String| OptionError::Value {
            name: name.to_owned(),
            value: excerpt(value),
            must,
        };
        match normalized(name).as_str() {
            "weights" => {
                let named = named_weights(value).map_err(|error| {
                    // An answer is one line, however many errors there are.
                    let lines = error.to_string();
                    OptionError::Weights(
                        lines.lines().map(str::trim).collect::<Vec<_>>().join("; "),
                    )
                })?;
                self.weights = named.weights;
                self.weights_name = value.to_owned();
                if self.tunable {
                    self.make_tunable();
                }
            }
            "player" => {
                let found = value.to_ascii_lowercase().parse();
                let names = Algorithm::ALL.map(Algorithm::name).join(", ");
                let found: Algorithm =
                    found.map_err(|_| wrong("Player", format!("must be one of {names}")))?;
                // Options are one player's.
                if found != self.search.algorithm {
                    self.search = SearchSetup::new(found);
                }
            }
            "playeroptions" => {
                let mut search = SearchSetup::new(self.search.algorithm);
                let options = if value == EMPTY { "" } else { value };
                // Whether the time decides is known when a search is asked for.
                let set = search.set_all(options).and_then(|()| search.check(true));
                set.map_err(|error| OptionError::Player(error.to_string()))?;
                memory::check(search.tree_bytes(None))
                    .map_err(|error| wrong("PlayerOptions", format!("must be less: {error}")))?;
                self.search = search;
            }
            "hash" => {
                let (least, most) = Settings::HASH.into_inner();
                let found = value.parse().ok().filter(|mb| Settings::HASH.contains(mb));
                let must = || format!("must be a whole number of MB from {least} to {most}");
                let mb: u32 = found.ok_or_else(|| wrong("Hash", must()))?;
                memory::check(u64::from(mb) << 20)
                    .map_err(|error| wrong("Hash", format!("must be less: {error}")))?;
                self.hash = mb;
            }
            "book" => {
                let is_none = value.is_empty() || value == EMPTY;
                let read = || PlayerBook::read(value, Path::new(""));
                let book = (!is_none).then(read).transpose();
                self.book = book.map_err(|error| OptionError::Book(error.to_string()))?;
            }
            other if self.tunable && gene(other).is_some() => {
                let n = gene(other).expect("it was just found");
                let row = &TABLE[n];
                let found = value.parse().ok();
                let found = found.filter(|value| (row.min..=row.max).contains(value));
                let must = || format!("must be a whole number from {} to {}", row.min, row.max);
                let value = found.ok_or_else(|| wrong(row.name, must()))?;
                self.weights.opening[n] = value;
                self.weights.endgame[n] = value;
            }
            other => {
                let key = rule_keys().iter().find(|key| normalized(key.name) == other);
                let key = key.ok_or_else(|| OptionError::Unknown {
                    name: excerpt(name),
                    known: option_names().join(", "),
                })?;
                let mut params = params_with(self.rules);
                key.set_text(&mut params, &value.to_ascii_lowercase())
                    .map_err(|must| wrong(&option_name(key.name), must))?;
                self.rules = params.rules;
            }
        }
        Ok(())
    }

    /// Makes each gene an option. An option is one value for the whole game, so
    /// weights with two phases keep that of the opening.
    pub fn make_tunable(&mut self) {
        self.tunable = true;
        self.weights.endgame = self.weights.opening;
    }

    /// The `option` lines of the protocol, with the present values as defaults.
    pub fn lines(&self) -> Vec<String> {
        let players = combo_values(&Algorithm::ALL.map(Algorithm::name));
        let (least, most) = Settings::HASH.into_inner();
        let options = self.search.options_text();
        let options = if options.is_empty() { EMPTY } else { &options };
        let mut lines = vec![
            format!(
                "option name Weights type string default {}",
                self.weights_name
            ),
            format!(
                "option name Player type combo default {}{players}",
                self.search.algorithm
            ),
            format!("option name PlayerOptions type string default {options}"),
            format!(
                "option name Hash type spin default {} min {least} max {most}",
                self.hash
            ),
            format!(
                "option name Book type string default {}",
                self.book.as_ref().map_or(EMPTY, |book| &book.path)
            ),
        ];
        let params = params_with(self.rules);
        for key in rule_keys() {
            let name = option_name(key.name);
            lines.push(match key.kind {
                Kind::Choice { names, get, .. } => {
                    let default = get(&params);
                    let values = combo_values(names);
                    format!("option name {name} type combo default {default}{values}")
                }
                Kind::Integer {
                    min,
                    max,
                    restriction,
                    get,
                    ..
                } => {
                    let default = get(&params);
                    let min = if restriction == Restriction::OrZero {
                        0
                    } else {
                        min
                    };
                    format!("option name {name} type spin default {default} min {min} max {max}")
                }
                // No rule is of another kind; one that were would be shown as text.
                _ => {
                    let default = key.text(&params);
                    format!("option name {name} type string default {default}")
                }
            });
        }
        if self.tunable {
            lines.extend(TABLE.iter().enumerate().map(|(n, gene)| {
                format!(
                    "option name {} type spin default {} min {} max {}",
                    gene.name, self.weights.opening[n], gene.min, gene.max
                )
            }));
        }
        lines
    }
}

/// The gene with a name in lower case and without separators.
fn gene(name: &str) -> Option<usize> {
    TABLE.iter().position(|gene| normalized(gene.name) == name)
}

/// The rows of the table of parameters for the rules.
fn rule_keys() -> &'static [Key] {
    find_group("rules").map_or(&[], |group| group.keys)
}

/// Parameters with these rules, because the table of parameters sets values in
/// whole parameters.
fn params_with(rules: Rules) -> Params {
    Params {
        rules,
        ..Params::default()
    }
}

/// The names of all options, in the order of [`Settings::lines`].
fn option_names() -> Vec<String> {
    let own = ["Weights", "Player", "PlayerOptions", "Hash", "Book"].map(str::to_owned);
    let rules = rule_keys().iter().map(|key| option_name(key.name));
    own.into_iter().chain(rules).collect()
}

/// The values of a `combo` option as the protocol lists them.
fn combo_values(values: &[&str]) -> String {
    values.iter().map(|value| format!(" var {value}")).collect()
}

/// The option's name for a parameter: `MaxPlies` for `max_plies`.
fn option_name(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// A name in lower case and without separators, to compare it.
fn normalized(name: &str) -> String {
    let kept = name.chars().filter(|&c| !matches!(c, '_' | '-' | ' '));
    kept.collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{NoMoves, Simultaneous};

    fn settings() -> Settings {
        Settings::new(Rules::default())
    }

    #[test]
    fn every_option_is_listed_and_takes_its_default() {
        let mut settings = settings();
        settings.set("MaxPlies", "300").unwrap();
        let before = settings.clone();
        let lines = settings.lines();
        assert_eq!(lines.len(), option_names().len());
        for (line, name) in lines.iter().zip(option_names()) {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[..4], ["option", "name", &name, "type"]);
            let default = words[6];
            settings.set(&name, default).unwrap();
        }
        assert_eq!(settings, before);
    }

    #[test]
    fn options_are_set() {
        let mut settings = settings();
        for (name, value) in [
            ("player", "AlphaBeta"),
            ("HASH", "64"),
            ("simultaneous", "draw"),
            ("no_moves", "passes"),
            ("Max Plies", "20"),
            ("Repetition", "0"),
            ("Weights", "default"),
        ] {
            settings.set(name, value).unwrap();
        }
        let rules = Rules {
            simultaneous: Simultaneous::Draw,
            no_moves: NoMoves::Passes,
            repetition: 0,
            max_plies: 20,
        };
        assert_eq!(settings.rules, rules);
        assert_eq!(settings.search, Algorithm::AlphaBeta.into());
        assert_eq!(settings.hash, 64);
    }

    #[test]
    fn a_player_has_options() {
        let mut settings = settings();
        let mut set = |name, value| settings.set(name, value).map_err(|it| it.to_string());
        let error = set("PlayerOptions", "lmr=0").unwrap_err();
        assert!(error.contains("`mtdf` has no option \"lmr\""), "{error}");
        set("Player", "selective").unwrap();
        set("player options", "lmr=0,late_moves=9").unwrap();
        let error = set("PlayerOptions", "lmr=2").unwrap_err();
        let range = "it takes a whole number from 0 to 1";
        assert!(
            error.contains("option lmr of `selective` is \"2\"; it takes") && error.contains(range),
            "{error}"
        );
        // The same player keeps its options, another one has none yet.
        set("Player", "selective").unwrap();
        assert_eq!(settings.search.to_string(), "selective:late_moves=9,lmr=0");
        let line = "option name PlayerOptions type string default late_moves=9,lmr=0";
        assert!(settings.lines().contains(&line.to_owned()));
        settings.set("PlayerOptions", "<empty>").unwrap();
        assert_eq!(settings.search, Algorithm::Selective.into());
        settings.set("PlayerOptions", "lmr=0").unwrap();
        settings.set("Player", "mcts").unwrap();
        assert_eq!(settings.search, Algorithm::Mcts.into());
    }

    #[test]
    fn a_wrong_value_changes_nothing() {
        let mut settings = settings();
        let before = settings.clone();
        for (name, value, message) in [
            (
                "Hash",
                "0",
                "Hash is \"0\", but must be a whole number of MB from 1 to 1024",
            ),
            (
                "Hash",
                "much",
                "Hash is \"much\", but must be a whole number of MB from 1 to 1024",
            ),
            (
                "Player",
                "me",
                "Player is \"me\", but must be one of minimax, negamax, alphabeta, memory, mtdf, selective, mcts",
            ),
            (
                "MaxPlies",
                "19",
                "MaxPlies is \"19\", but must be an integer from 20 to 2000",
            ),
            (
                "NoMoves",
                "",
                "NoMoves is \"\", but must be \"loses\" or \"passes\"",
            ),
            (
                "Threads",
                "2",
                "unknown option \"Threads\"; the options are Weights, Player, PlayerOptions, Hash, Book, Simultaneous, NoMoves, Repetition, MaxPlies",
            ),
        ] {
            let error = settings.set(name, value).unwrap_err();
            assert_eq!(error.to_string(), format!("setoption: {message}"));
        }
        assert!(settings.set("Weights", "no such file").is_err());
        assert_eq!(settings, before);
    }
}
