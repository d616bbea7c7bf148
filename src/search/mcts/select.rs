//! Selection: which move of a node is looked at next. The bandit formula, RAVE,
//! first-play urgency, progressive bias and widening, implicit minimax values and
//! proof numbers.

use super::choices::Bandit;
use super::options::Options;
use super::proof::Proof;
use super::tree::{INFINITE, Node, Tree};

/// The least variance of UCB1-Tuned.
const LEAST_VARIANCE: f64 = 0.001;

/// The place of the child to go on with, the first of equals. `of_root` says
/// whether the side to move here is the root's.
pub(super) fn select(tree: &Tree, place: usize, options: &Options, of_root: bool) -> usize {
    let visits = tree.node(place).visits.max(1);
    let children = tree.children(place);
    let candidates = candidates(children.len(), visits, options);
    let log = if options.c == 0.0 {
        0.0
    } else {
        libm::log(f64::from(visits))
    };
    let number = |child: &Node| {
        if of_root {
            child.proof_number
        } else {
            child.disproof_number
        }
    };
    let largest = if options.proof > 0.0 {
        let finite = children.iter().map(number).filter(|&n| n < INFINITE);
        f64::from(finite.max().unwrap_or(1).max(1))
    } else {
        1.0
    };
    let mut best = (0, f64::NEG_INFINITY);
    for (n, child) in children[..candidates].iter().enumerate() {
        // A move that is known to lose is only taken where all of them are.
        if options.solver != 0 && matches!(child.proof, Proof::Win(_)) {
            continue;
        }
        let mut score = score(child, log, options);
        if options.proof > 0.0 {
            score += options.proof * (1.0 - (f64::from(number(child)) / largest).min(1.0));
        }
        if score > best.1 {
            best = (n, score);
        }
    }
    if best.1 == f64::NEG_INFINITY {
        // All candidates lose: the others are next, whatever the widening.
        let open = children
            .iter()
            .position(|child| !matches!(child.proof, Proof::Win(_)));
        best.0 = open.unwrap_or(0);
    }
    tree.children_of(place).start + best.0
}

/// How many of the moves, the best by evaluation first, are looked at.
fn candidates(moves: usize, visits: u32, options: &Options) -> usize {
    if options.widening == 0.0 {
        return moves;
    }
    let wide = options.widening * f64::from(visits).sqrt();
    (wide as usize).clamp(1, moves)
}

/// What a move counts; `log` is the logarithm of its node's visits.
fn score(child: &Node, log: f64, options: &Options) -> f64 {
    let mut value = child.mean().unwrap_or(options.fpu);
    if options.rave > 0.0 && child.amaf_visits > 0.0 {
        let amaf = f64::from(child.amaf_wins) / f64::from(child.amaf_visits);
        let beta = if options.rave.is_finite() {
            (options.rave / (3.0 * f64::from(child.visits) + options.rave)).sqrt()
        } else {
            1.0
        };
        value = (1.0 - beta) * value + beta * amaf;
    }
    if options.alpha > 0.0 && child.visits > 0 {
        value = (1.0 - options.alpha) * value + options.alpha * f64::from(child.value);
    }
    if options.bias > 0.0 {
        value += options.bias * f64::from(child.prior) / (f64::from(child.visits) + 1.0);
    }
    if child.visits > 0 {
        value += exploration(child, log, options);
    }
    value
}

/// The formula's term for moves of few visits.
fn exploration(child: &Node, log: f64, options: &Options) -> f64 {
    let share = log / f64::from(child.visits);
    options.c
        * match options.bandit {
            Bandit::Ucb1 => share.sqrt(),
            Bandit::Tuned | Bandit::TunedPlus => {
                let mean = child.mean().unwrap_or(0.5);
                let variance = (mean * (1.0 - mean)).max(LEAST_VARIANCE);
                let extra = if options.bandit == Bandit::TunedPlus {
                    share
                } else {
                    0.0
                };
                (variance * share).sqrt() + extra
            }
        }
}
