//! The panel of a proof: players of other kinds that the champion meets.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use loatune::store::{Entry, FrameReader, Purpose, decode};

use crate::support::binary::Place;

/// Small and quick, with three kinds of opponents, one of them a file.
const PARAMS: &str = "\
[player]
depth = 1

[evolution]
budget = 40
population = 4

[final]
certificate_games = 4
hall_games = 2
panel = [\"default@selective:n200\", \"rival.toml@mcts:s40,c=0.3\", \"random:7@mtdf:2\"]
panel_games = 40

[run]
window = 4
checkpoint = 10

[http]
enabled = false
";

const PANEL: [&str; 3] = [
    "default@selective:n200",
    "rival.toml@mcts:s40,c=0.3",
    "random:7@mtdf:2",
];

fn place() -> Place {
    let rival = loatune::weights::WeightFile {
        weights: loatune::weights::random_weights(3),
        ..loatune::weights::WeightFile::source()
    };
    Place::new()
        .with("params.toml", PARAMS)
        .with("rival.toml", &rival.to_toml())
}

fn directory(place: &Place) -> PathBuf {
    place.path().join("populations/default")
}

fn champion(place: &Place) -> Option<String> {
    fs::read_to_string(directory(place).join("champion.toml")).ok()
}

/// The opponent and number of every pair of the panel that is saved.
fn panel_pairs(place: &Place) -> Vec<(String, u64)> {
    let Ok(mut frames) = FrameReader::open(&directory(place).join("journal")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    // The first one is the beginning.
    if frames.next_frame().unwrap().is_some() {
        while let Some(payload) = frames.next_frame().unwrap() {
            if let Ok(Entry::MeasuredPair(pair)) = decode(payload)
                && matches!(pair.purpose, Purpose::Panel { .. })
            {
                found.push((pair.opponent.clone(), pair.number));
            }
        }
    }
    found
}

#[test]
fn the_certificate_has_the_panel_and_it_can_be_played_again() {
    let place = place();
    let told = place.good(&["-q", "run", "--threads", "1"]);
    for member in PANEL {
        assert!(told.contains(&format!("against {member}: ")), "{told}");
    }
    let text = champion(&place).unwrap();
    assert!(text.contains("\nplayer = \"mcts:s40,c=0.3\"\n"), "{text}");
    assert_eq!(text.matches("\nplayer_engine = ").count(), 3, "{text}");
    assert_eq!(panel_pairs(&place).len(), 3 * 40 / 2);

    // Weights by name are in the certificate: their files may be gone.
    fs::remove_file(place.path().join("rival.toml")).unwrap();
    let file = "populations/default/champion.toml";
    let certified = place.json(&["-q", "certify", "--json", file]);
    assert_eq!(certified["holds"], true, "{certified}");
    let results = certified["results"].as_array().unwrap();
    let names: Vec<&str> = results
        .iter()
        .map(|result| result["opponent"].as_str().unwrap())
        .collect();
    assert_eq!(names[names.len() - 3..], PANEL);
    let last = &results[results.len() - 1];
    assert_eq!(last["claimed"]["games"], 40);
    assert_eq!(last["player"], "mtdf:2", "{last}");
    assert_eq!(results[0]["player"], serde_json::Value::Null);
    let verified = place.json(&["-q", "verify", "--all", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
    assert_eq!(verified["games_replayed"], verified["games_checked"]);
    // What is printed, exported and served is the same file.
    let exported = place.good(&["-q", "export", "--format", "json"]);
    let exported: serde_json::Value = serde_json::from_str(&exported).unwrap();
    let matches = exported["certificate"]["match"].as_array().unwrap();
    assert_eq!(matches[matches.len() - 2]["player"], "mcts:s40,c=0.3");
    // A finished population does not ask for the file any more.
    place.good(&["-q", "run"]);

    // A result that is not so is found out, by the search that is named.
    let other = text.replace("player = \"mtdf:2\"", "player = \"mtdf:3\"");
    let place = place.with("other.toml", &other);
    let output = place.run(&["-q", "certify", "--json", "other.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let timed = text.replace("player = \"mtdf:2\"", "player = \"mtdf:t1\"");
    let place = place.with("timed.toml", &timed);
    let message = place.refused(&["-q", "certify", "timed.toml"]);
    assert!(message.contains("has a limit by time"), "{message}");
    let half = text.replace("player = \"mtdf:2\"\n", "");
    let place = place.with("half.toml", &half);
    let message = place.refused(&["-q", "certify", "half.toml"]);
    assert!(
        message.contains("missing key certificate.match.player"),
        "{message}"
    );
}

/// Killed whenever some pairs more of the panel are saved, it ends with the same
/// bytes. In between the weights of a player change, and the matches that have
/// begun keep those that they began with.
#[test]
fn a_run_that_is_killed_in_its_panel_ends_with_the_same_bytes() {
    let calm = place();
    calm.good(&["-q", "run", "--threads", "1"]);

    let killed = place();
    let (mut kills, mut before) = (0, 0);
    while champion(&killed).is_none() {
        let threads = ["1", "2", "3"][kills % 3];
        let mut run = killed.start(&["-q", "run", "--threads", threads]);
        for _ in 0..60_000 {
            if panel_pairs(&killed).len() > before + 5 || run.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        let saved = panel_pairs(&killed);
        assert!(saved.len() > before || champion(&killed).is_some());
        if saved.iter().any(|(name, _)| name.starts_with("rival")) {
            let other = loatune::weights::WeightFile::source();
            fs::write(killed.path().join("rival.toml"), other.to_toml()).unwrap();
        }
        (kills, before) = (kills + 1, saved.len());
    }
    assert!(kills >= 2, "only {kills} kills");
    assert_eq!(champion(&killed), champion(&calm));
    assert_eq!(panel_pairs(&killed), panel_pairs(&calm));
    let verified = killed.json(&["-q", "verify", "--all", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
}

/// A name that leads nowhere is refused before the first game, and so is what
/// cannot be repeated; other commands read the same file of parameters.
#[test]
fn bad_players_are_refused_before_the_first_game() {
    let params = |panel: &str| format!("[final]\npanel = [{panel}]\n");
    for (panel, place, what) in [
        (
            "\"default@mtdf:t0.1\"",
            "params.toml:2: final.panel = ",
            "has a limit by time",
        ),
        (
            "\"default@mtdf\"",
            "params.toml:2: final.panel = ",
            "must be a list of players",
        ),
        (
            "\"default@mcts:c=0.3\"",
            "params.toml:2: final.panel = ",
            "has no limit",
        ),
        (
            "\"default@guess:4\"",
            "params.toml:2: final.panel = ",
            "guess",
        ),
        (
            "\"default@mcts:s100,cc=1\"",
            "params.toml:2: final.panel = ",
            "cc",
        ),
        (
            "\"ugi:a@mtdf:4\"",
            "params.toml:2: final.panel = ",
            "is another program",
        ),
        (
            "\"default@mtdf:4\", \"default@mtdf:4\"",
            "params.toml:2: final.panel = ",
            "is there twice",
        ),
        (
            "\"default@mcts:s100,shared_tree=1\"",
            "params.toml:2: final.panel = ",
            "not deterministic",
        ),
    ] {
        let site = Place::new().with("params.toml", &params(panel));
        for command in [&["params", "check"][..], &["run", "--no-http"]] {
            let message = site.refused(command);
            assert!(message.contains(place), "{panel}: {message}");
            assert!(message.contains(what), "{panel}: {message}");
        }
        assert!(!directory(&site).exists(), "{panel}");
    }
    let site = Place::new().with("params.toml", &params("\"nobody@mtdf:4\""));
    let message = site.refused(&["run", "--no-http"]);
    assert!(
        message.contains("final.panel: no player \"nobody\""),
        "{message}"
    );
    assert!(!directory(&site).exists());
    site.good(&["params", "check"]);
    let flags = ["run", "--no-http", "--panel", "default@mtdf:t1"];
    let message = Place::new().refused(&flags);
    assert!(
        message.contains("(--panel): \"default@mtdf:t1\" has"),
        "{message}"
    );
    let foreign = ["run", "--engine", "x", "--panel", "default@mtdf:1"];
    let message = Place::new().refused(&foreign);
    assert!(message.contains("loatune's own evaluation"), "{message}");
}

/// Players have commas in them, so that a flag is given once for each, or all of
/// them with semicolons.
#[test]
fn flags_and_variables_name_several_players() {
    let place = Place::new();
    let (one, other) = ("default@mcts:s40,c=0.3", "random:1@mtdf:2");
    let both = format!("{one}; {other}");
    for args in [
        vec!["--panel", one, "--panel", other],
        vec!["--panel", both.as_str()],
    ] {
        let args = [&["params", "show", "--json"][..], &args].concat();
        let shown = place.json(&args);
        assert!(
            shown
                .to_string()
                .contains(&format!("[\"{one}\",\"{other}\"]")),
            "{shown}"
        );
    }
}
