//! Constraints between keys: values that are allowed one by one but not
//! together.

use super::table::{find_key, keys};
use super::{Key, Kind, Params};
use crate::eval::genes::{Role, TABLE};

/// A constraint that does not hold.
pub(super) struct Violation {
    /// The keys whose values do not go together.
    pub(super) keys: Vec<&'static Key>,
    /// The message: what is wrong, and what to do.
    pub(super) what: String,
}

/// Every constraint that does not hold; `cited` writes a key with its value and
/// place.
pub(super) fn violations(params: &Params, cited: &dyn Fn(&Key) -> String) -> Vec<Violation> {
    let pair = |paths: [&str; 2], text: &dyn Fn(String, String) -> String| {
        let keys = [find_key(paths[0])?, find_key(paths[1])?];
        Some(Violation {
            keys: keys.to_vec(),
            what: text(cited(keys[0]), cited(keys[1])),
        })
    };
    let mut violations = Vec::new();
    if params.evolution.population < params.run.window {
        violations.extend(pair(
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
        violations.extend(pair(
            ["evolution.min_points", "evolution.max_points"],
            &|min, max| {
                format!("{min} must be less than {max}: no file could be neither deleted nor breed")
            },
        ));
    }
    let movetime = params.engine.movetime;
    if movetime > 0 && params.genome.engine.is_empty() {
        violations.extend(pair(
            ["engine.movetime", "genome.engine"],
            &|movetime, engine| {
                format!(
                    "{movetime} needs an engine, and {engine}: games of loatune's own evaluation \
                     have no limit by time"
                )
            },
        ));
    } else if movetime > 0 && !params.engine.nondeterministic {
        violations.extend(pair(
            ["engine.movetime", "engine.nondeterministic"],
            &|movetime, accepted| {
                format!(
                    "{movetime} needs --nondeterministic, and {accepted}: games with a limit by \
                     time cannot be played again, and a run with them cannot be repeated"
                )
            },
        ));
    }
    if params.player.depth == 0 && params.player.nodes == 0 && movetime == 0 {
        violations.extend(pair(["player.depth", "player.nodes"], &|depth, nodes| {
            format!("{depth} and {nodes}: one of them must limit the search")
        }));
    }
    if !params.final_stage.panel.is_empty() && !params.genome.engine.is_empty() {
        violations.extend(pair(["final.panel", "genome.engine"], &|panel, engine| {
            format!(
                "{panel} is for champions of loatune's own evaluation, and {engine}: measure \
                 another engine by `loatune gauntlet`"
            )
        }));
    }
    violations.extend(too_few_free_genes(params, cited));
    violations
}

/// The evolution needs a gene that is not fixed, and two weights where their
/// scale is normalised.
fn too_few_free_genes(params: &Params, cited: &dyn Fn(&Key) -> String) -> Option<Violation> {
    if params.genome.is_absent.iter().all(|is_absent| *is_absent) {
        // The genes are somebody else's, and so are their bounds.
        return None;
    }
    let is_free = |(_, [least, most]): &(usize, [i32; 2])| least < most;
    let bounds = params.genome.bounds.into_iter().enumerate();
    let free: Vec<usize> = bounds.filter(is_free).map(|(gene, _)| gene).collect();
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
        return Some(Violation {
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
        return Some(Violation {
            keys: concerned,
            what,
        });
    }
    None
}
