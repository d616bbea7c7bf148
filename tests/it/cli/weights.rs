//! Weight files: what is written is read again, and what is wrong is told.

use loatune::document::FileError;
use loatune::eval::Weights;
use loatune::eval::genes::{Role, TABLE};
use loatune::genome::GeneTable;
use loatune::store::{Begin, Population};
use loatune::weights::WeightFile;
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::support::binary::Place;

const SOURCE: &str = r#"# A loatune weight file: what makes a position good. Change the values as you
# like; `loatune weights FILE` checks them. [endgame] is optional: with it, the
# values of [weights] hold in the opening and turn into those of [endgame] as
# pieces leave the board and plies are played.

[loatune]
format = 1
name = "source"
origin = "written by hand for the features of the source document"

[weights]

# points off for each group (Euler number: groups minus holes)
# 0 to 200 in whole numbers
euler = 60

# groups added where holes hide that a side is not connected
# 0.0 to 4.0 in steps of 0.25
hole_penalty = 1.0

# points for each 2x2 window with three own pieces
# -50 to 100 in whole numbers
quad3 = 10

# points for each 2x2 window with four own pieces
# -50 to 100 in whole numbers
quad4 = 10

# points off for the distance of the pieces from their centre of mass
# 0 to 100 in whole numbers
spread = 20

# power of each piece's distance: above 1 stragglers count more
# 0.5 to 3.0 in steps of 0.25
spread_power = 1.0

# points for each own legal move that captures
# -50 to 100 in whole numbers
capturable = 5

# points for the moves of each piece
# -50 to 100 in whole numbers
mobility = 5

# power of each piece's number of moves: below 1 the first ones count most
# 0.25 to 2.0 in steps of 0.25
mobility_power = 1.0

# points off for each own piece without a move
# -50 to 100 in whole numbers
blocked = 10

# further points for the moves of pieces within two squares of the centre of mass
# -50 to 100 in whole numbers
mobility_centre = 0
"#;

const SOURCE_JSON: &str = r#"{"loatune":{"format":1,"name":"source","origin":"written by hand for the features of the source document"},"weights":{"euler":60,"hole_penalty":1.0,"quad3":10,"quad4":10,"spread":20,"spread_power":1.0,"capturable":5,"mobility":5,"mobility_power":1.0,"blocked":10,"mobility_centre":0}}"#;

fn random_weights(rng: &mut ChaCha8Rng, has_phases: bool) -> Weights {
    let mut weights = Weights::uniform(TABLE.each_ref().map(|gene| {
        // The ends of the range often.
        match rng.random_range(0..4) {
            0 => gene.min,
            1 => gene.max,
            _ => rng.random_range(gene.min..=gene.max),
        }
    }));
    for (n, gene) in TABLE.iter().enumerate() {
        if has_phases && gene.role == Role::Weight {
            weights.endgame[n] = rng.random_range(gene.min..=gene.max);
        }
    }
    weights
}

/// What is wrong with a text, a line each.
fn complaints(text: &str, file: &str) -> Vec<String> {
    match WeightFile::parse(text, file) {
        Err(FileError::Problems { problems, .. }) => problems
            .iter()
            .map(|problem| match problem.line {
                Some(line) => format!("{line}: {}", problem.what),
                None => format!("-: {}", problem.what),
            })
            .collect(),
        other => panic!("problems expected, not {other:?}"),
    }
}

/// The source file with one line, which begins with `key`, replaced.
fn with_line(key: &str, line: &str) -> String {
    let place = |old: &&str| old.starts_with(&format!("{key} ="));
    let lines = SOURCE.lines();
    assert_eq!(lines.clone().filter(place).count(), 1, "{key}");
    let lines = lines.map(|old| if place(&old) { line } else { old });
    lines.collect::<Vec<_>>().join("\n")
}

// ---- reading and writing

