//! Populations whose games the selective search plays: the same champion whatever
//! happens on the way, and games that can be searched again.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::binary::{Place, loatune};
use loatune::genome::GeneTable;
use loatune::search::signature::{SELECTIVE_SIGNATURE, SIGNATURE};
use loatune::store::{Begin, Entry, FrameReader, Population};
use serde_json::{Value, json};

/// Small and quick.
const SMALL: &str = "\
[player]
search = \"selective\"
depth = 0
nodes = 80

[evolution]
budget = 40
population = 6

[final]
certificate_games = 4
hall_games = 2

[run]
window = 4
checkpoint = 10

[http]
enabled = false
";

fn dir(place: &Place) -> PathBuf {
    place.path().join("populations/default")
}

fn champion(place: &Place) -> String {
    fs::read_to_string(dir(place).join("champion.toml")).unwrap()
}

#[track_caller]
fn run(place: &Place, args: &[&str]) -> String {
    let output = place.run(&[&["run"], args].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}");
    told
}

/// Starts a run and kills it once its journal has some entries, or lets it end
/// where it is faster than that.
fn kill_early(place: &Place) {
    let mut command = loatune(place.path());
    command
        .arg("run")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begin = Instant::now();
    let plays = || {
        let Ok(mut frames) = FrameReader::open(&dir(place).join("journal")) else {
            return false;
        };
        while let Ok(Some(_)) = frames.next_frame() {}
        frames.position().entries > 5
    };
    while !plays() {
        assert!(begin.elapsed() < Duration::from_secs(120), "it plays");
        thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
}

/// Searches every game of the population and of the certificate again.
#[track_caller]
fn searched_again(place: &Place) -> Value {
    let verified = place.json(&["-q", "verify", "--all", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
    assert_eq!(verified["games_replayed"], verified["games_checked"]);
    assert!(verified["games_checked"].as_u64().unwrap() > 0);
    let file = "populations/default/champion.toml";
    let certified = place.json(&["-q", "certify", "--json", file]);
    assert_eq!(certified["holds"], true, "{certified}");
    certified["engine"].clone()
}

#[test]
fn threads_and_kills_do_not_change_the_champion_of_the_selective_search() {
    let place = Place::new().with("params.toml", SMALL);
    run(&place, &["--threads", "1"]);
    let alone = champion(&place);
    assert!(alone.contains("\nsearch = \"selective\"\n"), "{alone}");
    let engine = format!("\nengine = {SELECTIVE_SIGNATURE}\n");
    assert!(alone.contains(&engine), "{alone}");
    let engine = searched_again(&place);
    let own = json!(SELECTIVE_SIGNATURE);
    assert_eq!([&engine["claimed"], &engine["present"]], [&own, &own]);
    assert_eq!(engine["same"], true);

    let place = Place::new().with("params.toml", SMALL);
    run(&place, &["--threads", "2"]);
    assert_eq!(champion(&place), alone);

    let place = Place::new().with("params.toml", SMALL);
    kill_early(&place);
    run(&place, &[]);
    assert_eq!(champion(&place), alone);
    searched_again(&place);
}

/// The engine is recorded anew where another search goes on, so that the games
/// before and after it are both searched again by the one that played them.
#[test]
fn a_population_may_go_over_to_the_selective_search() {
    let exact = SMALL.replace("\"selective\"", "\"mtdf\"");
    let place = Place::new().with("params.toml", &exact);
    let begin = Begin {
        params: place.good(&["params", "show", "--toml"]),
        genes: GeneTable::built_in(),
        seeds: Vec::new(),
    };
    let mut old = Population::create(&dir(&place), &begin).unwrap();
    old.apply(Entry::Engine(SIGNATURE)).unwrap();
    old.close().unwrap();

    let refused = place.run(&["run", "--player", "selective"]);
    assert_eq!(refused.status.code(), Some(2));
    let told = run(&place, &["--player", "selective", "--accept-changes"]);
    assert!(told.contains("player.search"), "{told}");
    assert!(!told.contains("another engine"), "{told}");
    let engine = searched_again(&place);
    assert_eq!(engine["claimed"], SELECTIVE_SIGNATURE);
}

#[test]
fn a_match_is_signed_by_the_searches_that_play_in_it() {
    let place = Place::new();
    let engine = |a: &str, b: &str| {
        let args = ["match", a, b, "--games", "2", "--max-plies", "20", "--json"];
        place.json(&args)["settings"]["engine"].clone()
    };
    let (mtdf, selective) = ("default@mtdf:1", "random:1@selective:1");
    assert_eq!(engine(mtdf, "random:1@mtdf:1"), SIGNATURE);
    assert_eq!(
        engine("default@selective:1", selective),
        SELECTIVE_SIGNATURE
    );
    assert_eq!(engine(mtdf, selective), SIGNATURE + SELECTIVE_SIGNATURE);
}
