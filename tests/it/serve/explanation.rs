//! What weights value: the page's server says what the command line says of the
//! same weights, computes it once, and refuses where there is nothing to explain.

use std::fs;
use std::time::Instant;

use serde_json::{Value, json};

use super::schema::check;
use super::stage::Stage;
use crate::run::foreign_support::{ENGINE, args, with_script};
use crate::support::binary::{Place, address};
use crate::support::client::get;

/// The journal of a population with the first eleven genes.
const EARLY: &[u8] = include_bytes!("../../data/populations/twin-rule/finished.journal");

/// What the command line says of a weight file.
fn explained(text: &str) -> Value {
    let place = Place::new().with("exported.toml", text);
    place.json(&["-q", "weights", "exported.toml", "--explain", "--json"])
}

/// The figures of both are equal to the last digit, and so is everything else.
#[test]
fn the_server_says_what_the_command_line_says() {
    let stage = Stage::new();
    let weights = |path: &str| get(stage.address(), path).body;
    for file in [3, 40] {
        let found = stage.good(&format!("/api/explanation?weights={file}"));
        check("Explanation", &found);
        assert_eq!(
            found,
            explained(&weights(&format!("/api/files/{file}/weights")))
        );
        let own = stage.good(&format!("/api/files/{file}"));
        for feature in found["features"].as_array().unwrap() {
            let genes = own["genes"].as_array().unwrap();
            let gene = genes.iter().find(|gene| gene["name"] == feature["gene"]);
            let gene = gene.unwrap();
            assert_eq!(gene["opening"], feature["opening"], "{feature}");
            assert_eq!(gene["endgame"], feature["endgame"], "{feature}");
        }
    }
    let default = stage.good("/api/explanation");
    assert_eq!(default["name"], "default");
    let place = Place::new();
    assert_eq!(
        default,
        place.json(&["-q", "weights", "--explain", "--json"])
    );

    assert_eq!(
        stage.refused("/api/explanation?weights=champion", 404),
        "weights \"champion\": there is no champion yet"
    );
    stage.refused("/api/explanation?weights=99999", 404);
    stage.refused("/api/explanation?weights=/etc/passwd", 400);
    stage.refused("/api/explanation?wieghts=3", 400);
    stage.population.finish();
    let champion = stage.good("/api/explanation?weights=champion");
    check("Explanation", &champion);
    assert_eq!(champion, explained(&weights("/api/champion")));
}

/// The games are played for the first who asks, and not again.
#[test]
fn it_is_computed_once() {
    let stage = Stage::new();
    let path = "/api/explanation?weights=5";
    let timed = || {
        let begin = Instant::now();
        (stage.good(path), begin.elapsed())
    };
    // Many at once share one computation, and nobody is refused.
    std::thread::scope(|scope| {
        let askers: Vec<_> = (0..12).map(|_| scope.spawn(timed)).collect();
        let answers = askers.into_iter().map(|asker| asker.join().unwrap().0);
        let answers: Vec<Value> = answers.collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    });
    let other = Instant::now();
    stage.good("/api/explanation?weights=6");
    let computed = other.elapsed();
    let fastest = (0..5).map(|_| timed().1).min().unwrap();
    assert!(fastest < computed, "{fastest:?} against {computed:?}");
}

/// Whoever tunes another program's options has no weights to explain, and is told so;
/// the built-in ones can still be asked for.
#[test]
fn options_of_another_engine_are_not_explained() {
    let place = with_script(Place::new(), 3, ":");
    place.good(&args("mine", &["--engine", ENGINE]));
    let mut process = place.start(&["serve", "--population", "mine", "--http", "127.0.0.1:0"]);
    let page = address(process.stderr.take().unwrap());
    for weights in ["0", "champion", "leader"] {
        let answer = get(page, &format!("/api/explanation?weights={weights}"));
        assert_eq!(answer.status, 409, "{answer:?}");
        let expected = format!(
            "the genes of the population mine are options of the engine `{ENGINE}`: its files \
             are no weights of this program's evaluation"
        );
        assert_eq!(answer.error(), expected, "{weights}");
    }
    assert_eq!(get(page, "/api/explanation").status, 200);
    assert_eq!(get(page, "/api/files/0/weights").status, 200);
}

/// Files of a population with the first genes are explained as what they are: those
/// that joined later weigh nothing.
#[test]
fn an_earlier_gene_table_is_explained() {
    let place = Place::new();
    let directory = place.path().join("populations/early");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("journal"), EARLY).unwrap();
    place.good(&["-q", "run", "--population", "early", "--no-http"]);
    let mut process = place.start(&["serve", "--population", "early", "--http", "127.0.0.1:0"]);
    let page = address(process.stderr.take().unwrap());
    let found = get(page, "/api/explanation?weights=champion").json();
    assert_eq!(found, explained(&get(page, "/api/champion").body));
    let of = |gene: &str| {
        let features = found["features"].as_array().unwrap().iter();
        let mut features = features.filter(|one| one["gene"] == gene);
        features.next().unwrap().clone()
    };
    assert_eq!(of("concentration")["share"], json!(0.0));
    assert!(of("euler")["share"].as_f64() > Some(0.0));
}
