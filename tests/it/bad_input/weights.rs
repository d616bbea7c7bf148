//! Weight files, TOML and JSON: the built-in weights with one change each.

use loatune::weights::WeightFile;

use super::case::{Case, bad, check_all};

/// What is replaced in a good file and by what; the place, where `LINE` is the
/// line of the change, and the reason.
pub type Edit = (&'static str, &'static str, &'static str, &'static str);

/// The cases of a good file, called `name`, with one change each.
pub fn edits(command: &str, name: &str, good: &str, rows: &[Edit]) -> Vec<Case> {
    let case = |(old, new, place, what): &Edit| {
        let start = good
            .find(old)
            .unwrap_or_else(|| panic!("no {old:?} in {name}"));
        let line = 1 + good[..start].matches('\n').count();
        let text = good.replacen(old, new, 1);
        let place = place.replace("LINE", &format!("{name}:{line}"));
        bad(&format!("{command} {name}"), &place, what).file(name, text)
    };
    rows.iter().map(case).collect()
}

#[test]
fn toml() {
    let good = WeightFile::source().to_toml();
    let rows = [
        (
            "format = 1",
            "format = 3",
            "LINE: loatune.format = 3",
            "must be 1 or 2, the formats that this version reads",
        ),
        (
            "format = 1",
            "format = \"1\"",
            "LINE: loatune.format = \"1\"",
            "must be 1",
        ),
        (
            "format = 1\n",
            "",
            "a.toml: missing key loatune.format",
            "must be 1",
        ),
        (
            "name = \"source\"",
            "name = \"\"",
            "LINE: loatune.name = \"\"",
            "must be a text of 1 to 200 characters on one line",
        ),
        (
            "name = \"source\"",
            "name = \"  \"",
            "LINE: loatune.name = \"  \"",
            "on one line",
        ),
        (
            "name = \"source\"",
            "name = \"a\\nb\"",
            "LINE: loatune.name = \"a\\nb\"",
            "on one line",
        ),
        (
            "name = \"source\"",
            "name = 5",
            "LINE: loatune.name = 5",
            "must be a text",
        ),
        (
            "[loatune]",
            "[loatun]",
            "LINE: unknown",
            "did you mean [loatune]?",
        ),
        (
            "\n[weights]\n",
            "\n[weigths]\n",
            "a.toml:11: unknown group [weigths]",
            "did you mean [weights]?",
        ),
        (
            "\neuler = ",
            "\neular = ",
            ": unknown key weights.eular",
            "did you mean weights.euler?",
        ),
        (
            "\neuler = ",
            "\n#",
            "a.toml: missing key weights.euler",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = -51 #",
            ": weights.euler = -51",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = 1e9 #",
            ": weights.euler = 1e9",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = 0.5 #",
            ": weights.euler = 0.5",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = nan #",
            ": weights.euler = nan",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = inf #",
            ": weights.euler = inf",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = true #",
            ": weights.euler = true",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = \"60\" #",
            ": weights.euler = \"60\"",
            "must be from",
        ),
        (
            "\neuler = ",
            "\neuler = [60] #",
            ": weights.euler = [60]",
            "must be from",
        ),
        (
            "\nspread_power = ",
            "\nspread_power = 0.123 #",
            ": weights.spread_power = 0.123",
            "must be from",
        ),
        (
            "\nquad3 = ",
            "\nquad3 = 1\nquad3 = ",
            "a.toml:",
            "duplicate key",
        ),
        (
            "\nquad3 = ",
            "\n[endgame]\nquad3 = ",
            "a.toml: missing key endgame.euler",
            "must be from",
        ),
        ("\nquad3 = ", "\nquad3 ", "a.toml:", "="),
        (
            "\n[weights]\n",
            "\n[weights]\n[weights]\n",
            "a.toml:12:",
            "duplicate key: weights",
        ),
        (
            "[loatune]",
            "loatune = 1\n[x]",
            "a.toml:6: loatune = 1",
            "[loatune]",
        ),
    ];
    check_all(&edits("weights", "a.toml", &good, &rows), 25);
}

