//! The moves of a proof. Entries that the table has lost are proved again, which
//! takes little: everything around them is still there.

use crate::board::{Board, Move, Side};
use crate::game::Rules;
use crate::search::context::StopFn;
use crate::search::value::{MAX_DEPTH, terminal_value};

use super::descent::Descent;
use super::table::ProofTable;

/// The moves from `board`, which the attacker wins, to the end of the game; fewer
/// where `stop` holds.
pub(super) fn line(
    rules: &Rules,
    attacker: Side,
    table: &mut ProofTable,
    board: &Board,
    stop: StopFn<'_>,
) -> Vec<Move> {
    let (mut moves, mut past) = (Vec::new(), Vec::new());
    let mut now = *board;
    while moves.len() < MAX_DEPTH as usize && terminal_value(&now, rules, 0).is_none() {
        let Some(mv) = next_move(rules, attacker, table, (&now, &past), stop) else {
            break;
        };
        past.push(now.key());
        moves.push(mv);
        now = if mv.is_pass() {
            now.pass()
        } else {
            now.play(mv)
        };
    }
    moves
}

/// The attacker's quickest proved move, or the defence that holds out longest.
fn next_move(
    rules: &Rules,
    attacker: Side,
    table: &mut ProofTable,
    (now, past): (&Board, &[u64]),
    stop: StopFn<'_>,
) -> Option<Move> {
    let attacks = now.turn() == attacker;
    let mut descent = Descent::new(rules, attacker, table, u64::MAX, stop);
    descent.set_path(past);
    if !descent.run(now).is_proved(attacks) {
        return None;
    }
    // Behind the attacker's move the other side is to move, and the other way
    // round. Defences that the table has lost count as the shortest.
    descent.set_path(&[past, &[now.key()]].concat());
    let children = descent.children(now);
    let proved = children
        .iter()
        .filter(|child| child.numbers.is_proved(!attacks));
    let chosen = if attacks {
        proved.min_by_key(|child| child.numbers.plies)
    } else {
        proved.max_by_key(|child| child.numbers.plies)
    };
    chosen.or(children.first()).map(|child| child.mv)
}