#[test]
fn the_source_file_is_known() {
    assert_eq!(WeightFile::source().to_toml(), SOURCE);
    assert_eq!(WeightFile::source().to_json().to_string(), SOURCE_JSON);
    for text in [SOURCE, SOURCE_JSON] {
        assert_eq!(WeightFile::parse(text, "w").unwrap(), WeightFile::source());
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for n in 0..400 {
        let file = WeightFile {
            name: format!("n°{n} \"quoted\" \\ 'x' #"),
            origin: String::from("crossed from [a] and {b} = 3"),
            weights: random_weights(&mut rng, n % 2 == 1),
            certificate: None,
        };
        let toml = file.to_toml();
        assert_eq!(WeightFile::parse(&toml, "w.toml").unwrap(), file, "{toml}");
        assert_eq!(toml.contains("\n[endgame]\n"), file.weights.has_phases());
        let json = file.to_json().to_string();
        assert_eq!(WeightFile::parse(&json, "w.json").unwrap(), file, "{json}");
        assert_eq!(WeightFile::parse(&json, "w").unwrap(), file);
    }
}

#[test]
fn a_file_with_an_endgame_has_two_phases() {
    let endgame = "\
[endgame]
euler = 80
quad3 = 0
quad4 = -50
spread = 100
capturable = 5
mobility = 5
blocked = 10
mobility_centre = 0
";
    let text = format!("{SOURCE}\n{endgame}");
    let file = WeightFile::parse(&text, "w.toml").unwrap();
    assert!(file.weights.has_phases());
    assert_eq!(file.weights.opening, Weights::source().opening);
    let (first, later) = file.weights.endgame.split_at(11);
    assert_eq!(first, [80, 4, 0, -50, 100, 4, 5, 5, 4, 10, 0]);
    assert!(later.iter().all(|&value| value == 0));
    assert_eq!(file.weights.validate(), Ok(()));
    assert!(file.to_toml().ends_with(endgame));
}

#[test]
fn numbers_may_be_written_in_several_ways() {
    for (line, value) in [
        ("spread_power = 1", 4),
        ("spread_power = 1.25", 5),
        ("spread_power = 12.5e-1", 5),
        ("spread_power = 0.5", 2),
        ("spread_power = 3", 12),
    ] {
        let file = WeightFile::parse(&with_line("spread_power", line), "w").unwrap();
        assert_eq!(file.weights.opening[5], value, "{line}");
        assert_eq!(file.weights.endgame[5], value, "{line}");
    }
    for (line, value) in [
        ("euler = 0x3c", 60),
        ("euler = 6_1", 61),
        ("euler = 62.0", 62),
    ] {
        let file = WeightFile::parse(&with_line("euler", line), "w").unwrap();
        assert_eq!(file.weights.opening[0], value, "{line}");
    }
}

// ---- what is refused

#[test]
fn every_value_that_is_not_allowed_is_refused_with_its_range() {
    let quarter = "from 0.5 to 3.0 in steps of 0.25";
    let whole = "from -50 to 400 in whole numbers";
    for (key, value, allowed) in [
        ("euler", "-51", whole),
        ("euler", "401", whole),
        ("euler", "60.5", whole),
        ("euler", "nan", whole),
        ("euler", "-nan", whole),
        ("euler", "inf", whole),
        ("euler", "-inf", whole),
        ("euler", "1e300", whole),
        ("euler", "99999999999999999999999", whole),
        ("euler", "9223372036854775807", whole),
        ("euler", "\"60\"", whole),
        ("euler", "true", whole),
        ("euler", "[60]", whole),
        ("euler", "{ value = 60 }", whole),
        ("euler", "1979-05-27", whole),
        ("spread_power", "1.3", quarter),
        ("spread_power", "0.25", quarter),
        ("spread_power", "3.25", quarter),
        ("spread_power", "1.2500001", quarter),
    ] {
        let text = with_line(key, &format!("{key} = {value}"));
        let place = text
            .lines()
            .position(|line| line.starts_with(&format!("{key} =")));
        let line = place.unwrap() + 1;
        assert_eq!(
            complaints(&text, "w.toml"),
            [format!(
                "{line}: weights.{key} = {value}: must be {allowed}"
            )]
        );
    }
}

#[test]
fn a_header_that_is_not_ours_is_refused() {
    let format = "must be 1 or 2, the formats that this version reads";
    let words = "must be a text of 1 to 200 characters on one line";
    for (key, value, what) in [
        ("format", "3", format),
        ("format", "\"1\"", format),
        ("format", "1.0", format),
        ("name", "7", words),
        ("name", "\"  \"", words),
        ("name", "\"two\\nlines\"", words),
        ("origin", "[]", words),
    ] {
        let text = with_line(key, &format!("{key} = {value}"));
        let line = text.lines().position(|line| line.starts_with(key)).unwrap() + 1;
        assert_eq!(
            complaints(&text, "w.toml"),
            [format!("{line}: loatune.{key} = {value}: {what}")]
        );
    }
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = "\
euler = 3
[loatune]
format = 1
name = 'mine'
[weights]
eulr = 60
hole_penalty = 1.1
quad3 = 201
quad4 = 10
spread = 20
spread_power = 1.0
capturable = 5
mobility_power = 1.0
blocked = 10
mobility_centre = nan
[endgame]
euler = 80
spread_power = 2.0
quad3 = 0
quad4 = 0
spread = 0
capturable = 0
blocked = 0
mobility_centre = 0
[licence]
elo = 100
";
    assert_eq!(
        complaints(text, "w.toml"),
        [
            "1: unknown key euler: did you mean weights.euler?",
            "6: unknown key weights.eulr: did you mean weights.euler?",
            "7: weights.hole_penalty = 1.1: must be from 0.0 to 4.0 in steps of 0.25",
            "8: weights.quad3 = 201: must be from -100 to 200 in whole numbers",
            "15: weights.mobility_centre = nan: must be from -50 to 100 in whole numbers",
            "18: unknown key endgame.spread_power: did you mean weights.spread_power?",
            "25: unknown group [licence]: the groups are [loatune], [weights], [endgame], \
             [certificate]",
            "-: missing key loatune.origin: must be a text of 1 to 200 characters on one line",
            "-: missing key weights.euler: must be from -50 to 400 in whole numbers",
            "-: missing key weights.mobility: must be from -50 to 100 in whole numbers",
            "-: missing key endgame.mobility: must be from -50 to 100 in whole numbers",
        ]
    );
}

#[test]
fn missing_tables_are_named_once() {
    assert_eq!(
        complaints("", "w.toml"),
        ["-: missing group [loatune]", "-: missing group [weights]"]
    );
    assert_eq!(
        complaints("weights = 3\n[loatune]\n", "w.toml"),
        ["1: weights = 3: must be a table: [weights]"]
    );
}

#[test]
fn broken_syntax_is_reported_with_its_line_beside_the_rest() {
    let text = with_line("quad3", "quad3 = ").replace("euler = 60", "euler = 600");
    let found = complaints(&text, "w.toml");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("weights.euler = 600"), "{found:?}");
    assert!(found[1].starts_with("23: "), "{found:?}");
    let twice = complaints(&with_line("quad3", "quad3 = 1\nquad3 = 2"), "w.toml");
    assert!(twice[0].starts_with("24: duplicate key"), "{twice:?}");
}

