//! Which moves a game of a book begins with, and what its result adds.
//!
//! The tree policy: at a position with N games, 1 + ⌈W √N⌉ moves may be tried,
//! the player's own first and further ones in the order of [`super::ranking`];
//! one without a game goes first, then the greatest p + C √(ln N / n). Games
//! that are under way count as lost ones (virtual losses), so that those that
//! are planned together differ. Logarithms are those of `libm` and roots are
//! fixed by IEEE 754: plans are the same on every machine.

use std::collections::{BTreeMap, VecDeque};

use super::ranking::Ranking;
use crate::arena::Opening;
use crate::board::{Board, Canonical, Move, Side};
use crate::book::{Book, PositionKey};
use crate::eval::Weights;
use crate::game::{Game, Rules, Winner};
use crate::stats::Points;

/// So many games are planned before the result of the first one is known. It
/// does not depend on the number of threads, and no more than so many are of use.
const WINDOW: u64 = 32;

/// How a book grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The plies after an opening that are in the book, at least 1.
    pub plies: u32,
    /// The C of the bandit formula: how much moves with few games are tried.
    pub explore: f64,
    /// The W of the tree policy: how fast further moves join; above 0.
    pub widening: f64,
    /// So many games of a hundred begin at the initial position.
    pub from_start: u32,
}

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// From 0.
    pub number: u64,
    /// Where the game begins: an opening and the moves of the book after it.
    pub opening: Opening,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// Whether the player's own choice is the next move of the book.
    own_choice: bool,
}

/// A game that was played, as far as a book is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookGame {
    /// The number of its plan.
    pub number: u64,
    /// The moves of the plan after the opening, and the next one where there was
    /// one.
    pub moves: Vec<Move>,
    /// Who won.
    pub winner: Winner,
}

/// A game that was not planned so: it comes from another building.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {0} does not fit the games before it")]
pub struct WrongGame(pub u64);

/// Games under way at a position.
#[derive(Clone, Debug, Default)]
struct UnderWay {
    /// Those in which the player chooses the next move itself.
    own_choice: u64,
    moves: BTreeMap<Move, u64>,
}

/// A book that is being made.
pub struct Planner {
    growth: Growth,
    openings: Vec<Opening>,
    ranking: Ranking,
    ranked: BTreeMap<PositionKey, Vec<Move>>,
    book: Book,
    planned: VecDeque<Plan>,
    /// Games that are counted.
    counted: u64,
    /// Games that may be played: of the plans those that were asked for.
    offered: u64,
    under_way: BTreeMap<PositionKey, UnderWay>,
}

impl Planner {
    /// A book without games, from openings that are not over.
    pub fn new(
        growth: Growth,
        openings: Vec<Opening>,
        weights: &Weights,
        rules: &Rules,
    ) -> Planner {
        Planner {
            growth,
            openings,
            ranking: Ranking::new(weights, rules),
            ranked: BTreeMap::new(),
            book: Book::new(*rules),
            planned: VecDeque::new(),
            counted: 0,
            offered: 0,
            under_way: BTreeMap::new(),
        }
    }

    /// What is known so far.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// How many games are counted.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// The plans that may be played and are not counted yet, the first one first.
    pub fn under_way(&self) -> impl Iterator<Item = &Plan> {
        let offered = self.offered;
        self.planned
            .iter()
            .filter(move |plan| plan.number < offered)
    }

    /// Plans games as far as results allow, and offers those of them that belong
    /// to `games` in all; returns how many are new. Must be called before the first
    /// game and after each. What is planned does not depend on `games`, so that a
    /// book that is taken further is the book that was made at once.
    pub fn plan(&mut self, games: u64) -> usize {
        while (self.planned.len() as u64) < WINDOW {
            let plan = self.plan_game(self.counted + self.planned.len() as u64);
            self.planned.push_back(plan);
        }
        let before = self.offered;
        let planned = self.counted + self.planned.len() as u64;
        self.offered = before.max(planned.min(games));
        (self.offered - before) as usize
    }

    /// Counts the next game.
    ///
    /// # Errors
    /// [`WrongGame`] where it is not the game that was planned; nothing is
    /// counted then.
    pub fn count(&mut self, played: &BookGame) -> Result<(), WrongGame> {
        let wrong = WrongGame(played.number);
        let plan = self.planned.front().ok_or(wrong)?;
        let opening = &plan.opening.moves[..plan.opening_plies];
        let path = &plan.opening.moves[plan.opening_plies..];
        let further = played.moves.strip_prefix(path).ok_or(wrong)?;
        if plan.number != played.number || further.len() > 1 {
            return Err(wrong);
        }
        let mut game = Game::from_board(self.book.rules, plan.opening.first);
        for &mv in opening.iter().chain(&played.moves) {
            game.play(mv).map_err(|_| wrong)?;
        }
        let boards = &game.boards()[plan.opening_plies..];
        let (path, own_choice) = (path.len(), plan.own_choice);
        self.end_plan(boards, &played.moves, path, own_choice);
        let recorded = played.moves.iter().take(self.growth.plies as usize);
        let mut seen = Vec::new();
        for (&mv, board) in recorded.zip(boards) {
            // A position that comes back counts once.
            if !mv.is_pass() && !seen.iter().any(|other: &&Board| other.same_position(board)) {
                seen.push(board);
                self.book
                    .add(board, mv, points(played.winner, board.turn()));
            }
        }
        self.planned.pop_front();
        self.counted += 1;
        Ok(())
    }

