//! `loatune book`, and players that follow a book: the real binary, in a fresh
//! directory.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use loatune::board::{Board, Canonical, Symmetry};
use loatune::book::Book;
use loatune::game::{Game, Rules};
use loatune::notation::{parse_move, parse_moves, parse_position, parse_sgf, position_text};

use crate::support::binary::{Place, output_of};

/// A small book: two openings, games of a player of one ply.
const BUILD: [&str; 14] = [
    "book",
    "build",
    "default@mtdf:1",
    "-o",
    "a.book",
    "--games",
    "120",
    "--opening-plies",
    "1",
    "--opening-count",
    "2",
    "--from-start",
    "50",
    "-q",
];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    BUILD.iter().chain(more).copied().collect()
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path().join(name)).unwrap()
}

#[track_caller]
fn made() -> Place {
    let place = Place::new();
    let output = place.run(&BUILD);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    place
}

#[test]
fn threads_and_kills_do_not_change_a_book() {
    let whole = made();
    let threads = Place::new();
    assert!(threads.run(&with(&["--threads", "1"])).status.success());
    assert_eq!(read(&threads, "a.book"), read(&whole, "a.book"));

    let killed = Place::new();
    let lines = || {
        let games = fs::read_to_string(killed.path().join("a.book.games"));
        games.map_or(0, |text| text.lines().count())
    };
    for _ in 0..2 {
        let before = lines();
        let mut child = killed.start(&BUILD);
        let begin = Instant::now();
        while lines() < before.max(1) + 5 && child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(120));
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        child.finish();
    }
    // The last line may be torn, and its game is played again.
    let games = read(&killed, "a.book.games");
    let torn = &games[..games.len() - 3];
    fs::write(killed.path().join("a.book.games"), torn).unwrap();
    assert!(killed.run(&BUILD).status.success());
    assert_eq!(read(&killed, "a.book"), read(&whole, "a.book"));

    // More games take it further, to what they would have been at once.
    let longer = with(&["--games", "150"]);
    let longer: Vec<&str> = longer
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != 5 && *n != 6)
        .map(|(_, word)| *word)
        .collect();
    let at_once = Place::new();
    assert!(at_once.run(&longer).status.success());
    let further = killed.run(&[&longer[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&further.stdout).unwrap();
    assert_eq!(report["resumed"], 120);
    assert_eq!(report["games"], 150);
    assert_eq!(read(&killed, "a.book"), read(&at_once, "a.book"));
    // Fewer, or others, are refused by name.
    let refused = killed.refused(&BUILD);
    assert!(
        refused.contains("holds more than the 120 games"),
        "{refused}"
    );
    let mut other = longer;
    other[2] = "default@mtdf:2";
    let refused = killed.refused(&other);
    assert!(
        refused.contains("a.book.games was made with other settings")
            && refused.contains("player: \"default@mtdf:1\" there, \"default@mtdf:2\" here"),
        "{refused}"
    );
}

/// A seed that decides nothing makes no other games.
#[test]
fn the_same_games_do_not_count_twice_under_another_seed() {
    let place = Place::new().with("openings.txt", "b1-b3\nc1-c3\n");
    let build = |name: &str, more: &[&str]| {
        let args = [
            "-q",
            "book",
            "build",
            "default@mtdf:1",
            "--games",
            "40",
            "-o",
        ];
        let output = place.run(&[&args[..], &[name], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    };
    let from_file = ["--openings", "openings.txt", "--from-start", "0"];
    for fixed in [&["--opening-plies", "0"][..], &from_file] {
        build("one.book", fixed);
        build("two.book", &[fixed, &["--seed", "2"]].concat());
        let refused = place.refused(&["book", "merge", "one.book", "two.book", "-o", "c.book"]);
        assert!(
            refused.starts_with("book two.book: ") && refused.contains("would count twice"),
            "{refused}"
        );
        for name in ["one.book", "two.book", "one.book.games", "two.book.games"] {
            fs::remove_file(place.path().join(name)).unwrap();
        }
    }
}

#[test]
fn books_are_merged_pruned_shown_and_exported() {
    let place = made();
    let other: Vec<&str> = BUILD
        .iter()
        .map(|word| if *word == "a.book" { "b.book" } else { word })
        .chain(["--seed", "2"])
        .collect();
    assert!(place.run(&other).status.success());
    let merged = place.json(&[
        "book", "merge", "a.book", "b.book", "-o", "c.book", "--json",
    ]);
    assert_eq!(merged["games"], 240);
    let [a, b, c] =
        ["a.book", "b.book", "c.book"].map(|name| Book::read(&place.path().join(name)).unwrap());
    let start = Board::start();
    let games = |book: &Book| -> u64 {
        let found = book.look_up(&start).unwrap();
        found.moves.iter().map(loatune::book::BookMove::games).sum()
    };
    assert_eq!(games(&c), games(&a) + games(&b));
    assert_eq!(games(&a), 60);
    let refused = place.refused(&["book", "merge", "a.book", "c.book", "-o", "d.book"]);
    assert!(
        refused.starts_with("book c.book: ") && refused.contains("would count twice"),
        "{refused}"
    );
    let refused = place.refused(&["book", "merge", "a.book", "b.book", "-o", "c.book"]);
    assert!(
        refused.contains("c.book exists and is left alone"),
        "{refused}"
    );

    let args = [
        "book",
        "prune",
        "c.book",
        "--min-games",
        "4",
        "-o",
        "d.book",
        "--json",
    ];
    let pruned = place.json(&args);
    let d = Book::read(&place.path().join("d.book")).unwrap();
    assert_eq!(pruned["positions"], d.len());
    assert!(d.len() < c.len() && !d.is_empty());
    assert!(
        d.positions()
            .all(|position| position.moves.iter().all(|known| known.games() >= 4))
    );
    assert_eq!(pruned["moves_removed"], c.moves() - d.moves());

    let shown = place.json(&["book", "show", "c.book", "startpos", "--json"]);
    assert_eq!(shown["made"].as_array().unwrap().len(), 2);
    let moves = shown["position"]["moves"].as_array().unwrap();
    let sum: u64 = moves.iter().map(|mv| mv["games"].as_u64().unwrap()).sum();
    assert_eq!(sum, games(&c));
    let text = place.good(&["book", "show", "c.book", "startpos"]);
    assert!(text.contains("followed: "), "{text}");
    let text = place.good(&["book", "show", "c.book"]);
    assert!(
        text.contains("made:    120 games of default@mtdf:1 from 2 openings"),
        "{text}"
    );
    let unknown = "8/2x5/8/3x4/3oo3/8/6o1/x7 o";
    let text = place.good(&["book", "show", "c.book", unknown]);
    assert_eq!(text, format!("{unknown}: not in the book\n"));

    let csv = place.good(&["book", "export", "d.book", "--csv"]);
    assert_eq!(csv.lines().count(), 1 + d.moves());
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let board = parse_position(fields[0]).unwrap();
        parse_move(&board, fields[1]).unwrap();
        let number = |n: usize| fields[n].parse::<f64>().unwrap();
        assert_eq!(number(2), number(3) + number(4) + number(5), "{line}");
        assert!(number(7) > 0.0);
    }
    let json = place.json(&["book", "export", "d.book", "--json"]);
    assert_eq!(json["book"].as_array().unwrap().len(), d.len());
    assert_eq!(
        place.good(&["book", "export", "d.book", "--sgf", "-o", "d.sgf"]),
        ""
    );
    let sgf = read(&place, "d.sgf");
    assert_eq!(sgf.matches(" games, ").count(), d.moves());
    let lines = parse_sgf(&sgf, &Rules::default()).unwrap();
    assert!(lines.iter().all(|line| !line.game.played().is_empty()));
    // The main line of the first tree follows the book.
    let first = &lines[0].game;
    let mut follows = first.played().iter().zip(first.boards());
    assert!(follows.all(|(mv, board)| d.look_up(board).unwrap().moves[0].mv == *mv));
}

#[test]
fn players_follow_a_book() {
    let place = made();
    let with_book = "default@mtdf:1,book=a.book,book_games=1";
    let args = [
        "match",
        with_book,
        "default@mcts:s20,book=a.book",
        "--games",
        "8",
        "-q",
    ];
    let args = [&args[..], &["--opening-plies", "1"]].concat();
    let report = place.json(&[&args[..], &["--json"]].concat());
    let moves = |n: usize| report["work"][n]["book_moves"].as_u64().unwrap();
    assert!(moves(0) > 0 && report["faults"] == 0, "{report}");
    assert!(report["settings"]["players"][0]["book"]["content"].is_string());
    let text = place.good(&args);
    assert!(text.contains("from book"), "{text}");
    // Without a book nothing is said of one, and the settings stay as they were.
    let plain = place.json(&[
        "match",
        "default@mtdf:1",
        "random:1@mtdf:1",
        "--games",
        "2",
        "--json",
        "-q",
    ]);
    assert!(plain["settings"]["players"][0].get("book").is_none());
    assert_eq!(plain["work"][0]["book_moves"], 0);
    // A stopped match with a book goes on.
    let resumed = [&args[..], &["--resume", "some.games", "--json"]].concat();
    let first = place.json(&resumed);
    let games = read(&place, "some.games");
    let half: Vec<&str> = games.lines().take(3).collect();
    fs::write(place.path().join("some.games"), half.join("\n") + "\n").unwrap();
    let second = place.json(&resumed);
    assert_eq!(
        second["work"][0]["book_moves"],
        first["work"][0]["book_moves"]
    );

    // The engine protocol, on every image of the start position.
    let book = Book::read(&place.path().join("a.book")).unwrap();
    for symmetry in Symmetry::ALL {
        let board = symmetry.board(&Board::start());
        let expected = book.choose(&board, 8).unwrap();
        let dialogue = format!("position fen {}\ngo depth 1\n", position_text(&board));
        let mut command = crate::support::binary::loatune(place.path());
        let output = output_of(command.args(["ugi", "--book", "a.book"]), dialogue);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            text,
            format!("info string from the book\nbestmove {expected}\n")
        );
    }
    // A book that cannot be read changes nothing.
    let dialogue = "setoption name Book value a.book\nsetoption name Book value none.book\n\
                    go depth 1\nsetoption name Book value <empty>\ngo depth 1\n";
    let mut command = crate::support::binary::loatune(place.path());
    let text = String::from_utf8(output_of(command.arg("ugi"), dialogue).stdout).unwrap();
    assert_eq!(text.matches("from the book").count(), 1, "{text}");
    assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
    assert!(
        text.contains("error: setoption: book none.book: it cannot be read"),
        "{text}"
    );

    // A game in the terminal: the machine begins.
    let mut command = crate::support::binary::loatune(place.path());
    let command = command.args(["play", "--side", "o", "--level", "1", "--book", "a.book"]);
    let text = String::from_utf8(output_of(command, "quit\n").stdout).unwrap();
    assert!(text.contains("(from the book)"), "{text}");
}

#[test]
fn bad_books_are_refused_before_the_first_game() {
    let place = made();
    let text = read(&place, "a.book");
    let damaged = text.replacen("/0/", "/1/", 1);
    assert_ne!(damaged, text);
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    write("damaged.book", &damaged);
    write("torn.book", &text[..text.len() / 2]);
    write("openings.txt", "b1-b3 a2-c2\nstartpos\n");
    write("binary", "\u{0}\u{1}");
    for (file, message) in [
        ("damaged.book", "its checksum does not fit its content"),
        ("torn.book", "its last line is no checksum"),
        ("openings.txt", "this is no book of `loatune book`"),
        ("binary", "this is no book of `loatune book`"),
        ("none.book", "it cannot be read"),
    ] {
        let player = format!("default@mtdf:1,book={file}");
        for args in [
            &["match", &player, "default", "--sgf", "games.sgf"][..],
            &["gauntlet", &player, "--against", "default"],
            &["tournament", "random:1", &player, "default"],
            &["book", "show", file],
            &["book", "merge", "a.book", file, "-o", "b.book"],
            &["book", "prune", file, "-o", "b.book"],
            &["book", "export", file, "--csv"],
            &["play", "--book", file],
            &["ugi", "--book", file],
        ] {
            let refused = place.refused(args);
            assert!(
                refused.contains(message) && refused.contains(file),
                "{args:?}: {refused}"
            );
        }
    }
    for name in ["b.book", "games.sgf"] {
        assert!(!place.path().join(name).exists());
    }
    for (args, message) in [
        (
            &[
                "match",
                "default@mtdf:1,book=a.book",
                "default",
                "--repetition",
                "2",
            ][..],
            "book a.book: its games had other rules",
        ),
        (
            &["match", "default@mtdf:1,book_games=3", "default"],
            "book_games is \"3\"",
        ),
        (
            &[
                "match",
                "default@mtdf:1,book=a.book,book_games=0",
                "default",
            ],
            "book_games is \"0\"",
        ),
        (
            &["book", "build", "default@mtdf:t0.1", "-o", "b.book"],
            "\"default@mtdf:t0.1\" cannot make a book",
        ),
        (
            &["book", "build", "ugi:engine", "-o", "b.book"],
            "\"ugi:engine\" cannot make a book",
        ),
        (
            &[
                "book",
                "build",
                "default@mtdf:1,book=a.book",
                "-o",
                "b.book",
            ],
            "a book is made by a player without one",
        ),
    ] {
        let refused = place.refused(args);
        assert!(refused.contains(message), "{refused}");
    }
    // A book whose games are gone is not overwritten.
    fs::remove_file(place.path().join("a.book.games")).unwrap();
    let refused = place.refused(&BUILD);
    assert!(
        refused.contains("a.book exists without its games"),
        "{refused}"
    );
    assert_eq!(read(&place, "a.book"), text);
}

/// The openings of the measurements: every position after one move of each side,
/// one for all of its images.
#[test]
fn the_openings_of_two_plies_are_all_there_are() {
    let key = |board: &Board| position_text(&Canonical::new(board).board);
    let start = Board::start();
    let mut expected = BTreeSet::new();
    for &first in start.moves().iter() {
        let board = start.play(first);
        for &second in board.moves().iter() {
            expected.insert(key(&board.play(second)));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/two-plies.txt");
    let mut found = BTreeSet::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        if !line.starts_with('#') {
            let mut game = Game::new(Rules::default());
            parse_moves(&mut game, line).unwrap();
            assert!(found.insert(key(game.board())), "{line} is there twice");
        }
    }
    assert_eq!(found, expected);
    assert_eq!(found.len(), 311);
}
