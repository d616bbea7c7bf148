//! The main job with the real binary: to one survivor, through kills, for any
//! number of threads.

use std::fs;
use std::ops::ControlFlow;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use super::{status, wait_for};
use crate::support::binary::Place;
use crate::support::population::reopen;
use loatune::genome::BuiltIn;
use loatune::run::proof::{self, Contestant};
use loatune::stats::Tally;
use loatune::store::{Entry, FrameReader, Purpose, decode};
use loatune::weights::{Conditions, WeightFile};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

/// What makes a run short, beside its budget and depth.
const SMALL: &[&str] = &[
    "--no-http",
    "--certificate-games",
    "20",
    "--hall-games",
    "2",
];

/// A run of about a second, unless `more` says otherwise: a few hundred games
/// one ply deep.
fn args<'a>(population: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["-q", "run", "--population", population];
    args.extend_from_slice(SMALL);
    // Runs with scholars have tests of their own.
    args.extend(["--school", "false"]);
    for (flag, value) in [("--depth", "1"), ("--budget", "600")] {
        if !more.contains(&flag) {
            args.extend([flag, value]);
        }
    }
    args.extend_from_slice(more);
    args
}

fn champion(place: &Place, population: &str) -> String {
    let path = format!("populations/{population}/champion.toml");
    fs::read_to_string(place.path().join(path)).unwrap()
}

