//! Every key of the table of parameters, by file, flag and variable: a value
//! of the wrong type and one beyond each end of its range.

use loatune::eval::genes::TABLE;
use loatune::params::{Key, Kind, Restriction, keys};

use super::case::{Case, bad, check_all};

/// Values that a key must refuse, as a file has them.
fn refused(key: &Key) -> Vec<String> {
    match key.kind {
        Kind::Choice { names, .. } | Kind::Search { names, .. } => {
            vec![format!("\"{}x\"", names[0]), String::from("7")]
        }
        Kind::Integer {
            min,
            max,
            restriction,
            ..
        } => {
            let mut values = vec![String::from("-1"), String::from("1.5")];
            if max < i64::MAX as u64 && max != u64::from(u32::MAX) {
                values.push((max + 1).to_string());
            }
            let lower = min.saturating_sub(1);
            if lower < min && !(lower == 0 && restriction == Restriction::OrZero) {
                values.push(lower.to_string());
            }
            values
        }
        Kind::Real { min, max, .. } => vec![
            (min - 0.5).to_string(),
            (max + 0.5).to_string(),
            String::from("nan"),
        ],
        Kind::Switch { .. } => vec![String::from("2")],
        Kind::Text { .. } if key.name == "engine" => vec![String::from("\"two\\nlines\"")],
        Kind::Text { .. } => vec![String::from("\"nonsense\""), String::from("\"\"")],
        Kind::Texts { .. } if key.name == "panel" => {
            vec![String::from("[\"default\"]"), String::from("[\"@mtdf:4\"]")]
        }
        Kind::Texts { .. } => vec![String::from("[\"a:80\"]"), String::from("[\"a b\"]")],
        Kind::Names { names, .. } => vec![format!("[\"{}x\"]", names[0])],
        Kind::Bounds { gene } => {
            let row = &TABLE[gene];
            let (below, above) = (row.text(row.min - 1), row.text(row.max + 1));
            let (least, most) = (row.text(row.min), row.text(row.max));
            vec![format!("[{below}, {most}]"), format!("[{least}, {above}]")]
        }
    }
}

/// The same value as a flag or a variable has it.
fn plain(key: &Key, value: &str) -> String {
    let bare = value.trim_matches(['[', ']', '"']);
    match key.kind {
        Kind::Bounds { .. } => bare.replace(", ", ".."),
        _ => bare.trim_matches('"').replace("\\n", "\n"),
    }
}

/// What a flag must be.
fn allowed_plain(key: &Key) -> String {
    match key.kind {
        Kind::Names { .. } => String::from("must be some of"),
        Kind::Bounds { .. } => String::from("must be LEAST..MOST within"),
        _ => format!("must be {}", key.allowed()),
    }
}

#[test]
fn in_a_file() {
    let mut cases: Vec<Case> = Vec::new();
    for key in keys() {
        for value in refused(key) {
            let text = format!("\n[{}]\n{} = {value}\n", key.group, key.name);
            let place = format!("params.toml:3: {} = {value}: ", key.path());
            let what = format!("must be {}", key.allowed());
            cases.push(bad("params check", &place, &what).file("params.toml", text));
        }
    }
    check_all(&cases, 100);
}

#[test]
fn by_flag() {
    let mut cases: Vec<Case> = Vec::new();
    for key in keys() {
        for value in refused(key) {
            let value = plain(key, &value);
            let flag = format!("--{}", key.flag_name());
            let place = format!("invalid value '{value}' for {flag}: ");
            let case = bad("params show", &place, &allowed_plain(key));
            cases.push(case.arg(&format!("{flag}={value}")));
        }
    }
    check_all(&cases, 100);
}

#[test]
fn by_variable() {
    let mut cases: Vec<Case> = Vec::new();
    for key in keys() {
        let value = plain(key, &refused(key)[0]);
        let place = format!("invalid value '{value}' for {}: ", key.variable());
        let case = bad("params show", &place, &allowed_plain(key));
        cases.push(case.variable(&key.variable(), &value));
    }
    check_all(&cases, 40);
}
