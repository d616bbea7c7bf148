//! The evaluation as docs/evaluation.md writes it down, and as the functions beside
//! it compute it in other languages.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use loatune::eval::features::{ShapeTables, features};
use loatune::eval::genes::TABLE;
use loatune::eval::power::{ONE, scaled_power};
use loatune::eval::{Evaluator, PHASES, Weights, age_of};
use loatune::notation::{parse_position, position_text};
use loatune::weights::WeightFile;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::support::binary::output_of;
use crate::support::random_walk;

fn in_docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(name)
}

/// The text between two marks.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).expect("the mark is there");
    rest.split_once(end).expect("the end is there").0
}

/// Every number of the worked example follows from its weights and its position.
#[test]
fn the_worked_example_adds_up() {
    let page = fs::read_to_string(in_docs("evaluation.md")).unwrap();
    let example = page.split_once("## A worked example").unwrap().1;
    let weights = between(example, "```toml\n", "```");
    let weights = WeightFile::parse(weights, "example.toml").unwrap().weights;
    let board = parse_position(between(example, "```text\n", "\n```")).unwrap();
    let plies: usize = between(example, "after ", " plies").parse().unwrap();

    let shapes = ShapeTables::new(&weights);
    let [own, other] =
        [board.turn(), !board.turn()].map(|side| features(&shapes, &board, board.movers(), side));
    let evaluator = Evaluator::new(&weights);
    let trace = evaluator.trace(&board, age_of(plies));
    let mut expected = String::new();
    let mut sum = 0;
    for (n, term) in trace.terms.iter().enumerate() {
        let (own, other) = (own[n], other[n]);
        let weight16 = (term.weight * f64::from(PHASES)) as i32;
        let product = weight16 * (own - other);
        sum += product;
        let name = term.gene.name;
        let difference = own - other;
        let _ = writeln!(
            expected,
            "| `{name}` | {own} | {other} | {difference} | {weight16} | {product} |"
        );
    }
    assert!(example.contains(&expected), "it should be:\n{expected}");
    assert!(example.contains(&format!("the phase is 24 − 19 − 4 + 4 = {}:", trace.phase)));
    let sentence = format!(
        "The products add up to {sum}, and {sum} / 8192 is {:.1}: the value is **{}**.",
        f64::from(sum) / 8192.0,
        trace.value
    );
    assert!(example.contains(&sentence), "it should be: {sentence}");
    assert_eq!(sum / 8192, trace.value);
    for (text, value) in [
        ("P(23, 9, 1.5) = ", scaled_power(23, 9, 6)),
        ("P(27, 9, 1.5) = ", scaled_power(27, 9, 6)),
        ("P(3, 1, 0.5) = ", scaled_power(3, 1, 2)),
    ] {
        let text = format!("{text}{value}");
        assert!(example.contains(&text), "it should be: {text}");
    }
    assert_eq!((ONE, PHASES), (64, 16));
}

/// Weights of all kinds: the defaults, and random ones of one and of two phases.
fn many_weights() -> Vec<Weights> {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let mut all = vec![Weights::source()];
    let ranges = TABLE.each_ref().map(|gene| [gene.min, gene.max]);
    for phases in [1, 2, 2] {
        all.push(Weights::draw(&mut rng, &ranges, phases));
    }
    all
}

/// Positions that are not decided, with the plies played before.
fn many_positions() -> Vec<(usize, String)> {
    let walks = (0..6).map(|seed| random_walk(seed, 120));
    let positions = walks.flat_map(|walk| {
        let numbered = walk.into_iter().enumerate().step_by(2);
        numbered.filter(|(_, board)| !board.is_decided())
    });
    let named = positions.map(|(plies, board)| (plies, position_text(&board)));
    named.collect()
}

/// Compares a program that reads weights and positions with the library; `file` is
/// the name that the weights get.
fn compare(file: &str, program: impl Fn(&Path) -> Command) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join(file);
    let positions = many_positions();
    assert!(positions.len() > 150);
    let input: String = positions
        .iter()
        .map(|(plies, position)| format!("{plies} {position}\n"))
        .collect();
    for weights in many_weights() {
        let written = WeightFile {
            weights,
            ..WeightFile::source()
        };
        let text = match file.ends_with(".json") {
            true => written.to_json().to_string(),
            false => written.to_toml(),
        };
        fs::write(&path, text).unwrap();
        let output = output_of(&mut program(&path), &input);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let evaluator = Evaluator::new(&weights);
        let values = String::from_utf8(output.stdout).unwrap();
        assert_eq!(values.lines().count(), positions.len());
        for (found, (plies, position)) in values.lines().zip(&positions) {
            let board = parse_position(position).unwrap();
            let value = evaluator.value(&board, board.movers(), age_of(*plies));
            assert_eq!(found, value.to_string(), "{position} {weights:?}");
        }
    }
}

#[test]
#[ignore = "needs python3"]
fn the_python_function_gives_the_same_values() {
    compare("weights.json", |weights| {
        let mut command = Command::new("python3");
        command
            .arg("-B")
            .arg(in_docs("ports/evaluate.py"))
            .arg(weights);
        command
    });
}

#[test]
#[ignore = "needs a C compiler"]
fn the_c_function_gives_the_same_values() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("evaluate");
    let built = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(in_docs("ports/evaluate.c"))
        .output()
        .expect("there is a C compiler");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    compare("weights.toml", |weights| {
        let mut command = Command::new(&program);
        command.arg(weights);
        command
    });
}
