//! What a set of weights values: the part that each feature has in the value
//! of real positions, and what that is in pieces.
//!
//! Owns the positions, too: those of a few games that the weights play against
//! variations of themselves. The command line and the page ask here, so they say
//! the same of the same weights.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::fit::FitSettings;
use super::sample::{SampledGame, Sampling};
use super::self_play::{SelfPlay, SelfPlayError, SelfPlayEvent};
use crate::arena::openings::RandomOpenings;
use crate::board::{Bitboard, Board, Side};
use crate::eval::genes::Gene;
use crate::eval::{Evaluator, Weights, age_of};
use crate::game::Rules;
use crate::params::PlayerParams;

/// Games that weights play against variations of themselves to be explained.
pub const EXPLAINED_GAMES: u64 = 32;

/// The depth of these games, in plies.
pub const EXPLAINED_DEPTH: u32 = 2;

/// The part of one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureShare {
    /// The gene that weighs it.
    pub gene: &'static Gene,
    /// The mean size of its term, in points.
    pub points: f64,
    /// Its part of the mean sizes of all terms, from 0 to 1.
    pub share: f64,
    /// Its mean size in pieces; `None` where a piece is worth nothing.
    pub pieces: Option<f64>,
}

/// What weights value.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Every weighted feature, in the order of the gene table.
    pub features: Vec<FeatureShare>,
    /// The points that a side loses on average with one piece, all features
    /// together.
    pub piece: f64,
    /// The mean size of a position's value, in points.
    pub value: f64,
    /// The number of positions.
    pub positions: u64,
}

/// Plays the games of some weights and takes the values of their positions apart.
/// `observe` is told how many games are played, several times a second, and may end
/// it. The answer depends on the weights alone, not on the number of threads.
///
/// # Errors
/// Games cannot be played, or the observer ends it.
pub fn explain_by_play(
    weights: &Weights,
    threads: usize,
    observe: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Explanation, SelfPlayError> {
    let self_play = SelfPlay {
        games: EXPLAINED_GAMES,
        seed: 1,
        rules: Rules::default(),
        player: PlayerParams {
            depth: EXPLAINED_DEPTH,
            ..PlayerParams::default()
        },
        openings: RandomOpenings::default(),
        sampling: Sampling::default(),
        threads,
        stop: Arc::default(),
    };
    let mut tell = |event: SelfPlayEvent<'_>| match event {
        SelfPlayEvent::Games(played) => observe(played),
        SelfPlayEvent::Round(_) => ControlFlow::Continue(()),
    };
    let games = self_play.play_around(weights, &FitSettings::default(), &mut tell)?;
    explain(weights, &games).ok_or(SelfPlayError::NoPositions)
}

/// Takes the values of the games' positions apart. `None` without positions.
pub fn explain(weights: &Weights, games: &[SampledGame]) -> Option<Explanation> {
    let evaluator = Evaluator::new(weights);
    let mut genes: Vec<&'static Gene> = Vec::new();
    let mut sizes: Vec<f64> = Vec::new();
    let (mut positions, mut value, mut lost, mut taken) = (0u64, 0.0, 0.0, 0u64);
    for position in games.iter().flat_map(|game| &game.positions) {
        let (board, age) = (position.board(), age_of(position.plies.into()));
        let trace = evaluator.trace(&board, age);
        genes = trace.terms.iter().map(|term| term.gene).collect();
        sizes.resize(genes.len(), 0.0);
        for (size, term) in sizes.iter_mut().zip(&trace.terms) {
            *size += term.points.abs();
        }
        positions += 1;
        value += f64::from(trace.value.abs());
        for less in without_a_piece(&board) {
            let after = evaluator.value(&less, less.movers(), age);
            lost += f64::from(trace.value - after);
            taken += 1;
        }
    }
    if positions == 0 {
        return None;
    }
    let piece = lost / taken.max(1) as f64;
    let count = positions as f64;
    let all: f64 = sizes.iter().sum();
    let share = |(gene, size): (&'static Gene, f64)| FeatureShare {
        gene,
        points: size / count,
        share: if all > 0.0 { size / all } else { 0.0 },
        pieces: (piece > 0.0).then_some(size / count / piece),
    };
    Some(Explanation {
        features: genes.into_iter().zip(sizes).map(share).collect(),
        piece,
        value: value / count,
        positions,
    })
}

/// The boards on which the side to move has lost one of its pieces.
fn without_a_piece(board: &Board) -> impl Iterator<Item = Board> {
    let (turn, board) = (board.turn(), *board);
    board.pieces(turn).into_iter().filter_map(move |square| {
        let mut pieces = Side::BOTH.map(|side| board.pieces(side));
        pieces[turn.index()] &= !Bitboard::from_square(square);
        Board::new(pieces, turn).ok()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::genes::{GENES, GeneId};

    #[test]
    fn shares_add_up_and_are_counted_in_pieces() {
        let mut board = Board::start();
        let mut moves = Vec::new();
        for n in 0..30 {
            let list = board.moves();
            let mv = list[n * 5 % list.len()];
            if board.is_decided() {
                break;
            }
            moves.push(mv);
            board = board.play(mv);
        }
        let game = SampledGame::from_moves(&Board::start(), &moves, 0, 1.0, &Sampling::default());
        // Captures alone, and eight units are a point.
        let mut values = [0; GENES];
        values[GeneId::SpreadPower as usize] = 4;
        values[GeneId::MobilityPower as usize] = 4;
        values[GeneId::Capturable as usize] = 80;
        let found = explain(&Weights::uniform(values), std::slice::from_ref(&game)).unwrap();
        let captures = found
            .features
            .iter()
            .find(|one| one.gene.name == "capturable");
        let captures = captures.unwrap();
        assert_eq!((captures.share, found.value), (1.0, captures.points));
        assert_eq!(
            captures.pieces,
            (found.piece > 0.0).then(|| captures.points / found.piece)
        );

        let found = explain(&Weights::source(), &[game]).unwrap();
        let shares: f64 = found.features.iter().map(|one| one.share).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{found:?}");
        // Fewer pieces lie closer together, so these weights do not mind a loss,
        // and nothing can be counted in pieces.
        assert!(found.piece < 0.0 && found.positions == 29, "{found:?}");
        assert!(found.features.iter().all(|one| one.pieces.is_none()));
        let centre = found
            .features
            .iter()
            .find(|one| one.gene.name == "mobility_centre");
        assert_eq!(centre.map(|one| one.share), Some(0.0));
        assert_eq!(explain(&Weights::source(), &[]), None);
    }

    #[test]
    fn threads_change_nothing_and_the_observer_may_end_it() {
        let weights = crate::weights::WeightFile::built_in().weights;
        let explain = |threads| {
            let mut told = 0;
            let found = explain_by_play(&weights, threads, &mut |played| {
                told = played;
                ControlFlow::Continue(())
            });
            assert_eq!(told, EXPLAINED_GAMES);
            found.unwrap()
        };
        let one = explain(1);
        assert_eq!(one, explain(3));
        assert!(one.positions > 100 && one.piece > 0.0, "{one:?}");
        let ended = explain_by_play(&weights, 1, &mut |_| ControlFlow::Break(()));
        assert!(matches!(ended, Err(SelfPlayError::Interrupted)));
    }
}
