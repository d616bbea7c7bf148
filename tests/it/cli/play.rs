//! Games against the real binary, through pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use loatune::board::Side;
use loatune::game::Rules;
use loatune::notation::{SgfGame, parse_sgf};
use tempfile::TempDir;

use crate::support::binary::Place;

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loatune"));
    command
        .arg("play")
        .args(args)
        .current_dir(dir)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// What is printed where these bytes are typed.
#[track_caller]
fn typed(dir: &Path, args: &[&str], input: &[u8]) -> String {
    let mut child = command(dir, args).spawn().unwrap();
    // A program that ends early closes its input: that shows below.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn play(args: &[&str], input: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    typed(dir.path(), args, input.as_bytes())
}

#[track_caller]
fn read(path: &Path) -> SgfGame {
    let text = fs::read_to_string(path).unwrap();
    parse_sgf(&text, &Rules::default()).unwrap().remove(0)
}

/// The moves of the machine.
fn replies(said: &str) -> Vec<&str> {
    let lines = said
        .lines()
        .filter_map(|line| line.strip_prefix("loatune plays "));
    lines.map(|line| line.split(' ').next().unwrap()).collect()
}

#[test]
fn a_move_is_answered_at_every_level() {
    for level in ["1", "2", "3", "4", "5", "6"] {
        let said = play(&["--level", level, "--depth", "2"], "b1-b3\nquit\n");
        assert_eq!(replies(&said).len(), 1, "{said}");
        assert!(
            said.contains(&format!("against loatune at level {level} (")),
            "{said}"
        );
        assert!(said.contains(", depth 2)"), "{said}");
        // The start and the board after the reply.
        assert_eq!(said.matches("    a b c d e f g h\n").count(), 4, "{said}");
        assert!(said.contains("  3 o x . . . . . "), "{said}");
        assert!(said.ends_with("Goodbye.\n"), "{said}");
    }
}

#[test]
fn the_machine_begins_against_white() {
    let said = play(&["--side", "o", "--level", "2"], "undo\nmoves\n");
    assert!(said.starts_with("You play o against "), "{said}");
    assert_eq!(replies(&said).len(), 1, "{said}");
    assert!(
        said.contains("There is no move of yours to take back."),
        "{said}"
    );
    // White sits below.
    assert!(said.contains("    h g f e d c b a\n  1 "), "{said}");
}

#[test]
fn a_square_shows_where_its_piece_may_go() {
    let said = play(&[], "c1\n");
    let board = "\
    a b c d e f g h
  8 . x x x x x x . 8
  7 o . . . . . . o 7
  6 o . . . . . . o 6
  5 o . . . . . . o 5
  4 o . . . . . . o 4
  3 O . * . * . . o 3
  2 o . . . . . . o 2
  1 . x x x x x x . 1
    a b c d e f g h

3 moves from c1: c1-c3  c1-e3  c1xa3
";
    assert!(said.contains(board), "{said}");
    let said = play(&[], "a2\nd4\nB1\n");
    assert!(
        said.contains("The piece on a2 is o's, and you play x.\n"),
        "{said}"
    );
    assert!(said.contains("There is no piece on d4.\n"), "{said}");
    assert!(
        said.contains("3 moves from b1: b1-b3  b1-d3  b1-h1\n"),
        "{said}"
    );
}

#[test]
fn a_pair_of_moves_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let script = "b1-b3\nundo\nundo\nb1b3\nsave a.sgf\n";
    let said = typed(dir.path(), &["--level", "2"], script.as_bytes());
    let replies = replies(&said);
    assert_eq!(replies.len(), 2, "{said}");
    assert_eq!(replies[0], replies[1], "the same move gets the same reply");
    assert!(
        said.contains(&format!("Taken back: b1-b3 {}\n", replies[0])),
        "{said}"
    );
    assert!(
        said.contains("There is no move of yours to take back."),
        "{said}"
    );
    let sgf = read(&dir.path().join("a.sgf"));
    assert_eq!(sgf.game.played().len(), 2);
    assert_eq!(sgf.game.played()[0].to_string(), "b1-b3");
    assert_eq!(sgf.players[0], "you");
    assert_eq!(sgf.players[1], "loatune at level 2 (negamax)");
}

