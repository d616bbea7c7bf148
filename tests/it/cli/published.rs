//! Names of published champions work wherever weights are taken.

use std::fs;

use crate::support::binary::{Place, address, loatune, output_of};
use crate::support::client::get;
use serde_json::Value;

/// A place with the published champion of the repository, under the name
/// `good`.
fn place() -> Place {
    let place = Place::new();
    let directory = place.path().join("populations/published");
    fs::create_dir_all(&directory).unwrap();
    let champion = include_str!("../../../populations/published/champion.toml");
    fs::write(directory.join("good.toml"), champion).unwrap();
    fs::write(directory.join("champion.toml"), champion).unwrap();
    place
}

#[test]
fn commands_that_take_weights() {
    let place = place();
    let path = "populations/published/good.toml";
    for name in ["good", "published:good"] {
        assert_eq!(
            place.good(&["weights", name]),
            place.good(&["weights", path])
        );
        let analyse = ["analyse", "startpos", "--depth", "1", "--json", "--weights"];
        let found = place.json(&[&analyse[..], &[name]].concat());
        let by_path = place.json(&[&analyse[..], &[path]].concat());
        assert_eq!(found["static_value"], by_path["static_value"]);
        assert_eq!(found["weights"], by_path["weights"]);
    }
    let drawn = place.good(&["weights", "random:7"]);
    assert!(drawn.contains("drawn from seed 7"), "{drawn}");
    let output = output_of(
        loatune(place.path()).args(["play", "--weights", "good"]),
        "quit\n",
    );
    assert_eq!(output.status.code(), Some(0));
    // A file goes before a champion of the same name.
    let own = place.good(&["weights", "random:9"]);
    fs::write(place.path().join("good"), own).unwrap();
    assert!(place.good(&["weights", "good"]).contains("seed 9"));
    assert!(
        !place
            .good(&["weights", "published:good"])
            .contains("seed 9")
    );
    let unknown = place.refused(&["weights", "best"]);
    assert!(
        unknown.contains("a published champion (populations/published has champion, good)"),
        "{unknown}"
    );
}

#[test]
fn the_engine_protocol() {
    let place = place();
    // The end of the input lets a search finish, which `quit` would cut short.
    let line = "setoption name Weights value good\nposition startpos\ngo depth 2\n";
    let by_option = output_of(loatune(place.path()).arg("ugi"), line);
    let line = "position startpos\ngo depth 2\n";
    let by_flag = output_of(
        loatune(place.path()).args(["ugi", "--weights", "good"]),
        line,
    );
    let scores = |output: std::process::Output| {
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains("error"), "{text}");
        let scores = text
            .split("score ")
            .skip(1)
            .filter_map(|rest| rest.split(' ').nth(1));
        scores.map(str::to_owned).collect::<Vec<_>>()
    };
    let (by_option, by_flag) = (scores(by_option), scores(by_flag));
    assert!(!by_flag.is_empty());
    assert_eq!(by_option, by_flag);
}

#[test]
fn populations_and_their_page() {
    let place = place();
    let run = "-q run --no-http --depth 1 --budget 60 --certificate-games 2 --hall-games 2 \
               --mobility-power 0.25..2 --mobility-centre=-50..100 --seed-from good";
    place.good(&run.split_whitespace().collect::<Vec<_>>());
    let all = place.good(&["export", "--all", "--format", "csv"]);
    assert!(all.contains(",seeded,"), "{all}");

    let mut serve = place.start(&["serve", "--http", "127.0.0.1:0"]);
    let page = address(serve.stdout.take().unwrap());
    let value = |weights: &str| -> Value {
        let path = format!("/api/analyse?position=startpos&depth=1&weights={weights}");
        get(page, &path).json()
    };
    let good = value("good");
    assert_eq!(good["weights"], value("published:champion")["weights"]);
    // The population's own champion has no other name on its page.
    assert_eq!(value("champion")["weights"], "default-champion");
    for bad in [
        "nobody",
        "..%2Fpublished%2Fgood",
        "good.toml",
        "published:no",
    ] {
        let path = format!("/api/analyse?position=startpos&depth=1&weights={bad}");
        let refused = get(page, &path);
        assert_eq!(refused.status, 400, "{bad}: {}", refused.body);
        assert!(
            refused.body.contains("the name of a published champion"),
            "{}",
            refused.body
        );
    }
}

#[test]
fn imports_of_a_champion() {
    let place = place();
    let mut run = place.start(&[
        "-q",
        "run",
        "--no-http",
        "--depth",
        "1",
        "--budget",
        "1000000",
        "--threads",
        "1",
        "--mobility-power",
        "0.25..2",
        "--mobility-centre=-50..100",
    ]);
    let begin = std::time::Instant::now();
    let imported = loop {
        let output = place.run(&["import", "good", "--json"]);
        if output.status.success() {
            break String::from_utf8(output.stdout).unwrap();
        }
        assert!(begin.elapsed().as_secs() < 60, "{output:?}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert!(imported.contains("\"file\":"), "{imported}");
    place.good(&["stop"]);
    assert_eq!(run.wait().unwrap().code(), Some(3));
}
