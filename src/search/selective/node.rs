//! The recursion: one node of the tree, in numbered steps.

use multiversion::multiversion;

use crate::board::{Board, Move, Side};
use crate::search::table::TableEntry;
use crate::search::value::{INFINITY, WIN_THRESHOLD};

use super::quiescence::quiescence;
use super::{MAX_PLY, SelectiveSearch};

/// How many of the moves that were tried before a cutoff lose history: the size of
/// an array, and more than most positions have moves. What they lose is tuned
/// (`history_bonus`).
const TRIED: usize = 32;

/// Where a node stands in the tree.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Plies from the root.
    pub(super) ply: u32,
    /// Plies since the last capture, those of the game included.
    pub(super) reversible: u32,
    /// Whether the node is expected to fail high.
    pub(super) cut: bool,
    /// Whether a pass may be tried: not twice in a row.
    pub(super) may_pass: bool,
}

impl Place {
    pub(super) fn after(self, mv: Move, cut: bool) -> Place {
        Place {
            ply: self.ply + 1,
            reversible: if mv.is_capture() {
                0
            } else {
                self.reversible + 1
            },
            cut,
            may_pass: true,
        }
    }
}

/// A node as its steps see it.
struct Node<'b> {
    board: &'b Board,
    alpha: i32,
    beta: i32,
    depth: i32,
    place: Place,
    /// Whether its exact value is asked for.
    is_pv: bool,
    /// Whether the side to move would lose at once if it passed.
    threatened: bool,
    /// The table's move, if it is legal.
    first: Option<Move>,
}

