//! Parameters as text: a file that sets all of them, the fingerprint of those
//! that affect a run's result, and the differences of two sets.

use std::fmt;

use super::earlier::is_at_earlier_value;
use super::table::{GROUPS, keys};
use super::{ChosenGene, Key, Params};

/// A key that two sets of parameters disagree on. Prints as
/// `player.depth: 3 -> 4`.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The key whose values differ.
    pub key: &'static Key,
    /// The value of `self`, as `params.toml` writes it.
    pub ours: String,
    /// The value of the other set, as `params.toml` writes it.
    pub theirs: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} -> {}", self.key.path(), self.ours, self.theirs)
    }
}

impl Params {
    /// All parameters as TOML without comments. [`Params::parse`] reads it
    /// back to the same parameters.
    pub fn to_toml(&self) -> String {
        let group = |group: &super::Group| {
            let key = |key: &Key| format!("{} = {}\n", key.name, key.text(self));
            let present = group.keys.iter().filter(|key| key.is_recorded(self));
            let keys: String = present.map(key).collect();
            (!keys.is_empty()).then(|| format!("[{}]\n{keys}", group.name))
        };
        let genes = ChosenGene::table_text(&self.genome.genes);
        let genes = Some(genes).filter(|genes| !genes.is_empty());
        let groups = GROUPS.iter().filter_map(group).chain(genes);
        groups.collect::<Vec<_>>().join("\n")
    }

    /// Every key on which two sets disagree, in the table's order.
    pub fn differences(&self, theirs: &Params) -> Vec<Difference> {
        keys()
            .filter(|key| key.is_present(self) && key.is_present(theirs))
            .map(|key| Difference {
                key,
                ours: key.text(self),
                theirs: key.text(theirs),
            })
            .filter(|difference| difference.ours != difference.theirs)
            .collect()
    }

