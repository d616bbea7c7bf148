//! The design matrix: positions as rows of a regression.

use rayon::prelude::*;

use super::sample::{Position, SampledGame};
use crate::board::{Board, Side};
use crate::eval::features::{FEATURES, ShapeTables, features};
use crate::eval::power::ONE;
use crate::eval::{Evaluator, PHASES, Weights, age_of, phase_of};
use crate::stats::regression::Rows;

/// The columns that features have, and one for the side to move.
pub(super) fn column_count(phases: u32) -> usize {
    FEATURES * phases.clamp(1, 2) as usize + 1
}

/// A row for every position: the features, Black's less White's, with the
/// shapes of `shapes`, and 1 or −1 for the side to move. With two phases the
/// features stand twice, first as far as the position belongs to the opening,
/// then as far as it belongs to the endgame.
pub fn design_matrix(games: &[SampledGame], shapes: &Weights, phases: u32) -> Rows {
    let fill = feature_row(shapes, phases);
    rows(games, column_count(phases), fill)
}

/// Positions with their boards, for whoever needs several design matrices of them:
/// to set a board up takes longer than to read its features.
pub(super) struct Boards(Vec<(Position, Board)>);

impl Boards {
    pub(super) fn new(games: &[SampledGame]) -> Boards {
        let positions: Vec<&Position> = games.iter().flat_map(|game| &game.positions).collect();
        let boards = positions.par_iter();
        Boards(
            boards
                .map(|&position| (*position, position.board()))
                .collect(),
        )
    }

    /// The same as [`design_matrix`] of the games.
    pub(super) fn design_matrix(&self, shapes: &Weights, phases: u32) -> Rows {
        let fill = feature_row(shapes, phases);
        let columns = column_count(phases);
        let parts = self.0.par_chunks(1024);
        let parts = parts.map(|part| part_of_rows(columns, part, &fill));
        Rows::concat(columns, parts.collect())
    }
}

/// What fills a row of a design matrix.
fn feature_row(
    shapes: &Weights,
    phases: u32,
) -> impl Fn(&Position, &Board, &mut Vec<f64>) + Sync + use<> {
    let tables = ShapeTables::new(shapes);
    move |position, board, row| {
        let difference = feature_difference(&tables, board);
        if phases > 1 {
            let age = age_of(position.plies.into());
            let endgame = phase_of(board, age) as f64 / f64::from(PHASES);
            row.extend(difference.map(|x| x * (1.0 - endgame)));
            row.extend(difference.map(|x| x * endgame));
        } else {
            row.extend(difference);
        }
        row.push(turn_sign(board));
    }
}

/// A row for every position: its value by these weights, in points for Black,
/// and 1 or −1 for the side to move.
pub fn value_matrix(games: &[SampledGame], weights: &Weights) -> Rows {
    let evaluator = Evaluator::new(weights);
    rows(games, 2, |position, board, row| {
        let age = age_of(position.plies.into());
        let value = evaluator.value(board, board.movers(), age);
        row.push(f64::from(value) * turn_sign(board));
        row.push(turn_sign(board));
    })
}

/// Black's features less White's.
pub(super) fn feature_difference(tables: &ShapeTables, board: &Board) -> [f64; FEATURES] {
    let [black, white] = Side::BOTH.map(|side| features(tables, board, board.movers(), side));
    std::array::from_fn(|n| f64::from(black[n] - white[n]) / f64::from(ONE))
}

/// 1 where Black is to move, −1 where White is.
pub(super) fn turn_sign(board: &Board) -> f64 {
    match board.turn() {
        Side::X => 1.0,
        Side::O => -1.0,
    }
}

/// One row a position, game after game.
pub(super) fn rows(
    games: &[SampledGame],
    columns: usize,
    fill: impl Fn(&Position, &Board, &mut Vec<f64>) + Sync,
) -> Rows {
    let parts = games.par_chunks(64).map(|games| {
        let positions = games.iter().flat_map(|game| &game.positions);
        let boards = positions.map(|position| (*position, position.board()));
        part_of_rows(columns, &boards.collect::<Vec<_>>(), &fill)
    });
    Rows::concat(columns, parts.collect())
}

fn part_of_rows(
    columns: usize,
    boards: &[(Position, Board)],
    fill: &impl Fn(&Position, &Board, &mut Vec<f64>),
) -> Rows {
    let mut rows = Rows::new(columns);
    let mut row = Vec::with_capacity(columns);
    for (position, board) in boards {
        row.clear();
        fill(position, board, &mut row);
        rows.push(&row, position.target.into(), position.weight.into());
    }
    rows
}
