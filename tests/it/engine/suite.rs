//! Proofs of suites against brute force, and the suite of the program.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use loatune::board::{Board, CanonicalPosition, Side, Symmetry};
use loatune::game::{Rules, Winner, terminal_outcome};
use loatune::notation::parse_position;
use loatune::search::solver::exhaustive::Exhaustive;
use loatune::suite::{
    Fate, Judgement, Proof, ProofSettings, Suite, built_in, check, examine, positions_in,
};

use crate::support::{drawn, endings};

/// The suite that is kept beside the source.
fn kept() -> Suite {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Suite::read(&root.join("suites/errors.toml")).unwrap()
}

/// Who wins a finished position; `None` where the game goes on.
fn end(board: &Board) -> Option<Winner> {
    terminal_outcome(board, &Rules::default()).map(|outcome| outcome.winner)
}

/// Whether a side wins within so many plies, by going through all of them.
fn wins(board: &Board, attacker: Side, plies: u32) -> bool {
    if let Some(winner) = end(board) {
        return winner == Winner::Side(attacker);
    }
    if plies == 0 {
        return false;
    }
    let moves = board.moves();
    let mut next = moves.iter().map(|&mv| board.play(mv));
    if board.turn() == attacker {
        next.any(|next| wins(&next, attacker, plies - 1))
    } else {
        next.all(|next| wins(&next, attacker, plies - 1))
    }
}

/// The least plies of a win, by brute force.
fn shortest(board: &Board, attacker: Side, most: u32) -> Option<u32> {
    (0..=most).find(|&plies| wins(board, attacker, plies))
}

#[test]
fn the_exhaustive_search_finds_what_brute_force_finds() {
    let rules = Rules::default();
    let (mut won, mut open) = (0, 0);
    for board in endings(70_000, 12, 6) {
        for attacker in Side::BOTH {
            let mut search = Exhaustive::new(&rules, attacker, &|| false);
            let found = search.shortest_win(&board, 3);
            assert_eq!(found, Some(shortest(&board, attacker, 3)), "{board:?}");
            // What the table has learnt does not mislead a shorter question.
            let again = search.shortest_win(&board, 2);
            assert_eq!(again, Some(shortest(&board, attacker, 2)), "{board:?}");
            if found == Some(None) {
                open += 1;
            } else {
                won += 1;
            }
        }
    }
    assert!(won > 15 && open > 15, "{won} won, {open} open");
}

#[test]
fn every_move_is_judged_as_brute_force_judges_it() {
    let settings = ProofSettings {
        horizon: 3,
        // The solver proves nothing that the exhaustive search does not.
        solver_nodes: 1,
    };
    let rules = Rules::default();
    let (mut right, mut losing) = (0, 0);
    for board in endings(71_000, 12, 5) {
        let own = board.turn();
        let found = examine(&board, &rules, &settings, &|| false).unwrap();
        assert_eq!(found.moves.len(), board.moves().len());
        for &(mv, judgement) in &found.moves {
            let next = board.play(mv);
            let expected = match (shortest(&next, own, 2), shortest(&next, !own, 2)) {
                (Some(plies), _) => (Fate::Win, plies + 1),
                (None, Some(plies)) => (Fate::Loss, plies + 1),
                (None, None) => (Fate::Open, 3),
            };
            assert_eq!(
                (judgement.fate, judgement.plies),
                expected,
                "{mv} on {board:?}"
            );
            assert_eq!(judgement.proof, Proof::Exhaustive);
        }
        let expected = match (shortest(&board, own, 3), shortest(&board, !own, 3)) {
            (Some(plies), _) => (Fate::Win, plies),
            (None, Some(plies)) => (Fate::Loss, plies),
            (None, None) => (Fate::Open, 3),
        };
        assert_eq!(
            (found.before.fate, found.before.plies),
            expected,
            "{board:?}"
        );
        let keeps = |judgement: &Judgement| match expected.0 {
            Fate::Open => judgement.fate != Fate::Loss,
            fate => judgement.fate == fate,
        };
        let kept = found.moves.iter().filter(|(_, judgement)| keeps(judgement));
        let kept: Vec<_> = kept.map(|(mv, _)| *mv).collect();
        assert_eq!(found.right_moves(), kept);
        right += kept.len();
        losing += found.count(Fate::Loss);
    }
    assert!(right > 100 && losing > 20, "{right} right, {losing} losing");
}