#[test]
fn json_has_its_lines_too() {
    let text = r#"{
  "loatune": {"format": 1, "name": "a",
    "origin": null},
  "weights": {
    "euler": 1e999, "euler": 60, "hole_penalty": 1,
    "quad3": 201, "quad4": "10", "spread": 20, "spread_power": 1.3,
    "capturable": 5, "mobility": 5, "mobility_power": 1.0, "blocked": 10,
    "mobility_center": 0
  },
  "endgame": 7
}"#;
    assert_eq!(
        complaints(text, "w.json"),
        [
            "3: loatune.origin = null: must be a text of 1 to 200 characters on one line",
            "5: duplicate key: euler",
            "6: weights.quad3 = 201: must be from -100 to 200 in whole numbers",
            "6: weights.quad4 = \"10\": must be from -400 to 200 in whole numbers",
            "6: weights.spread_power = 1.3: must be from 0.5 to 3.0 in steps of 0.25",
            "8: unknown key weights.mobility_center: did you mean weights.mobility_centre?",
            "10: endgame = 7: must be a table: [endgame]",
        ]
    );
    assert_eq!(
        complaints("{\n\"loatune\": {\"format\": NaN}}", "w"),
        ["2: expected value"]
    );
    let found = complaints("[weights]", "w.json");
    assert!(found[0].starts_with("1: "), "{found:?}");
    let found = complaints(&SOURCE_JSON.replace("60", "1e999"), "w.json");
    assert!(found[0].contains("weights.euler = 1e999"), "{found:?}");
}

