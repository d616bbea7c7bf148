//! The Monte-Carlo tree search: what it proves is true, it is the same every time
//! and with any number of threads, every option matters, and its memory is bounded.

use loatune::board::Board;
use loatune::eval::Weights;
use loatune::game::{Game, Rules};
use loatune::search::mcts::Options;
use loatune::search::mcts::options::{Kind, ROWS};
use loatune::search::signature::{POSITIONS, TREE_SIGNATURE, WEIGHT_SETS, board_of, run_tree};
use loatune::search::value::{WIN_THRESHOLD, plies_to_end};
use loatune::search::{Algorithm, Engine, Limits, Report};

use crate::support::endings;

fn options(text: &str) -> Options {
    let mut options = Options::default();
    for (name, value) in text.split(',').filter_map(|part| part.split_once('=')) {
        options.set(name, value).expect("an option");
    }
    options
}

fn engine(options: Options) -> Engine {
    let (weights, rules) = (Weights::source(), Rules::default());
    Engine::new(Algorithm::Mcts, &weights, rules, 0).with_tree_options(options)
}

fn simulations(simulations: u64) -> Limits {
    Limits {
        simulations: Some(simulations),
        ..Limits::default()
    }
}

fn search(options: Options, board: &Board, limits: Limits) -> Report {
    engine(options).search(board, 0, limits, &|| false, &mut |_| {})
}

#[test]
fn a_win_or_loss_that_it_reports_is_real() {
    let (mut wins, mut losses) = (0, 0);
    for board in endings(5_000, 20, 7) {
        let found = search(Options::default(), &board, simulations(400));
        let Some(plies) = plies_to_end(found.value()).filter(|&plies| plies <= 5) else {
            continue;
        };
        let mut exact = Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), 1024);
        let limits = Limits {
            depth: Some(plies),
            ..Limits::default()
        };
        let exact = exact.search(&board, 0, limits, &|| false, &mut |_| {});
        assert!(
            found.value().signum() == exact.value().signum() && exact.value().abs() > WIN_THRESHOLD,
            "{} in {plies} against {} on {board:?}",
            found.value(),
            exact.value()
        );
        wins += u32::from(found.value() > 0);
        losses += u32::from(found.value() < 0);
        // The principal variation of a decided game leads to its end.
        let mut game = Game::from_board(Rules::default(), board);
        for &mv in found.pv() {
            game.play(mv).expect("the principal variation is legal");
        }
        assert!(game.outcome().is_some(), "{:?} on {board:?}", found.pv());
    }
    assert!(wins > 20 && losses > 3, "{wins} wins and {losses} losses");
}

/// What full-width search sees to be decided within a few plies is decided for the
/// tree search, too, with enough simulations.
#[test]
fn what_is_decided_is_proven() {
    let mut decided = 0;
    for board in endings(5_000, 12, 7) {
        let mut exact = Engine::new(Algorithm::Mtdf, &Weights::source(), Rules::default(), 1024);
        let limits = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        let exact = exact.search(&board, 0, limits, &|| false, &mut |_| {});
        if exact.value().abs() < WIN_THRESHOLD {
            continue;
        }
        decided += 1;
        let found = search(Options::default(), &board, simulations(4000));
        assert_eq!(
            plies_to_end(found.value()).map(|_| found.value().signum()),
            Some(exact.value().signum()),
            "{board:?}"
        );
        assert!(!found.stopped);
    }
    assert!(decided > 8, "only {decided}");
}

#[test]
fn equal_searches_are_equal() {
    for (text, _) in POSITIONS.iter().step_by(3) {
        let board = board_of(text);
        for limits in [
            simulations(150),
            Limits {
                nodes: Some(3000),
                ..Limits::default()
            },
            Limits {
                depth: Some(1),
                ..Limits::default()
            },
        ] {
            let once = search(Options::default(), &board, limits);
            assert_eq!(once, search(Options::default(), &board, limits));
            assert!(board.is_legal(once.best.expect("the game goes on")));
        }
        let ply = Limits {
            depth: Some(1),
            ..Limits::default()
        };
        assert_eq!(
            search(Options::default(), &board, ply),
            search(Options::default(), &board, simulations(500))
        );
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (text, _) in POSITIONS.iter().step_by(5) {
        let board = board_of(text);
        for parallel in [
            "roots=5,cutoff=8",
            "leaf=6,cutoff=20,rave=100",
            "roots=3,leaf=2",
        ] {
            let run = |threads: &str| {
                let options = options(&format!("{parallel},{threads}"));
                search(options, &board, simulations(120))
            };
            let once = run("threads=1");
            for threads in ["threads=2", "threads=3", "threads=7"] {
                assert_eq!(once, run(threads), "{parallel} with {threads}");
            }
        }
    }
}

/// Which other options one needs to matter.
fn needs(name: &str) -> &'static str {
    match name {
        "virtual_block" | "virtual_connect" | "virtual_break" | "virtual_other" => "rave=300",
        "win" | "block" | "connect" | "breaks" => "playout=classes,cutoff=inf",
        "epsilon" => "playout=greedy",
        "playout" | "margin" | "leaf" => "cutoff=20",
        "scale" | "seed" => "cutoff=3",
        _ => "",
    }
}