    /// Where game `number` begins: the initial position as often as asked for,
    /// else one opening after the other.
    fn opening(&self, number: u64) -> Opening {
        let share = u64::from(self.growth.from_start);
        let starts = |games: u64| {
            // In two parts, so that no number of games is too large.
            games / 100 * share + games % 100 * share / 100
        };
        let before = starts(number);
        if self.openings.is_empty() || starts(number + 1) > before {
            return Opening {
                first: Board::start(),
                moves: Vec::new(),
            };
        }
        let at = (number - before) % self.openings.len() as u64;
        self.openings[at as usize].clone()
    }

    fn plan_game(&mut self, number: u64) -> Plan {
        let mut opening = self.opening(number);
        let opening_plies = opening.moves.len();
        let rules = self.book.rules;
        let mut own_choice = false;
        if let Some(mut game) = opening.game(&rules) {
            let plies = self.growth.plies as usize;
            for ply in 1..=plies {
                if game.outcome().is_some() || game.board().mobility(game.turn()) == 0 {
                    break;
                }
                let Some(mv) = self.choose(game.board(), ply == plies) else {
                    own_choice = true;
                    break;
                };
                if game.play(mv).is_err() {
                    break;
                }
            }
            opening = Opening::from(&game);
        }
        Plan {
            number,
            opening,
            opening_plies,
            own_choice,
        }
    }

    /// The move that a planned game plays at a position; `None` where the player
    /// chooses. At the `last` ply of the book a move without a game is taken as
    /// long as there is one, because the same moves would give the same game.
    fn choose(&mut self, board: &Board, last: bool) -> Option<Move> {
        let canonical = Canonical::new(board);
        let key = PositionKey::new(&canonical.board);
        let under_way = self.under_way.entry(key).or_default();
        let mut known: BTreeMap<Move, (f64, f64)> = BTreeMap::new();
        for entry in self.book.known(&key) {
            let points = entry.record.halves() as f64 / 2.0;
            known.insert(entry.mv, (entry.games() as f64, points));
        }
        for (&mv, &games) in &under_way.moves {
            known.entry(mv).or_default().0 += games as f64;
        }
        let games: f64 = known.values().map(|(games, _)| games).sum();
        let games = games + under_way.own_choice as f64;
        if games == 0.0 {
            under_way.own_choice += 1;
            return None;
        }
        let allowed = if last {
            usize::MAX
        } else {
            1 + (self.growth.widening * games.sqrt()).ceil() as usize
        };
        let mut chosen = None;
        if known.len() < allowed {
            let ranking = &mut self.ranking;
            let ranked = self.ranked.entry(key);
            let ranked = ranked.or_insert_with(|| canonical_moves(&canonical, ranking));
            chosen = ranked.iter().copied().find(|mv| !known.contains_key(mv));
        }
        let explore = self.growth.explore;
        let chosen = chosen.or_else(|| best_by_bandit(&known, games, explore))?;
        *under_way.moves.entry(chosen).or_default() += 1;
        canonical.move_there(board, chosen)
    }

    /// Takes a plan's virtual losses back: `path` moves that it chose, and the
    /// player's own choice after them.
    fn end_plan(&mut self, boards: &[Board], moves: &[Move], path: usize, own_choice: bool) {
        for (ply, board) in boards.iter().enumerate().take(path + 1) {
            let canonical = Canonical::new(board);
            let key = PositionKey::new(&canonical.board);
            let Some(under_way) = self.under_way.get_mut(&key) else {
                continue;
            };
            if ply == path {
                under_way.own_choice -= u64::from(own_choice);
            } else if let Some(mv) = canonical.move_here(moves[ply])
                && let Some(games) = under_way.moves.get_mut(&mv)
            {
                *games -= 1;
                if *games == 0 {
                    under_way.moves.remove(&mv);
                }
            }
            if under_way.own_choice == 0 && under_way.moves.is_empty() {
                self.under_way.remove(&key);
            }
        }
    }
}

/// The moves of a canonical position in the order of a ranking; of moves that
/// are images of each other the one that stands for them.
fn canonical_moves(canonical: &Canonical, ranking: &mut Ranking) -> Vec<Move> {
    let mut moves = ranking.moves(&canonical.board);
    let itself = Canonical::new(&canonical.board);
    moves.retain(|&mv| itself.move_here(mv) == Some(mv));
    moves
}