#[test]
fn a_game_is_saved_and_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("my game.sgf");
    let script = "b1-b3\nsave my game.sgf\nsave my game.sgf\nresign\nsave! my game.sgf\n\
                  save no/such/place.sgf\nsave\n";
    let said = typed(dir.path(), &["--level", "1"], script.as_bytes());
    assert!(said.contains("Saved to my game.sgf.\n"), "{said}");
    let exists = "my game.sgf exists already; `save! my game.sgf` overwrites it.\n";
    assert!(said.contains(exists), "{said}");
    assert!(
        said.contains("o wins: x has resigned. You have lost.\n"),
        "{said}"
    );
    assert!(said.contains("Cannot write no/such/place.sgf: "), "{said}");
    assert!(said.contains("Write: save FILE"), "{said}");
    let sgf = read(&path);
    assert_eq!((sgf.game.played().len(), sgf.resigned), (2, Some(Side::X)));
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        1,
        "no drafts stay"
    );

    fs::write(dir.path().join("bad.sgf"), "(;FF[4]GM[1])").unwrap();
    let script = "load my game.sgf\nb3-b1\nundo\nmoves\nload bad.sgf\nload none.sgf\nload\n";
    let said = typed(dir.path(), &[], script.as_bytes());
    assert!(
        said.contains("Loaded my game.sgf: 2 moves played.\n"),
        "{said}"
    );
    assert_eq!(
        said.matches("The game is over after 2 moves.").count(),
        2,
        "{said}"
    );
    assert!(
        said.contains("You have not resigned after all.\n"),
        "{said}"
    );
    assert!(said.contains(" legal moves:\n"), "{said}");
    assert!(
        said.contains("Cannot read bad.sgf: line 1, column "),
        "{said}"
    );
    assert!(said.contains("Cannot read none.sgf: "), "{said}");
}

#[test]
fn a_hint_is_a_move() {
    let said = play(&["--level", "1", "--depth", "3"], "hint\nmoves\nhelp\n");
    let hint = said
        .lines()
        .find_map(|line| line.strip_prefix("Hint: "))
        .unwrap();
    let mv = hint.split(' ').next().unwrap();
    let listed = said.split("36 legal moves:\n").nth(1).unwrap();
    assert!(listed.contains(mv), "{said}");
    assert!(said.contains("take back your last move"), "{said}");
}

#[test]
fn mistypes_get_a_friendly_answer() {
    for (typed, answer) in [
        ("hlep", "I do not understand \"hlep\". Did you mean help?"),
        ("Qiut", "I do not understand \"Qiut\". Did you mean quit?"),
        (
            "bl-b3",
            "I do not understand \"bl-b3\". Did you mean b1-b3?",
        ),
        (
            "xyzzy",
            "I do not understand \"xyzzy\". Type help for what I understand.",
        ),
        (
            "b1-b4",
            "b1-b4 is not legal: the line holds 2 pieces, so b1 moves exactly 2 squares. \
             Did you mean b1-b3?",
        ),
        ("b1-b33", "cannot read \"b1-b33\" as a move: "),
        ("z9", "cannot read \"z9\" as a move: "),
        (
            "b1 - z9",
            "cannot play b1-z9: there is no square z9, squares are a1 to h8.",
        ),
        (
            "a2-c2",
            "cannot play a2-c2: the piece on a2 is o's, and it is x's turn.",
        ),
        ("pass", "x cannot pass: it has 36 legal moves."),
        ("level 9", "Write: level 1 to level 7"),
        ("side z", "Write: side x, side o, or side to change"),
        ("undo 2", "Write: undo"),
        ("", "You play x"),
    ] {
        let said = play(&[], &format!("{typed}\n"));
        assert!(said.contains(answer), "{typed}: {said}");
        assert!(said.ends_with("Goodbye.\n"), "{typed}");
    }
}

