//! `loatune params` and the parameters of other commands, by the real binary.

use std::fs;

use crate::support::START;
use crate::support::binary::{Place, loatune};
use loatune::params::{DEFAULT_TEXT, GROUPS, Params, keys};
use serde_json::{Value, json};

/// What `params show --json` prints with these variables and flags.
fn shown(place: &Place, variables: &[(&str, &str)], flags: &[&str]) -> Value {
    let mut command = loatune(place.path());
    command.envs(variables.iter().copied());
    let args = ["params", "show", "--json"];
    let output = command.args(args).args(flags).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_slice(&output.stdout).unwrap()
}

// ---- init

#[test]
fn init_writes_the_commented_defaults_once() {
    let place = Place::new();
    let told = place.good(&["params", "init"]);
    let count = keys().count();
    assert_eq!(
        told,
        format!("wrote params.toml: {count} parameters in 11 groups, all at their defaults\n")
    );
    let file = place.path().join("params.toml");
    assert_eq!(fs::read_to_string(&file).unwrap(), DEFAULT_TEXT);

    fs::write(&file, "# mine\n").unwrap();
    assert_eq!(
        place.refused(&["params", "init"]),
        "params.toml exists and is left alone; --force overwrites it\n"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n");
    place.good(&["params", "init", "--force"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), DEFAULT_TEXT);

    place.good(&["params", "init", "other.toml"]);
    assert_eq!(
        fs::read_dir(place.path()).unwrap().count(),
        2,
        "nothing else is left behind"
    );
}

#[test]
fn init_fails_where_it_cannot_write() {
    let place = Place::new();
    let output = place.run(&["params", "init", "no/such/params.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with("loatune: error: cannot write no/such/params.toml: "),
        "{message}"
    );
}

// ---- check

#[test]
fn check_accepts_what_init_writes() {
    let place = Place::new();
    place.good(&["params", "init"]);
    let count = keys().count();
    let expected = format!("{count} of {count} keys set, all at their defaults\n");
    assert_eq!(
        place.good(&["params", "check"]),
        format!("params.toml is good: {expected}")
    );
    let found = place.json(&["params", "check", "--json"]);
    assert_eq!(found["changed"], json!({}));
    assert_eq!(found["keys_set"], count);
    assert_eq!(found["fingerprint"], Params::default().fingerprint());
}

#[test]
fn check_says_what_a_file_changes() {
    let text = "[evolution]\nbudget = 5_000\nmaturity = 2\n\n[genome]\nspread = [5, 40]\n\
                features = ['connection', 'quads', 'mobility']\neuler = [60, 60]\n";
    let place = Place::new().with("mine.toml", text);
    assert_eq!(
        place.good(&["params", "check", "mine.toml"]),
        "mine.toml is good: 5 of 75 keys set, 3 not at their defaults\n  \
         line 7: genome.features = [\"connection\", \"quads\", \"mobility\"] (the default is \
         [\"connection\", \"quads\", \"centre-of-mass\", \"capturable\", \"mobility\", \"material\", \"compactness\"])\n  \
         line 8: genome.euler = [60, 60] (the default is [-50, 400])\n  \
         line 2: evolution.budget = 5000 (the default is 150000)\n"
    );
    let found = place.json(&["params", "check", "mine.toml", "--json"]);
    assert_eq!(found["file"], "mine.toml");
    assert_eq!(
        found["changed"]["evolution.budget"],
        json!({ "value": 5000, "default": 150_000, "line": 2 })
    );
    assert_eq!(found["changed"].as_object().unwrap().len(), 3);
}

#[test]
fn check_reports_all_problems_at_once() {
    let text = "\
[evolution]
population = 4
sigma = nan
budjet = 3

[run]
window = 16
seed = -1
depth = 3

[http]
address = \"localhost\"
";
    let place = Place::new().with("params.toml", text);
    assert_eq!(
        place.refused(&["params", "check"]),
        "6 problems in the parameters\n  \
         params.toml:3: evolution.sigma = nan: must be a number from 0.001 to 1\n  \
         params.toml:4: unknown key evolution.budjet: did you mean evolution.budget?\n  \
         params.toml:7: evolution.population = 4 (line 2) must be at least run.window = 16 \
         (line 7): matches in flight see an older population, and there are as many as the \
         window is wide; 2.5 times as many files are better\n  \
         params.toml:8: run.seed = -1: must be an integer from 0 to 9223372036854775807\n  \
         params.toml:9: unknown key run.depth: did you mean player.depth?\n  \
         params.toml:12: http.address = \"localhost\": must be an address IP:PORT, such as \
         \"127.0.0.1:8420\"\n"
    );
}

#[test]
fn check_needs_a_file() {
    let told = Place::new().refused(&["params", "check"]);
    assert!(
        told.starts_with("cannot read parameters from params.toml: "),
        "{told}"
    );
}

// ---- show

#[test]
fn show_gives_every_key_with_its_source() {
    let found = shown(&Place::new(), &[], &[]);
    let groups: Vec<_> = found.as_object().unwrap().keys().collect();
    let mut expected: Vec<_> = GROUPS.iter().map(|group| group.name).collect();
    expected.push("fingerprint");
    assert_eq!(groups, expected);
    for key in keys() {
        let entry = &found[key.group][key.name];
        assert_eq!(entry["value"], key.json(&Params::default()));
        assert_eq!(entry["source"], "built-in");
    }
    assert_eq!(found["genome"]["hole_penalty"]["value"], json!([0.0, 4.0]));
    assert_eq!(found["genome"]["quad3"]["value"], json!([-100, 200]));
    assert_eq!(found["fingerprint"], Params::default().fingerprint());
}

#[test]
fn a_flag_wins_over_a_variable_that_over_the_file_and_that_over_quick() {
    let text = "[evolution]\nbudget = 700\n[final]\nhall_games = 60\n[player]\nnodes = 10\n";
    let place = Place::new().with("params.toml", text);
    let variables = [("LOATUNE_HALL_GAMES", "80"), ("LOATUNE_NODES", "20")];
    let found = shown(&place, &variables, &["--quick", "--nodes", "30"]);
    for (group, key, value, source) in [
        ("final", "certificate_games", 400, "preset quick"),
        ("evolution", "budget", 700, "params.toml:2"),
        ("final", "hall_games", 80, "LOATUNE_HALL_GAMES"),
        ("player", "nodes", 30, "--nodes"),
        ("player", "depth", 3, "built-in"),
    ] {
        let expected = json!({ "value": value, "source": source });
        assert_eq!(found[group][key], expected, "{group}.{key}");
    }
}

/// Each key by its flag and by its variable: with the default's own text, so
/// that only the source changes.
#[test]
fn every_key_has_a_flag_and_a_variable() {
    let usual = Params::default();
    let flags: Vec<_> = keys()
        .map(|key| format!("--{}={}", key.flag_name(), key.plain_text(&usual)))
        .collect();
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    let by_flags = shown(&Place::new(), &[], &flags);
    let variables: Vec<_> = keys()
        .map(|key| (key.variable(), key.plain_text(&usual)))
        .collect();
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let by_variables = shown(&Place::new(), &variables, &[]);
    for key in keys() {
        let value = key.json(&usual);
        let flag = format!("--{}", key.flag_name());
        let entry = &by_flags[key.group][key.name];
        assert_eq!(entry, &json!({ "value": value, "source": flag }));
        let entry = &by_variables[key.group][key.name];
        assert_eq!(entry, &json!({ "value": value, "source": key.variable() }));
    }
    for found in [by_flags, by_variables] {
        assert_eq!(found["fingerprint"], usual.fingerprint());
    }
}

#[test]
fn negative_values_follow_their_flags() {
    let found = shown(
        &Place::new(),
        &[],
        &[
            "--min-points",
            "-2.5",
            "--quad3",
            "-50..-1",
            "--blocked",
            "-3",
        ],
    );
    assert_eq!(found["evolution"]["min_points"]["value"], -2.5);
    assert_eq!(found["genome"]["quad3"]["value"], json!([-50, -1]));
    assert_eq!(found["genome"]["blocked"]["value"], json!([-3, -3]));
}

#[test]
fn features_that_are_left_out_are_fixed_and_said_so() {
    let found = shown(&Place::new(), &[], &["--features", "connection,quads"]);
    let genome = &found["genome"];
    assert_eq!(genome["features"]["value"], json!(["connection", "quads"]));
    assert_eq!(
        genome["mobility"],
        json!({ "value": [0, 0], "source": "genome.features" })
    );
    assert_eq!(genome["mobility_power"]["value"], json!([1.0, 1.0]));
    assert_eq!(genome["euler"]["source"], "built-in");
}

#[test]
fn show_prints_an_aligned_table() {
    let place = Place::new().with("params.toml", "[player]\ndepth = 5\n");
    let table = place.good(&["params", "show", "--window", "12"]);
    let lines: Vec<_> = table.lines().collect();
    for group in GROUPS {
        assert!(lines.contains(&format!("[{}]", group.name).as_str()));
    }
    let line = |name: &str| *lines.iter().find(|line| line.starts_with(name)).unwrap();
    assert!(line("depth ").ends_with("  params.toml:2"));
    assert!(line("window ").ends_with("  --window"));
    let column = line("max_plies ").find("built-in").unwrap();
    assert_eq!(line("depth ").find("params.toml"), Some(column));
    assert_eq!(line("address ").find("built-in"), Some(column));
    assert!(lines.last().unwrap().starts_with("fingerprint "));
}

/// What `show --toml` prints is a file with the same meaning.
#[test]
fn show_writes_a_file_that_says_the_same() {
    let place = Place::new();
    let flags = ["--depth=4", "--features=quads,mobility", "--sigma=0.125"];
    let file = place.good(&[&["params", "show", "--toml"], &flags[..]].concat());
    let place = place.with("deep.toml", &file);
    let by_file = shown(&place, &[], &["--params", "deep.toml"]);
    let by_flags = shown(&place, &[], &flags);
    assert_eq!(by_file["fingerprint"], by_flags["fingerprint"]);
    assert_ne!(by_file["fingerprint"], Params::default().fingerprint());
    assert_eq!(by_file["genome"]["euler"]["value"], json!([0, 0]));
}

#[test]
fn what_flags_contradict_is_refused() {
    let place = Place::new().with("params.toml", "[evolution]\npopulation = 16\n");
    let told = place.refused(&["params", "show", "--window", "17"]);
    assert!(
        told.starts_with(
            "params.toml:2: evolution.population = 16 (line 2) must be at least run.window = 17 \
             (--window): matches in flight see an older population"
        ),
        "{told}"
    );
    let told = place.refused(&["params", "show", "--depth", "0"]);
    assert_eq!(
        told,
        "player.depth = 0 (--depth) and player.nodes = 0 (built-in): one of them must limit the \
         search\n"
    );
    let told = place.refused(&["params", "show", "--files", "1"]);
    assert!(
        told.starts_with("invalid value '1' for --files: must be an integer from 2 to 10000"),
        "{told}"
    );
    let told = place.refused(&["params", "show", "--json", "--toml"]);
    assert!(told.contains("cannot be used with"), "{told}");
}

#[test]
fn params_alone_explains_itself() {
    let output = Place::new().run(&["params"]);
    assert_eq!(output.status.code(), Some(2));
    let help = String::from_utf8(output.stderr).unwrap();
    for action in ["init", "check", "show"] {
        assert!(help.contains(&format!("\n  {action} ")), "{help}");
    }
}

// ---- other commands

/// A file with all groups serves the commands that only want rules, and what is
/// wrong anywhere in it is told.
#[test]
fn other_commands_take_a_file_with_all_groups() {
    let place = Place::new();
    place.good(&["params", "init"]);
    let walled_in = "6ox/6oo/8/8/8/8/oo6/xo6 x";
    place.good(&["moves", START]);
    place.good(&["analyse", START, "--depth", "2"]);
    place.good(&["match", "default@mtdf:1", "default@mtdf:1", "--games", "2"]);
    let passes = DEFAULT_TEXT.replace("no_moves = \"loses\"", "no_moves = \"passes\"");
    let place = place.with("params.toml", &passes);
    let found = place.json(&["moves", "--json", walled_in]);
    assert_eq!(found["legal_moves"], json!(["pass"]));
    let place = place.with("params.toml", "[run]\nwindow = 64\n");
    let told = place.refused(&["moves", START]);
    assert!(told.starts_with("params.toml:2: "), "{told}");
}