/// The champion without its name, which is that of its population.
fn nameless(champion: &str) -> String {
    let lines = champion.lines().filter(|line| !line.starts_with("name = "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn to_one_survivor_whatever_the_threads_and_kills() {
    let place = Place::new();
    let report = place.good(&args("calm", &["--threads", "1"]));
    assert!(report.starts_with("champion   populations/calm/champion.toml\n"));
    assert!(report.contains("against default: "), "{report}");
    let calm = champion(&place, "calm");

    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for threads in ["1", "4"] {
        let population = format!("killed-{threads}");
        let args = args(&population, &["--threads", threads]);
        for _ in 0..8 {
            let mut run = place.start(&args);
            sleep(Duration::from_millis(rng.random_range(0..250)));
            run.kill().unwrap();
            run.wait().unwrap();
        }
        place.good(&args);
        assert_eq!(nameless(&champion(&place, &population)), nameless(&calm));
        let found = status(&place, &population);
        assert_eq!(found["state"], "finished");
        assert_eq!(found["games"], 600);
        let both = [population.as_str(), "calm"];
        let [killed, calm] = both.map(|name| {
            let history = ["history", "--population", name, "--csv"];
            place.good(&history)
        });
        assert_eq!(killed, calm, "not the same course");
    }
}

#[test]
fn stopped_looked_at_and_resumed() {
    let place = Place::new();
    let long = ["--budget", "1000000"];
    let mut run = place.start(&args("mine", &long));
    wait_for(&place, "mine", 20);

    // A second run is told who works on it.
    let second = place.run(&args("mine", &long));
    assert_eq!(second.status.code(), Some(1));
    let message = String::from_utf8(second.stderr).unwrap();
    assert!(message.contains("in use by process"), "{message}");

    // Others see it while it runs.
    let leader = place.good(&["-q", "export", "--population", "mine"]);
    assert!(
        leader.contains("the leading file of a run that goes on"),
        "{leader}"
    );
    let refused = place.refused(&["export", "--population", "mine", "--champion"]);
    assert!(refused.contains("no champion yet"), "{refused}");
    let list = place.json(&["list", "--json"]);
    assert_eq!(list[0]["state"], "evolving");
    let imported = place.json(&["import", "default", "--population", "mine", "--json"]);
    let file = imported[0]["file"].as_u64().unwrap().to_string();
    let back = place.good(&["export", "--population", "mine", "--file", &file]);
    assert!(back.contains("immigrant"), "{back}");

    let stopped = place.good(&["stop", "--population", "mine"]);
    assert_eq!(
        stopped,
        "stopped; to go on: loatune run --population mine\n"
    );
    assert_eq!(run.wait().unwrap().code(), Some(3));
    let found = status(&place, "mine");
    assert_eq!(
        (&found["state"], &found["running"]),
        (&"stopped".into(), &false.into())
    );
    let games = found["games"].as_u64().unwrap();
    assert!(games >= 20);
    let refused = place.refused(&["stop", "--population", "mine"]);
    assert!(
        refused.starts_with("nobody works on the population mine"),
        "{refused}"
    );

    // Going on with another budget is refused, and then accepted.
    let other = ["--budget", "40", "--depth", "2"];
    let refused = place.refused(&args("mine", &other));
    assert!(
        refused.contains("\n  player.depth: 1 -> 2 (--depth)\n"),
        "{refused}"
    );
    assert!(
        refused.contains("\n  evolution.budget: 1000000 -> 40 (--budget)\n"),
        "{refused}"
    );
    let accepted = ["--budget", "40", "--depth", "2", "--accept-changes"];
    place.good(&args("mine", &accepted));
    let found = status(&place, "mine");
    assert_eq!(found["state"], "finished");
    let champion = champion(&place, "mine");
    assert_eq!(place.good(&["export", "--population", "mine"]), champion);
    // Again, nothing is left to do.
    place.good(&args("mine", &accepted[..4]));
}

#[test]
fn a_signal_saves_and_a_second_one_ends_it() {
    let place = Place::new();
    let long = ["--budget", "1000000"];
    for (signal, population) in [("INT", "one"), ("TERM", "other")] {
        let run = place.start(&args(population, &long));
        wait_for(&place, population, 10);
        let kill = format!("kill -{signal} {}", run.id());
        assert!(
            Command::new("sh")
                .args(["-c", &kill])
                .status()
                .unwrap()
                .success()
        );
        let output = run.finish();
        assert_eq!(output.status.code(), Some(3));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.contains("saved; to go on: loatune run"),
            "{message}"
        );
        assert!(status(&place, population)["games"].as_u64().unwrap() >= 10);
    }
}

#[test]
fn a_finished_population_is_not_gone_on_with() {
    let place = Place::new();
    let args = &args("mine", &["--budget", "100"])[1..];
    let said = |args: &[&str]| {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    let first = said(args);
    assert!(first.contains("new population mine in "), "{first}");
    let first = champion(&place, "mine");
    let again = said(args);
    assert!(again.contains("population mine in "), "{again}");
    assert!(again.contains(" is finished"), "{again}");
    assert!(!again.contains("going on"), "{again}");
    assert_eq!(champion(&place, "mine"), first);

    // Without the champion's file its proof is not over.
    fs::remove_file(place.path().join("populations/mine/champion.toml")).unwrap();
    let proof = said(args);
    assert!(proof.contains("going on with population mine"), "{proof}");
    assert_eq!(champion(&place, "mine"), first);
}

#[test]
fn seeds_are_in_the_first_population() {
    let place = Place::new();
    let mut args = args("seeded", &["--seed-from", "source"]);
    args.extend(["--threads", "2"]);
    place.good(&args);
    let all = place.good(&[
        "export",
        "--population",
        "seeded",
        "--all",
        "--format",
        "csv",
    ]);
    let seeded = all.lines().filter(|line| line.contains(",seeded,")).count();
    assert_eq!(seeded, 16, "half of the first population");
    let source = place.good(&["weights", "source"]);
    assert!(source.contains("euler = 60"));
    assert!(
        all.lines()
            .any(|line| line.contains(",60,1.0,10,10,20,1.0,5,5,1.0,10,0,")),
        "{all}"
    );
}

#[test]
fn export_in_every_format() {
    let place = Place::new();
    place.good(&args("mine", &[]));
    let toml = place.good(&["export"]);
    assert_eq!(toml, champion(&place, "mine"));
    place.good(&["export", "-o", "out.json"]);
    let json: Value =
        serde_json::from_str(&fs::read_to_string(place.path().join("out.json")).unwrap()).unwrap();
    assert_eq!(json["certificate"]["games"], 600);
    place.good(&["weights", "out.json"]);
    let row = place.good(&["export", "--format", "csv"]);
    assert_eq!(row.lines().count(), 2);
    let all = place.good(&["export", "--all", "--format", "json"]);
    let all: Value = serde_json::from_str(&all).unwrap();
    let births = status(&place, "mine")["births"].as_u64().unwrap();
    // The hall and the elder of the final are files, too.
    assert_eq!(all["files"].as_array().unwrap().len() as u64, births + 11);
    let third = place.good(&["export", "--file", "3"]);
    assert_eq!(place.good(&["export", "--file", "#3"]), third);
    assert_ne!(third, toml);
    let missing = place.refused(&["export", "--file", "99999"]);
    assert!(
        missing.starts_with("no file #99999 in the population mine"),
        "{missing}"
    );
    let certified = place.run(&["-q", "certify", "populations/mine/champion.toml"]);
    assert_eq!(certified.status.code(), Some(0));
    place.good(&["history", "--svg", "run.svg", "--png", "run.png"]);
    let svg = fs::read_to_string(place.path().join("run.svg")).unwrap();
    assert!(svg.starts_with("<svg "), "{svg}");
    assert!(
        fs::read(place.path().join("run.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

/// The strength of the hall is known while the run goes on, and it is what the
/// proof would have found.
#[test]
fn the_hall_is_measured_on_the_way() {
    let place = Place::new();
    place.good(&[
        "-q",
        "run",
        "--population",
        "mine",
        "--no-http",
        "--depth",
        "1",
        "--budget",
        "2000",
        "--school",
        "false",
        "--certificate-games",
        "20",
        "--hall-games",
        "20",
    ]);
    let dir = place.path().join("populations/mine");
    let mut frames = FrameReader::open(&dir.join("journal")).unwrap();
    let (mut matches, mut on_the_way) = (0, 0);
    frames.next_frame().unwrap();
    while let Some(payload) = frames.next_frame().unwrap() {
        match decode(payload).unwrap() {
            Entry::Match(_) => matches += 1,
            Entry::MeasuredPair(pair) if matches < 1000 && pair.number == 9 => on_the_way += 1,
            _ => {}
        }
    }
    assert_eq!(matches, 1000);
    assert!(on_the_way >= 5, "{on_the_way} of 10 before the last match");

    let population = reopen(&dir);
    let conditions = Conditions::from(population.params());
    let reader = population.reader();
    let genes = BuiltIn::new(&population.plan().genome.table).unwrap();
    let hall = population.measurements().complete();
    let hall: Vec<_> = hall
        .filter(|measured| measured.purpose == Purpose::Hall)
        .collect();
    assert_eq!(hall.len(), 10);
    for measured in hall {
        let (birth, _) = reader.file(measured.file).unwrap().unwrap();
        let [file, default] = [&birth.weights, &measured.weights].map(|it| genes.weights(it));
        let contestants = [("file", &file), ("default", &default)];
        let contestants = contestants.map(|(name, weights)| Contestant { name, weights });
        let watch = &mut |_: u64, _: &Tally| ControlFlow::Continue(());
        let again = proof::play_match(contestants, &conditions, 20, 1, watch).unwrap();
        assert_eq!(again, Some(measured.tally), "file {}", measured.file);
    }
}

/// A champion's file says how it was made, and that makes it again.
#[test]
fn the_command_of_a_certificate_makes_the_champion_again() {
    let place = Place::new();
    place.good(&args("one", &["--seed", "9", "--quad4=-100..50"]));
    let first = champion(&place, "one");
    let file = WeightFile::parse(&first, "champion.toml").unwrap();
    let command = file.certificate.unwrap().command.unwrap();
    assert!(command.starts_with("loatune run --"), "{command}");
    let mut again = vec!["-q"];
    again.extend(command.split(' ').skip(1));
    again.extend(["--population", "two", "--no-http", "--threads", "1"]);
    place.good(&again);
    assert_eq!(nameless(&champion(&place, "two")), nameless(&first));

    // A file that an earlier program wrote has no command, and is as good.
    let path = place.path().join("populations/one/champion.toml");
    place.good(&["-q", "verify", "--population", "one"]);
    let line = format!("command = \"{command}\"\n");
    assert!(first.contains(&line), "{first}");
    fs::write(&path, first.replace(&line, "")).unwrap();
    place.good(&["-q", "verify", "--population", "one"]);
    fs::write(&path, first.replace(" --seed 9", " --seed 8")).unwrap();
    let wrong = place.run(&["-q", "verify", "--population", "one"]);
    assert_eq!(wrong.status.code(), Some(1));

    // Weights that were given are not in any parameter.
    place.good(&args("three", &["--seed-from", "default"]));
    let seeded = champion(&place, "three");
    assert!(!seeded.contains("\ncommand = "), "{seeded}");
}
