//! Legal moves.

use super::lines::{DIRECTIONS, STEP};
use super::{Board, Move, MoveList, Square};

impl Board {
    /// The legal moves of the side to move, connected or not: whether the game
    /// is over is for [`crate::game`] to say. The order is the same on every
    /// machine.
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let (own, enemies) = (self.pieces(self.turn()), self.pieces(!self.turn()));
        for direction in 0..DIRECTIONS {
            let [forward, back] = self.movers.along(direction);
            for from in forward & own {
                let to = self.target(from, direction, 1);
                list.push(Move::new(from, to, direction, enemies.has(to)));
            }
            for from in back & own {
                let to = self.target(from, direction, -1);
                list.push(Move::new(from, to, direction, enemies.has(to)));
            }
        }
        list
    }

    /// The moves of [`Board::moves`] that capture, in the same order.
    #[inline(always)]
    pub fn capturing_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let (own, enemies) = (self.pieces(self.turn()), self.pieces(!self.turn()));
        for direction in 0..DIRECTIONS {
            for (movers, sign) in self.movers.along(direction).into_iter().zip([1, -1]) {
                for from in movers & own {
                    let to = self.target(from, direction, sign);
                    if enemies.has(to) {
                        list.push(Move::new(from, to, direction, true));
                    }
                }
            }
        }
        list
    }

    /// The move that stands at place `n` of [`Board::moves`], without the
    /// others; `None` where there are no more than `n`.
    #[inline]
    pub fn nth_move(&self, n: u32) -> Option<Move> {
        let (own, enemies) = (self.pieces(self.turn()), self.pieces(!self.turn()));
        let mut skip = n;
        for direction in 0..DIRECTIONS {
            for (movers, sign) in self.movers.along(direction).into_iter().zip([1, -1]) {
                let movers = movers & own;
                if skip < movers.len() {
                    let from = movers.into_iter().nth(skip as usize)?;
                    let to = self.target(from, direction, sign);
                    return Some(Move::new(from, to, direction, enemies.has(to)));
                }
                skip -= movers.len();
            }
        }
        None
    }

    /// Whether `mv` is legal here; any 16 bits may be passed in.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to, direction) = (mv.from(), mv.to(), mv.direction());
        let [forward, back] = self.movers.along(direction);
        let reaches = (forward.has(from) && to == self.target(from, direction, 1))
            || (back.has(from) && to == self.target(from, direction, -1));
        let capture = self.pieces(!self.turn()).has(to);
        let own = self.pieces(self.turn()).has(from);
        reaches && own && mv == Move::new(from, to, direction, capture)
    }

    #[inline(always)]
    pub(super) fn target(&self, from: Square, direction: usize, sign: i32) -> Square {
        let distance = sign * STEP[direction] * self.lines.count(direction, from);
        Square::from_index((from.index() as i32 + distance) as usize)
    }
}
