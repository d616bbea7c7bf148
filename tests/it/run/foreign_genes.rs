//! The genes of another program: few or many, all of its options or those that
//! `[genes]` names.

use std::fs;

use serde_json::Value;

use super::foreign_support::{ENGINE, args, with_script};
use crate::support::binary::{Place, address};
use crate::support::client::get;

/// Every output shows the genes by their names, however many there are.
#[test]
fn three_and_two_hundred_genes_are_shown_by_their_names() {
    for genes in [3, 200] {
        let place = with_script(Place::new(), genes, ":");
        place.good(&args("many", &["--engine", ENGINE]));
        let last = format!("g{}", genes - 1);

        let csv = place.good(&["history", "--population", "many", "--csv"]);
        let header = csv.lines().next().unwrap();
        let wanted = format!("{last}_consensus");
        assert!(header.split(',').any(|name| name == wanted), "{header}");
        let svg = place.path().join("run.svg");
        let svg_text = svg.display().to_string();
        place.good(&["-q", "history", "--population", "many", "--svg", &svg_text]);
        assert!(fs::read_to_string(&svg).unwrap().contains("</svg>"));

        let export =
            |format: &str| place.good(&["export", "--population", "many", "--format", format]);
        let setoption = export("setoption");
        assert_eq!(setoption.lines().count(), genes);
        let line = setoption.lines().last().unwrap();
        assert!(line.starts_with(&format!("setoption name {last} value ")));
        assert_eq!(export("c-header").matches("\n#define G").count(), genes);
        assert!(export("csv").lines().next().unwrap().contains(&last));
        let toml: toml::Value = export("toml").parse::<toml::Table>().unwrap().into();
        assert_eq!(toml["options"].as_table().unwrap().len(), genes);
        let all = place.good(&["export", "--population", "many", "--all"]);
        assert!(
            all.lines().next().unwrap().ends_with(&format!(",{last}")),
            "{all}"
        );
        assert!(all.lines().count() > 4, "{all}");
        let json: Value = serde_json::from_str(&export("json")).unwrap();
        let proof = json["certificate"]["match"].as_array().unwrap();
        assert_eq!(proof[0]["opponent"], "default");
        // The first values are the defaults that the program announces.
        assert_eq!(proof[0]["options"][&last], genes - 1);

        let more = ["serve", "--population", "many", "--http", "127.0.0.1:0"];
        let mut page = place.start(&more);
        let address = address(page.stderr.take().unwrap());
        let file = get(address, "/api/files/1").json();
        let rows = file["genes"].as_array().unwrap();
        assert_eq!(rows.len(), genes);
        assert_eq!(rows[genes - 1]["name"], last.as_str());
        for chart in get(address, "/api/charts").json()["charts"]
            .as_array()
            .unwrap()
        {
            let path = format!("/api/charts/{}.svg", chart["name"].as_str().unwrap());
            assert!(get(address, &path).body.starts_with("<svg "), "{path}");
        }
        let champion = get(address, "/api/champion");
        assert_eq!(champion.status, 200, "{}", champion.body);
        assert!(
            champion.body.contains(&format!("\n{last} = ")),
            "{}",
            champion.body
        );
        assert_eq!(get(address, "/").status, 200);
        page.kill().unwrap();

        let verified = place.good(&["-q", "verify", "--population", "many", "--replay", "2"]);
        assert!(
            verified.contains("everything is as it should be"),
            "{verified}"
        );
        let verified = place.json(&["-q", "verify", "-p", "many", "--replay", "3", "--json"]);
        assert_eq!(verified["games_replayed"], 6, "{verified}");
    }
}

const TABLE: &str = "[genome]\nengine = \"sh engine.sh\"\n\
                     [genes]\ng2 = { min = 10, max = 60, step = 10, default = 20 }\ng0 = { max = 50 }\n";

#[test]
fn a_table_says_which_options_are_tuned_and_how() {
    let place = with_script(Place::new(), 3, ":").with("params.toml", TABLE);
    place.good(&args("some", &[]));
    let told = place.good(&["export", "--population", "some", "--format", "setoption"]);
    let values: Vec<(&str, i64)> = told
        .lines()
        .map(|line| {
            let (name, value) = line
                .strip_prefix("setoption name ")
                .unwrap()
                .split_once(" value ")
                .unwrap();
            (name, value.parse().unwrap())
        })
        .collect();
    let [(first, g2), (second, g0)] = values.as_slice() else {
        panic!("two genes: {told}");
    };
    assert_eq!((*first, *second), ("g2", "g0"));
    assert!(g2 % 10 == 0 && (10..=60).contains(g2), "{told}");
    assert!((0..=50).contains(g0), "{told}");
    // The population keeps the table, with what the engine announced.
    let kept = fs::read_to_string(place.path().join("populations/some/params.toml")).unwrap();
    let row = "\"g0\" = { min = 0, max = 50, step = 1, default = 0 }";
    assert!(kept.contains(row), "{kept}");
    let champion = fs::read_to_string(place.path().join("populations/some/champion.toml")).unwrap();
    for first in ["g2 = 20", "g0 = 0"] {
        assert!(champion.contains(first), "{champion}");
    }

    // The same file goes on; another one is refused, and changes nothing.
    place.good(&args("some", &[]));
    let place = place.with("params.toml", &TABLE.replace("max = 60", "max = 70"));
    let error = place.refused(&args("some", &[]));
    assert!(
        error.contains("genes.g2.max = 70, but the population was begun with 60"),
        "{error}"
    );
    let place = place.with("params.toml", &TABLE.replace("g0 = { max = 50 }", ""));
    let error = place.refused(&args("some", &[]));
    assert!(error.contains("[genes] does not have g0"), "{error}");
}

#[test]
fn a_table_that_does_not_fit_the_engine_is_refused_with_what_it_says() {
    let mut place = with_script(Place::new(), 3, ":");
    for (row, message) in [
        (
            "g9 = {}",
            "genes.g9: it announces no such option of type spin; did you mean g",
        ),
        ("whatever = {}", "those of type spin are g0, g1, g2, Hash"),
        (
            "g1 = { max = 300 }",
            "genes.g1.max = 300: its option g1 is from 0 to 200",
        ),
        (
            "g1 = { min = -1 }",
            "genes.g1.min = -1: its option g1 is from 0 to 200",
        ),
        (
            "g1 = { step = 7 }",
            "genes.g1.max = 200: must be a multiple of step = 7",
        ),
        (
            "g1 = { min = 50 }",
            "genes.g1.default = 1: must be from min = 50 to max = 200",
        ),
        (
            "g1 = { min = 5, max = 2 }",
            "params.toml:4: genes.g1.min = 5: must not be more than",
        ),
        (
            "g1 = { mni = 5 }",
            "params.toml:4: unknown key genes.g1.mni",
        ),
        (
            "MaxPlies = {}",
            "genes.MaxPlies: it is an option for the rules",
        ),
        (
            "g1 = { min = 3, max = 3, default = 3 }",
            "none of its options can vary",
        ),
    ] {
        let text = format!("[genome]\nengine = \"sh engine.sh\"\n[genes]\n{row}\n");
        place = place.with("params.toml", &text);
        let error = place.refused(&args("none", &[]));
        assert!(error.contains(message), "{row}: {error}");
    }
    place = place.with("params.toml", "[genes]\ng1 = {}\n");
    let error = place.refused(&args("none", &[]));
    assert!(
        error.contains("genes.g1: [genes] names options of another engine"),
        "{error}"
    );
    assert!(!place.path().join("populations/none").exists());
}