#[test]
fn json() {
    let good = serde_json::to_string_pretty(&WeightFile::source().to_json()).unwrap();
    let rows = [
        (
            "\"format\": 1",
            "\"format\": 1.5",
            "LINE: loatune.format = 1.5",
            "must be 1",
        ),
        (
            "\"format\": 1",
            "\"format\": null",
            "LINE: loatune.format = null",
            "must be 1",
        ),
        (
            "\"name\": \"source\"",
            "\"name\": {}",
            "LINE: loatune.name = {}",
            "must be a text",
        ),
        (
            "\"name\": \"source\"",
            "\"nam\": \"x\"",
            "LINE: unknown key loatune.nam",
            "did you mean loatune.name?",
        ),
        ("\"loatune\"", "\"loa\"", "LINE: unknown", "loa"),
        (
            "\"euler\": ",
            "\"euler\": 5000, \"x\": ",
            "LINE: weights.euler = 5000",
            "must be from",
        ),
        (
            "\"euler\": ",
            "\"euler\": 1e400, \"x\": ",
            "LINE: weights.euler = 1e400",
            "must be from",
        ),
        (
            "\"euler\": ",
            "\"euler\": 1, \"euler\": ",
            "LINE",
            "duplicate key: euler",
        ),
        ("\"euler\": ", "\"euler\" ", "a.json:", "expected `:`"),
        ("\"euler\": ", "euler: ", "a.json:", "key must be a string"),
        ("{", "[", "a.json:", "expected"),
        ("\"weights\": {", "\"weights\": [{", "a.json:", "expected"),
        (
            "\"weights\": {",
            "\"weights\": {\n\"endgame\": {},",
            "unknown key weights.endgame",
            "a.json:",
        ),
    ];
    let mut cases = edits("weights", "a.json", &good, &rows);
    for (text, place, what) in [
        ("", "a.json:1:", "EOF"),
        ("null", "a.json:1:", "null"),
        ("[]", "a.json:1:", "expected an object"),
        (
            "{}",
            "a.json: missing group [loatune]",
            "a.json: missing group [weights]",
        ),
        (
            "{\"weights\": 3, \"loatune\": {}}",
            "a.json:1: weights = 3",
            "[weights]",
        ),
        ("{} {}", "a.json:1:", "trailing characters"),
    ] {
        cases.push(bad("weights a.json", place, what).file("a.json", text));
    }
    let deep = "{\"a\":".repeat(100_000);
    cases.push(bad("weights a.json", "a.json:1:", "EOF while parsing").file("a.json", deep));
    check_all(&cases, 20);
}

#[test]
fn files() {
    let cases = [
        bad(
            "weights missing.toml",
            "no weights \"missing.toml\"",
            "neither a file nor `default`",
        ),
        bad(
            "weights ''",
            "no weights \"\"",
            "neither a file nor `default`",
        ),
        bad("weights a", "cannot read weights from a", "directory").directory("a"),
        bad("weights a.toml", "a.toml", "valid UTF-8").file("a.toml", b"\xff"),
        bad(
            "weights a.toml",
            "a.toml: missing group [loatune]",
            "missing group [weights]",
        )
        .file("a.toml", ""),
        bad(
            "analyse startpos --weights no.toml",
            "no weights \"no.toml\"",
            "neither a file",
        ),
        bad(
            "analyse startpos --weights a.toml",
            "a.toml: missing group [weights]",
            "problems in the weights",
        )
        .file("a.toml", ""),
        bad(
            "play --weights no.toml",
            "no weights \"no.toml\"",
            "neither a file",
        ),
        bad(
            "ugi --weights no.toml",
            "no weights \"no.toml\"",
            "neither a file",
        ),
        bad(
            "run --seed-from no.toml",
            "no weights \"no.toml\"",
            "neither a file",
        ),
        bad(
            "run --seed-from a.toml",
            "a.toml: missing group [weights]",
            "problems in the weights",
        )
        .file("a.toml", ""),
        bad(
            "import a.toml",
            "a.toml: missing group [weights]",
            "problems in the weights",
        )
        .file("a.toml", ""),
        bad(
            "match a.toml default",
            "a.toml: missing group [weights]",
            "problems in the weights",
        )
        .file("a.toml", ""),
    ];
    check_all(&cases, 13);
}
