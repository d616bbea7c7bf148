//! The exhaustive search: does a side win within so many plies, whatever the other
//! one plays? It looks at every line that the answer depends on, so that a `no` is
//! a proof as well, and its distances are exact.
//!
//! It is alpha-beta with two values, and knows no weights. Repetition and the ply
//! limit belong to the game, not to a position, as in all searches.

use crate::board::{Board, Move, MoveList, Side, Snapshot};
use crate::game::Rules;
use crate::search::context::StopFn;
use crate::search::value::terminal_value;

/// The greatest distance that is looked at, in plies. A win that takes nine takes
/// minutes already where there is none.
pub const MOST_PLIES: u32 = 15;

/// Nodes between two polls of the stop condition.
const POLL_INTERVAL: u64 = 1024;

/// Entries of the table.
const ENTRIES: usize = 1 << 16;

/// From so many plies on the order of the moves is worth its price.
const ORDERED_PLIES: u32 = 3;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// The attacker wins within so many plies; 255 where that is not known.
    wins_in: u8,
    /// The attacker does not win within so many plies.
    holds_for: u8,
    /// The move that decided it.
    best: Move,
}

/// The question whether one side, the attacker, wins.
pub struct Exhaustive<'a> {
    rules: &'a Rules,
    attacker: Side,
    /// Two entries a bucket: that of the longest distance, and the newest one.
    table: Vec<[Entry; 2]>,
    /// The last move that refuted the attacker, by the plies that were left.
    refutations: [Move; MOST_PLIES as usize + 1],
    stop: StopFn<'a>,
    stopped: bool,
    nodes: u64,
}

impl<'a> Exhaustive<'a> {
    /// A question with an empty table; ends when `stop` holds.
    pub fn new(rules: &'a Rules, attacker: Side, stop: StopFn<'a>) -> Exhaustive<'a> {
        let empty = Entry {
            key: 0,
            wins_in: u8::MAX,
            holds_for: 0,
            best: Move::PASS,
        };
        Exhaustive {
            rules,
            attacker,
            table: vec![[empty; 2]; ENTRIES / 2],
            refutations: [Move::PASS; MOST_PLIES as usize + 1],
            stop,
            stopped: false,
            nodes: 0,
        }
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The least number of plies, at most `most`, within which the attacker wins
    /// `board` whatever the other side plays; `Some(None)` where there is no such
    /// win, `None` where the search was stopped.
    ///
    /// # Examples
    ///
    /// ```
    /// use loatune::board::Side;
    /// use loatune::game::Rules;
    /// use loatune::notation::parse_position;
    /// use loatune::search::solver::exhaustive::Exhaustive;
    ///
    /// let board = parse_position("8/8/2x5/o1ooxxx1/oxox2x1/5xx1/4o3/1x6 o")?;
    /// let rules = Rules::default();
    /// let mut search = Exhaustive::new(&rules, Side::O, &|| false);
    /// assert_eq!(search.shortest_win(&board, 5), Some(Some(5)));
    /// assert_eq!(search.shortest_win(&board, 4), Some(None));
    /// # Ok::<(), loatune::notation::PositionError>(())
    /// ```
    pub fn shortest_win(&mut self, board: &Board, most: u32) -> Option<Option<u32>> {
        if let Some(wins) = self.ended(board) {
            return Some(wins.then_some(0));
        }
        let mut distances = 1..=most.min(MOST_PLIES);
        let found = distances.find(|&plies| self.wins_within(board, plies));
        (!self.stopped).then_some(found)
    }

    /// Whether a finished position is won by the attacker; `None` where it is not
    /// finished.
    fn ended(&self, now: &Snapshot) -> Option<bool> {
        terminal_value(now, self.rules, 0).map(|value| {
            let attacks = now.turn() == self.attacker;
            if attacks { value > 0 } else { value < 0 }
        })
    }

