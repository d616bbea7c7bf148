//! Positions on the command line and on standard input.

use super::case::{Case, bad, check_all};

#[test]
fn as_arguments() {
    let rows = [
        ("", "the position is empty", "write the 8 ranks"),
        ("x", "the board has 1 rank", "8 are needed"),
        ("8/8/8/8/8/8/8 x", "the board has 7 ranks", "8 are needed"),
        (
            "8/8/8/8/8/8/8/8/8 x",
            "the board has 9 ranks",
            "8 are needed",
        ),
        (
            "x6/8/8/8/8/8/8/o7 x",
            "rank 8 has 7 squares",
            "instead of 8",
        ),
        ("x7/8/8/8/8/8//o7 x", "rank 2 has 0 squares", "instead of 8"),
        (
            "x7/8/8/8/8/8/8/o78x x",
            "rank 1 has 17 squares",
            "instead of 8",
        ),
        (
            "x7/8/8/3q4/8/8/8/o7 x",
            "rank 5 has the unknown character 'q' (character 9 of the text)",
            "use `x`, `o` and digits",
        ),
        (
            "x7/8/8/3é4/8/8/8/o7 x",
            "rank 5 has the unknown character 'é'",
            "use `x`, `o` and digits",
        ),
        ("x7/0/8/8/8/8/8/o7 x", "rank 7 has the digit 0", "1 to 8"),
        ("9/8/8/8/8/8/8/o7 x", "rank 8 has the digit 9", "1 to 8"),
        (
            "x7/l7/8/8/8/8/8/8 x",
            "rank 7 has 'l'",
            "either `x` and `o` or `L` and `l`",
        ),
        (
            "8/8/8/8/8/8/8/8 x",
            "x has no piece",
            "both sides need at least one",
        ),
        (
            "x7/8/8/8/8/8/8/8 x",
            "o has no piece",
            "both sides need at least one",
        ),
        (
            "xxxxxxxx/xxxxx3/8/8/8/8/8/o7 x",
            "x has 13 pieces",
            "at most 12",
        ),
        (
            "x7/8/8/8/8/8/8/o7",
            "the side to move is missing",
            "write `x` or `o` after the board",
        ),
        (
            "x7/8/8/8/8/8/8/o7 w",
            "the side to move is \"w\"",
            "must be `x` or `o`",
        ),
        (
            "L7/8/8/8/8/8/8/l7 x",
            "the side to move is \"x\"",
            "must be `w`",
        ),
        (
            "x7/8/8/8/8/8/8/o7 x x",
            "\"x\" stands after the end of the position",
            "bad position",
        ),
        (
            "L7/8/8/8/8/8/8/l7 w - - x",
            "\"x\" stands after the end",
            "bad position",
        ),
        (
            "startpos moves b1-b3",
            "\"moves\" stands after the end",
            "bad position",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank 8 has the unknown character 'r'",
            "use `x`, `o` and digits",
        ),
    ];
    let mut cases: Vec<Case> = Vec::new();
    for (n, (text, place, what)) in rows.into_iter().enumerate() {
        let command = ["moves", "show", "analyse", "perft 1 --position"][n % 4];
        cases.push(bad(command, place, what).arg(text));
    }
    check_all(&cases, 22);
}

#[test]
fn on_standard_input() {
    let long = "8/".repeat(500_000);
    let cases = [
        bad("moves -", "the position is empty", "write the 8 ranks"),
        bad("show -", "bad position", "the board has 1 rank").input("\0\n"),
        bad("analyse -", "rank 8 has the unknown character", "use `x`")
            .input(b"\xff\xfe7/8/8/8/8/8/8/8 x"),
        bad("moves -", "the board has 500001 ranks", "8 are needed").input(long),
        bad(
            "perft 2 --position -",
            "the side to move is \"z\"",
            "must be `x` or `o`",
        )
        .input("x7/8/8/8/8/8/8/o7 z\n"),
        bad("moves - -", "bad position", "rank"),
    ];
    check_all(&cases, 6);
}