// ---- whatever the text, no panic

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        json in any::<bool>(),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = WeightFile::parse(&text, if json { "w.json" } else { "w.toml" });
        let _ = WeightFile::parse(&format!("{{{text}"), "w");
    }

    /// Files nearly right: whatever is accepted is within the bounds.
    #[test]
    fn mutated_files_are_sound_or_refused(
        json in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..5),
    ) {
        const MARKS: &[u8] = b"0123456789.-+e_[]{}\"'=#,: \n\xc3\xffnaifxts";
        let mut bytes = if json { SOURCE_JSON } else { SOURCE }.as_bytes().to_vec();
        for (place, mark, kind) in changes {
            let place = place.index(bytes.len());
            let mark = MARKS[mark as usize % MARKS.len()];
            match kind {
                0 => bytes[place] = mark,
                1 => bytes.insert(place, mark),
                _ => drop(bytes.remove(place)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match WeightFile::parse(&text, "w") {
            Ok(file) => {
                prop_assert_eq!(file.weights.validate(), Ok(()));
                prop_assert_eq!(&WeightFile::parse(&file.to_toml(), "w").unwrap(), &file);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

// ---- the command

#[test]
fn the_command_prints_what_it_reads() {
    let place = Place::new().with("mine.toml", &with_line("euler", "euler = 61"));
    assert_eq!(place.good(&["weights", "source"]), SOURCE);
    let built_in = WeightFile::built_in().to_toml();
    assert_eq!(place.good(&["weights"]), built_in);
    assert_eq!(place.good(&["weights", "default"]), built_in);
    assert_eq!(
        place.good(&["weights", "source", "--json"]),
        format!("{SOURCE_JSON}\n")
    );
    let mine = place.good(&["weights", "mine.toml"]);
    assert_eq!(mine, with_line("euler", "euler = 61") + "\n");
    let json = place.good(&["weights", "mine.toml", "--json"]);
    let place = place.with("mine.json", &json);
    assert_eq!(place.good(&["weights", "mine.json"]), mine);
}

#[test]
fn the_command_refuses_what_is_wrong() {
    let place = Place::new()
        .with("one.toml", &with_line("euler", "euler = 401"))
        .with("two.toml", "[loatune]\n[weights]\n[extra]\n")
        .with("empty.json", "");
    assert_eq!(
        place.refused(&["weights", "one.toml"]),
        "one.toml:15: weights.euler = 401: must be from -50 to 400 in whole numbers\n"
    );
    let many = place.refused(&["weights", "two.toml"]);
    assert!(many.starts_with("15 problems in the weights\n"), "{many}");
    assert!(many.contains("\n  two.toml:3: unknown group [extra]"));
    assert!(many.contains("\n  two.toml: missing key weights.quad3: "));
    assert!(
        place
            .refused(&["weights", "empty.json"])
            .starts_with("empty.json:1: ")
    );
    assert_eq!(
        place.refused(&["weights", "absent"]),
        "no weights \"absent\": neither a file nor `default`, `source`, `random:SEED` or a \
         published champion (populations/published has none)\n"
    );
    assert!(
        place
            .refused(&["weights", "."])
            .starts_with("cannot read weights from .")
    );
}

/// Weights that do not fit the genome are not changed in silence: a new
/// population refuses them as one that exists does, with the same reason.
#[test]
fn seeds_and_imports_must_fit_the_genome() {
    let mut two_phases = WeightFile::parse(SOURCE, "w").unwrap();
    two_phases.weights.endgame[0] += 5;
    let place = Place::new()
        .with("params.toml", "[genome]\nphases = 1\neuler = [0, 50]\n")
        .with("wide.toml", &with_line("euler", "euler = 51"))
        .with("phases.toml", &two_phases.to_toml())
        .with("good.toml", &with_line("euler", "euler = 50"));
    let params = place.good(&["params", "show", "--toml"]);
    let begin = Begin {
        params,
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    let old = place.path().join("populations/old");
    let population = Population::create(&old, &begin).unwrap();
    population.close().unwrap();

    let reasons = [
        (
            "wide.toml",
            "gene euler has the value 51: this genome allows 0 to 50",
        ),
        (
            "phases.toml",
            "gene euler has an endgame value of its own: in this genome it has one value",
        ),
    ];
    let run = ["run", "--population", "new", "--no-http", "--seed-from"];
    for (file, reason) in reasons {
        assert_eq!(
            place.refused(&["import", "--population", "old", file]),
            format!("cannot import {file}: {reason}\n")
        );
        let refused = place.refused(&[&run[..], &["good.toml", file]].concat());
        let expected = format!("cannot begin with {file}: {reason}");
        assert!(refused.starts_with(&expected), "{refused}");
        // What can be done about it.
        let advice = "; --euler LEAST..MOST allows more\n";
        assert_eq!(refused.ends_with(advice), reason.contains("allows"));
        assert!(!place.path().join("populations/new").exists());
    }
    place.good(&["import", "--population", "old", "good.toml"]);
}
