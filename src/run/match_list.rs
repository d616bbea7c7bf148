//! The matches of a population that fit a query, the newest first.

use super::source_answer::failed;
use crate::api::{MatchOutcome, MatchQuery, MatchRow, MatchesView, SourceError};
use crate::evolve::MatchResult;
use crate::store::Reader;

/// How many matches are read together, while those are looked for that fit a
/// query.
const LOOK: usize = 200;

/// The most matches that one question looks at: some hundredths of a second.
const MAX_LOOKED: usize = 4000;

/// A page of them, from the one before `query.before` back.
pub(super) fn matches(reader: &Reader, query: &MatchQuery) -> Result<MatchesView, SourceError> {
    let lifetime = match query.file {
        None => 0..u64::MAX,
        Some(file) => {
            let found = reader.lifetime(file).map_err(failed)?;
            found.unwrap_or(0..0)
        }
    };
    let mut before = query.before.unwrap_or(u64::MAX).min(lifetime.end);
    let mut rows: Vec<MatchRow> = Vec::new();
    let mut looked = 0;
    // One row more than is asked for tells whether there is a next page.
    while before > lifetime.start && rows.len() <= query.count {
        if looked >= MAX_LOOKED {
            return Ok(MatchesView {
                matches: rows,
                before: Some(before),
            });
        }
        let count = LOOK.max(query.count - rows.len() + 1);
        let found = reader.matches_backwards(before, count);
        let found = found.map_err(failed)?;
        looked += found.len();
        // The store has no more where it gives fewer.
        before = found.last().map_or(0, |record| record.number);
        if found.len() < count {
            before = 0;
        }
        for record in &found {
            let result = record.result();
            if record.number < lifetime.start || !is_wanted(&result, query) {
                continue;
            }
            let games = record.game_records().map_err(failed)?;
            rows.push(MatchRow::new(&result, record.is_final, &games));
            if rows.len() > query.count {
                break;
            }
        }
    }
    let is_more = rows.len() > query.count;
    rows.truncate(query.count);
    let last = rows.last().map(|row| row.number);
    Ok(MatchesView {
        matches: rows,
        before: last.filter(|_| is_more),
    })
}

/// Whether a match is one that a query asks for.
fn is_wanted(result: &MatchResult, query: &MatchQuery) -> bool {
    let score = match query.file {
        None => result.score,
        Some(file) if result.files[0] == file => result.score,
        Some(file) if result.files[1] == file => -result.score,
        Some(_) => return false,
    };
    let outcome = MatchOutcome::of_score(score);
    query.result.is_none_or(|wanted| wanted == outcome)
}
