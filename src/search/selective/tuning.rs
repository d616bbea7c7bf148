//! The constants of the selective search: one row each, with its range, so that
//! people can switch a technique off by name and tune the rest.

use std::fmt;

/// One constant: its name in a player's text, its range and what it does.
pub struct Row {
    /// The name, as in `champion@selective:n20000,null_move=0`.
    pub name: &'static str,
    /// What it does, and what happens at 0 where that switches something off.
    pub meaning: &'static str,
    /// The least that is allowed.
    pub least: i32,
    /// The most that is allowed.
    pub most: i32,
    get: fn(&Tuning) -> i32,
    set: fn(&mut Tuning, i32),
}

impl Row {
    /// The value in `tuning`.
    pub fn get(&self, tuning: &Tuning) -> i32 {
        (self.get)(tuning)
    }
}

/// Defines the struct, its defaults and its table from one list of rows.
macro_rules! tuning {
    ($($name:ident = $default:literal in $least:literal ..= $most:literal : $meaning:literal;)*) => {
        /// The constants of a selective search. [`ROWS`] tells what each one does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tuning {
            $(#[doc = $meaning] pub $name: i32,)*
        }

        impl Default for Tuning {
            fn default() -> Tuning {
                Tuning { $($name: $default,)* }
            }
        }

        /// All constants, in the order of the documents.
        pub const ROWS: &[Row] = &[$(Row {
            name: stringify!($name),
            meaning: $meaning,
            least: $least,
            most: $most,
            get: |tuning| tuning.$name,
            set: |tuning, value| tuning.$name = value,
        },)*];
    };
}

tuning! {
    aspiration = 60 in 0..=10000: "Half the width of the first window around the last value, in hundredths of a step; 0 opens it wholly.";
    aspiration_growth = 4 in 2..=20: "The factor by which a window that the value lies outside of grows.";
    null_move = 3 in 0..=8: "Plies that a search after a pass is reduced by, more where `null_move_growth` says so; 0 switches the null move off.";
    null_move_depth = 2 in 1..=12: "The least depth of the null move, in plies.";
    null_move_growth = 4 in 1..=64: "Plies of depth for each of which a search after a pass is reduced by one more.";
    reverse_futility = 80 in 0..=1000: "Margin a ply, in hundredths of a step, by which a position must exceed the window to be given up near the horizon; 0 switches it off.";
    reverse_futility_depth = 4 in 1..=12: "The greatest depth of reverse futility, in plies.";
    late_moves = 8 in 0..=100: "Moves after which others are skipped near the horizon, more where `late_moves_growth` says so; 0 switches it off.";
    late_moves_growth = 2 in 0..=20: "Moves that are not skipped, for each unit of the square of the depth.";
    late_moves_depth = 4 in 1..=12: "The greatest depth at which late moves are skipped, in plies.";
    lmr = 1 in 0..=1: "Whether late moves are searched less deep at first.";
    lmr_base = 30 in 0..=300: "Reduction of late moves: its constant part, in hundredths of a ply.";
    lmr_slope = 40 in 0..=200: "Reduction of late moves: its part that grows with the logarithms of depth and number, in hundredths of a ply.";
    lmr_depth = 2 in 2..=12: "The least depth at which late moves are reduced, in plies.";
    lmr_number = 2 in 1..=40: "The moves before the first that is reduced.";
    root_lmr_depth = 3 in 2..=12: "The least depth at which late moves of the root are reduced, in plies; by one ply less than others.";
    root_lmr_number = 3 in 1..=40: "The moves before the first of the root that is reduced.";
    internal_deepening = 4 in 0..=20: "The least depth at which a node without a move of the table is searched one ply less deep; 0 switches it off.";
    threats = 1 in 0..=1: "Whether a side that would lose at once is searched one ply deeper and prunes nothing.";
    threats_reach = 2 in 1..=10: "How far from the root threats are looked for, as a multiple of the depth of the iteration.";
    quiescence = 4 in 0..=20: "Captures in a row that are looked at beyond the horizon; 0 switches it off.";
    history = 1 in 0..=1: "Whether moves are ordered by how often they cut off, relative to how often they were tried.";
    history_bonus = 32 in 1..=1000: "What a move that cuts off gains in history, and the others lose, for each unit of the square of the depth; 16,000 is the most that history can be.";
    history_bonus_most = 2000 in 1..=16000: "The most that a cutoff gives or takes.";
    history_kept = 50 in 0..=100: "The part of history that is kept for the next search, in hundredths.";
    history_capture = 400 in 0..=16000: "What a capture counts more than its history.";
    keep_deeper = 1 in 0..=1: "Whether the table keeps an entry that is deeper than the new one by `keep_deeper_plies`.";
    keep_deeper_plies = 4 in 1..=40: "Plies by which an entry must be deeper than a new one to be kept.";
    repetition = 1 in 0..=1: "Whether a repeated position counts as a draw in the search.";
}

/// A text that sets no constant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuningError {
    /// There is no such constant.
    #[error("unknown option {name:?} of `selective`; it has {all}", all = names())]
    Unknown {
        /// The name in the text.
        name: String,
    },
    /// The value is no number, or outside its range.
    #[error(
        "option {name} of `selective` is {value:?}; it takes a whole number from {least} to {most}"
    )]
    Value {
        /// The name of the constant.
        name: &'static str,
        /// The value in the text.
        value: String,
        /// The least that is allowed.
        least: i32,
        /// The most that is allowed.
        most: i32,
    },
}

fn names() -> String {
    ROWS.iter()
        .map(|row| row.name)
        .collect::<Vec<_>>()
        .join(", ")
}

impl Tuning {
    /// Sets one constant by its name.
    ///
    /// # Errors
    /// Where there is none of this name, or the value is not allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TuningError> {
        let Some(row) = ROWS.iter().find(|row| row.name == name) else {
            return Err(TuningError::Unknown {
                name: name.to_owned(),
            });
        };
        let allowed = row.least..=row.most;
        let number = value.parse().ok().filter(|number| allowed.contains(number));
        let Some(number) = number else {
            return Err(TuningError::Value {
                name: row.name,
                value: value.to_owned(),
                least: row.least,
                most: row.most,
            });
        };
        (row.set)(self, number);
        Ok(())
    }
}

/// What differs from the defaults, as in a player's text: `null_move=0,lmr=0`.
impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Tuning::default();
        let changed = ROWS.iter().filter(|row| row.get(self) != row.get(&usual));
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

    #[test]
    fn every_row_sets_its_own_constant() {
        for row in ROWS {
            let mut tuning = Tuning::default();
            assert!(
                (row.least..=row.most).contains(&row.get(&tuning)),
                "{}",
                row.name
            );
            assert!(row.meaning.ends_with('.'), "{}", row.name);
            for value in [row.least, row.most] {
                tuning.set(row.name, &value.to_string()).unwrap();
                assert_eq!(row.get(&tuning), value);
            }
            assert_eq!(tuning.to_string().split(',').count(), 1);
            for value in [row.least - 1, row.most + 1] {
                let refused = tuning.set(row.name, &value.to_string()).unwrap_err();
                assert!(refused.to_string().contains(row.name), "{refused}");
            }
        }
    }

    #[test]
    fn what_is_unknown_is_refused_with_what_is_known() {
        let refused = Tuning::default().set("nul_move", "1").unwrap_err();
        let text = refused.to_string();
        assert!(
            text.contains("nul_move") && text.contains("null_move"),
            "{text}"
        );
    }
}
