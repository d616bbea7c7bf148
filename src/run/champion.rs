//! The champion as a weight file, with its certificate. Everything in it
//! follows from the run: equal runs give equal files.

use crate::api::origin_name;
use crate::evolve::{Birth, Champion, FileId, State};
use crate::params::Params;
use crate::store::{MeasuredMatch, Purpose, StoreError};
use crate::weights::{Certificate, ChampionKind, Conditions, ProofMatch, WeightFile};

/// The most forebears that a certificate names.
const FOREBEARS: usize = 40;

/// Looks up how a file was born; `None` where it is not known.
pub type Births<'a> = &'a dyn Fn(FileId) -> Result<Option<Birth>, StoreError>;

/// The champion's file; `None` where there is no champion yet. The certificate
/// holds the matches that have been played so far, and `engine`, the signature
/// of the engine that played them.
///
/// # Errors
/// Where births cannot be read.
pub fn champion_file(
    name: &str,
    state: &State,
    params: &Params,
    births: Births<'_>,
    measured: &[MeasuredMatch],
    engine: u64,
) -> Result<Option<WeightFile>, StoreError> {
    let Some(champion) = state.champion() else {
        return Ok(None);
    };
    let results = measured
        .iter()
        .filter(|one| one.purpose == Purpose::Certificate)
        .map(|one| ProofMatch::new(&one.opponent, &one.weights, &one.tally));
    let kind = if champion.is_elder {
        ChampionKind::Elder
    } else {
        ChampionKind::Last
    };
    Ok(Some(WeightFile {
        name: format!("{name}-champion"),
        origin: format!(
            "evolved by loatune: {}, after {} games",
            kind.meaning(),
            state.games()
        ),
        weights: champion.weights,
        certificate: Some(Certificate {
            champion: kind,
            file: champion.file.0,
            ancestry: ancestry(&champion, state, births)?,
            seed: params.run.seed,
            params: params.fingerprint(),
            engine,
            games: state.games(),
            matches: state.matches(),
            conditions: Conditions::from(params),
            results: results.collect(),
        }),
    }))
}

/// Where a champion comes from, a line each: a file's first parents back to a
/// founder. The elder has many forebears: those of the last file stand for them.
fn ancestry(
    champion: &Champion,
    state: &State,
    births: Births<'_>,
) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    let mut next = Some(champion.file);
    if champion.is_elder {
        lines.push(format!(
            "{}: running mean of the consensus of {} matches",
            champion.file,
            state.matches()
        ));
        next = state.final_record().map(|record| record.last);
    }
    while let Some(file) = next {
        let Some(birth) = births(file)? else {
            break;
        };
        if lines.len() == FOREBEARS {
            lines.push(String::from("and so on"));
            break;
        }
        let parents: Vec<String> = birth.parents.iter().map(FileId::to_string).collect();
        let of = if parents.is_empty() {
            String::new()
        } else {
            format!(" of {}", parents.join(" and "))
        };
        let origin = origin_name(birth.origin);
        lines.push(format!("{file}: {origin}{of} at match {}", birth.at));
        next = birth.parents.first().copied();
    }
    Ok(lines)
}
