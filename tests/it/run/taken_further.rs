//! A finished population that is taken further with a larger budget.

use std::fs;

use super::wait_for;
use crate::support::binary::Place;

/// The flags of a first run that ends at once.
const FIRST: &[&str] = &[
    "-q",
    "run",
    "-p",
    "mine",
    "--no-http",
    "--depth",
    "1",
    "--budget",
    "80",
    "--files",
    "8",
    "--window",
    "4",
    "--certificate-games",
    "2",
    "--hall-games",
    "2",
];

fn finished() -> Place {
    let place = Place::new();
    place.good(FIRST);
    place
}

fn text(place: &Place, file: &str) -> String {
    fs::read_to_string(place.path().join("populations/mine").join(file)).unwrap()
}

fn go_on(place: &Place, more: &[&str]) {
    let mut args = vec!["-q", "run", "-p", "mine", "--no-http"];
    args.extend(more);
    place.good(&args);
}

#[test]
fn a_finished_population_goes_on_from_its_champion() {
    let place = finished();
    let first = text(&place, "champion.toml");
    let opponent = place.json(&["status", "-p", "mine", "--json"])["champion"]["file"].clone();
    go_on(&place, &["--budget", "240"]);
    assert_eq!(text(&place, "champion-1.toml"), first);
    let second = text(&place, "champion.toml");
    assert!(
        second.contains(&format!("former champion, #{opponent}")),
        "{second}"
    );
    assert!(second.contains("after 240 games"), "{second}");
    let status = place.json(&["status", "-p", "mine", "--json"]);
    assert_eq!(status["games"], 240);
    assert_eq!(status["state"], "finished");
    let told = place.good(&["-q", "verify", "-p", "mine", "--replay", "5"]);
    assert!(told.contains("everything is as it should be"), "{told}");
    history_tells_of_it(&place, &opponent);

    // Once more, by an edited key of a file.
    let place = place.with("params.toml", "[evolution]\nbudget = 400\n");
    go_on(&place, &[]);
    assert_eq!(text(&place, "champion-1.toml"), first);
    assert_eq!(text(&place, "champion-2.toml"), second);
    place.good(&["-q", "verify", "-p", "mine"]);
    fs::write(
        place.path().join("populations/mine/champion-1.toml"),
        second,
    )
    .unwrap();
    let output = place.run(&["-q", "verify", "-p", "mine"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("champion-1.toml"), "{told}");
}

/// Every form of the history has the event, with the champion until then.
fn history_tells_of_it(place: &Place, champion: &serde_json::Value) {
    let history = place.json(&["history", "-p", "mine", "--json"]);
    let events = history["events"].as_array().unwrap().iter();
    let mut further = events.filter(|event| event["kind"] == "extended");
    let event = further.next().unwrap();
    assert!(further.next().is_none(), "{history}");
    assert_eq!(&event["champion"], champion);
    assert_eq!(event["budget"], 240);
    let keys = event["keys"].to_string();
    assert!(keys.contains("evolution.budget: 80 -> 240"), "{keys}");
    let text = place.good(&["history", "-p", "mine"]);
    let line = format!("taken further to 240 games; champion until then #{champion}");
    assert!(text.contains(&line), "{text}");
    let csv = place.good(&["history", "-p", "mine", "--csv"]);
    assert!(csv.contains(&format!(",extended,{champion},")), "{csv}");
    let svg = ["history", "-p", "mine", "--svg", "run.svg"];
    place.good(&[&svg[..], &["--chart", "strength"]].concat());
    let svg = fs::read_to_string(place.path().join("run.svg")).unwrap();
    assert!(svg.contains("Taken further after"), "{svg}");
}

/// Neither the number of threads nor a stop on the way changes the champion.
#[test]
fn the_second_champion_is_always_the_same() {
    let expected = {
        let place = finished();
        go_on(&place, &["--budget", "600", "--threads", "1"]);
        text(&place, "champion.toml")
    };
    let place = finished();
    let run = place.start(&[
        "run",
        "-p",
        "mine",
        "--no-http",
        "--budget",
        "600",
        "--threads",
        "3",
    ]);
    wait_for(&place, "mine", 90);
    // It may have ended by now, or stop on the way.
    let _ = place.run(&["stop", "-p", "mine"]);
    run.finish();
    go_on(&place, &["--threads", "2"]);
    assert_eq!(text(&place, "champion.toml"), expected);
    place.good(&["-q", "verify", "-p", "mine"]);
}

#[test]
fn what_cannot_be_taken_further_is_refused() {
    let place = finished();
    let refused = |more: &[&str]| {
        let mut args = vec!["run", "-p", "mine", "--no-http"];
        args.extend(more);
        place.refused(&args)
    };
    let message = refused(&["--budget", "60"]);
    assert!(
        message.contains("evolution.budget: 80 -> 60 (--budget)"),
        "{message}"
    );
    assert!(
        message.contains("--budget with more games takes it further"),
        "{message}"
    );
    let message = refused(&["--budget", "82"]);
    assert!(
        message.contains("evolution.budget = 82 leaves nothing to learn from"),
        "{message}"
    );
    let message = refused(&["--budget", "300", "--depth", "2"]);
    assert!(
        message.contains("player.depth: 1 -> 2 (--depth)"),
        "{message}"
    );
    assert!(message.contains("--accept-changes"), "{message}");
    // What it advises besides works.
    let message = refused(&["--depth", "2"]);
    let (_, flag) = message.trim_end().rsplit_once("--seed-from ").unwrap();
    let line = format!(
        "loatune -q run -p next --no-http --depth 1 --budget 60 --certificate-games 2 \
         --hall-games 2 --seed-from {flag}"
    );
    let output = place.shell(&line).finish();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let help = place.good(&["run", "--help"]);
    assert!(
        help.contains("A finished population is taken further"),
        "{help}"
    );
}
