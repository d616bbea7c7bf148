//! Lines of Action square by square, written to be obviously right and for
//! nothing else: no bitboard, no table, nothing kept from move to move. The
//! tests compare the library with it, and the benchmarks measure against it.

/// A position: `x`, `o` or `.` by file and rank, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slow {
    cells: [[char; 8]; 8],
    turn: char,
}

/// A move: from file and rank, to file and rank.
pub type Step = ((usize, usize), (usize, usize));

const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

impl Slow {
    /// The position whose cell at a file and rank is `cell(file, rank)`.
    pub fn from_fn(turn: char, cell: impl Fn(usize, usize) -> char) -> Slow {
        let mut cells = [['.'; 8]; 8];
        for (file, column) in cells.iter_mut().enumerate() {
            for (rank, place) in column.iter_mut().enumerate() {
                *place = cell(file, rank);
            }
        }
        Slow { cells, turn }
    }

    /// The position of a text such as `8/8/… x`.
    pub fn from_text(text: &str) -> Slow {
        let (board, turn) = text.split_once(' ').expect("a side to move");
        let mut cells = [['.'; 8]; 8];
        for (row, marks) in board.split('/').enumerate() {
            let mut file = 0;
            for mark in marks.chars() {
                match mark.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        cells[file][7 - row] = mark;
                        file += 1;
                    }
                }
            }
        }
        Slow {
            cells,
            turn: turn.chars().next().expect("a side to move"),
        }
    }

    pub fn cell(&self, file: usize, rank: usize) -> char {
        self.cells[file][rank]
    }

    pub fn turn(&self) -> char {
        self.turn
    }

    fn at(&self, file: i32, rank: i32) -> Option<char> {
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside.then(|| self.cells[file as usize][rank as usize])
    }

    /// The moves of `side`.
    pub fn moves_of(&self, side: char) -> Vec<Step> {
        let mut moves = Vec::new();
        for file in 0..8i32 {
            for rank in 0..8i32 {
                if self.at(file, rank) != Some(side) {
                    continue;
                }
                for (dx, dy) in DIRECTIONS {
                    let count = self.pieces_on_line(file, rank, dx, dy);
                    let between = (1..count).map(|n| self.at(file + n * dx, rank + n * dy));
                    let blocked = between
                        .into_iter()
                        .any(|cell| !matches!(cell, Some(c) if c == '.' || c == side));
                    let (to_file, to_rank) = (file + count * dx, rank + count * dy);
                    match self.at(to_file, to_rank) {
                        Some(target) if target != side && !blocked => moves.push((
                            (file as usize, rank as usize),
                            (to_file as usize, to_rank as usize),
                        )),
                        _ => {}
                    }
                }
            }
        }
        moves
    }

    /// The moves of the side to move.
    pub fn moves(&self) -> Vec<Step> {
        self.moves_of(self.turn)
    }

    fn pieces_on_line(&self, file: i32, rank: i32, dx: i32, dy: i32) -> i32 {
        let on_line = (-7..=7).filter_map(|n| self.at(file + n * dx, rank + n * dy));
        on_line.filter(|&cell| cell != '.').count() as i32
    }

    pub fn is_capture(&self, (_, (file, rank)): Step) -> bool {
        self.cells[file][rank] != '.'
    }

    /// The position after a move.
    pub fn play(&self, (from, to): Step) -> Slow {
        let mut next = self.clone();
        next.cells[from.0][from.1] = '.';
        next.cells[to.0][to.1] = self.turn;
        next.turn = if self.turn == 'x' { 'o' } else { 'x' };
        next
    }

    /// How many groups the pieces of `side` form.
    pub fn groups(&self, side: char) -> usize {
        let mut seen = [[false; 8]; 8];
        let mut groups = 0;
        for file in 0..8 {
            for rank in 0..8 {
                if self.cells[file][rank] != side || seen[file][rank] {
                    continue;
                }
                groups += 1;
                let mut open = vec![(file as i32, rank as i32)];
                while let Some((file, rank)) = open.pop() {
                    if self.at(file, rank) == Some(side) && !seen[file as usize][rank as usize] {
                        seen[file as usize][rank as usize] = true;
                        open.extend(DIRECTIONS.map(|(dx, dy)| (file + dx, rank + dy)));
                    }
                }
            }
        }
        groups
    }

    pub fn is_decided(&self) -> bool {
        self.groups('x') == 1 || self.groups('o') == 1
    }

    /// How many of the 81 quads hold n pieces of `side`, for n = 0 to 4, and
    /// how many hold two on a diagonal.
    pub fn quads(&self, side: char) -> ([i32; 5], i32) {
        let (mut counts, mut diagonal) = ([0; 5], 0);
        for file in -1..8 {
            for rank in -1..8 {
                let has = |dx, dy| self.at(file + dx, rank + dy) == Some(side);
                let held = [has(0, 0), has(1, 0), has(0, 1), has(1, 1)];
                let count = held.iter().filter(|&&piece| piece).count();
                counts[count] += 1;
                diagonal += i32::from(count == 2 && held[0] == held[3]);
            }
        }
        (counts, diagonal)
    }
}