/// The move with the greatest p + C √(ln N / n); of equal ones the first.
fn best_by_bandit(known: &BTreeMap<Move, (f64, f64)>, games: f64, explore: f64) -> Option<Move> {
    let logarithm = libm::log(games.max(1.0));
    let value =
        |(played, points): (f64, f64)| points / played + explore * (logarithm / played).sqrt();
    let mut best: Option<(f64, Move)> = None;
    for (&mv, &results) in known {
        let found = value(results);
        if best.is_none_or(|(most, _)| found > most) {
            best = Some((found, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// What the side got.
fn points(winner: Winner, side: Side) -> Points {
    match winner {
        Winner::Draw => Points::Draw,
        Winner::Side(won) if won == side => Points::Win,
        Winner::Side(_) => Points::Loss,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn planner(from_start: u32) -> Planner {
        let growth = Growth {
            plies: 4,
            explore: 0.3,
            widening: 0.5,
            from_start,
        };
        let mut game = Game::new(Rules::default());
        let first = game.moves()[3];
        game.play(first).unwrap();
        let openings = vec![Opening::from(&game)];
        Planner::new(growth, openings, &Weights::source(), &Rules::default())
    }

    /// Plays the first plan: the player's own move is the first one, and the
    /// winner is x after one first move and o after any other.
    fn play(planner: &Planner) -> BookGame {
        let plan = planner.under_way().next().unwrap();
        let game = plan.opening.game(&Rules::default()).unwrap();
        let mut moves = plan.opening.moves[plan.opening_plies..].to_vec();
        if moves.len() < 4 {
            moves.push(game.moves()[0]);
        }
        let good = planner.ranking_of_start();
        let won = Canonical::new(&Board::start()).move_here(moves[0]) == good;
        BookGame {
            number: plan.number,
            moves,
            winner: Winner::Side(if won { Side::X } else { Side::O }),
        }
    }

    impl Planner {
        /// The second move of the start position that is tried.
        fn ranking_of_start(&self) -> Option<Move> {
            let mut ranking = Ranking::new(&Weights::source(), &Rules::default());
            let canonical = Canonical::new(&Board::start());
            canonical_moves(&canonical, &mut ranking).get(1).copied()
        }
    }

    fn build(games: u64) -> (Planner, Vec<BookGame>) {
        let mut planner = planner(100);
        let mut played = Vec::new();
        planner.plan(games);
        while planner.counted() < games {
            let game = play(&planner);
            planner.count(&game).unwrap();
            planner.plan(games);
            played.push(game);
        }
        (planner, played)
    }

    #[test]
    fn moves_that_win_are_played_more_and_others_are_tried() {
        let (planner, _) = build(300);
        assert!(planner.under_way().next().is_none());
        let found = planner.book().look_up(&Board::start()).unwrap();
        let best = &found.moves[0];
        let canonical = Canonical::new(&Board::start());
        assert_eq!(canonical.move_here(best.mv), planner.ranking_of_start());
        assert!(best.games() > 150, "{}", best.games());
        assert!(found.moves.len() > 4, "{}", found.moves.len());
        let games: u64 = found.moves.iter().map(crate::book::BookMove::games).sum();
        assert_eq!(games, 300);
        assert!(planner.book().len() > 50);
    }

    #[test]
    fn no_game_is_played_twice() {
        let (_, played) = build(300);
        let lines: BTreeSet<String> = played
            .iter()
            .map(|game| format!("{:?}", game.moves))
            .collect();
        assert!(lines.len() > 290, "{}", lines.len());
    }

    #[test]
    fn results_alone_lead_to_the_same_plans() {
        let (whole, played) = build(120);
        let mut again = planner(100);
        for (n, game) in played.iter().enumerate() {
            again.plan(if n < 50 { 50 } else { 120 });
            assert_eq!(again.under_way().next().unwrap().number, n as u64);
            again.count(game).unwrap();
        }
        assert_eq!(again.book(), whole.book());
        // A game of another building is noticed.
        let mut other = planner(100);
        other.plan(120);
        let mut strange = played[0].clone();
        strange.moves.push(strange.moves[0]);
        assert_eq!(other.count(&strange), Err(WrongGame(0)));
        assert_eq!(other.count(&played[1]), Err(WrongGame(1)));
        assert_eq!(other.counted(), 0);
    }

    #[test]
    fn a_share_of_the_games_begins_at_the_start() {
        for (share, expected) in [(0, 0), (10, 10), (33, 33), (100, 100)] {
            let planner = planner(share);
            let starts = (0..100).filter(|&n| planner.opening(n).moves.is_empty());
            assert_eq!(starts.count(), expected, "{share}");
        }
    }
}
