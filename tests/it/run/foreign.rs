//! Runs that tune another program: its options are the genes.

use std::fs;

use serde_json::Value;

use super::foreign_support::{ENGINE, PROGRAM, args, with_script};
use super::wait_for;
use crate::support::binary::Place;
use loatune::eval::genes::GENES;

fn setoptions(place: &Place, population: &str) -> String {
    place.good(&[
        "export",
        "--population",
        population,
        "--format",
        "setoption",
    ])
}

fn exported_json(place: &Place, population: &str) -> Value {
    let text = place.good(&["export", "--population", population, "--format", "json"]);
    serde_json::from_str(&text).unwrap()
}

/// Our own engine, tuned as a foreign one with its genes as options, gives the
/// champion of the built-in run with the same seed, byte for byte.
#[test]
fn our_engine_as_a_foreign_one_gives_the_same_champion() {
    let place = Place::new();
    let engine = format!("'{PROGRAM}' ugi --genes");
    // Options share no scale that could be fixed or that mutations could follow;
    // the engine's table has 16 MB.
    let more = ["--normalise", "false", "--relative", "0", "--hash", "16384"];
    // All options are tuned.
    let own = [
        "--phases",
        "1",
        "--mobility-power",
        "0.25..2",
        "--mobility-centre=-50..100",
        "--extent=-50..200",
        "--edge-moves=-100..100",
    ];
    place.good(&args("own", &[&more[..], &own].concat()));
    let foreign = [&more[..], &["--engine", &engine]].concat();
    let report = place.good(&args("foreign", &foreign));
    assert!(report.contains("\noptions    euler "), "{report}");
    let wanted = setoptions(&place, "own");
    assert_eq!(wanted.lines().count(), GENES);
    assert_eq!(setoptions(&place, "foreign"), wanted);

    // Everything else shows the genes by their names.
    let champion = place.path().join("populations/foreign/champion.toml");
    let champion = fs::read_to_string(champion).unwrap();
    assert!(champion.contains("\n[options]\neuler = "), "{champion}");
    assert!(champion.contains("\n[[certificate.match]]\nopponent = \"default\"\n"));
    let verified = place.good(&["-q", "verify", "--population", "foreign"]);
    assert!(
        verified.contains("everything is as it should be"),
        "{verified}"
    );
    let header = place.good(&["export", "--population", "foreign", "--format", "c-header"]);
    assert!(header.contains("\n#define EULER "), "{header}");
    let json = exported_json(&place, "foreign");
    assert!(json["options"]["euler"].is_i64(), "{json}");
    let csv = place.good(&["history", "--population", "foreign", "--csv"]);
    assert!(csv.lines().next().unwrap().contains("euler"), "{csv}");
    // The same command goes on, and finds it finished.
    place.good(&args("foreign", &foreign));
}

/// A kill changes nothing, and an engine that has changed is told.
#[test]
fn a_run_goes_on_after_a_kill_and_tells_of_another_engine() {
    // Long enough not to be over before it is killed.
    let all = args("mine", &["--engine", ENGINE, "--budget", "800"]);
    let champion = |place: &Place| {
        fs::read_to_string(place.path().join("populations/mine/champion.toml")).unwrap()
    };
    let killed = || {
        let place = with_script(Place::new(), 3, ":");
        let mut run = place.start(&all);
        wait_for(&place, "mine", 10);
        // It may have ended by now.
        let _ = run.kill();
        run.finish();
        place
    };
    let whole = with_script(Place::new(), 3, ":");
    whole.good(&all);
    let place = killed();
    place.good(&all);
    assert_eq!(champion(&place), champion(&whole));

    // Now it looks two plies ahead, whatever it is told.
    let place = with_script(killed(), 3, "rest='depth 2'");
    // Not with -q, which leaves warnings out.
    let output = place.run(&all[1..]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("does not play as it did"), "{told}");
}

