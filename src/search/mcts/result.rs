//! What the trees of a search say together: the move to play, its value, the
//! principal variation.

use crate::board::Move;
use crate::eval::MAX_VALUE;
use crate::search::Iteration;
use crate::search::value::{MAX_DEPTH, win_in};

use super::choices::FinalMove;
use super::growth::Growth;
use super::judge::Judge;
use super::proof::Proof;
use super::tree::{Node, ROOT, Tree};

/// A move of the root, of all trees together.
struct RootMove {
    mv: Move,
    visits: u64,
    wins: f64,
    /// Of the position after it, for the side that then moves.
    proof: Proof,
}

impl RootMove {
    /// How much it deserves to be played: what is proven first, then what the
    /// option says.
    fn rank(&self, by: FinalMove) -> (i32, f64, f64) {
        let mean = if self.visits > 0 {
            self.wins / self.visits as f64
        } else {
            -1.0
        };
        let visits = self.visits as f64;
        let proven = -self.proof.order();
        match by {
            FinalMove::Visits => (proven, visits, mean),
            FinalMove::Value => (proven, mean, visits),
        }
    }
}

/// The moves of the root, added up over the trees in their order.
fn root_moves(growths: &[Growth]) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = Vec::new();
    for growth in growths {
        for child in growth.tree.children(ROOT) {
            let known = moves.iter_mut().find(|known| known.mv == child.mv);
            match known {
                Some(known) => {
                    known.visits += u64::from(child.visits);
                    known.wins += child.wins;
                    if !known.proof.is_known() {
                        known.proof = child.proof;
                    }
                }
                None => moves.push(RootMove {
                    mv: child.mv,
                    visits: child.visits.into(),
                    wins: child.wins,
                    proof: child.proof,
                }),
            }
        }
    }
    moves
}

/// The present result of a search; `None` before its first simulation.
pub(super) fn iteration(growths: &[Growth], judge: &Judge<'_>) -> Option<Iteration> {
    let by = judge.options.final_move;
    let moves = root_moves(growths);
    let mut best = moves.first()?;
    for other in &moves[1..] {
        if other.rank(by) > best.rank(by) {
            best = other;
        }
    }
    let value = match best.proof {
        Proof::Loss(plies) => win_in(u32::from(plies) + 1, 0),
        Proof::Win(plies) => -win_in(u32::from(plies) + 1, 0),
        Proof::Draw => 0,
        Proof::Unknown if best.visits == 0 => 0,
        Proof::Unknown => {
            let points = judge.points(best.wins / best.visits as f64);
            let most = f64::from(MAX_VALUE);
            points.clamp(-most, most) as i32
        }
    };
    let pv = principal_variation(growths, best.mv, by);
    Some(Iteration {
        depth: pv.len() as u32,
        value,
        pv,
        nodes: growths.iter().map(|growth| growth.nodes).sum(),
        passes: 1,
        table_permille: growths.iter().map(|growth| growth.tree.permille()).max(),
    })
}

/// The expected moves, in the tree that knows most of the first one.
fn principal_variation(growths: &[Growth], first: Move, by: FinalMove) -> Vec<Move> {
    let place = |tree: &Tree| {
        let mut children = tree.children_of(ROOT);
        children.find(|&child| tree.node(child).mv == first)
    };
    let known = growths
        .iter()
        .filter_map(|growth| place(&growth.tree).map(|place| (&growth.tree, place)));
    let mut chosen = None;
    for (tree, place) in known {
        let worth = |tree: &Tree, place: usize| {
            let node = tree.node(place);
            (node.proof.is_known(), node.visits)
        };
        if chosen.is_none_or(|(other, at)| worth(tree, place) > worth(other, at)) {
            chosen = Some((tree, place));
        }
    }
    let mut line = vec![first];
    let Some((tree, mut place)) = chosen else {
        return line;
    };
    while line.len() < MAX_DEPTH as usize {
        let rank = |node: &Node| {
            let mean = node.mean().unwrap_or(-1.0);
            let visits = f64::from(node.visits);
            let proven = -node.proof.order();
            match by {
                FinalMove::Visits => (proven, visits, mean),
                FinalMove::Value => (proven, mean, visits),
            }
        };
        let mut best: Option<usize> = None;
        for child in tree.children_of(place) {
            let node = tree.node(child);
            let seen = node.visits > 0 || node.proof.is_known();
            let better = |other: usize| rank(node) > rank(tree.node(other));
            if seen && best.is_none_or(better) {
                best = Some(child);
            }
        }
        let Some(best) = best else { break };
        line.push(tree.node(best).mv);
        place = best;
    }
    line
}
