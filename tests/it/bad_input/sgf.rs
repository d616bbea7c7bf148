//! Games as SGF, read as a file of openings.

use super::case::{Case, bad, check_all};

#[test]
fn texts() {
    let rows = [
        ("(", "games.sgf: line 1, column 1", "never closed by `)`"),
        (
            "()",
            "games.sgf: line 1, column 2",
            "expected `;` after `(`, found ')'",
        ),
        (
            "(GM[9])",
            "games.sgf: line 1, column 2",
            "expected `;` after `(`, found 'G'",
        ),
        (
            "(;GM[9]",
            "games.sgf: line 1, column 1",
            "never closed by `)`",
        ),
        (
            "(;GM[9])\n x",
            "games.sgf: line 2, column 2",
            "expected `(` at the start of a game, found 'x'",
        ),
        (
            "(;GM[9]\nC[un\\]closed",
            "games.sgf: line 2, column 2",
            "the value of C that begins here is never closed by `]`",
        ),
        (
            "(;GM;B[b1-b3])",
            "games.sgf: line 1, column 3",
            "GM has no value in brackets",
        ),
        (
            "(;gm[9])",
            "games.sgf: line 1, column 3",
            "a property needs capital letters",
        ),
        (
            "(;GM[9]](;))",
            "games.sgf: line 1, column 8",
            "expected a property",
        ),
        (
            "(;GM[9](;B[b1-b3]);W[a2-c2])",
            "games.sgf: line 1, column 19",
            "after a variation",
        ),
        (
            "(;GM[1])",
            "games.sgf: line 1, column 5",
            "GM[1] is another game; Lines of Action is GM[9]",
        ),
        (
            "(;GM[9][9])",
            "games.sgf: line 1, column 3",
            "GM has 2 values, but takes one",
        ),
        (
            "(;FF[5])",
            "games.sgf: line 1, column 5",
            "FF[5] is not a known version",
        ),
        (
            "(;SZ[19])",
            "games.sgf: line 1, column 5",
            "SZ[19] is not supported",
        ),
        (
            "(;SU[Mine])",
            "games.sgf: line 1, column 5",
            "SU[Mine] is not a known starting position",
        ),
        (
            "(;AB[z9])",
            "games.sgf: line 1, column 5",
            "AB[z9] is not a square",
        ),
        (
            "(;AB[a1][a1])",
            "games.sgf: line 1, column 9",
            "a1 is set up twice",
        ),
        ("(;AB[a1])", "games.sgf: line 1, column 3", "o has no piece"),
        (
            "(;PL[X])",
            "games.sgf: line 1, column 5",
            "PL[X] is not a colour",
        ),
        (
            "(;GM[9];B[b1-b3];AW[a1])",
            "games.sgf: line 1, column 18",
            "AW changes the board after the first move",
        ),
        (
            "(;GM[9];B[b1-b3];PL[B])",
            "games.sgf: line 1, column 20",
            "PL gives x the turn, but it is o's",
        ),
        (
            "(;GM[9];W[a2-c2])",
            "games.sgf: line 1, column 10",
            "move 1 (W[a2-c2]) is o's, but it is x's turn",
        ),
        (
            "(;GM[9];B[b1-b4])",
            "games.sgf: line 1, column 10",
            "move 1 (B[b1-b4]): b1-b4 is not legal",
        ),
        (
            "(;GM[9];B[b1-b3]\n;W[nonsense])",
            "games.sgf: line 2, column 3",
            "move 2 (W[nonsense]): cannot read",
        ),
        (
            "(;GM[9];B[])",
            "games.sgf: line 1, column 10",
            "x cannot pass",
        ),
        (
            "(;GM[9];B[resign];W[a2-c2])",
            "games.sgf: line 1, column 20",
            "comes after x resigned",
        ),
        (
            "(;GM[9]AB[a1][a2]AW[h8][f8]PL[B])",
            "games.sgf: game 1 is finished (x wins",
            "no opening",
        ),
    ];
    let command = "match default default --openings games.sgf";
    let case = |(text, place, what): &(&str, &str, &str)| {
        bad(command, place, what).file("games.sgf", text)
    };
    let mut cases: Vec<Case> = rows.iter().map(case).collect();
    let deep = "(;A[]".repeat(100_000);
    let place = "games.sgf: line 1, column 1";
    cases.push(bad(command, place, "never closed by `)`").file("games.sgf", deep));
    check_all(&cases, 28);
}
