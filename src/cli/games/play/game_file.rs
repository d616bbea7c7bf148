//! Saves and loads games as SGF files.

use std::io;
use std::path::Path;

use crate::game::Rules;
use crate::notation::{SgfGame, parse_sgf, write_sgf};
use crate::util::atomic_file;
use crate::util::input_file::{self, MAX_GAMES_BYTES};

/// Writes a game. A file that is there already stays, with an error of the kind
/// `AlreadyExists`, unless it may be overwritten.
pub(super) fn save(path: &Path, game: &SgfGame, overwrite: bool) -> io::Result<()> {
    atomic_file::save(path, write_sgf(game), overwrite)
}

/// Reads the first game of a file, or says what is wrong with it.
pub(super) fn load(path: &Path, rules: &Rules) -> anyhow::Result<SgfGame> {
    let bytes = input_file::read(path, MAX_GAMES_BYTES)?;
    let games = parse_sgf(&String::from_utf8_lossy(&bytes), rules)?;
    let first = games.into_iter().next();
    first.ok_or_else(|| anyhow::anyhow!("there is no game in it"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;
    use crate::game::Game;

    #[test]
    fn a_game_is_saved_and_loaded() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.sgf");
        let game = SgfGame::new(Game::new(Rules::default()));
        save(&path, &game, false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), write_sgf(&game));
        assert!(load(&path, &Rules::default()).is_ok());
        let error = save(&path, &game, false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }
}
