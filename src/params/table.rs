//! The table of keys: one row each, with its meaning, what is allowed and its
//! place in [`Params`]. The file's check, the command-line flags, the
//! environment variables and their help derive from it; the default is the
//! place's value in `Params::default()`.

use super::Params;
use super::raw::Raw;
use crate::rules::{NoMoves, Rules, Simultaneous};

/// The groups of `params.toml`, with their keys.
pub const GROUPS: &[Group] = &[Group {
    name: "rules",
    keys: &[
        Key {
            group: "rules",
            name: "simultaneous",
            doc: "The result when a capture leaves both sides connected",
            kind: Kind::Choice {
                names: &names(&Simultaneous::NAMES),
                get: |params| params.rules.simultaneous.name(),
                set: |params, chosen| params.rules.simultaneous = Simultaneous::NAMES[chosen].1,
            },
        },
        Key {
            group: "rules",
            name: "no_moves",
            doc: "What happens to a side that has no legal move on its turn",
            kind: Kind::Choice {
                names: &names(&NoMoves::NAMES),
                get: |params| params.rules.no_moves.name(),
                set: |params, chosen| params.rules.no_moves = NoMoves::NAMES[chosen].1,
            },
        },
        Key {
            group: "rules",
            name: "repetition",
            doc: "The occurrence of a board and side to move that draws the game, 0 for none",
            kind: Kind::Integer {
                min: Rules::MIN_REPETITION,
                max: u32::MAX,
                or_zero: true,
                place: |params| &mut params.rules.repetition,
            },
        },
        Key {
            group: "rules",
            name: "max_plies",
            doc: "The number of plies after which an undecided game is a draw",
            kind: Kind::Integer {
                min: *Rules::MAX_PLIES.start(),
                max: *Rules::MAX_PLIES.end(),
                or_zero: false,
                place: |params| &mut params.rules.max_plies,
            },
        },
    ],
}];

/// A table of `params.toml`.
#[derive(Debug)]
pub struct Group {
    /// The name in brackets.
    pub name: &'static str,
    /// What it may hold.
    pub keys: &'static [Key],
}

/// A parameter.
#[derive(Debug)]
pub struct Key {
    /// The group that it belongs to.
    pub group: &'static str,
    /// The name in the group.
    pub name: &'static str,
    /// What it means, in a line.
    pub doc: &'static str,
    /// What it may be, and where it is kept.
    pub kind: Kind,
}

/// What a parameter may be, and where it is kept.
#[derive(Debug)]
pub enum Kind {
    /// One of some names.
    Choice {
        /// The names.
        names: &'static [&'static str],
        /// The name of the present value.
        get: fn(&Params) -> &'static str,
        /// Takes the name with this index.
        set: fn(&mut Params, usize),
    },
    /// A whole number.
    Integer {
        /// The smallest.
        min: u32,
        /// The largest; `u32::MAX` says that there is none, and a larger
        /// number is taken as that.
        max: u32,
        /// Whether 0 is allowed too, and switches something off.
        or_zero: bool,
        /// Where it is kept.
        place: fn(&mut Params) -> &mut u32,
    },
}

/// The group with this name.
pub fn find_group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

impl Key {
    /// Group and name: `rules.max_plies`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.group, self.name)
    }

    /// What is allowed, to follow "must be".
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Choice { names, .. } => {
                let quoted: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
                quoted.join(" or ")
            }
            Kind::Integer {
                min, max, or_zero, ..
            } => {
                let zero = if or_zero { ", 0 (off) or" } else { "" };
                match max {
                    u32::MAX => format!("an integer{zero} at least {min}"),
                    _ => format!("an integer{zero} from {min} to {max}"),
                }
            }
        }
    }

    /// The default, as `params.toml` has it.
    pub fn default_text(&self) -> String {
        let mut params = Params::default();
        match self.kind {
            Kind::Choice { get, .. } => format!("{:?}", get(&params)),
            Kind::Integer { place, .. } => place(&mut params).to_string(),
        }
    }

    /// Sets it from a flag's or a variable's text, or says what is allowed.
    pub fn set_text(&self, params: &mut Params, text: &str) -> Result<(), String> {
        let raw = match (&self.kind, text.parse()) {
            (Kind::Integer { .. }, Ok(number)) => Raw::Integer(number),
            _ => Raw::Text(text.to_owned()),
        };
        self.set(params, &raw)
    }

    /// Sets it, or says what is allowed.
    pub(super) fn set(&self, params: &mut Params, raw: &Raw) -> Result<(), String> {
        match (&self.kind, raw) {
            (Kind::Choice { names, set, .. }, Raw::Text(text)) => {
                let chosen = names.iter().position(|name| name == text);
                set(params, chosen.ok_or_else(|| self.must_be())?);
            }
            (
                &Kind::Integer {
                    min,
                    max,
                    or_zero,
                    place,
                },
                &Raw::Integer(number),
            ) => {
                let number = match u32::try_from(number) {
                    Ok(number) => number,
                    Err(_) if number > 0 => u32::MAX,
                    Err(_) => return Err(self.must_be()),
                };
                if !((min..=max).contains(&number) || or_zero && number == 0) {
                    return Err(self.must_be());
                }
                *place(params) = number;
            }
            _ => return Err(self.must_be()),
        }
        Ok(())
    }

    fn must_be(&self) -> String {
        format!("must be {}", self.allowed())
    }
}

/// The names alone.
const fn names<T, const N: usize>(pairs: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = pairs[index].0;
        index += 1;
    }
    names
}
