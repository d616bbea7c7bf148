//! The options of the Monte-Carlo tree search: one row each, with its range and
//! meaning, so that a player's text can set every one of them by name.

use std::fmt;

use super::choices::{Bandit, FinalMove, Policy};

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number of this range; `inf` where the range has no end.
    Number(f64, f64),
    /// A whole number of this range.
    Whole(u32, u32),
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Number(least, most) => write!(f, "a number from {least} to {most}"),
            Kind::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Kind::Choice(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

impl Kind {
    fn parse(self, text: &str) -> Option<f64> {
        match self {
            Kind::Number(least, most) => {
                let number: f64 = text.parse().ok()?;
                (least..=most).contains(&number).then_some(number)
            }
            Kind::Whole(least, most) => {
                let number: u32 = text.parse().ok()?;
                (least..=most).contains(&number).then(|| number.into())
            }
            Kind::Choice(words) => {
                let place = words.iter().position(|&word| word == text)?;
                Some(place as f64)
            }
        }
    }

    fn text(self, number: f64) -> String {
        match self {
            Kind::Number(..) | Kind::Whole(..) => number.to_string(),
            Kind::Choice(words) => words[number as usize].to_owned(),
        }
    }
}

/// One option: its name in a player's text, its range and what it does.
pub struct Row {
    /// The name, as in `champion@mcts:s2000,c=0.3`.
    pub name: &'static str,
    /// What it does, and which value switches something off.
    pub meaning: &'static str,
    /// What it takes.
    pub kind: Kind,
    get: fn(&Options) -> f64,
    set: fn(&mut Options, f64),
}

impl Row {
    /// The value in `options`, as it is written.
    pub fn get(&self, options: &Options) -> String {
        self.kind.text((self.get)(options))
    }
}

/// A field of [`Options`], seen as the number that a row reads and writes.
trait Field: Copy {
    fn number(self) -> f64;
    fn from_number(number: f64) -> Self;
}

impl Field for f64 {
    fn number(self) -> f64 {
        self
    }
    fn from_number(number: f64) -> f64 {
        number
    }
}

impl Field for u32 {
    fn number(self) -> f64 {
        self.into()
    }
    fn from_number(number: f64) -> u32 {
        number as u32
    }
}

macro_rules! choice_fields {
    ($($kind:ident),*) => {$(
        impl Field for $kind {
            fn number(self) -> f64 {
                self as u8 as f64
            }
            fn from_number(number: f64) -> $kind {
                $kind::ALL[number as usize]
            }
        }
    )*};
}

choice_fields!(Bandit, FinalMove, Policy);

/// Defines the struct, its defaults and its table from one list of rows.
macro_rules! options {
    ($($name:ident: $kind:ty = $default:expr, $range:expr, $meaning:literal;)*) => {
        /// The options of a Monte-Carlo tree search. [`ROWS`] tells what each does.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Options {
            $(#[doc = $meaning] pub $name: $kind,)*
        }

        impl Default for Options {
            fn default() -> Options {
                Options { $($name: $default,)* }
            }
        }

        /// All options, in the order of the documents.
        pub const ROWS: &[Row] = &[$(Row {
            name: stringify!($name),
            meaning: $meaning,
            kind: $range,
            get: |options| options.$name.number(),
            set: |options, number| options.$name = <$kind>::from_number(number),
        },)*];
    };
}

/// No option takes a number that differs from itself.
impl Eq for Options {}

const INF: f64 = f64::INFINITY;

options! {
    bandit: Bandit = Bandit::Ucb1, Kind::Choice(&Bandit::NAMES), "The formula that weighs the mean p of a move with n of N visits: `ucb1` p + C √(ln N / n), `tuned` p + C √(V ln N / n) with V = max(0.001, p (1 − p)), `tuned-plus` the same and C ln N / n more.";
    c: f64 = 0.3, Kind::Number(-10.0, 10.0), "The factor C of the formula's exploration; 0 and less are allowed.";
    fpu: f64 = 1.0, Kind::Number(-10.0, 100.0), "First-play urgency: what a move without a visit counts in place of the formula; 100 tries every move once before any twice.";
    rave: f64 = 0.0, Kind::Number(0.0, INF), "RAVE: the k of β = √(k / (3 s + k)), the weight of the all-moves-as-first mean of a move with s visits; 0 switches it off, inf leaves nothing else.";
    virtual_block: f64 = 0.0, Kind::Number(-1000.0, 1000.0), "All-moves-as-first games that a new move is given if it stops a win at once: won ones above 0, lost ones below; they need `rave`.";
    virtual_connect: f64 = 0.0, Kind::Number(-1000.0, 1000.0), "The same for a move that connects its side's groups.";
    virtual_break: f64 = 0.0, Kind::Number(-1000.0, 1000.0), "The same for a capture that breaks the opponent's connections.";
    virtual_other: f64 = 0.0, Kind::Number(-1000.0, 1000.0), "The same for any other move.";
    bias: f64 = 0.0, Kind::Number(0.0, 100.0), "Progressive bias: adds this times H / (n + 1), where H is the evaluation of the move as a probability; 0 switches it off.";
    widening: f64 = 0.0, Kind::Number(0.0, 100.0), "Progressive widening: of N visits only the best this times √N moves by evaluation are looked at; 0 looks at all.";
    expand: u32 = 1, Kind::Whole(0, 1000), "Visits of a leaf before its moves enter the tree.";
    leaf: u32 = 1, Kind::Whole(1, 64), "Simulations from each leaf that is reached.";
    final_move: FinalMove = FinalMove::Visits, Kind::Choice(&FinalMove::NAMES), "What decides the move to play: the most `visits` or the best `value`.";
    reuse: u32 = 1, Kind::Whole(0, 1), "Whether the part of the tree that the game has reached is kept for the next move.";
    playout: Policy = Policy::Uniform, Kind::Choice(&Policy::NAMES), "How the moves of a simulation are drawn: `uniform`; by the weights of move `classes`; `greedy` by evaluation; by a two-ply `search`.";
    win: f64 = 100.0, Kind::Number(0.0, 10000.0), "The weight of a move that wins at once, against 1 of any other move; for `playout=classes`.";
    block: f64 = 20.0, Kind::Number(0.0, 10000.0), "The weight of a move that stops the opponent's win at once; for `playout=classes`.";
    connect: f64 = 4.0, Kind::Number(0.0, 10000.0), "The weight of a move that connects its side's groups; for `playout=classes`.";
    breaks: f64 = 3.0, Kind::Number(0.0, 10000.0), "The weight of a capture that breaks the opponent's connections; for `playout=classes`.";
    epsilon: f64 = 0.1, Kind::Number(0.0, 1.0), "The part of the moves that `playout=greedy` and `playout=search` draw uniformly.";
    cutoff: f64 = 4.0, Kind::Number(0.0, INF), "Plies after which a simulation is judged by the evaluation; 0 judges the leaf itself, inf plays to the end.";
    margin: f64 = INF, Kind::Number(0.0, INF), "A simulation is decided for the side that the evaluation sees ahead by so many steps, looked at every third ply; inf never.";
    scale: f64 = 4.0, Kind::Number(0.0, 1000.0), "The steps of evaluation that make the odds of winning e to 1; 0 lets the sign decide.";
    alpha: f64 = 0.3, Kind::Number(0.0, 1.0), "Implicit minimax back-ups: a move counts (1 − α) of its mean and α of the minimax value of the evaluations below it; 0 switches them off.";
    solver: u32 = 1, Kind::Whole(0, 1), "Whether proven wins and losses are carried up the tree.";
    proof: f64 = 0.0, Kind::Number(0.0, 10.0), "Adds this times 1 − p / max p, where p is the proof number of the move's position, to what a move counts; 0 switches it off.";
    memory: u32 = 64, Kind::Whole(1, 65536), "The most memory of the tree, in MiB; a full tree is searched on without growing.";
    seed: u32 = 1, Kind::Whole(0, u32::MAX), "The seed of the simulations.";
    roots: u32 = 1, Kind::Whole(1, 64), "Root parallelism: so many trees share the simulations and their visits are added up; the result depends on this number and not on `threads`.";
    threads: u32 = 1, Kind::Whole(1, 64), "Threads that work on the trees of `roots` or, with one tree, on the simulations of `leaf`; they never change a result, except with `shared_tree`.";
    shared_tree: u32 = 0, Kind::Whole(0, 1), "Tree parallelism: all threads work on one tree. Not deterministic, and only under a limit of time.";
    virtual_loss: u32 = 1, Kind::Whole(0, 100), "The lost games that a thread of `shared_tree` adds to its path until its simulation is done.";
}

/// A text that sets no option.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option {name:?} of `mcts`; it has {all}", all = names())]
    Unknown {
        /// The name in the text.
        name: String,
    },
    /// The value is none that the option takes.
    #[error("option {name} of `mcts` is {value:?}; it takes {kind}")]
    Value {
        /// The name of the option.
        name: &'static str,
        /// The value in the text.
        value: String,
        /// What it takes.
        kind: Kind,
    },
    /// Options that do not go together, or not with the limits.
    #[error("`shared_tree=1` of `mcts`: {0}")]
    SharedTree(&'static str),
}

fn names() -> String {
    let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    names.join(", ")
}

impl Options {
    /// Sets one option by its name.
    ///
    /// # Errors
    /// Where there is none of this name, or the value is not allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(row) = ROWS.iter().find(|row| row.name == name) else {
            let name = name.to_owned();
            return Err(OptionError::Unknown { name });
        };
        let number = row.kind.parse(value).ok_or_else(|| OptionError::Value {
            name: row.name,
            value: value.to_owned(),
            kind: row.kind,
        })?;
        (row.set)(self, number);
        Ok(())
    }

    /// Checks that the options go together and with the limits; `timed` says
    /// whether the time decides.
    ///
    /// # Errors
    /// Where threads are to share a tree that they cannot.
    pub fn check(&self, timed: bool) -> Result<(), OptionError> {
        if self.shared_tree == 0 {
            return Ok(());
        }
        let why = if self.roots > 1 {
            "roots must be 1, because there is one tree"
        } else if !timed {
            "threads that share a tree are not deterministic, so it is allowed only under a \
             limit of time, as in mcts:t0.5"
        } else {
            return Ok(());
        };
        Err(OptionError::SharedTree(why))
    }

    /// The bytes that the trees of one player may take.
    pub fn memory_bytes(&self) -> u64 {
        u64::from(self.memory) << 20
    }
}