/// A position that is turned, with its colours exchanged, has the same fates.
#[test]
fn symmetric_positions_have_the_same_fates() {
    let settings = ProofSettings {
        horizon: 3,
        solver_nodes: 1,
    };
    let rules = Rules::default();
    let fates = |board: &Board| {
        let found = examine(board, &rules, &settings, &|| false).unwrap();
        let counts = Fate::NAMES.map(|(_, fate)| found.count(fate));
        (found.before, counts, found.right_moves().len())
    };
    for board in endings(72_000, 4, 3) {
        let expected = fates(&board);
        for symmetry in Symmetry::ALL {
            let mut pieces = Side::BOTH.map(|side| symmetry.squares(board.pieces(side)));
            pieces.swap(0, 1);
            let form = Board::new(pieces, !board.turn()).unwrap();
            assert_eq!(form.canonical(), board.canonical());
            assert_eq!(fates(&form), expected, "{board:?}");
        }
    }
}

#[test]
fn the_suite_of_the_program_has_many_positions_of_several_kinds() {
    let suite = kept();
    assert!(suite.entries.len() >= 200, "{}", suite.entries.len());
    let kinds: HashSet<String> = suite
        .entries
        .iter()
        .map(|entry| entry.kind().to_string())
        .collect();
    assert!(kinds.len() >= 3, "{kinds:?}");
    assert!(
        suite.command.starts_with("loatune blunders "),
        "{}",
        suite.command
    );
    assert!(suite.by_lot() < 0.3, "{}", suite.by_lot());
    assert!(suite == built_in().unwrap(), "the program has another one");
    // Its text is what would be written.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("suites/errors.toml")).unwrap();
    assert!(suite.to_toml() == text, "the file is not as it is written");
}

#[test]
fn some_positions_of_the_suite_are_proved_again() {
    let suite = kept();
    let mut cheap: Vec<_> = suite.entries.iter().collect();
    cheap.sort_by_key(|entry| entry.nodes);
    for entry in &cheap[..8] {
        assert_eq!(
            check(&suite, entry, &|| false),
            Some(Vec::new()),
            "{entry:?}"
        );
    }
    // A move less, or one more, does not hold.
    let mut entry = cheap[0].clone();
    entry.right.push(entry.played);
    let wrong = check(&suite, &entry, &|| false).unwrap();
    assert!(
        wrong.len() == 1 && wrong[0].starts_with("right: "),
        "{wrong:?}"
    );
}

#[test]
#[ignore = "proves every position of the suite: minutes"]
fn the_whole_suite_is_proved_again() {
    let suite = kept();
    for entry in &suite.entries {
        let line = entry.line;
        assert_eq!(
            check(&suite, entry, &|| false),
            Some(Vec::new()),
            "line {line}"
        );
    }
}

/// What the positions of tests and benches look like to a suite: those that stand
/// in their sources and data, as a line or drawn.
fn positions_of_tests() -> HashSet<CanonicalPosition> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = HashSet::new();
    let mut folders = ["src", "tests", "benches", "examples"]
        .map(|folder| root.join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            found.extend(positions_in(&text).iter().map(|board| board.canonical()));
            found.extend(drawn_in(&text).iter().map(|board| board.canonical()));
        }
    }
    found
}

/// Drawn boards: eight lines of dots and letters, with either side to move.
fn drawn_in(text: &str) -> Vec<Board> {
    let is_row = |line: &&str| line.len() == 8 && line.chars().all(|c| ".xo".contains(c));
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.trim_matches([' ', '"', ';']))
        .collect();
    let windows = lines.windows(8).filter(|rows| rows.iter().all(is_row));
    windows
        .flat_map(|rows| Side::BOTH.map(|side| drawn(side, &rows.join("\n"))))
        .collect()
}

#[test]
fn no_position_of_the_suite_is_used_elsewhere() {
    let used = positions_of_tests();
    assert!(used.len() > 100, "{}", used.len());
    let bench = loatune::search::signature::POSITIONS[4].0;
    assert!(used.contains(&parse_position(bench).unwrap().canonical()));
    for entry in &kept().entries {
        let line = entry.line;
        assert!(!used.contains(&entry.board.canonical()), "line {line}");
    }
}
