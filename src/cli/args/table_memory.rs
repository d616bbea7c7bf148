//! The memory of transposition tables, checked before anything is created.

use crate::cli::output::BadUsage;
use crate::util::memory;

/// Checks that memory has room for the tables of two players on each of some
/// threads. `setting` names the value that says how large a table is, `remedy`
/// what to give less to.
///
/// # Errors
/// It has not; the message says what is needed and what there is.
pub(crate) fn check_tables(
    setting: &str,
    kib: u32,
    threads: usize,
    remedy: &str,
) -> Result<(), BadUsage> {
    let bytes = (2 * threads as u64).saturating_mul(u64::from(kib) * 1024);
    memory::check(bytes).map_err(|error| {
        BadUsage::new(format!(
            "{setting}: two tables for each of {threads} threads: {error}; give less to {remedy}"
        ))
    })
}

/// Checks that memory has room for the one table of a search.
///
/// # Errors
/// It has not; the message says what is needed and what there is.
pub(crate) fn check_table(setting: &str, kib: u32) -> Result<(), BadUsage> {
    memory::check(u64::from(kib) * 1024)
        .map_err(|error| BadUsage::new(format!("{setting}: {error}")))
}