#[test]
fn sides_levels_and_boards_change() {
    let said = play(
        &["--level", "1"],
        "flip\nlevel 2\nside\nside x\nnew\nboard\nside o\n",
    );
    assert!(
        said.contains("You play against loatune at level 2 (negamax) now.\n"),
        "{said}"
    );
    assert!(said.contains("You play o now.\n"), "{said}");
    // Each time that it becomes x's turn without the player being x.
    assert!(said.contains("A new game.\n"), "{said}");
    assert!(said.contains("x to move, move 1 of the game.\n"), "{said}");
    assert_eq!(replies(&said).len(), 3, "{said}");
}

/// Every move is the hint's, until the game is over.
#[test]
fn a_whole_game_by_hints() {
    let dir = TempDir::new().unwrap();
    let mut child = command(dir.path(), &["--level", "5", "--depth", "3"])
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut over = String::new();
    'game: for _ in 0..=200 {
        writeln!(input, "hint").unwrap();
        let hint = loop {
            let line = lines.next().unwrap().unwrap();
            if line.starts_with("The game is over") {
                over = line;
                break 'game;
            }
            if let Some(hint) = line.strip_prefix("Hint: ") {
                break hint.split(' ').next().unwrap().to_owned();
            }
        };
        writeln!(input, "{hint}").unwrap();
    }
    assert!(over.starts_with("The game is over after "), "{over}");
    writeln!(input, "b1-b3\nc1\nmoves\nhint\nresign\nsave end.sgf\nquit").unwrap();
    drop(input);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(
        rest[0].starts_with("Type save FILE to keep it, new "),
        "{rest:?}"
    );
    assert_eq!(rest.last().unwrap(), "Goodbye.");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let game = read(&dir.path().join("end.sgf")).game;
    let outcome = game.outcome().expect("it is over");
    assert!(over.contains(&outcome.to_string()), "{over}: {outcome}");
}

#[test]
fn a_game_ends_at_the_ply_limit() {
    let dir = tempfile::tempdir().unwrap();
    let round = ";B[b1-b3];W[a2-c2];B[b3-b1];W[c2-a2]";
    let sgf = format!("(;FF[4]GM[9]{}{})", round.repeat(4), &round[..18]);
    fs::write(dir.path().join("long.sgf"), sgf).unwrap();
    let args = ["--level", "1", "--max-plies", "20", "--repetition", "0"];
    let said = typed(dir.path(), &args, b"load long.sgf\nc1-e3\nb1-b3\n");
    let end = "The game is over after 20 moves. draw: the ply limit is reached.\n";
    assert_eq!(said.matches(end).count(), 2, "{said}");
}

#[test]
fn anything_may_be_typed() {
    let dir = tempfile::tempdir().unwrap();
    assert!(typed(dir.path(), &[], b"").ends_with("Goodbye.\n"));
    let mut bytes: Vec<u8> = (0..=255).collect();
    bytes.extend_from_slice(b"\n\xff\xfe\n\0\n");
    bytes.extend(std::iter::repeat_n(b'z', 2 << 20));
    bytes.extend_from_slice(b"\nb1");
    let said = typed(dir.path(), &[], &bytes);
    assert!(said.contains("That line is too long for me."), "{said}");
    assert!(said.contains("3 moves from b1: "), "{said}");
}

#[test]
fn bad_flags_are_bad_usage() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        &["--level", "0"][..],
        &["--level", "8"],
        &["--side", "z"],
        &["--depth", "0"],
        &["--time", "0"],
        &["--weights", "/no/such/file"],
    ] {
        let output = command(dir.path(), args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn the_machine_takes_options() {
    let dir = tempfile::tempdir().unwrap();
    let player = ["--player", "selective:lmr=0", "--depth", "2"];
    let said = typed(dir.path(), &player, b"b1-b3\nlevel 1\n");
    assert!(
        said.contains("against loatune at level 6 (selective:lmr=0); x moves first"),
        "{said}"
    );
    assert_eq!(replies(&said).len(), 1, "{said}");
    assert!(
        said.contains("against loatune at level 1 (minimax) now"),
        "{said}"
    );
    for args in [
        ["play", "--player", "selective:lmr=2"],
        ["play", "--level=2", "--player=mtdf"],
    ] {
        let output = Place::new().run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
