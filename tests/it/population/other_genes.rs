//! A population whose gene table is not this program's, as a later version would begin
//! it: it can be looked at, and nothing of it is misread or changed.

use std::fs;

use loatune::genome::{Gene, GeneTable};
use loatune::store::{Begin, Layout, Population};

use crate::support::binary::{Place, address};
use crate::support::client::get;

/// A population with this program's genes and one more.
fn place() -> Place {
    let place = Place::new();
    let mut genes: Vec<Gene> = GeneTable::built_in().into();
    let mut later = genes[0].clone();
    later.name = String::from("wormhole");
    genes.push(later);
    let begin = Begin {
        params: String::from("[genome]\nwormhole = [0, 50]\n"),
        genes: genes.into(),
        seeds: Vec::new(),
    };
    let directory = place.path().join("populations/later");
    fs::create_dir_all(directory.parent().unwrap()).unwrap();
    let population = Population::create(&directory, &begin).unwrap();
    population.close().unwrap();
    place
}

#[test]
fn it_is_looked_at_and_not_played() {
    let place = place();
    let journal = Layout::new(&place.path().join("populations/later")).journal();
    let before = fs::read(&journal).unwrap();
    let told = place.refused(&["-q", "run", "--population", "later", "--no-http"]);
    for part in [
        "has a gene that this program does not have: wormhole",
        "It was begun by another version of loatune",
        "nothing of it was changed",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let status = place.json(&["status", "--population", "later", "--json"]);
    assert_eq!(status["population"], "later");
    place.good(&["-q", "history", "--population", "later"]);
    let told = place.refused(&["export", "--population", "later", "--file", "0"]);
    let expected = "the population later has a gene that this program does not have: wormhole; its \
                    files are no weights that this program could use";
    assert!(told.contains(expected), "{told}");

    // The page shows the files by their genes' names, and has nothing to explain.
    let mut process = place.start(&["serve", "--population", "later", "--http", "127.0.0.1:0"]);
    let page = address(process.stderr.take().unwrap());
    let file = get(page, "/api/files/0").json();
    let genes = file["genes"].as_array().unwrap();
    assert_eq!(genes.last().unwrap()["name"], "wormhole");
    assert!(file["weights"].is_null());
    let answer = get(page, "/api/explanation?weights=0");
    assert_eq!((answer.status, answer.error().as_str()), (409, expected));
    assert_eq!(fs::read(&journal).unwrap(), before);
}
