//! How the moves of a simulation are drawn.

use rand::Rng;
use rand::rngs::ChaCha8Rng;

use crate::board::{Board, Move};

use super::budget::Budget;
use super::choices::Policy;
use super::classes::{Class, is_threatened};
use super::judge::{Judge, for_black};

/// More than any evaluation: what a won position is worth to a policy.
const WON: i32 = 1 << 20;

/// A move of an unfinished position, or the pass that it has instead. `budget`
/// counts the positions that are looked at; where there is no room for those of a
/// policy, the move is drawn uniformly, or is the best of those that were seen.
pub(super) fn draw(
    judge: &Judge<'_>,
    board: &Board,
    rng: &mut ChaCha8Rng,
    budget: &mut Budget,
) -> Move {
    let count = board.mobility(board.turn());
    if count == 0 {
        return Move::PASS;
    }
    let policy = judge.options.playout;
    match policy {
        Policy::Uniform => uniform(board, count, rng),
        Policy::Classes => weighted(judge, board, count, rng, budget),
        Policy::Greedy | Policy::Search if unit(rng) < judge.options.epsilon => {
            uniform(board, count, rng)
        }
        Policy::Greedy if budget.take(count.into()) => best(board, |mv| one_ply(judge, board, mv)),
        Policy::Greedy => uniform(board, count, rng),
        Policy::Search => two_plies(judge, board, budget),
    }
}

/// A number below `count`. The multiplication favours none by more than one in
/// a hundred million.
#[inline(always)]
fn below(count: u32, rng: &mut ChaCha8Rng) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(count)) >> 32) as u32
}

/// A number from 0 to 1, less than 1.
fn unit(rng: &mut ChaCha8Rng) -> f64 {
    f64::from(rng.next_u32()) / 4_294_967_296.0
}

#[inline(always)]
fn uniform(board: &Board, count: u32, rng: &mut ChaCha8Rng) -> Move {
    let place = below(count, rng);
    board.nth_move(place).expect("a position has its moves")
}

/// A move by the weights of the classes.
fn weighted(
    judge: &Judge<'_>,
    board: &Board,
    count: u32,
    rng: &mut ChaCha8Rng,
    budget: &mut Budget,
) -> Move {
    let options = judge.options;
    let threatened = is_threatened(judge, board);
    if threatened || board.may_connect_by_move(board.turn()) {
        // Wins and blocks are rare and heavy: look at all moves.
        let moves = board.moves();
        if !budget.take(moves.len() as u64) {
            return uniform(board, count, rng);
        }
        let weight = |&mv: &Move| Class::of(judge, board, mv, threatened).weight(options);
        let weights: Vec<f64> = moves.iter().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        let mut left = unit(rng) * sum;
        for (&mv, weight) in moves.iter().zip(weights) {
            left -= weight;
            if left < 0.0 {
                return mv;
            }
        }
        return uniform(board, count, rng);
    }
    // Rejection: a drawn move is kept with its weight's part of the largest one.
    let most = options.connect.max(options.breaks).max(1.0);
    for _ in 0..1000 {
        let mv = uniform(board, count, rng);
        if !budget.take(1) {
            return mv;
        }
        let weight = Class::of_quiet(board, &board.after(mv), mv).weight(options);
        if unit(rng) * most < weight {
            return mv;
        }
    }
    uniform(board, count, rng)
}

/// The move of the greatest value, the first of equals.
fn best(board: &Board, value: impl Fn(Move) -> i32) -> Move {
    let moves = board.moves();
    let mut best = (moves[0], i32::MIN);
    for &mv in moves.iter() {
        let value = value(mv);
        if value > best.1 {
            best = (mv, value);
        }
    }
    best.0
}

/// The value of the position after a move, for the side that makes it.
fn one_ply(judge: &Judge<'_>, board: &Board, mv: Move) -> i32 {
    let terms = judge.evaluator.parent_terms(board, judge.age);
    match judge.value_after(&terms, board, mv) {
        Ok(value) => -value,
        Err(now) => match judge.result(&now) {
            Some(result) => terminal(for_black(board.turn(), result)),
            None => -judge.value(&board.play(mv)),
        },
    }
}

/// The move that an alpha-beta search of two plies finds.
fn two_plies(judge: &Judge<'_>, board: &Board, budget: &mut Budget) -> Move {
    let moves = board.moves();
    let mut best = (moves[0], i32::MIN);
    for &mv in moves.iter() {
        if !budget.take(1) {
            break;
        }
        let next = board.play(mv);
        let value = match judge.result(&next) {
            Some(result) => terminal(for_black(board.turn(), result)),
            None => {
                let mut worst = i32::MAX;
                for &reply in next.moves().iter() {
                    if !budget.take(1) {
                        return best.0;
                    }
                    worst = worst.min(-one_ply(judge, &next, reply));
                    if worst <= best.1 {
                        break;
                    }
                }
                if worst == i32::MAX {
                    -judge.value(&next)
                } else {
                    worst
                }
            }
        };
        if value > best.1 {
            best = (mv, value);
        }
        if value >= WON {
            break;
        }
    }
    best.0
}

/// What a finished game is worth to a policy.
fn terminal(result: f64) -> i32 {
    if result > 0.5 {
        WON
    } else if result < 0.5 {
        -WON
    } else {
        0
    }
}
