//! The table of keys: one row each, with its meaning, what is allowed and its
//! place in [`Params`](super::Params). The file's check, the command-line
//! flags, the environment variables and their help derive from it; the default
//! is the place's value in `Params::default()`.

mod engine;
mod evolution;
mod games;
mod genome;
mod rules;
mod run;
mod school;

use super::key::{Group, Key};

/// The groups of `params.toml`, with their keys.
pub const GROUPS: &[Group] = &[
    Group {
        name: "rules",
        heading: "Rules",
        keys: rules::RULES,
    },
    Group {
        name: "genome",
        heading: "Genome",
        keys: genome::GENOME,
    },
    Group {
        name: "engine",
        heading: "Engine",
        keys: engine::ENGINE,
    },
    Group {
        name: "player",
        heading: "Player",
        keys: games::PLAYER,
    },
    Group {
        name: "openings",
        heading: "Openings",
        keys: games::OPENINGS,
    },
    Group {
        name: "evolution",
        heading: "Evolution",
        keys: evolution::EVOLUTION,
    },
    Group {
        name: "school",
        heading: "School",
        keys: school::SCHOOL,
    },
    Group {
        name: "final",
        heading: "Final",
        keys: evolution::FINAL,
    },
    Group {
        name: "run",
        heading: "Run",
        keys: run::RUN,
    },
    Group {
        name: "fleet",
        heading: "Fleet",
        keys: run::FLEET,
    },
    Group {
        name: "http",
        heading: "Page",
        keys: run::HTTP,
    },
];

/// The group with this name.
pub fn find_group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

/// Every key, in the order of the groups.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    GROUPS.iter().flat_map(|group| group.keys)
}

/// The key with this group and name, such as `rules.max_plies`.
pub fn find_key(path: &str) -> Option<&'static Key> {
    let (group, name) = path.split_once('.')?;
    let keys = find_group(group)?.keys;
    keys.iter().find(|key| key.name == name)
}

/// A whole number: its range, what else is allowed, and its field.
macro_rules! whole {
    ($min:expr, $max:expr, $restriction:ident, $group:ident.$field:ident) => {
        $crate::params::key::Kind::Integer {
            min: $min as u64,
            max: $max as u64,
            restriction: $crate::params::key::Restriction::$restriction,
            get: |params| params.$group.$field as u64,
            set: |params, number| params.$group.$field = number as _,
        }
    };
}

/// A real number: its range and its field.
macro_rules! real {
    ($min:expr, $max:expr, $group:ident.$field:ident) => {
        $crate::params::key::Kind::Real {
            min: $min,
            max: $max,
            get: |params| params.$group.$field,
            set: |params, number| params.$group.$field = number,
        }
    };
}

/// True or false: its field.
macro_rules! switch {
    ($group:ident.$field:ident) => {
        $crate::params::key::Kind::Switch {
            get: |params| params.$group.$field,
            set: |params, is_on| params.$group.$field = is_on,
        }
    };
}

use {real, switch, whole};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::genes::{Role, TABLE};
    use std::collections::HashSet;

    #[test]
    fn names_flags_and_variables_are_distinct() {
        let mut flags = HashSet::new();
        let mut paths = HashSet::new();
        for group in GROUPS {
            for key in group.keys {
                assert_eq!(key.group, group.name);
                assert!(paths.insert(key.path()), "{}", key.path());
                assert!(flags.insert(key.flag_name()), "--{}", key.flag_name());
                assert_eq!(find_key(&key.path()).map(Key::path), Some(key.path()));
                assert!(!key.doc.is_empty() && !key.doc.ends_with('.'));
            }
        }
        // Flags of commands that take these beside their own.
        for taken in ["params", "population", "json", "toml", "force", "quick"] {
            assert!(!flags.contains(taken), "--{taken}");
        }
        assert!(find_key("rules.budget").is_none());
        assert!(find_key("budget").is_none());
    }

    #[test]
    fn variables_follow_from_flags() {
        for (path, variable) in [
            ("rules.max_plies", "LOATUNE_MAX_PLIES"),
            ("evolution.population", "LOATUNE_FILES"),
            ("openings.plies", "LOATUNE_OPENING_PLIES"),
            ("run.seed", "LOATUNE_SEED"),
        ] {
            assert_eq!(find_key(path).map(Key::variable), Some(variable.into()));
        }
    }

    #[test]
    fn every_gene_has_its_row() {
        for gene in &TABLE {
            let key = find_key(&format!("genome.{}", gene.name)).expect("a row");
            assert_eq!(key.doc, gene.meaning);
            assert!(key.affects_result);
            // A family that is left out has its weights at 0.
            assert!(gene.role == Role::Shape || (gene.min..=gene.max).contains(&0));
            assert!((gene.min..=gene.max).contains(&gene.default));
        }
    }

    #[test]
    fn the_result_depends_on_all_but_these() {
        let others: Vec<_> = keys()
            .filter(|key| !key.affects_result)
            .map(Key::path)
            .collect();
        assert_eq!(
            others,
            [
                "engine.timeout",
                "run.threads",
                "run.checkpoint",
                "fleet.check",
                "fleet.probation",
                "fleet.timeout",
                "http.enabled",
                "http.address",
                "http.hosts"
            ]
        );
    }
}