/// What differs from the defaults, as in a player's text: `c=0.5,rave=1000`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Options::default();
        let changed = ROWS
            .iter()
            .filter(|row| (row.get)(self) != (row.get)(&usual));
        for (n, row) in changed.enumerate() {
            let comma = if n > 0 { "," } else { "" };
            write!(f, "{comma}{}={}", row.name, row.get(self))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A value at each end of what an option takes, and some that it refuses.
    fn samples(kind: Kind) -> (Vec<String>, Vec<String>) {
        let texts = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect();
        match kind {
            Kind::Number(least, most) => {
                let mut refused = vec!["x".to_owned(), "nan".to_owned(), (least - 1.0).to_string()];
                if most.is_finite() {
                    refused.push((most + 1.0).to_string());
                }
                (texts(&[least, most]), refused)
            }
            Kind::Whole(least, most) => {
                let beyond = (u64::from(most) + 1).to_string();
                let refused = vec!["x".to_owned(), "0.5".to_owned(), "-1".to_owned(), beyond];
                (texts(&[least.into(), most.into()]), refused)
            }
            Kind::Choice(words) => {
                let words = words.iter().map(|&word| word.to_owned()).collect();
                (words, vec!["x".to_owned(), "0".to_owned()])
            }
        }
    }

    #[test]
    fn every_row_sets_its_own_option() {
        for row in ROWS {
            assert!(row.meaning.ends_with('.'), "{}", row.name);
            let mut options = Options::default();
            let (taken, refused) = samples(row.kind);
            for value in taken {
                options.set(row.name, &value).unwrap();
                assert_eq!(row.get(&options), value, "{}", row.name);
                let text = options.to_string();
                let expected = format!("{}={value}", row.name);
                assert!(text.is_empty() || text == expected, "{text}");
                let mut again = Options::default();
                for (name, value) in text.split(',').filter_map(|part| part.split_once('=')) {
                    again.set(name, value).unwrap();
                }
                assert_eq!(again, options);
            }
            for value in refused {
                let error = options.set(row.name, &value).unwrap_err().to_string();
                assert!(
                    error.contains(row.name) && error.contains(&value),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn what_is_unknown_is_refused_with_what_is_known() {
        let refused = Options::default().set("raev", "1").unwrap_err().to_string();
        assert!(
            refused.contains("raev") && refused.contains("rave"),
            "{refused}"
        );
    }
}