    /// BLAKE3, in 64 hexadecimal digits, of the values that affect a run's
    /// result. Runs with the same fingerprint play the same games. A key that
    /// joined later has no part in it at the value that stands for its absence.
    ///
    /// ```
    /// use loatune::params::Params;
    ///
    /// let mut params = Params::default();
    /// params.run.threads = 3;
    /// assert_eq!(params.fingerprint(), Params::default().fingerprint());
    /// params.player.depth = 4;
    /// assert_ne!(params.fingerprint(), Params::default().fingerprint());
    /// ```
    pub fn fingerprint(&self) -> String {
        let affecting = keys().filter(|key| {
            key.affects_result && key.is_recorded(self) && !is_at_earlier_value(key, self)
        });
        let text: String = affecting
            .map(|key| format!("{} = {}\n", key.path(), key.text(self)))
            .collect();
        let text = text + &ChosenGene::table_text(&self.genome.genes);
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::genes::TABLE;
    use crate::params::{Kind, Layers, Restriction, Source, find_key};
    use proptest::prelude::*;

    /// A value that the key allows, as a flag gives it.
    fn drawn(key: &Key, draw: u64) -> String {
        let part = draw as f64 / u64::MAX as f64;
        match key.kind {
            Kind::Choice { names, .. } => names[draw as usize % names.len()].to_owned(),
            Kind::Search { names, .. } => match draw % 3 {
                0 => format!("selective:lmr={},aspiration={}", draw % 2, draw % 2000),
                1 => format!("mcts:c={},roots=3", part * 10.0),
                _ => names[draw as usize % names.len()].to_owned(),
            },
            Kind::Integer {
                min,
                max,
                restriction,
                ..
            } => match restriction {
                Restriction::OrZero if draw.is_multiple_of(5) => String::from("0"),
                Restriction::Even => (min + draw % (max - min) / 2 * 2).to_string(),
                _ => (min + draw % (max - min + 1)).to_string(),
            },
            Kind::Real { min, max, .. } => (min + part * (max - min)).clamp(min, max).to_string(),
            Kind::Switch { .. } => draw.is_multiple_of(2).to_string(),
            Kind::Text { .. } => format!("[::1]:{}", draw % 65_536),
            Kind::Texts { separator, .. } => {
                let name = |n| match key.name {
                    "panel" => format!("random:{n}@mcts:s500,c=0.3"),
                    _ => format!("host-{n}.example.org"),
                };
                let names = (0..draw % 4).map(name);
                names.collect::<Vec<_>>().join(&separator.to_string())
            }
            Kind::Names { names, .. } => {
                let mask = draw % ((1 << names.len()) - 1) + 1;
                let all = names.iter().enumerate();
                let some = all.filter(|(n, _)| mask >> n & 1 == 1);
                some.map(|(_, name)| *name).collect::<Vec<_>>().join(",")
            }
            Kind::Bounds { gene } => {
                let gene = &TABLE[gene];
                let width = (gene.max - gene.min + 1) as u64;
                let mut ends = [draw % width, draw / width % width];
                ends.sort_unstable();
                ends.map(|end| gene.text(gene.min + end as i32)).join("..")
            }
        }
    }

    proptest! {
        /// What is printed is read back, by the file's and by the flags' way.
        #[test]
        fn parameters_survive_being_written(
            draws in prop::collection::vec(any::<Option<u64>>(), keys().count())
        ) {
            let mut layers = Layers::new();
            for (key, draw) in keys().zip(draws) {
                if let Some(draw) = draw {
                    let text = drawn(key, draw);
                    let set = layers.set(key, &text, Source::Flag(key.flag_name()));
                    prop_assert_eq!(set, Ok(()), "{} = {}", key.path(), text);
                }
            }
            // Those that may contradict each other.
            for (path, text) in [
                ("evolution.min_points", "-1000"),
                ("run.window", "2"),
                ("player.nodes", "77"),
                ("genome.normalise", "false"),
                ("engine.movetime", "0"),
            ] {
                let key = find_key(path).expect("a key");
                layers.set(key, text, Source::Flag(key.flag_name())).expect("good");
            }
            let Ok(effective) = layers.finish() else {
                // Every gene may be fixed, and max_points as low as it goes.
                return Err(TestCaseError::reject("contradictory"));
            };
            let params = effective.params;
            let text = params.to_toml();
            let again = Params::parse(&text, "p.toml").expect("it was written by us");
            prop_assert_eq!(&again, &params);
            prop_assert_eq!(again.to_toml(), text);
            prop_assert_eq!(again.fingerprint(), params.fingerprint());
            prop_assert!(again.differences(&params).is_empty());

            let mut by_flags = Params::default();
            for key in keys() {
                let set = key.set_text(&mut by_flags, &key.plain_text(&params));
                prop_assert_eq!(set, Ok(()), "{}", key.path());
            }
            prop_assert_eq!(by_flags, params);
        }
    }

    /// Everything that a run's result depends on changes the fingerprint, and
    /// nothing else does.
    #[test]
    fn the_fingerprint_follows_what_affects_the_result() {
        let mut default = Params::default();
        // The other keys of the group count where it is on.
        default.school.enabled = true;
        for key in keys() {
            let mut other = default.clone();
            let change = (0..100_u64).find(|draw| {
                let text = drawn(key, draw.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                key.set_text(&mut other, &text).expect("allowed");
                other != default
            });
            assert!(change.is_some(), "{}", key.path());
            let differs = other.fingerprint() != default.fingerprint();
            assert_eq!(differs, key.affects_result, "{}", key.path());
            let differences = default.differences(&other);
            assert_eq!(differences.len(), 1, "{differences:?}");
            assert_eq!(differences[0].key.path(), key.path());
            assert_eq!(differences[0].theirs, key.text(&other));
        }
    }

    /// The fingerprint must not change by accident: stores keep it. It changes
    /// with a default, with a new key that affects the result, and with the
    /// form of values.
    #[test]
    fn the_fingerprint_of_the_defaults() {
        assert_eq!(
            Params::default().fingerprint(),
            "f119bd6c289c4fa33f0627d4eaa9d93dbcd9a49cbd31173d0366502024df6e27"
        );
    }

    #[test]
    fn differences_are_readable() {
        let mut deeper = Params::default();
        deeper.player.depth = 4;
        deeper.genome.bounds[1] = [4, 4];
        let found = Params::default().differences(&deeper);
        let lines: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "genome.hole_penalty: [0.0, 4.0] -> [1.0, 1.0]",
                "player.depth: 3 -> 4"
            ]
        );
    }
}
