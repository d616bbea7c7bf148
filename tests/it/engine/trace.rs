//! The features and their sum, recomputed square by square.

use loatune::board::{Board, Side, Snapshot};
use loatune::eval::features::{self, FEATURE_GENES, ShapeTables};
use loatune::eval::genes::{GeneId, Role, TABLE};
use loatune::eval::trace::FeatureCounts;
use loatune::eval::{Evaluator, LeafValue, MAX_VALUE, PieceMobility, Weights, age_of};
use loatune::notation::parse_position;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::support::{drawn, random_walk, slow};

/// The units of a feature.
const ONE: f64 = 64.0;

/// The positions of the data file, those of random games, and two with holes.
fn boards() -> Vec<Board> {
    let data: serde_json::Value =
        serde_json::from_str(include_str!("../../data/positions.json")).unwrap();
    let fens = data["positions"].as_array().unwrap().iter();
    let mut boards: Vec<Board> = fens
        .map(|position| parse_position(position["fen"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(boards.len(), 100);
    for seed in 0..20 {
        boards.extend(random_walk(seed, 160));
    }
    // One group around a hole and one apart; two holes and a piece inside.
    boards.push(drawn(
        Side::X,
        ".......o ..x..... .x.x.... ..x....x ........ o....... ........ ...o....",
    ));
    boards.push(drawn(
        Side::O,
        "xxx....x x.x..... xxx..... ..oooo.. ..o..o.. ..o..o.. ..oooo.. ........",
    ));
    boards
}

/// A side's pieces and the moves of each, square by square.
struct Counted {
    /// File, rank, moves.
    pieces: Vec<(i32, i32, usize)>,
    captures: usize,
    /// Moves that end on the edge, and on the sixteen squares in the middle.
    to_edge: usize,
    to_centre: usize,
    groups: usize,
    holes: i32,
    quads: [i32; 5],
}

impl Counted {
    fn of(board: &Board, side: Side) -> Counted {
        let slow = slow(board);
        let letter = side.letter();
        let moves = slow.moves_of(letter);
        let mut pieces = Vec::new();
        for file in 0..8 {
            for rank in 0..8 {
                if slow.cell(file, rank) == letter {
                    let own = moves.iter().filter(|(from, _)| *from == (file, rank));
                    pieces.push((file as i32, rank as i32, own.count()));
                }
            }
        }
        let ending = |is_counted: &dyn Fn(usize, usize) -> bool| {
            let ends = moves.iter().filter(|(_, to)| is_counted(to.0, to.1));
            ends.count()
        };
        let squares: Vec<_> = pieces.iter().map(|&(file, rank, _)| (file, rank)).collect();
        Counted {
            captures: moves.iter().filter(|step| slow.is_capture(**step)).count(),
            to_edge: ending(&|file, rank| [file, rank].iter().any(|&at| at == 0 || at == 7)),
            to_centre: ending(&|file, rank| [file, rank].iter().all(|at| (2..6).contains(at))),
            groups: slow.groups(letter),
            holes: holes(&squares),
            quads: slow.quads(letter).0,
            pieces,
        }
    }

    fn euler(&self) -> i32 {
        self.groups as i32 - self.holes
    }

    fn sums(&self) -> (i32, i32) {
        let add = |(a, b), &(file, rank, _): &(i32, i32, usize)| (a + file, b + rank);
        self.pieces.iter().fold((0, 0), add)
    }

    /// The distances to the centre of mass to a power, added up.
    fn spread(&self, power: f64) -> f64 {
        let count = self.pieces.len() as f64;
        let (files, ranks) = self.sums();
        let (x, y) = (f64::from(files) / count, f64::from(ranks) / count);
        let far = |place: i32, mean: f64| (f64::from(place) - mean).abs().powf(power);
        let each = self.pieces.iter();
        each.map(|&(file, rank, _)| far(file, x) + far(rank, y))
            .sum()
    }

    /// The files and the ranks of the box around the pieces.
    fn extent(&self) -> i32 {
        let span = |of: fn(&(i32, i32, usize)) -> i32| {
            let places = || self.pieces.iter().map(of);
            places().max().unwrap() - places().min().unwrap() + 1
        };
        span(|piece| piece.0) + span(|piece| piece.1)
    }

    /// 8 / (2s + 1): s king's steps to the square nearest to the centre of mass more
    /// than so many pieces need.
    fn concentration(&self) -> f64 {
        let count = self.pieces.len() as f64;
        let (files, ranks) = self.sums();
        let nearest = |sum: i32| (f64::from(sum) / count + 0.5).floor() as i32;
        let (x, y) = (nearest(files), nearest(ranks));
        let steps = |&(file, rank, _): &(i32, i32, usize)| (file - x).abs().max((rank - y).abs());
        let steps: i32 = self.pieces.iter().map(steps).sum();
        // One in the centre, eight around it, the others a step further out.
        let rings = [vec![0; 1], vec![1; 8], vec![2; 16]].concat();
        let least: i32 = rings[..self.pieces.len()].iter().sum();
        8.0 / f64::from(2 * (steps - least) + 1)
    }

    fn moves(&self) -> usize {
        self.pieces.iter().map(|(_, _, moves)| moves).sum()
    }

    fn blocked(&self) -> usize {
        self.pieces
            .iter()
            .filter(|(_, _, moves)| *moves == 0)
            .count()
    }

    /// The moves of the pieces within two squares of the centre of mass.
    fn near_moves(&self) -> Vec<usize> {
        let count = self.pieces.len() as i32;
        let (files, ranks) = self.sums();
        let near = |place: i32, sum: i32| (place * count - sum).abs() <= 2 * count;
        let each = self.pieces.iter();
        each.filter(|&&(file, rank, _)| near(file, files) && near(rank, ranks))
            .map(|&(_, _, moves)| moves)
            .collect()
    }
}

/// The areas without a piece that are not joined to the border, from side to
/// side.
fn holes(pieces: &[(i32, i32)]) -> i32 {
    let mut open: Vec<(i32, i32)> = (-1..9)
        .flat_map(|file| (-1..9).map(move |rank| (file, rank)))
        .filter(|square| !pieces.contains(square))
        .collect();
    let mut areas = 0;
    while let Some(start) = open.pop() {
        areas += 1;
        let mut reached = vec![start];
        while let Some((file, rank)) = reached.pop() {
            for next in [
                (file + 1, rank),
                (file - 1, rank),
                (file, rank + 1),
                (file, rank - 1),
            ] {
                if let Some(place) = open.iter().position(|square| *square == next) {
                    reached.push(open.swap_remove(place));
                }
            }
        }
    }
    areas - 1
}

#[test]
fn the_trace_counts_what_is_on_the_board() {
    let (mut holed, mut blocked) = (0, 0);
    for board in boards() {
        for side in Side::BOTH {
            let counted = Counted::of(&board, side);
            let plain = FeatureCounts::new(&board, side);
            assert_eq!(plain.pieces as usize, counted.pieces.len());
            assert_eq!(plain.groups as usize, counted.groups, "{board:?}");
            assert_eq!(plain.euler, counted.euler(), "{board:?}");
            assert_eq!(plain.quad3 as i32, counted.quads[3]);
            assert_eq!(plain.quad4 as i32, counted.quads[4]);
            assert!((plain.spread - counted.spread(1.0)).abs() < 1e-9);
            assert_eq!(plain.capturable as usize, counted.captures);
            assert_eq!(plain.mobility as usize, counted.moves());
            assert_eq!(plain.blocked as usize, counted.blocked());
            assert_eq!(plain.edge_moves as usize, counted.to_edge, "{board:?}");
            assert_eq!(plain.centre_moves as usize, counted.to_centre, "{board:?}");
            let near: usize = counted.near_moves().iter().sum();
            assert_eq!(plain.mobility_centre as usize, near);
            assert_eq!(plain.extent as i32, counted.extent());
            assert!((plain.concentration - counted.concentration()).abs() <= 0.5 / ONE);
            holed += counted.holes;
            blocked += counted.blocked();
        }
    }
    assert!(holed > 20, "only {holed} holes");
    assert!(blocked > 20, "only {blocked} blocked pieces");
}

#[track_caller]
fn check_features(
    shapes: &ShapeTables,
    weights: &Weights,
    now: &Snapshot,
    mobile: &impl PieceMobility,
) {
    let board = Board::new(Side::BOTH.map(|side| now.pieces(side)), now.turn()).unwrap();
    let whole = |number: usize| number as f64 * ONE;
    for side in Side::BOTH {
        let counted = Counted::of(&board, side);
        // Powers count in quarters.
        let power = |gene: GeneId| f64::from(weights.get(gene)) / 4.0;
        let worth =
            |moves: &usize| ((*moves as f64).powf(power(GeneId::MobilityPower)) * ONE).round();
        let hidden = counted.euler() <= 1 && counted.groups > 1;
        let penalty = if hidden {
            power(GeneId::HolePenalty)
        } else {
            0.0
        };
        let each_moves: Vec<usize> = counted.pieces.iter().map(|piece| piece.2).collect();
        let expected = |gene: GeneId| match gene {
            GeneId::Euler => -(f64::from(counted.euler()) + penalty) * ONE,
            GeneId::Quad3 => f64::from(counted.quads[3]) * ONE,
            GeneId::Quad4 => f64::from(counted.quads[4]) * ONE,
            GeneId::Spread => -counted.spread(power(GeneId::SpreadPower)) * ONE,
            GeneId::Capturable => whole(counted.captures),
            GeneId::Mobility => each_moves.iter().map(worth).sum(),
            GeneId::Blocked => -whole(counted.blocked()),
            GeneId::MobilityCentre => counted.near_moves().iter().map(worth).sum(),
            GeneId::Pieces => whole(counted.pieces.len()),
            GeneId::Extent => -f64::from(counted.extent()) * ONE,
            GeneId::Concentration => (counted.concentration() * ONE).round(),
            GeneId::EdgeMoves => whole(counted.to_edge),
            GeneId::CentreMoves => whole(counted.to_centre),
            _ => panic!("{gene:?} weighs no feature"),
        };
        let found = features::features(shapes, now, mobile, side);
        for (gene, found) in FEATURE_GENES.into_iter().zip(found) {
            // Distances are rounded for each piece, along files and ranks.
            let slack = match gene {
                GeneId::Spread => 0.5 * 2.0 * counted.pieces.len() as f64 + 1e-6,
                _ => 0.0,
            };
            let apart = (f64::from(found) - expected(gene)).abs();
            assert!(apart <= slack, "{gene:?} of {side}: {found} on {board:?}");
        }
    }
}

#[test]
fn features_are_what_is_on_the_board() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (n, board) in boards().iter().enumerate() {
        let mut weights = Weights::source();
        if n % 2 == 1 {
            weights = random_weights(&mut rng, false);
        }
        let shapes = ShapeTables::new(&weights);
        check_features(&shapes, &weights, board, board.movers());
        // The sums that a move updates, without a board of its own.
        let moves = board.moves();
        if !moves.is_empty() {
            let (now, counts) =
                board.after_with_counts(board.turn(), moves[rng.random_range(0..moves.len())]);
            check_features(&shapes, &weights, &now, &counts);
        }
    }
}

fn random_weights(rng: &mut ChaCha8Rng, has_phases: bool) -> Weights {
    let mut weights = Weights::uniform(
        TABLE
            .each_ref()
            .map(|gene| rng.random_range(gene.min..=gene.max)),
    );
    for (n, gene) in TABLE.iter().enumerate() {
        if has_phases && gene.role == Role::Weight {
            weights.endgame[n] = rng.random_range(gene.min..=gene.max);
        }
    }
    weights
}

#[test]
fn terms_add_up_to_the_value() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut phases = std::collections::BTreeSet::new();
    for (n, board) in boards().iter().enumerate() {
        let weights = match n % 3 {
            0 => Weights::source(),
            phases => random_weights(&mut rng, phases == 2),
        };
        let evaluator = Evaluator::new(&weights);
        let age = age_of(rng.random_range(0..200));
        let trace = evaluator.trace(board, age);
        let value = evaluator.value(board, board.movers(), age);
        let sum: f64 = trace.terms.iter().map(|term| term.points).sum();
        let most = f64::from(MAX_VALUE);
        assert_eq!(trace.value, value);
        assert_eq!(
            sum.trunc().clamp(-most, most),
            f64::from(value),
            "{board:?}"
        );
        for term in &trace.terms {
            let row = TABLE.iter().position(|gene| gene.name == term.gene.name);
            let (opening, endgame) = (weights.opening[row.unwrap()], weights.endgame[row.unwrap()]);
            let part = f64::from(trace.phase) / 16.0;
            let blended = f64::from(opening) * (1.0 - part) + f64::from(endgame) * part;
            assert!((term.weight - blended).abs() < 1e-9);
            let [own, theirs] =
                [board.turn(), !board.turn()].map(|side| term.counted[side.index()]);
            assert!((term.points - blended / 8.0 * (own - theirs)).abs() < 1e-9);
        }
        if weights.has_phases() {
            phases.insert(trace.phase);
        }
    }
    assert!(phases.len() > 10, "only the phases {phases:?}");
}

/// The search judges leaves from their parent, with as little as the weights
/// need; a board made from nothing must be worth the same.
#[test]
fn a_leaf_judged_from_its_parent_is_worth_what_a_fresh_board_is() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let mut judged = 0;
    for (n, board) in (0..12).flat_map(|seed| random_walk(seed, 120)).enumerate() {
        if board.is_decided() || n % 5 != 0 {
            continue;
        }
        let mut weights = random_weights(&mut rng, n % 3 == 0);
        // All that weights can need of single pieces: nothing, some, all.
        if n % 2 == 0 {
            for values in [&mut weights.opening, &mut weights.endgame] {
                values[GeneId::MobilityCentre as usize] = 0;
                values[GeneId::MobilityPower as usize] = 4;
                if n % 4 == 0 {
                    values[GeneId::Blocked as usize] = 0;
                }
            }
        }
        let evaluator = Evaluator::new(&weights);
        let age = rng.random_range(0..16);
        let parent_terms = evaluator.parent_terms(&board, age);
        for &mv in board.moves().iter() {
            let next = board.play(mv);
            let fresh =
                Board::new([next.pieces(Side::X), next.pieces(Side::O)], next.turn()).unwrap();
            match evaluator.value_after(&parent_terms, &board, board.turn(), mv) {
                LeafValue::Value(value) => {
                    assert_eq!(value, evaluator.value(&fresh, fresh.movers(), age));
                    judged += 1;
                }
                LeafValue::MaybeTerminal(now) => {
                    assert!(now.is_decided() || now.mobility(now.turn()) == 0);
                }
            }
        }
    }
    assert!(judged > 2_000, "only {judged} leaves");
}
