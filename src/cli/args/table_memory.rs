//! The memory of players, checked before anything is created: transposition tables,
//! and the trees of Monte-Carlo tree searches.

use crate::arena::MoveLimits;
use crate::cli::output::BadUsage;
use crate::params::PlayerParams;
use crate::search::SearchSetup;
use crate::util::memory;

/// What all players on all threads may take.
pub(crate) struct PlayerMemory {
    /// Bytes of their tables.
    pub(crate) tables: u64,
    /// Bytes that their trees may grow to.
    pub(crate) trees: u64,
}

impl PlayerMemory {
    /// Checks that memory has room for the tables, and for the trees beside them.
    /// `tables` and `trees` say in words what they are, `remedy` what to give less
    /// to.
    ///
    /// # Errors
    /// It has not; the message says what is needed and what there is.
    pub(crate) fn check(&self, tables: &str, trees: &str, remedy: &str) -> Result<(), BadUsage> {
        memory::check(self.tables)
            .map_err(|error| BadUsage::new(format!("{tables}: {error}; give less to {remedy}")))?;
        if self.trees == 0 {
            return Ok(());
        }
        memory::check(self.tables.saturating_add(self.trees)).map_err(|error| {
            BadUsage::new(format!(
                "{trees}: {error}; give less to the option memory of mcts, to {remedy}"
            ))
        })
    }
}

/// Checks that memory has room for the tables and trees of two players of a run or a
/// certificate on each of some threads. `setting` names the value that says how large
/// a table is, `remedy` what to give less to.
///
/// # Errors
/// It has not; the message says what is needed and what there is.
pub(crate) fn check_players(
    setting: &str,
    player: &PlayerParams,
    threads: usize,
    remedy: &str,
) -> Result<(), BadUsage> {
    let search = player.search;
    let limits = MoveLimits::from(player).for_search(Some(search.algorithm));
    let of_all = |bytes: u64| (2 * threads as u64).saturating_mul(bytes);
    let memory = PlayerMemory {
        tables: of_all(u64::from(player.table_kib) * 1024),
        trees: of_all(search.tree_bytes(limits.simulations)),
    };
    memory.check(
        &format!("{setting}: two tables for each of {threads} threads"),
        &format!(
            "{setting} and player {search}: two tables and trees for each of {threads} threads"
        ),
        remedy,
    )
}

/// Checks that memory has room for the one table of a search.
///
/// # Errors
/// It has not; the message says what is needed and what there is.
pub(crate) fn check_table(setting: &str, kib: u32) -> Result<(), BadUsage> {
    memory::check(u64::from(kib) * 1024)
        .map_err(|error| BadUsage::new(format!("{setting}: {error}")))
}

/// Checks that memory has room for the tree of one search that this setting names,
/// if it has one.
///
/// # Errors
/// It has not; the message says what is needed and what there is.
pub(crate) fn check_tree(setting: &str, search: &SearchSetup) -> Result<(), BadUsage> {
    memory::check(search.tree_bytes(None))
        .map_err(|error| BadUsage::new(format!("{setting}: {error}; its option memory says so")))
}
