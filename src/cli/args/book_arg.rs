//! Opening books that a flag names, for commands that play with one.

use std::path::Path;

use crate::arena::PlayerBook;
use crate::cli::output::BadUsage;
use crate::game::Rules;

/// The book of a flag, if it is given.
///
/// # Errors
/// The file holds no book, or one of games with other rules.
pub(crate) fn read_player_book(
    path: Option<&str>,
    rules: &Rules,
) -> anyhow::Result<Option<PlayerBook>> {
    let Some(path) = path else {
        return Ok(None);
    };
    let book = PlayerBook::read(path, Path::new("")).map_err(BadUsage::new)?;
    book.check_rules(rules).map_err(BadUsage::new)?;
    Ok(Some(book))
}
