//! Values that are good one by one but not together.

use super::table::{find_key, keys};
use super::{Key, Kind, Params};
use crate::eval::genes::{Role, TABLE};

/// A contradiction.
pub(super) struct Fault {
    /// The keys that contradict each other.
    pub(super) keys: Vec<&'static Key>,
    /// What is wrong, and what to do.
    pub(super) what: String,
}

/// All contradictions; `cited` writes a key with its value and place.
pub(super) fn faults(params: &Params, cited: &dyn Fn(&Key) -> String) -> Vec<Fault> {
    let pair = |paths: [&str; 2], text: &dyn Fn(String, String) -> String| {
        let keys = [find_key(paths[0])?, find_key(paths[1])?];
        Some(Fault {
            keys: keys.to_vec(),
            what: text(cited(keys[0]), cited(keys[1])),
        })
    };
    let mut faults = Vec::new();
    if params.evolution.population < params.run.window {
        faults.extend(pair(
            ["evolution.population", "run.window"],
            &|population, window| {
                format!(
                    "{population} must be at least {window}: matches in flight see an older \
                     population, and there are as many as the window is wide; 2.5 times as many \
                     files are better"
                )
            },
        ));
    }
    if params.evolution.min_points >= params.evolution.max_points {
        faults.extend(pair(
            ["evolution.min_points", "evolution.max_points"],
            &|min, max| {
                format!("{min} must be less than {max}: no file could be neither deleted nor breed")
            },
        ));
    }
    if params.player.depth == 0 && params.player.nodes == 0 {
        faults.extend(pair(["player.depth", "player.nodes"], &|depth, nodes| {
            format!("{depth} and {nodes}: one of them must limit the search")
        }));
    }
    faults.extend(genes(params, cited));
    faults
}

/// Too few genes that may change.
fn genes(params: &Params, cited: &dyn Fn(&Key) -> String) -> Option<Fault> {
    let free = |row: &(usize, [i32; 2])| row.1[0] < row.1[1];
    let bounds = params.genome.bounds.into_iter().enumerate();
    let free: Vec<usize> = bounds.filter(free).map(|row| row.0).collect();
    let is_weight = |gene: &&usize| TABLE[**gene].role == Role::Weight;
    let weights = free.iter().filter(is_weight).count();
    let fixed = |key: &&Key| match key.kind {
        Kind::Bounds { gene } => !free.contains(&gene),
        _ => false,
    };
    let features = find_key("genome.features")?;
    let mut concerned: Vec<&Key> = keys().filter(fixed).collect();
    concerned.push(features);
    if free.is_empty() {
        let what = format!(
            "every gene is fixed, by its bounds or by {}: nothing is left to evolve",
            cited(features)
        );
        return Some(Fault {
            keys: concerned,
            what,
        });
    }
    if params.genome.normalise && weights < 2 {
        let normalise = find_key("genome.normalise")?;
        concerned.push(normalise);
        let what = format!(
            "{} needs at least 2 weights that are not fixed, and there are {weights}: with the \
             scale fixed, a single weight cannot change; free more genes or set normalise = false",
            cited(normalise)
        );
        return Some(Fault {
            keys: concerned,
            what,
        });
    }
    None
}
