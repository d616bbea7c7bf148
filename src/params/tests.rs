//! Files of parameters as a whole: what is read, what is refused, and with
//! which message.

use super::*;
use crate::game::{NoMoves, Simultaneous};

fn complaints(text: &str) -> Vec<String> {
    match Params::parse(text, "p.toml") {
        Err(FileError::Problems { problems, .. }) => problems
            .iter()
            .map(|problem| format!("{}: {}", problem.line.unwrap_or(0), problem.what))
            .collect(),
        other => panic!("problems expected, not {other:?}"),
    }
}

#[test]
fn the_file_in_the_repository_holds_the_defaults() {
    let params = Params::parse(DEFAULT_TEXT, "params.toml").expect("it is valid");
    assert_eq!(params.rules, Rules::default());
    assert_eq!(params, Params::default());
}

#[test]
fn the_file_in_the_repository_sets_every_key_of_the_table() {
    for group in GROUPS {
        assert!(DEFAULT_TEXT.contains(&format!("\n[{}]\n", group.name)));
        for key in group.keys {
            let line = format!("\n{} = {}\n", key.name, key.default_text());
            assert!(DEFAULT_TEXT.contains(&line), "{line:?} is missing");
        }
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    assert_eq!(
        Params::parse("", "p.toml").expect("valid"),
        Params::default()
    );
    let olympiad =
        "rules.simultaneous = 'draw'\n[rules]\n# nothing\nno_moves = \"passes\"\nrepetition = 0x2";
    // A dotted key and a table header define the table twice.
    assert!(Params::parse(olympiad, "p.toml").is_err());
    let olympiad = "[rules]\nsimultaneous = 'draw'\nno_moves = \"passes\"\nrepetition = 0x2\nmax_plies = 2_000";
    let rules = Params::parse(olympiad, "p.toml").expect("valid").rules;
    assert_eq!(
        rules,
        Rules {
            simultaneous: Simultaneous::Draw,
            no_moves: NoMoves::Passes,
            repetition: 2,
            max_plies: 2000,
        }
    );
}

#[test]
fn all_problems_are_reported_at_once() {
    let text = "\
max_plies = 3
[rules]
simultaneous = \"both\"
no_moves = 1
repetition = 1
max_plies = \"200\"
repetitions = 3
[genomes]
";
    assert_eq!(
        complaints(text),
        [
            "1: unknown key max_plies: did you mean rules.max_plies?",
            "3: rules.simultaneous = \"both\": must be \"mover-wins\" or \"draw\"",
            "4: rules.no_moves = 1: must be \"loses\" or \"passes\"",
            "5: rules.repetition = 1: must be an integer, 0 (off) or at least 2",
            "6: rules.max_plies = \"200\": must be an integer from 20 to 2000",
            "7: unknown key rules.repetitions: did you mean rules.repetition?",
            "8: unknown group [genomes]: did you mean [genome]?",
        ]
    );
}

#[test]
fn every_value_outside_of_its_range_is_refused() {
    for (line, good) in [
        ("max_plies = 19", false),
        ("max_plies = 20", true),
        ("max_plies = 2000", true),
        ("max_plies = 2001", false),
        ("max_plies = -20", false),
        ("max_plies = 100.0", false),
        ("max_plies = 99999999999999999999999", false),
        ("repetition = 0", true),
        ("repetition = -1", false),
        ("repetition = 2", true),
        ("repetition = 99999999999", true),
        ("repetition = true", false),
        ("repetition = [3]", false),
        ("simultaneous = \"Draw\"", false),
        ("simultaneous = 1979-05-27", false),
        ("no_moves = { a = 1 }", false),
    ] {
        let result = Params::parse(&format!("[rules]\n{line}"), "p.toml");
        assert_eq!(result.is_ok(), good, "{line}: {result:?}");
    }
}

#[test]
fn a_group_that_is_no_table_is_refused() {
    assert_eq!(
        complaints("rules = 3"),
        ["1: rules = 3: must be a table: [rules]"]
    );
    assert_eq!(
        complaints("[[rules]]\nrepetition = 3"),
        ["1: [[rules]]: must be a table: [rules]"]
    );
}

#[test]
fn broken_syntax_is_reported_with_its_line_beside_the_rest() {
    let found = complaints("[rules]\nrepetition = \nmax_plies = 5\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("2: "), "{found:?}");
    assert!(found[1].starts_with("3: rules.max_plies = 5"), "{found:?}");
    let twice = complaints("[rules]\nrepetition = 3\nrepetition = 4\n");
    assert!(twice[0].starts_with("3: duplicate key"), "{twice:?}");
}

#[test]
fn flags_go_through_the_same_table() {
    let rules = find_group("rules").expect("it is in the table");
    let mut params = Params::default();
    for (key, text) in rules.keys.iter().zip(["draw", "passes", "0", "300"]) {
        key.set_text(&mut params, text).expect("valid");
        assert!(key.set_text(&mut params, "").is_err());
        assert!(key.set_text(&mut params, "1").is_err());
    }
    assert_eq!(params.rules.max_plies, 300);
    assert_eq!(params.rules.repetition, 0);
    assert_eq!(params.rules.simultaneous, Simultaneous::Draw);
    assert_eq!(params.rules.no_moves, NoMoves::Passes);
}

#[test]
fn every_value_outside_of_its_range_is_refused_in_the_other_groups() {
    for (group, line, good) in [
        ("genome", "phases = 2", true),
        ("genome", "phases = 3", false),
        ("genome", "normalise = false", true),
        ("genome", "normalise = 1", false),
        ("genome", "normalise = 'true'", false),
        ("genome", "features = ['mobility', 'quads']", true),
        ("genome", "features = ['mobility', 'mobility']", false),
        ("genome", "features = ['edges']", false),
        ("genome", "features = []", false),
        ("genome", "features = 'quads'", false),
        ("genome", "features = ['quads', 1]", false),
        ("genome", "euler = [0, 200]", true),
        ("genome", "euler = [0.0, 60.0]", true),
        ("genome", "euler = [60, 60]", true),
        ("genome", "euler = [0, 401]", false),
        ("genome", "euler = [-51, 200]", false),
        ("genome", "euler = [0.5, 200]", false),
        ("genome", "euler = [9, 8]", false),
        ("genome", "euler = [9]", false),
        ("genome", "euler = [1, 2, 3]", false),
        ("genome", "euler = [nan, nan]", false),
        ("genome", "euler = 9", false),
        ("genome", "euler = { min = 1 }", false),
        ("genome", "hole_penalty = [0.25, 1.75]", true),
        ("genome", "hole_penalty = [0.2, 1.75]", false),
        ("player", "search = 'memory'", true),
        ("player", "search = 'ugi'", false),
        ("player", "depth = 250", true),
        ("player", "depth = 251", false),
        ("player", "nodes = 1_000_000_000", true),
        ("player", "nodes = 1_000_000_001", false),
        ("player", "table_kib = 64", true),
        ("player", "table_kib = 63", false),
        ("openings", "plies = 40", true),
        ("openings", "plies = 0", false),
        ("openings", "bound = 100000", true),
        ("openings", "bound = -1", false),
        ("evolution", "budget = 1_000_000_000_000", true),
        ("evolution", "budget = 1_000_000_000_001", false),
        ("evolution", "budget = 1e6", false),
        ("evolution", "population = 10001", false),
        ("evolution", "maturity = 1001", false),
        ("evolution", "min_points = -1000", true),
        ("evolution", "min_points = -1000.1", false),
        ("evolution", "max_points = 1_000.0", true),
        ("evolution", "max_points = inf", false),
        ("evolution", "sigma = 1", true),
        ("evolution", "sigma = 1e-3", true),
        ("evolution", "sigma = 0", false),
        ("evolution", "sigma = nan", false),
        ("evolution", "sigma = -nan", false),
        ("evolution", "sigma = '0.2'", false),
        ("evolution", "border = 0.5", true),
        ("evolution", "border = 0.51", false),
        ("evolution", "vote = -0.0", true),
        ("evolution", "vote = -1e-9", false),
        ("evolution", "refill_below = 1", false),
        ("final", "share = 0.9", true),
        ("final", "share = 0.91", false),
        ("final", "errors = 11", false),
        ("final", "certificate_games = 2", true),
        ("final", "certificate_games = 0", false),
        ("final", "certificate_games = 401", false),
        ("final", "hall_games = 1000002", false),
        (
            "final",
            "panel = ['default@mtdf:4', 'a@b.toml@mcts:s9,c=0']",
            true,
        ),
        ("final", "panel = []", true),
        ("final", "panel = 'default@mtdf:4'", false),
        ("final", "panel = ['default']", false),
        ("final", "panel = ['@mtdf:4']", false),
        ("final", "panel = ['default@mtdf']", false),
        ("final", "panel = ['a@mtdf:4; b@mtdf:4']", false),
        ("final", "panel_games = 2", true),
        ("final", "panel_games = 0", false),
        ("run", "seed = 9223372036854775807", true),
        ("run", "seed = 9223372036854775808", false),
        ("run", "seed = -1", false),
        ("run", "threads = 1025", false),
        ("run", "window = 0", false),
        ("run", "window = 32", true),
        ("run", "checkpoint = 0", false),
        ("http", "enabled = false", true),
        ("http", "enabled = 0", false),
        ("http", "address = '[::1]:0'", true),
        ("http", "address = 'localhost:8420'", false),
        ("http", "address = '127.0.0.1'", false),
        ("http", "address = '127.0.0.1:65536'", false),
        ("http", "address = 8420", false),
    ] {
        let result = Params::parse(&format!("[{group}]\n{line}"), "p.toml");
        assert_eq!(result.is_ok(), good, "{group}: {line}: {result:?}");
    }
}

#[test]
fn a_refusal_says_what_is_allowed() {
    let text = "\
[genome]
features = ['edges']
hole_penalty = [0, 5]
normalise = 1
[player]
depth = -1
[final]
share = 2
hall_games = 3
[http]
address = 'here'
depth = 3
[runn]
";
    assert_eq!(
        complaints(text),
        [
            "2: genome.features = ['edges']: must be a list of \"connection\", \"quads\", \
                 \"centre-of-mass\", \"capturable\", \"mobility\", \"material\" and \"compactness\"",
            "3: genome.hole_penalty = [0, 5]: must be [least, most] within 0.0 to 4.0 in \
                 steps of 0.25; the same number twice fixes it",
            "4: genome.normalise = 1: must be true or false",
            "6: player.depth = -1: must be an integer, 0 (off) or from 1 to 250",
            "8: final.share = 2: must be a number from 0 to 0.9",
            "9: final.hall_games = 3: must be an even integer from 2 to 1000000",
            "11: http.address = 'here': must be an address IP:PORT, such as \
                 \"127.0.0.1:8420\"",
            "12: unknown key http.depth: did you mean player.depth?",
            "13: unknown group [runn]: did you mean [run]?",
        ]
    );
}

#[test]
fn flags_have_a_form_of_their_own_for_lists() {
    let mut params = Params::default();
    let mut set = |path: &str, text: &str| {
        let key = find_key(path).expect("a key");
        key.set_text(&mut params, text).map(|()| key.text(&params))
    };
    for (path, text, expected) in [
        ("genome.euler", "10..60", "[10, 60]"),
        ("genome.euler", "7", "[7, 7]"),
        ("genome.quad3", "-50..-5", "[-50, -5]"),
        ("genome.spread_power", "0.75 .. 1.5", "[0.75, 1.5]"),
        (
            "genome.features",
            "quads, mobility",
            r#"["quads", "mobility"]"#,
        ),
        ("evolution.sigma", "1", "1.0"),
        ("http.enabled", "false", "false"),
    ] {
        assert_eq!(set(path, text), Ok(expected.to_owned()));
    }
    for (path, text, must) in [
        (
            "genome.euler",
            "60..10",
            "must be LEAST..MOST within -50 to 400",
        ),
        ("genome.euler", "..", "must be LEAST..MOST"),
        ("genome.features", "", "must be some of connection, quads"),
        ("evolution.sigma", "inf", "must be a number from 0.001 to 1"),
        ("http.enabled", "yes", "must be true or false"),
    ] {
        let told = set(path, text).expect_err(text);
        assert!(told.starts_with(must), "{told}");
    }
}

#[test]
fn the_file_in_the_repository_says_every_range() {
    // Without the line breaks of its comments.
    let text = DEFAULT_TEXT.replace("\n# ", " ");
    for gene in &crate::eval::genes::TABLE {
        let meaning = format!(
            "{}: {}; {}",
            gene.family.name(),
            gene.meaning,
            gene.range_text()
        );
        assert!(text.contains(&meaning), "{meaning}");
    }
    for key in keys() {
        let group = text.find(&format!("\n[{}]\n", key.group));
        let group = group.expect("it has every group");
        let line = format!("\n{} = ", key.name);
        let place = text[group..].find(&line).expect("it has every key");
        let end = group + place;
        let start = text[..end].rfind('\n').unwrap_or(0);
        let comment = &text[start..end];
        let range = match key.kind {
            Kind::Integer { max, .. } if max == u64::from(u32::MAX) => String::from("or more"),
            Kind::Integer { min, max: 2, .. } => format!("{min} or 2"),
            Kind::Integer { min, max, .. } => format!("{min} to {max}"),
            Kind::Real { min, max, .. } => format!("{min} to {max}"),
            Kind::Switch { .. } => String::from("true or false"),
            Kind::Choice { names, .. } | Kind::Search { names, .. } => {
                for name in names {
                    assert!(
                        comment.contains(&format!("{name:?}")),
                        "{}: {name}",
                        key.path()
                    );
                }
                continue;
            }
            _ => continue,
        };
        // Its comment is the one of min_points.
        let is_second = key.name == "max_points";
        assert!(
            is_second || comment.contains(&range),
            "{}: {range} in {comment}",
            key.path()
        );
    }
}
