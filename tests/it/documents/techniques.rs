//! What the techniques of the selective search are worth, from the matches that
//! `benches/selective.sh` has played.

use loatune::util::numbers::thousands;

use super::made_table::{check, results, signed};

/// What each is called, and the constant that switches it off.
const TECHNIQUES: [(&str, &str); 11] = [
    ("quiescence beyond the horizon", "quiescence=0"),
    ("relative history", "history=0"),
    ("reverse futility", "reverse_futility=0"),
    ("late-move pruning", "late_moves=0"),
    ("reductions of late moves", "lmr=0"),
    ("the extension of threats", "threats=0"),
    ("the aspiration window", "aspiration=0"),
    ("the null move", "null_move=0"),
    ("a table that keeps deeper entries", "keep_deeper=0"),
    ("internal deepening", "internal_deepening=0"),
    ("repetition as a draw", "repetition=0"),
];

/// Elo with its error and the number of games, bold where an SPRT accepts a gain; a
/// dash where the match has not been played.
fn cell(name: &str) -> String {
    let Some(played) = results(&format!("benches/selective/{name}.json")) else {
        return String::from("–");
    };
    let number = |key: &str| {
        played[key]
            .as_f64()
            .unwrap_or_else(|| panic!("{name}: {key}"))
    };
    let elo = format!("{} ± {:.0}", signed(number("elo")), number("elo_error"));
    let games = thousands(played["games"].as_u64().unwrap());
    match played["sprt"]["verdict"].as_str() {
        Some("accept-h1") => format!("**{elo}** ({games})"),
        _ => format!("{elo} ({games})"),
    }
}

#[test]
fn the_table_of_techniques_is_that_of_the_matches() {
    let mut table = String::from(
        "| switched off | 20,000 nodes | 0.01 s | 200,000 nodes |\n|---|---|---|---|\n",
    );
    for (name, change) in TECHNIQUES {
        let cells = ["nodes20000", "time0.01", "nodes200000"];
        let cells = cells.map(|limit| cell(&format!("{limit}-{change}")));
        table += &format!("| {name} (`{change}`) | {} |\n", cells.join(" | "));
    }
    check("docs/players.md", "techniques", &table);
}
