//! Moves that connect a side, found from its groups: no move is played for it.

use super::lines::DIRECTIONS;
use super::{Bitboard, Board, Move, Side};

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
            let mut squares = squares;
            let mut left = group & !Bitboard::from_square(from);
            while !left.is_empty() && !squares.is_empty() {
                let part = left.first_group();
                squares &= part.grown();
                left &= !part;
            }
            if squares.is_empty() {
                continue;
            }
            for direction in 0..DIRECTIONS {
                let along = self.movers().along(direction);
                for (movers, sign) in along.into_iter().zip([1, -1]) {
                    if movers.has(from) {
                        let to = self.target(from, direction, sign);
                        if squares.has(to) {
                            visit(Move::new(from, to, direction, enemies.has(to)));
                        }
                    }
                }
            }
        }
    }
}
