//! Merging and pruning books.

use super::table::Book;
use crate::game::Rules;

/// Why two books cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Their games had other rules.
    #[error("its games had other rules: {there}; those before had {here}")]
    Rules {
        /// The rules of the book that was to be added.
        there: String,
        /// The rules of the books before.
        here: String,
    },
    /// Both hold the games of the same building.
    #[error("it holds games that are there already, and would count twice: {0}")]
    Twice(String),
}

/// What is left out of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pruning {
    /// Moves with fewer games.
    pub min_games: u64,
    /// Moves with a lower score, 0 to 1.
    pub min_score: f64,
    /// All but the so many surest moves of a position.
    pub best: Option<usize>,
}

impl Book {
    /// Adds what another book knows.
    ///
    /// # Errors
    /// A [`MergeError`]; nothing is added then.
    pub fn merge(&mut self, other: &Book) -> Result<(), MergeError> {
        if self.rules != other.rules {
            return Err(MergeError::Rules {
                there: rules_text(&other.rules),
                here: rules_text(&self.rules),
            });
        }
        if let Some(twice) = other.makings.iter().find(|made| self.has_games_of(made)) {
            return Err(MergeError::Twice(twice.text()));
        }
        self.makings.extend(other.makings.iter().cloned());
        let new = other.prunings.iter();
        let new: Vec<String> = new
            .filter(|pruning| !self.prunings.contains(pruning))
            .cloned()
            .collect();
        self.prunings.extend(new);
        for (key, moves) in &other.positions {
            for known in moves {
                self.add_record(*key, known.mv, known.record);
            }
        }
        Ok(())
    }

    /// Games of the same conditions are the same games, however many there are.
    fn has_games_of(&self, making: &super::Making) -> bool {
        self.makings.iter().any(|mine| mine.has_games_of(making))
    }

    /// Leaves moves out, and positions without any. Returns how many moves and
    /// positions went.
    pub fn prune(&mut self, pruning: &Pruning) -> (usize, usize) {
        let before = (self.moves(), self.len());
        self.positions = self
            .positions()
            .filter_map(|position| {
                let mut moves = position.moves;
                moves.retain(|known| {
                    known.games() >= pruning.min_games && known.score() >= pruning.min_score
                });
                moves.truncate(pruning.best.unwrap_or(usize::MAX));
                moves.sort_by_key(|known| known.mv);
                let key = super::table::PositionKey::new(&position.board);
                (!moves.is_empty()).then_some((key, moves))
            })
            .collect();
        self.prunings.push(pruning.text());
        (before.0 - self.moves(), before.1 - self.len())
    }

    /// How many moves it knows, of all positions.
    pub fn moves(&self) -> usize {
        self.positions.values().map(Vec::len).sum()
    }

    /// The games that it was made from.
    pub fn games(&self) -> u64 {
        self.makings.iter().map(|making| making.games).sum()
    }
}

impl Pruning {
    /// In words, as a book keeps it.
    fn text(&self) -> String {
        let mut parts = Vec::new();
        if self.min_games > 0 {
            parts.push(format!("moves with at least {} games", self.min_games));
        }
        if self.min_score > 0.0 {
            parts.push(format!(
                "moves that score at least {} %",
                100.0 * self.min_score
            ));
        }
        if let Some(best) = self.best {
            parts.push(format!("the best {best} of each position"));
        }
        match parts.is_empty() {
            true => String::from("everything"),
            false => parts.join(", "),
        }
    }
}

/// The rules of a book's games in a line.
pub(crate) fn rules_text(rules: &Rules) -> String {
    let Rules {
        simultaneous,
        no_moves,
        repetition,
        max_plies,
    } = rules;
    format!(
        "{}, no moves: {}, repetition {repetition}, {max_plies} plies",
        simultaneous.name(),
        no_moves.name()
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::book::{Making, MakingOpenings};
    use crate::notation::parse_move;
    use crate::stats::Points;

    fn book(seed: u64, games: &[(&str, Points)]) -> Book {
        let mut book = Book::new(Rules::default());
        let start = Board::start();
        for (text, points) in games {
            book.add(&start, parse_move(&start, text).unwrap(), *points);
        }
        book.makings.push(Making {
            player: String::from("default"),
            weights: String::new(),
            engine: 1,
            hash_kib: 256,
            openings: MakingOpenings {
                count: 1,
                plies: Some(4),
                bound: Some(100),
                file: None,
                content: None,
            },
            from_start: 10,
            plies: 8,
            explore: 0.3,
            widening: 0.5,
            seed,
            games: games.len() as u64,
        });
        book
    }

    #[test]
    fn games_are_added_up_once() {
        let mut merged = book(1, &[("b1-b3", Points::Win), ("c1-c3", Points::Loss)]);
        let other = book(2, &[("b1-b3", Points::Draw)]);
        merged.merge(&other).unwrap();
        assert_eq!((merged.games(), merged.moves(), merged.len()), (3, 2, 1));
        let best = merged.look_up(&Board::start()).unwrap().moves[0];
        assert_eq!((best.games(), best.score()), (2, 0.75));
        let again = merged.clone();
        let error = merged.merge(&other).unwrap_err().to_string();
        assert!(error.contains("would count twice"), "{error}");
        assert_eq!(merged, again);
        let mut foreign = book(3, &[]);
        foreign.rules.repetition = 2;
        let error = merged.merge(&foreign).unwrap_err().to_string();
        assert!(error.contains("repetition 2"), "{error}");
    }

    #[test]
    fn what_is_pruned_is_gone() {
        let games = [
            ("b1-b3", Points::Win),
            ("b1-b3", Points::Win),
            ("c1-c3", Points::Loss),
            ("c1-c3", Points::Loss),
            ("d1-d3", Points::Win),
        ];
        let pruned = |pruning: Pruning| {
            let mut book = book(1, &games);
            let gone = book.prune(&pruning);
            assert_eq!(book.prunings.len(), 1);
            (book.moves(), gone)
        };
        let all = Pruning::default();
        assert_eq!(pruned(all), (3, (0, 0)));
        let min_games = Pruning {
            min_games: 2,
            ..all
        };
        assert_eq!(pruned(min_games), (2, (1, 0)));
        let min_score = Pruning {
            min_score: 0.5,
            ..min_games
        };
        assert_eq!(pruned(min_score), (1, (2, 0)));
        let best = Pruning {
            best: Some(1),
            ..all
        };
        assert_eq!(pruned(best), (1, (2, 0)));
        let none = Pruning {
            min_games: 9,
            ..all
        };
        assert_eq!(pruned(none), (0, (3, 1)));
    }
}