impl SelectiveSearch<'_, '_> {
    /// [`child`] where the side to move is known.
    #[inline(always)]
    fn child_by(
        &mut self,
        side: Side,
        board: &Board,
        (alpha, beta): (i32, i32),
        depth: i32,
        place: Place,
    ) -> i32 {
        if beta - alpha > 1 {
            self.pv_table.clear(place.ply);
        }
        if let Some(value) = self.context.terminal_value(board, place.ply) {
            self.context.count(1);
            return value;
        }
        if self.repeats(board, place.reversible) {
            self.context.count(1);
            return 0;
        }
        let ply = place.ply;
        let is_pv = beta - alpha > 1;

        // Step 1: the horizon. A side that is about to lose is looked at one ply
        // further.
        let reach = self.tuning.threats_reach * self.root_depth;
        let may_extend = (ply as i32) < reach && ply < MAX_PLY;
        let threatened = self.tuning.threats != 0 && may_extend && self.is_threatened(board);
        let depth = if threatened { depth.max(0) + 1 } else { depth };
        if depth <= 0 || ply >= MAX_PLY {
            return quiescence(self, board, (alpha, beta), (ply, 0), None);
        }
        self.context.count(1);
        if self.context.stopped {
            return 0;
        }

        // Step 2: the transposition table; an entry of greater depth is as good.
        let key = board.key() ^ self.salt;
        let entry = self.table.probe(key, ply);
        if let Some(entry) = entry
            && !is_pv
            && entry.depth as i32 >= depth
        {
            if entry.lower >= beta {
                return entry.lower;
            }
            if entry.upper <= alpha {
                return entry.upper;
            }
        }

        // Step 3: no move, and a move that wins at once.
        if board.mobility(board.turn()) == 0 {
            let next = place.after(Move::PASS, !place.cut);
            return -child(self, &board.pass(), (-beta, -alpha), depth - 1, next);
        }
        if let Some((mv, value)) = self.context.winning_move(board, ply) {
            if is_pv {
                self.pv_table.clear(ply + 1);
                self.pv_table.set(ply, mv);
            }
            return value;
        }

        let mut node = Node {
            board,
            alpha,
            beta,
            depth,
            place,
            is_pv,
            threatened,
            first: entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| board.is_legal(mv)),
        };
        self.path.push(board.key());
        let value = match self.give_up(&node) {
            Some(value) => value,
            None => {
                // Step 6: internal deepening. Without a move of the table the
                // order is poor, and a shallower search will leave one.
                let least = self.tuning.internal_deepening;
                if node.first.is_none() && least > 0 && depth >= least {
                    node.depth -= 1;
                }
                let (mv, value) = self.search_moves(side, &node);
                if !self.context.stopped {
                    self.store(key, &node, entry, (mv, value));
                }
                value
            }
        };
        self.path.pop();
        value
    }

    /// Steps 4 and 5: ways to give a node up before its moves are searched.
    #[inline(always)]
    fn give_up(&mut self, node: &Node<'_>) -> Option<i32> {
        let &Node {
            board,
            beta,
            depth,
            place,
            ..
        } = node;
        if node.is_pv || node.threatened || beta.abs() >= WIN_THRESHOLD {
            return None;
        }
        let tuning = self.tuning;
        let standing = self.context.evaluate(board);

        // Step 4: reverse futility. The position is so good that the last plies
        // will not bring it down.
        if tuning.reverse_futility > 0 && depth <= tuning.reverse_futility_depth {
            let margin = self.margin(tuning.reverse_futility) * depth;
            if standing - margin >= beta {
                return Some(standing);
            }
        }

        // Step 5: the null move. If passing is good enough, so is some move.
        let may_pass = place.may_pass && board.mobility(!board.turn()) > 0;
        let is_deep = depth >= tuning.null_move_depth;
        if tuning.null_move > 0 && is_deep && may_pass && standing >= beta {
            let more = depth / tuning.null_move_growth;
            let reduced = depth - 1 - tuning.null_move - more;
            let passed = Place {
                may_pass: false,
                reversible: 0,
                ..place.after(Move::PASS, !place.cut)
            };
            let value = -child(self, &board.pass(), (-beta, 1 - beta), reduced, passed);
            if self.context.stopped {
                return Some(0);
            }
            if value >= beta {
                return Some(if value >= WIN_THRESHOLD { beta } else { value });
            }
        }
        None
    }

    /// Step 7: the moves, best first, by principal variation search.
    #[inline(always)]
    fn search_moves(&mut self, side: Side, node: &Node<'_>) -> (Option<Move>, i32) {
        let &Node {
            board,
            alpha,
            beta,
            depth,
            place,
            ..
        } = node;
        let tuning = self.tuning;
        let (mut best, mut best_move) = (-INFINITY, None);
        let mut tried = [Move::PASS; TRIED];
        let mut number = 0;
        // The table's move often cuts off, so the others wait for it.
        let mut picker = None;
        loop {
            let mv = match node.first {
                Some(first) if number == 0 => first,
                first => {
                    let picker = picker.get_or_insert_with(|| {
                        let (experience, moves) = (&self.experience, board.moves());
                        let mut picker = experience.rank(tuning, board, &moves, first);
                        if first.is_some() {
                            picker.next();
                        }
                        picker
                    });
                    let Some(mv) = picker.next() else { break };
                    mv
                }
            };
            let low = alpha.max(best);
            // Step 8: late moves near the horizon are skipped, but not as long as all
            // the others lose.
            let may_skip = !node.is_pv && !node.threatened && best > -WIN_THRESHOLD;
            if may_skip && tuning.late_moves > 0 && depth <= tuning.late_moves_depth {
                let kept = tuning.late_moves + tuning.late_moves_growth * depth * depth;
                if number as i32 >= kept {
                    break;
                }
            }
            let value = self.search_move(node, mv, (number, low));
            if self.context.stopped {
                return (None, 0);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if node.is_pv {
                        self.pv_table.set(place.ply, mv);
                    }
                }
                if value >= beta {
                    let line = (mv, &tried[..number.min(TRIED)]);
                    self.experience.reward(tuning, side, line, depth);
                    break;
                }
            }
            if let Some(slot) = tried.get_mut(number) {
                *slot = mv;
            }
            number += 1;
        }
        (best_move, best)
    }

    /// Step 9: the reduction of late moves, in plies.
    #[inline(always)]
    fn reduction(&self, node: &Node<'_>, number: usize) -> i32 {
        let tuning = self.tuning;
        let is_late = number > 0 && number as i32 >= tuning.lmr_number;
        if tuning.lmr == 0 || node.depth < tuning.lmr_depth || !is_late || node.threatened {
            return 0;
        }
        let plies = self.reductions.plies(node.depth, number);
        let plies = plies + i32::from(node.place.cut) - i32::from(node.is_pv);
        plies.clamp(0, node.depth - 1)
    }

    /// The value of one move: reduced if it comes late, with a null window if it
    /// is not the first, and again where that was not enough.
    #[inline(always)]
    fn search_move(&mut self, node: &Node<'_>, mv: Move, (number, low): (usize, i32)) -> i32 {
        let &Node {
            board,
            beta,
            depth,
            place,
            ..
        } = node;
        let next = board.play(mv);
        if number == 0 {
            let cut = !node.is_pv && !place.cut;
            return -child(self, &next, (-beta, -low), depth - 1, place.after(mv, cut));
        }
        let reduction = self.reduction(node, number);
        let null = (-low - 1, -low);
        let after = place.after(mv, true);
        let mut value = -child(self, &next, null, depth - 1 - reduction, after);
        if value > low && reduction > 0 && !self.context.stopped {
            let after = place.after(mv, !place.cut);
            value = -child(self, &next, null, depth - 1, after);
        }
        if value > low && value < beta && node.is_pv && !self.context.stopped {
            value = -child(
                self,
                &next,
                (-beta, -low),
                depth - 1,
                place.after(mv, false),
            );
        }
        value
    }

    /// Step 10: store. The bound of the other side stays if it is of this depth.
    #[inline(always)]
    fn store(
        &mut self,
        key: u64,
        node: &Node<'_>,
        entry: Option<TableEntry>,
        (mv, value): (Option<Move>, i32),
    ) {
        let depth = node.depth.max(0) as u32;
        let is_exact = value > node.alpha && value < node.beta;
        if let Some(entry) = entry
            && self.tuning.keep_deeper != 0
            && !is_exact
            && entry.depth >= depth + self.tuning.keep_deeper_plies as u32
        {
            return;
        }
        let (mut lower, mut upper) = match entry {
            Some(entry) if entry.depth == depth => (entry.lower, entry.upper),
            _ => (-INFINITY, INFINITY),
        };
        if value > node.alpha {
            lower = value;
        }
        if value < node.beta {
            upper = value;
        }
        // Unlike those of an exact search the two bounds may contradict each
        // other; the newer one is right.
        if lower > upper {
            (lower, upper) = if value > node.alpha {
                (value, INFINITY)
            } else {
                (-INFINITY, value)
            };
        }
        let found = TableEntry {
            lower,
            upper,
            mv: mv.or(node.first),
            depth,
        };
        self.table.store(key, found, node.place.ply);
    }
}

/// The value of a position that may be finished or beyond the horizon, fail-soft. It is
/// compiled twice, once for processors that count bits in one instruction; what it calls
/// has to be inlined for that.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt"))]
pub(super) fn child<'a, 'c>(
    search: &mut SelectiveSearch<'a, 'c>,
    board: &Board,
    window: (i32, i32),
    depth: i32,
    place: Place,
) -> i32 {
    match board.turn() {
        Side::X => search.child_by(Side::X, board, window, depth, place),
        Side::O => search.child_by(Side::O, board, window, depth, place),
    }
}
