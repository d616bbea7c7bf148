//! What is typed into the two dialogues, `ugi` and `play`: every bad line is
//! answered with what is wrong with it, and the dialogue goes on.

use rayon::prelude::*;

/// What a dialogue prints for these lines; it must end well and say nothing
/// on standard error.
fn printed(args: &[&str], lines: &str) -> Result<String, String> {
    let place = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_loatune"));
    let command = command.current_dir(place.path()).env_clear().args(args);
    let output = command.write_stdin(lines).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(0) || !told.is_empty() {
        return Err(format!("{:?}: {told}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn check(rows: &[(&str, &str)], talk: impl Fn(&str, &str) -> Result<(), String> + Sync) {
    let faults: Vec<String> = rows
        .par_iter()
        .filter_map(|(line, what)| talk(line, what).err().map(|why| format!("{line}: {why}")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn ugi() {
    let rows = [
        ("xyzzy", "unknown command \"xyzzy\"; the commands are ugi"),
        ("UGI", "unknown command \"UGI\""),
        (
            "stop now",
            "stop takes nothing after it, but \"now\" stands there",
        ),
        (
            "setoption",
            "setoption: write `setoption name NAME value VALUE`",
        ),
        ("setoption name Speed value 3", "Speed"),
        ("setoption name Hash value x", "Hash"),
        ("setoption name Hash value 0", "Hash"),
        ("setoption name Player value chess", "chess"),
        (
            "setoption name Weights value no.toml",
            "no weights \"no.toml\"",
        ),
        (
            "setoption name MaxPlies value 19",
            "must be an integer from 20 to 2000",
        ),
        (
            "setoption name Repetition value 1",
            "must be an integer, 0 (off) or at least 2",
        ),
        (
            "setoption name NoMoves value dances",
            "must be \"loses\" or \"passes\"",
        ),
        ("position", "position: write `startpos` or `fen TEXT`"),
        ("position fen", "position: write `startpos` or `fen TEXT`"),
        (
            "position startpos b1-b3",
            "position: expected `moves` after startpos, found \"b1-b3\"",
        ),
        ("position fen 8/8 x", "the board has 2 ranks"),
        (
            "position fen x7/8/8/8/8/8/8/o7 z",
            "the side to move is \"z\"",
        ),
        ("position startpos moves b1-b4", "move 1 (\"b1-b4\")"),
        (
            "position startpos moves b1-b3 nonsense",
            "move 2 (\"nonsense\")",
        ),
        ("position startpos moves a2-c2", "move 1 (\"a2-c2\")"),
        ("position startpos moves pass", "x cannot pass"),
        ("position startpos moves i9-a1", "there is no square i9"),
        ("go ponder", "go: unknown word \"ponder\""),
        ("go depth", "go: depth needs a number"),
        ("go depth x", "go: depth needs a whole number, not \"x\""),
        (
            "go nodes 1.5",
            "go: nodes needs a whole number, not \"1.5\"",
        ),
        ("go p2time 1000", "p1time"),
        ("query", "query: unknown question \"\""),
        (
            "query winner",
            "query: unknown question \"winner\"; the questions are gameover",
        ),
    ];
    check(&rows, |line, what| {
        let printed = printed(&["ugi"], &format!("{line}\nisready\nquit\n"))?;
        let lines: Vec<&str> = printed.lines().collect();
        match &*lines {
            [error, "readyok"]
                if error.starts_with("info string error: ") && error.contains(what) =>
            {
                Ok(())
            }
            _ => Err(format!("{printed:?}")),
        }
    });
}

#[test]
fn play() {
    let rows = [
        ("xyzzy", "I do not understand \"xyzzy\""),
        ("b1-b4", "b1 moves exactly 2 squares"),
        ("b1-b9", "there is no square b9"),
        ("a2-c2", "is o's, and it is x's turn"),
        ("d4", "d4"),
        ("pass", "x cannot pass"),
        ("level 9", "Write: level"),
        ("side z", "Write: side"),
        ("save", "Write: save"),
        ("load", "Write: load"),
        ("load no.sgf", "no.sgf"),
        ("save no/such/game.sgf", "no/such/game.sgf"),
        ("hepl", "help"),
    ];
    check(&rows, |line, what| {
        let printed = printed(&["play", "--level=1"], &format!("{line}\nquit\n"))?;
        // What comes before it is the greeting and the board.
        let (_, answer) = printed.rsplit_once("a b c d e f g h\n").unwrap();
        match answer.contains(what) && answer.ends_with("Goodbye.\n") {
            true => Ok(()),
            false => Err(format!("{answer:?}")),
        }
    });
}
