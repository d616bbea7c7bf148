//! A player that follows an opening book as long as it knows the position, and
//! then plays as the player behind it does.

use std::path::Path;
use std::sync::Arc;

use super::clock::Clocks;
use super::contender::{Choice, Contender, Fault};
use crate::board::{Board, Move};
use crate::book::{Book, BookFileError, LEAST_GAMES};
use crate::game::{Game, Rules};

/// A book in the hands of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerBook {
    /// The file, as it was named.
    pub path: String,
    /// What it knows.
    pub book: Arc<Book>,
    /// The games that a move must have to be followed.
    pub least_games: u64,
}

impl PlayerBook {
    /// Reads a book; a relative path is looked up in `here`.
    ///
    /// # Errors
    /// Where there is no book.
    pub fn read(path: &str, here: &Path) -> Result<PlayerBook, BookFileError> {
        Ok(PlayerBook {
            path: path.to_owned(),
            book: Arc::new(Book::read(&here.join(path))?),
            least_games: LEAST_GAMES,
        })
    }

    /// Checks that the book's games had these rules.
    ///
    /// # Errors
    /// What differs, in words, with the book's name.
    pub fn check_rules(&self, rules: &Rules) -> Result<(), String> {
        let checked = self.book.check_rules(rules);
        checked.map_err(|problem| format!("book {}: {problem}", self.path))
    }

    /// The move that the book plays in a game. A position that came back is left
    /// to the player, because a book knows nothing of repetition.
    pub fn choose(&self, game: &Game) -> Option<Move> {
        if game.outcome().is_some() || game.occurrences() > 1 {
            return None;
        }
        self.book.choose(game.board(), self.least_games)
    }
}

/// A player with a book.
pub struct BookPlayer {
    player: Box<dyn Contender>,
    book: PlayerBook,
}

impl BookPlayer {
    /// The same player with a book.
    pub fn new(player: Box<dyn Contender>, book: PlayerBook) -> BookPlayer {
        BookPlayer { player, book }
    }
}

impl Contender for BookPlayer {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn new_game(&mut self, rules: &Rules, first: &Board) -> Result<(), Fault> {
        self.player.new_game(rules, first)
    }

    fn choose(&mut self, game: &Game, clocks: &Clocks) -> Result<Choice, Fault> {
        match self.book.choose(game) {
            Some(mv) => Ok(Choice {
                mv,
                value: None,
                nodes: 0,
                from_book: true,
            }),
            None => self.player.choose(game, clocks),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::arena::{Builtin, MoveLimits};
    use crate::eval::Weights;
    use crate::notation::{parse_move, parse_moves};
    use crate::search::Algorithm;
    use crate::stats::Points;

    /// A player with a book that knows one move of the start position.
    fn player(algorithm: Algorithm, games: u64) -> BookPlayer {
        let mut book = Book::new(Rules::default());
        let start = Board::start();
        for _ in 0..games {
            book.add(&start, parse_move(&start, "g1-g3").unwrap(), Points::Win);
        }
        let limits = MoveLimits {
            depth: Some(1),
            ..MoveLimits::default()
        };
        let player = Builtin::new("player", algorithm, &Weights::source(), limits);
        let book = PlayerBook {
            path: String::from("a.book"),
            book: Arc::new(book),
            least_games: LEAST_GAMES,
        };
        BookPlayer::new(Box::new(player), book)
    }

    fn choice(player: &mut BookPlayer, moves: &str) -> Choice {
        let mut game = Game::new(Rules::default());
        player.new_game(game.rules(), game.first_board()).unwrap();
        parse_moves(&mut game, moves).unwrap();
        player.choose(&game, &Clocks::default()).unwrap()
    }

    #[test]
    fn every_search_follows_a_book_as_far_as_it_goes() {
        for algorithm in Algorithm::ALL {
            let mut player = player(algorithm, LEAST_GAMES);
            let first = choice(&mut player, "");
            assert!(first.from_book, "{algorithm}");
            // One of the four mirror images of the move.
            assert!(["b1-b3", "g1-g3", "b8-b6", "g8-g6"].contains(&&*first.mv.to_string()));
            let later = choice(&mut player, "b1-b3 a2-c2");
            assert!(!later.from_book && later.nodes > 0, "{algorithm}");
        }
    }

    #[test]
    fn too_few_games_and_repeated_positions_are_left_to_the_player() {
        let mut unsure = player(Algorithm::Mtdf, LEAST_GAMES - 1);
        assert!(!choice(&mut unsure, "").from_book);
        let mut sure = player(Algorithm::Mtdf, LEAST_GAMES);
        assert!(!choice(&mut sure, "b1-b3 a2-c2 b3-b1 c2-a2").from_book);
    }
}
