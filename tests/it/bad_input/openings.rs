//! Files of openings: positions and lists of moves, a line each.

use super::case::{Case, bad, check_all};

const MATCH: &str = "match default default --openings book.txt";

#[test]
fn lines() {
    let rows = [
        (
            "",
            "book.txt: no opening here",
            "write a position or a list of moves a line",
        ),
        ("# nothing\n\n   \n", "book.txt: no opening here", "or SGF"),
        (
            "b1-b3\nb1-b9\n",
            "book.txt:2: move 1 (\"b1-b9\")",
            "there is no square b9",
        ),
        (
            "xyzzy",
            "book.txt:1: move 1 (\"xyzzy\")",
            "expected two squares",
        ),
        (
            "b1-b4",
            "book.txt:1: move 1 (\"b1-b4\")",
            "b1 moves exactly 2 squares",
        ),
        (
            "a2-c2",
            "book.txt:1: move 1 (\"a2-c2\")",
            "is o's, and it is x's turn",
        ),
        ("d4-d5", "book.txt:1: move 1 (\"d4-d5\")", "no piece on d4"),
        (
            "b1-c3",
            "book.txt:1: move 1 (\"b1-c3\")",
            "not on one row, column or diagonal",
        ),
        (
            "b1-b1",
            "book.txt:1: move 1 (\"b1-b1\")",
            "leaves the piece where it is",
        ),
        (
            "b1xb3",
            "book.txt:1: move 1 (\"b1xb3\")",
            "written as a capture, but b3 is empty",
        ),
        (
            "pass",
            "book.txt:1: move 1 (\"pass\")",
            "x cannot pass: it has 36 legal moves",
        ),
        (
            "b1-b3 a2-c2 b1-b3",
            "book.txt:1: move 3 (\"b1-b3\")",
            "no piece on b1",
        ),
        (
            "# one\nstartpos\n\n8/8 x\n",
            "book.txt:4: bad position",
            "the board has 2 ranks",
        ),
        (
            "startpos b1-b3",
            "book.txt:1: bad position",
            "\"b1-b3\" stands after the end",
        ),
        (
            "startpos moves b1-b3 x",
            "book.txt:1: move 2 (\"x\")",
            "expected two squares",
        ),
        (
            "8/8/8/8/6x1/6x1/o1o5/1o6 o",
            "book.txt:1: the game is finished there (x wins",
            "no opening",
        ),
        (
            "1 b1-b3",
            "book.txt:1: move 1 (\"1\")",
            "expected two squares",
        ),
    ];
    let case =
        |(text, place, what): &(&str, &str, &str)| bad(MATCH, place, what).file("book.txt", text);
    let cases: Vec<Case> = rows.iter().map(case).collect();
    check_all(&cases, 17);
}

#[test]
fn files() {
    let cases = [
        bad(MATCH, "cannot read openings from book.txt", "No such file"),
        bad(MATCH, "cannot read openings from book.txt", "directory").directory("book.txt"),
        bad(MATCH, "cannot read openings from book.txt", "UTF-8").file("book.txt", b"b1-b3 \xff"),
        bad(
            "gauntlet default --against default --openings no.txt",
            "cannot read openings from no.txt",
            "No such file",
        ),
        bad(
            "tournament default random:1 --openings no.txt",
            "cannot read openings from no.txt",
            "No such file",
        ),
        bad(
            "match default default --openings a.txt --games 4",
            "4 games need 2 openings, but a.txt has 1",
            "enough for 2 games",
        )
        .file("a.txt", "b1-b3"),
        bad(
            "match default default --openings a.txt --opening-plies 3",
            "'--openings <FILE>'",
            "cannot be used with",
        )
        .file("a.txt", "b1-b3"),
        bad(
            "match default default --openings a.txt --opening-bound 3",
            "'--openings <FILE>'",
            "cannot be used with",
        )
        .file("a.txt", "b1-b3"),
    ];
    check_all(&cases, 8);
}
