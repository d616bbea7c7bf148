//! Moves that connect a side, found from its groups: no move is played for it.

use super::lines::DIRECTIONS;
use super::{Bitboard, Board, Move, Side, Square};

/// The most groups that one move can join: the piece that moves, and four around
/// the square that it goes to, because five of its eight neighbours cannot stand
/// apart from each other.
const MOST_GROUPS: usize = 5;

impl Board {
    /// Calls `visit` with every move of `side`, whether or not it is its turn,
    /// that leaves all of its pieces in one group. The order is the same on every
    /// machine, but not that of [`Board::moves`].
    ///
    /// # Examples
    ///
    /// ```
    /// use loatune::board::{Bitboard, Board, Side, Square};
    ///
    /// // A lone piece on c1 moves one square along each diagonal.
    /// let pieces = |squares: &[(u8, u8)]| -> Bitboard {
    ///     squares.iter().map(|&(file, rank)| Square::at(file, rank)).collect()
    /// };
    /// let black = pieces(&[(2, 0), (0, 2)]);
    /// let board = Board::new([black, pieces(&[(7, 7), (7, 0)])], Side::X)?;
    /// let mut moves = Vec::new();
    /// board.connecting_moves(Side::X, |mv| moves.push(mv));
    /// for mv in board.moves().iter() {
    ///     assert_eq!(board.play(*mv).is_connected(Side::X), moves.contains(mv));
    /// }
    /// # Ok::<(), loatune::board::BoardError>(())
    /// ```
    #[inline]
    pub fn connecting_moves(&self, side: Side, mut visit: impl FnMut(Move)) {
        let at_most = 4 * MOST_GROUPS as i32;
        if !self.may_connect_by_move(side) || self.euler4(side) > at_most {
            return;
        }
        let own = self.pieces(side);
        let mut groups = [Bitboard::EMPTY; MOST_GROUPS];
        let mut count = 0;
        let mut left = own;
        // The squares beside all groups so far, and beside all but one of them:
        // a move takes a piece of that one to such a square.
        let (mut beside_all, mut beside_others) = (!own, !own);
        while !left.is_empty() {
            let group = left.first_group();
            let beside = group.grown();
            beside_others = (beside_others & beside) | beside_all;
            beside_all &= beside;
            if count == MOST_GROUPS || beside_others.is_empty() {
                return;
            }
            groups[count] = group;
            count += 1;
            left &= !group;
        }
        let groups = &groups[..count];
        for (n, &group) in groups.iter().enumerate() {
            // The squares beside all the other groups.
            let mut beside = !own;
            for (other, neighbour) in groups.iter().enumerate() {
                if other != n {
                    beside &= neighbour.grown();
                }
            }
            if !beside.is_empty() {
                self.moves_that_join(side, group, beside, &mut visit);
            }
        }
    }

    /// The moves of the pieces of `group` to one of the `squares` that leave what
    /// stays of the group beside that square as well.
    #[inline]
    fn moves_that_join(
        &self,
        side: Side,
        group: Bitboard,
        squares: Bitboard,
        visit: &mut impl FnMut(Move),
    ) {
        let enemies = self.pieces(!side);
        for from in group {
            // Where the piece can go is cheaper to know than what it leaves behind.
            let mut targets = Bitboard::EMPTY;
            for to in squares & SEEN_FROM[from.index()] {
                let (direction, way) = heading(from, to);
                if self.movers().along(direction)[way].has(from)
                    && self.target(from, direction, [1, -1][way]) == to
                {
                    targets |= Bitboard::from_square(to);
                }
            }
            let mut left = group & !Bitboard::from_square(from);
            while !left.is_empty() && !targets.is_empty() {
                let part = left.first_group();
                targets &= part.grown();
                left &= !part;
            }
            for to in targets {
                let (direction, _) = heading(from, to);
                visit(Move::new(from, to, direction, enemies.has(to)));
            }
        }
    }
}

/// The direction that leads from one square to another that is seen from it, and
/// whether the way goes forward (0) or back (1).
#[inline(always)]
fn heading(from: Square, to: Square) -> (usize, usize) {
    let code = HEADINGS[from.index()][to.index()] as usize;
    (code / 2, code % 2)
}

/// By square: the squares on the same rank, file or diagonal.
static SEEN_FROM: [Bitboard; 64] = {
    let mut seen = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if HEADINGS[from][to] != NO_LINE {
                seen[from].0 |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    seen
};

/// Marks squares that no line leads to.
const NO_LINE: u8 = u8::MAX;

/// By two squares: twice the number of the direction that leads from the first to
/// the second, and one more where the way goes back.
static HEADINGS: [[u8; 64]; 64] = {
    let mut headings = [[NO_LINE; 64]; 64];
    let mut from = 0i32;
    while from < 64 {
        let mut to = 0i32;
        while to < 64 {
            let (files, ranks) = (to % 8 - from % 8, to / 8 - from / 8);
            // The order of `STEP`: along the rank, up the file, up to the right, up
            // to the left.
            let lines = [ranks == 0, files == 0, files == ranks, files == -ranks];
            let mut direction = 0;
            while direction < DIRECTIONS && from != to {
                if lines[direction] {
                    let back = (to < from) as u8;
                    headings[from as usize][to as usize] = 2 * direction as u8 + back;
                }
                direction += 1;
            }
            to += 1;
        }
        from += 1;
    }
    headings
};

#[cfg(test)]
mod tests {
    use super::super::lines::STEP;
    use super::*;

    #[test]
    fn headings_lead_from_square_to_square() {
        let mut seen = 0;
        for from in (0..64).map(Square::from_index) {
            for to in SEEN_FROM[from.index()] {
                let (direction, way) = heading(from, to);
                let distance = to.index() as i32 - from.index() as i32;
                assert_eq!(distance % STEP[direction], 0, "{from} to {to}");
                assert_eq!(distance < 0, way == 1, "{from} to {to}");
                seen += 1;
            }
        }
        // A queen on an empty chess board has 1,456 moves.
        assert_eq!(seen, 1456);
    }
}