/// Values are exported while the run goes on, by the process that works on it.
#[test]
fn a_run_that_goes_on_exports_its_values() {
    let place = Place::new();
    let engine = format!("'{PROGRAM}' ugi --genes");
    let more = ["--engine", &engine, "--budget", "100000"];
    let mut run = place.start(&args("mine", &more));
    wait_for(&place, "mine", 8);
    let told = place.good(&[
        "-q",
        "export",
        "--population",
        "mine",
        "--format",
        "setoption",
    ]);
    assert!(told.starts_with("setoption name euler value "), "{told}");
    let told = place.good(&["export", "--population", "mine", "--all", "--format", "csv"]);
    assert!(told.starts_with("file,origin,parents,"), "{told}");
    run.kill().unwrap();
}

/// A program that talks as `script` says when it is asked for a move.
fn fake(place: Place, at_go: &str) -> Place {
    let script = format!(
        "while read word rest; do case $word in \
         ugi) echo 'option name Push type spin default 3 min 0 max 9'; \
         echo 'option name Hash type spin default 1 min 1 max 9'; echo ugiok;; \
         isready) echo readyok;; go) {at_go};; quit) exit;; esac; done\n"
    );
    place.with("fake.sh", &script)
}

#[test]
fn a_program_that_keeps_failing_stops_the_run_and_nothing_is_lost() {
    let place = fake(Place::new(), "echo 'bestmove a1-a1'");
    let all = args("broken", &["--engine", "sh fake.sh"]);
    let output = place.run(&all[1..]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("has 1 genes: Push"), "{error}");
    assert!(error.contains("the game is played again"), "{error}");
    assert!(error.contains("the engine failed in 3 matches"), "{error}");
    let status = place.json(&["status", "--population", "broken", "--json"]);
    assert_eq!(status["matches"], 2);
    let leader = place.good(&["export", "--population", "broken", "--format", "setoption"]);
    assert!(leader.starts_with("setoption name Push value "), "{leader}");
}

#[test]
fn a_program_that_is_not_deterministic_is_refused() {
    let place = fake(Place::new(), "echo bestmove x$$");
    let error = place.refused(&args("chance", &["--engine", "sh fake.sh"]));
    assert!(error.contains("is not deterministic"), "{error}");
    assert!(error.contains("--nondeterministic"), "{error}");
    assert!(!place.path().join("populations/chance").exists());
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let place = fake(Place::new(), "exit").with(
        "bare.sh",
        "while read word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
         quit) exit;; esac; done\n",
    );
    for (engine, message) in [
        ("no-such-program", "there is no program \"no-such-program\""),
        ("sh bare.sh", "announces no option that could be a gene"),
    ] {
        let error = place.refused(&args("none", &["--engine", engine]));
        assert!(error.contains(message), "{error}");
    }
    let seeded = ["--engine", "sh fake.sh", "--seed-from", "default"];
    let error = place.refused(&args("none", &seeded));
    assert!(error.contains("--seed-from"), "{error}");
}

/// The engine in examples/, from bad values to better ones.
#[test]
#[ignore = "needs python3 and a minute"]
fn the_small_engine_gains_100_elo() {
    let engine = concat!(
        "python3 '",
        env!("CARGO_MANIFEST_DIR"),
        "/examples/small_engine.py'"
    );
    let place = Place::new();
    let report = place.good(&[
        "-q",
        "run",
        "--population",
        "small",
        "--engine",
        engine,
        "--no-http",
        "--depth",
        "1",
        "--budget",
        "160",
        "--files",
        "8",
        "--window",
        "2",
        "--certificate-games",
        "20",
        "--hall-games",
        "2",
        "--school",
        "false",
    ]);
    assert!(report.contains("\noptions    groups "), "{report}");
    let json = exported_json(&place, "small");
    let first = &json["certificate"]["match"][0];
    assert_eq!(first["opponent"], "default", "{json}");
    // A match that is won without a loss has no finite Elo.
    let elo = first["elo"].as_f64().unwrap_or(f64::INFINITY);
    assert!(elo >= 100.0, "{json}");
}