/// Another value than the usual one.
fn other(name: &str, kind: Kind) -> String {
    match (name, kind) {
        ("fpu", _) => "0.2".to_owned(),
        ("cutoff", _) => "1".to_owned(),
        ("rave", _) => "500".to_owned(),
        ("scale", _) => "1".to_owned(),
        ("margin", _) => "2".to_owned(),
        ("proof" | "bias" | "widening", _) => "1".to_owned(),
        ("win" | "block" | "connect" | "breaks", _) => "0".to_owned(),
        (_, Kind::Number(_, most)) => most.to_string(),
        ("expand", _) => "5".to_owned(),
        (_, Kind::Whole(0, 1)) => "0".to_owned(),
        (_, Kind::Whole(..)) => "4".to_owned(),
        (_, Kind::Choice(words)) => words[words.len() - 1].to_owned(),
    }
}

#[test]
fn every_option_changes_what_is_searched() {
    // Positions that are not decided at once, and some that soon are.
    let boards: Vec<Board> = [1, 4, 7, 8, 14, 15]
        .iter()
        .map(|&n| board_of(POSITIONS[n].0))
        .collect();
    let found = |options: Options| -> Vec<Report> {
        let of = |board| search(options, board, simulations(120));
        boards.iter().map(of).collect()
    };
    for row in ROWS {
        // Threads never change a result; a shared tree and its losses need time.
        // Memory and reuse have tests of their own.
        if ["threads", "shared_tree", "virtual_loss", "memory", "reuse"].contains(&row.name) {
            continue;
        }
        let before = options(needs(row.name));
        let mut after = before;
        let value = other(row.name, row.kind);
        after.set(row.name, &value).expect("in range");
        assert_ne!(before, after, "{} = {value} is the default", row.name);
        assert_ne!(found(before), found(after), "{} = {value}", row.name);
    }
}

#[test]
fn the_tree_is_kept_for_the_next_move() {
    let play = |reuse: &str| {
        let mut engine = engine(options(reuse));
        let mut game = Game::new(Rules::default());
        let mut values = Vec::new();
        for _ in 0..4 {
            let plies = game.played().len();
            engine.set_past(game.reversible_keys());
            let report = engine.search(
                game.board(),
                plies,
                simulations(300),
                &|| false,
                &mut |_| {},
            );
            values.push((report.value(), report.nodes));
            game.play(report.best.expect("the game goes on"))
                .expect("legal");
            // The expected answer, so that the tree knows it.
            let answer = report.pv().get(1).copied();
            let answer = answer.unwrap_or_else(|| game.moves()[0]);
            game.play(answer).expect("legal");
        }
        values
    };
    let (kept, fresh) = (play("reuse=1"), play("reuse=0"));
    assert_eq!(kept[0], fresh[0]);
    assert_ne!(kept[1..], fresh[1..]);
    assert_eq!(kept, play("reuse=1"));
}

#[test]
fn a_full_tree_is_searched_on() {
    // A mebibyte has room for about 20,000 nodes.
    let small = options("memory=1,expand=0,cutoff=0");
    let large = options("memory=64,expand=0,cutoff=0");
    let limits = simulations(2500);
    let (full, wide) = (
        search(small, &Board::start(), limits),
        search(large, &Board::start(), limits),
    );
    let permille = |report: &Report| {
        report
            .iterations
            .last()
            .and_then(|last| last.table_permille)
    };
    assert!(
        permille(&full).is_some_and(|used| (950..=1000).contains(&used)),
        "{:?}",
        permille(&full)
    );
    assert!(
        permille(&wide).is_some_and(|used| used < 200),
        "{:?}",
        permille(&wide)
    );
    assert!(!full.stopped && full.nodes < wide.nodes);
    assert!(Board::start().is_legal(full.best.expect("the game goes on")));
}

