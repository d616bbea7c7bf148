//! What the interface tells of a school: scholars, their lessons and challenges,
//! and whether their chances are honest in games that they did not learn from.

use std::time::Duration;

use super::schema::check;
use super::stage::Stage;
use crate::support::client::get;
use crate::support::population::Playback;

#[test]
fn scholars_are_told_and_checked_on_games_after_their_lessons() {
    let stage = Stage::with(Playback::of_a_school(), "127.0.0.1:0");
    let status = stage.good("/api/status");
    check("Status", &status);
    let scholars = status["scholars"].as_array().unwrap();
    assert!(scholars.len() >= 3, "{scholars:?}");
    let numbers: Vec<u64> = scholars
        .iter()
        .map(|scholar| scholar["file"].as_u64().unwrap())
        .collect();

    // They are among the files, and can be asked for; those whom they challenged
    // are in no state that can be asked for.
    let listed = |query: &str| -> Vec<u64> {
        let files = stage.good(&format!("/api/files?count=500&{query}"));
        let files = files["files"].as_array().unwrap().iter();
        files.map(|file| file["file"].as_u64().unwrap()).collect()
    };
    assert_eq!(listed("origin=scholar"), numbers);
    let challenged = listed("origin=consensus");
    assert_eq!(challenged.len(), numbers.len());
    for state in ["living", "dead", "hall"] {
        let found = listed(&format!("origin=consensus&state={state}"));
        assert!(found.is_empty(), "{state}: {found:?}");
    }

    // The check of a scholar leaves out what it learned from, if enough is left.
    let matches = status["matches"].as_u64().unwrap();
    let born = |n: usize| scholars[n]["matches"].as_u64().unwrap();
    let taught = (0..scholars.len()).rfind(|&n| born(n) + 20 <= matches);
    let taught = taught.unwrap();
    assert!(born(taught) > matches / 2, "the later half is not enough");
    let path = format!("/api/calibration?weights={}", numbers[taught]);
    let calibration = loop {
        let answer = get(stage.address(), &path);
        match answer.status {
            503 => std::thread::sleep(Duration::from_millis(200)),
            status => {
                assert_eq!(status, 200, "{answer:?}");
                break answer.json();
            }
        }
    };
    check("Calibration", &calibration);
    assert_eq!(calibration["from"], born(taught));
    let nats = calibration["log_likelihood"].as_f64().unwrap();
    assert!((-1.5..0.0).contains(&nats), "{nats}");
}