    /// Whether the attacker wins an unfinished position within `plies`, at least 1.
    fn wins_within(&mut self, board: &Board, plies: u32) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) && (self.stop)() {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        let known = self.look_up(board.key());
        if let Some(entry) = known {
            if u32::from(entry.wins_in) <= plies {
                return true;
            }
            if plies <= u32::from(entry.holds_for) {
                return false;
            }
        }
        let moves = board.moves();
        if moves.is_empty() {
            // Only where a side without a move passes: else the game is over.
            return plies > 1 && self.wins_within(&board.pass(), plies - 1);
        }
        let first = known.map_or(Move::PASS, |entry| entry.best);
        let (wins, best) = if board.turn() == self.attacker {
            self.attack(board, &moves, plies, first)
        } else {
            self.defend(board, &moves, plies, first)
        };
        if !self.stopped {
            self.store(board.key(), wins, plies, best);
        }
        wins
    }

    /// Whether one of the attacker's moves wins, and which.
    fn attack(&mut self, board: &Board, moves: &MoveList, plies: u32, first: Move) -> (bool, Move) {
        let wins_at_once = |mv: &&Move| self.ended(&board.after(**mv)) == Some(true);
        if let Some(&mv) = moves.iter().find(wins_at_once) {
            return (true, mv);
        }
        if plies == 1 {
            return (false, Move::PASS);
        }
        for &mv in self.ordered(board, moves, plies, first).iter() {
            let goes_on = self.ended(&board.after(mv)).is_none();
            if goes_on && self.wins_within(&board.play(mv), plies - 1) {
                return (true, mv);
            }
        }
        (false, Move::PASS)
    }

    /// Whether no move of the other side keeps the attacker from winning; else the
    /// one that does.
    fn defend(&mut self, board: &Board, moves: &MoveList, plies: u32, first: Move) -> (bool, Move) {
        let killer = self.refutations[plies as usize];
        let first = if first.is_pass() { killer } else { first };
        for &mv in self.ordered(board, moves, plies, first).iter() {
            let wins = match self.ended(&board.after(mv)) {
                Some(wins) => wins,
                None => plies > 1 && self.wins_within(&board.play(mv), plies - 1),
            };
            if !wins {
                self.refutations[plies as usize] = mv;
                return (false, mv);
            }
        }
        (true, Move::PASS)
    }

    /// The moves, `first` before all others; then, where it pays, those that leave
    /// the attacker fewer groups, or more of them where it defends.
    fn ordered(&self, board: &Board, moves: &MoveList, plies: u32, first: Move) -> MoveList {
        let mut moves = moves.clone();
        if plies >= ORDERED_PLIES {
            let attacks = board.turn() == self.attacker;
            moves.sort_by_cached_key(|&mv| {
                let [own, other] = board.euler4_after(mv);
                if attacks { own } else { -other }
            });
        }
        if let Some(place) = moves.iter().position(|&mv| mv == first) {
            moves[..=place].rotate_right(1);
        }
        moves
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.table.len() - 1)
    }

    fn look_up(&self, key: u64) -> Option<Entry> {
        let bucket = &self.table[self.place(key)];
        bucket.iter().find(|entry| entry.key == key).copied()
    }

    fn store(&mut self, key: u64, wins: bool, plies: u32, best: Move) {
        let place = self.place(key);
        let bucket = &mut self.table[place];
        let plies = plies as u8;
        let distance = |entry: &Entry| match entry.wins_in {
            u8::MAX => entry.holds_for,
            wins_in => wins_in.max(entry.holds_for),
        };
        let n = match bucket.iter().position(|entry| entry.key == key) {
            Some(n) => n,
            None => usize::from(distance(&bucket[0]) > plies),
        };
        let old = bucket[n];
        let same = old.key == key;
        bucket[n] = Entry {
            key,
            wins_in: match (wins, same) {
                (true, true) => plies.min(old.wins_in),
                (true, false) => plies,
                (false, true) => old.wins_in,
                (false, false) => u8::MAX,
            },
            holds_for: match (wins, same) {
                (false, true) => plies.max(old.holds_for),
                (false, false) => plies,
                (true, true) => old.holds_for,
                (true, false) => 0,
            },
            best,
        };
    }
}