#[test]
fn a_position_of_the_game_is_a_draw_when_it_comes_back() {
    let board = board_of("o3x3/8/3x4/5o2/1x6/2x2o2/o5o1/2x5 x");
    let usual = search(Options::default(), &board, simulations(400));
    let best = usual.best.expect("the game goes on");
    let mut engine = engine(Options::default());
    // As if the position after the best move had been there one ply ago.
    engine.set_past(&[board.key_after(best)]);
    let warned = engine.search(&board, 0, simulations(400), &|| false, &mut |_| {});
    assert_ne!(usual, warned);
    assert!(
        warned.best != Some(best) || warned.value() == 0,
        "{best} is a draw now"
    );
}

#[test]
fn threads_share_a_tree_and_it_stays_sound() {
    let shared = options("threads=3,shared_tree=1,cutoff=10,rave=50");
    let report = search(shared, &Board::start(), simulations(600));
    let best = report.best.expect("the game goes on");
    assert!(Board::start().is_legal(best));
    assert!(!report.stopped && report.nodes > 600);
    // A decided position is proven by threads that share a tree, too.
    let board = board_of("8/8/2x5/o1ooxxx1/oxox2x1/5xx1/4o3/1x6 o");
    let proved = options("threads=3,shared_tree=1");
    let report = search(proved, &board, simulations(200_000));
    assert!(report.value() > 0 && plies_to_end(report.value()).is_some());
    // A limit of positions holds for all threads together.
    let limits = Limits {
        nodes: Some(2000),
        ..Limits::default()
    };
    let report = search(shared, &Board::start(), limits);
    assert!((500..=2000).contains(&report.nodes), "{}", report.nodes);
}

/// However early it is stopped, there is a move.
#[test]
fn threads_that_share_a_tree_have_a_move_at_once() {
    for threads in [2, 8] {
        let shared = options(&format!("threads={threads},shared_tree=1"));
        let mut engine = engine(shared);
        let limits = simulations(1_000_000);
        let report = engine.search(&Board::start(), 0, limits, &|| true, &mut |_| {});
        assert!(Board::start().is_legal(report.best.expect("one batch is played")));
    }
}

/// Whatever the options, a limit of positions is used up and never exceeded.
#[test]
fn a_limit_of_positions_is_never_exceeded() {
    for text in [
        "",
        "cutoff=0",
        "cutoff=inf",
        "cutoff=inf,margin=2",
        "expand=0,leaf=7",
        "leaf=64,threads=2,cutoff=9",
        "rave=100,alpha=0,solver=0",
        "roots=3,threads=2",
        "playout=classes",
        "playout=greedy,epsilon=0,cutoff=20",
        "playout=search,cutoff=20",
        "playout=search,margin=1,roots=2,leaf=3",
    ] {
        let options = options(text);
        for most in [120, 333, 500, 2001] {
            let limits = Limits {
                nodes: Some(most),
                ..Limits::default()
            };
            let found = search(options, &Board::start(), limits);
            assert_eq!(found.nodes, most, "{text}");
            assert!(found.stopped && found.best.is_some());
            let again = search(options, &Board::start(), limits);
            assert_eq!((found.best, found.value()), (again.best, again.value()));
        }
        // The 36 moves of the position are always looked at, by each tree.
        let limits = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        let found = search(options, &Board::start(), limits);
        assert_eq!(found.nodes, 36 * u64::from(options.roots), "{text}");
        assert!(Board::start().is_legal(found.best.expect("a move")));
    }
}

/// From move to move, with a tree that is kept.
#[test]
fn a_limit_of_positions_holds_in_a_game() {
    let mut engine = engine(Options::default());
    let mut game = Game::new(Rules::default());
    for ply in 0..30 {
        if game.outcome().is_some() {
            break;
        }
        let limits = Limits {
            nodes: Some(500),
            ..Limits::default()
        };
        engine.set_past(game.reversible_keys());
        let report = engine.search(game.board(), ply, limits, &|| false, &mut |_| {});
        assert!(report.nodes <= 500, "{} at ply {ply}", report.nodes);
        game.play(report.best.expect("the game goes on"))
            .expect("a legal move");
    }
}

/// Two engines with the same signature play the same games; a change is a change
/// of behaviour, and the constant says so.
#[test]
fn the_signature_is_counted() {
    let mut nodes = 0;
    for set in &WEIGHT_SETS {
        for (position, _) in POSITIONS {
            nodes += run_tree(set, position).nodes;
        }
    }
    assert_eq!(nodes, TREE_SIGNATURE);
}
