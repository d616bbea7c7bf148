//! The interface for programs: answers are what its description says, lists are
//! filtered, and what cannot be is refused by name.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use loatune::serve::http::OPENAPI;
use loatune::weights::WeightFile;
use serde_json::Value;

use super::schema::check;
use super::stage::{BEGIN, Stage};
use crate::support::client::{escaped, get, request};
use crate::support::population::recording;

#[test]
fn answers_are_what_the_description_says() {
    let stage = Stage::new();
    let first = stage.good("/api/files?count=3");
    assert_eq!(first["files"].as_array().unwrap().len(), 3);
    assert_eq!(first["next"], 3);
    let position = escaped("8/2x5/8/3x4/3oo3/8/6o1/x7 o");
    for (path, schema) in [
        ("/api/status", "Status"),
        ("/api/files", "Files"),
        ("/api/files?from=500", "Files"),
        ("/api/files/0", "File"),
        ("/api/files/33", "File"),
        ("/api/matches", "Matches"),
        ("/api/matches?file=0&before=40&count=2", "Matches"),
        ("/api/matches/0", "Match"),
        ("/api/history", "History"),
        ("/api/charts", "Charts"),
        ("/api/session", "Session"),
        ("/api/moves", "Listing"),
        (&format!("/api/moves?position={position}"), "Listing"),
        ("/api/analyse?depth=2", "Analysis"),
        (
            &format!("/api/analyse?position={position}&weights=leader&player=minimax&depth=2"),
            "Analysis",
        ),
        ("/api/analyse?player=selective&depth=3", "Analysis"),
        ("/api/curve?moves=b1-b3%20a2-c2&weights=3", "Curve"),
        ("/api/chance?moves=b1-b3&weights=3", "Chance"),
        ("/api/explanation?weights=3", "Explanation"),
        ("/api/lines?depth=2&time=5", "Lines"),
        ("/api/duel?a=3&b=default&depth=1", "Duel"),
        ("/api/living", "Living"),
        ("/api/params", "Params"),
        ("/api/speed", "Speed"),
        ("/api/populations", "Populations"),
        (
            "/api/files?state=living&origin=founder&sort=points&descending=true",
            "Files",
        ),
        ("/api/matches?file=0&result=won", "Matches"),
    ] {
        check(schema, &stage.good(path));
    }
    stage.population.finish();
    let status = stage.good("/api/status");
    check("Status", &status);
    assert_eq!(status["state"], "finished");
    assert_eq!(status["champion"], recording().status["champion"]);

    // The page's files and every answer carry the policy.
    let page = get(stage.address(), "/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
    assert!(!policy.contains("unsafe"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    for path in [
        "/files",
        "/files/3",
        "/matches",
        "/matches/1",
        "/compare",
        "/parameters",
        "/populations",
        "/play",
        "/assets/board.js",
        "/assets/uplot.min.js",
        "/assets/uplot.LICENSE",
    ] {
        assert_eq!(get(stage.address(), path).status, 200, "{path}");
    }
    assert_eq!(get(stage.address(), "/nowhere").status, 404);
    assert_eq!(get(stage.address(), "/assets/none.js").status, 404);
}

/// Every path of the description exists, and every one that exists is in it.
#[test]
fn the_description_is_whole() {
    let stage = Stage::new();
    let served = stage.good("/api/openapi.json");
    let described: Value = serde_json::from_str(&OPENAPI).unwrap();
    assert_eq!(served, described);
    for (path, methods) in described["paths"].as_object().unwrap() {
        if path == "/api/events" {
            continue;
        }
        let path = path.replace("{id}", "1").replace("{name}", "points.svg");
        for method in methods.as_object().unwrap().keys() {
            let answer = request(stage.address(), &method.to_uppercase(), &path, "", "");
            // There is no champion yet, and nobody showed a token.
            let expected: &[u16] = match (method.as_str(), path.as_str()) {
                (_, "/api/champion") => &[404],
                // It needs two sets of weights.
                (_, "/api/duel") => &[400],
                // Chances may still be on their way, or games too few.
                (_, "/api/calibration") => &[200, 404, 503],
                ("post", "/api/sgf") => &[400],
                ("post", _) => &[401],
                _ => &[200],
            };
            assert!(
                expected.contains(&answer.status),
                "{method} {path}: {answer:?}"
            );
        }
    }
    // Programs that are made from it need a name for each question, and the forms of
    // what they may ask with.
    let mut names = BTreeSet::new();
    for (path, methods) in described["paths"].as_object().unwrap() {
        for operation in methods.as_object().unwrap().values() {
            let name = operation["operationId"].as_str();
            assert!(names.insert(name.expect(path)), "{path}: {name:?} twice");
            let none = Vec::new();
            let parameters = operation["parameters"].as_array().unwrap_or(&none);
            for parameter in parameters {
                let (name, form) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
                let is_restricted = form.get("pattern").or(form.get("enum")).is_some();
                let is_fixed = ["moves", "weights", "state", "origin", "sort", "result"];
                let is_fixed = is_fixed.contains(&name) || name == "resigned";
                assert!(!is_fixed || is_restricted, "{path}: {name}: {form}");
            }
        }
    }
    let routes = include_str!("../../../src/serve/http/routes.rs");
    for path in routes.split("route(\"").skip(1) {
        let path = path.split('"').next().unwrap();
        assert!(described["paths"].get(path).is_some(), "{path}");
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let stage = Stage::new();
    for (path, status, message) in [
        ("/api/files/x", 400, "file \"x\": must be a whole number"),
        (
            "/api/files/%2B1",
            400,
            "file \"+1\": must be a whole number",
        ),
        ("/api/files/99999", 404, "there is no file #99999"),
        ("/api/files/0/weights?", 200, ""),
        ("/api/files?count=0", 400, "count 0: must be from 1 to 500"),
        ("/api/files?cuont=5", 400, "unknown field `cuont`"),
        ("/api/matches/9999", 404, "there is no match 9999"),
        ("/api/champion", 404, "there is no champion yet"),
        (
            "/api/charts/none.svg",
            404,
            "there is no chart \"none.svg\"",
        ),
        (
            "/api/charts/points.svg?theme=pink",
            400,
            "theme \"pink\": must be \"light\" or",
        ),
        ("/api/moves?position=8/8%20x", 400, "bad position: "),
        (
            "/api/moves?moves=b1-b4",
            400,
            "bad moves: move 1 (\"b1-b4\")",
        ),
        (
            "/api/analyse?depth=0",
            400,
            "depth 0: must be from 1 to 250",
        ),
        (
            "/api/analyse?time=6",
            400,
            "time 6: must be more than 0 and at most 5",
        ),
        (
            "/api/analyse?time=NaN",
            400,
            "time NaN: must be more than 0",
        ),
        ("/api/analyse?nodes=0", 400, "nodes 0: must be at least 1"),
        ("/api/analyse?player=chess", 400, "unknown player `chess`"),
        (
            "/api/analyse?weights=/etc/passwd",
            400,
            "weights \"/etc/passwd\": must be",
        ),
        (
            "/api/analyse?weights=champion",
            404,
            "weights \"champion\": there is no champion",
        ),
        ("/api/analyse?weights=12345", 404, "there is no file #12345"),
        ("/api/curve?depth=5", 400, "depth 5: must be from 0 to 4"),
        ("/api/events?after=x", 400, "invalid digit"),
        ("/api/nothing", 404, "there is nothing at /api/nothing"),
    ] {
        if status == 200 {
            assert_eq!(get(stage.address(), path).status, 200, "{path}");
            continue;
        }
        let found = stage.refused(path, status);
        assert!(found.contains(message), "{path}: {found}");
    }
    let wrong = request(stage.address(), "DELETE", "/api/status", "", "");
    assert_eq!(wrong.status, 405);
}

/// Pages of those files and matches that fit lead through all of them.
#[test]
fn files_and_matches_are_filtered() {
    let stage = Stage::new();
    let all = stage.good("/api/files?count=500");
    let files = all["files"].as_array().unwrap();
    assert_eq!(all["total"], files.len());
    let numbers = |page: &Value| -> Vec<u64> {
        let files = page["files"].as_array().unwrap().iter();
        files.map(|file| file["file"].as_u64().unwrap()).collect()
    };
    let living: Vec<u64> = files
        .iter()
        .filter(|file| file["alive"] == true)
        .map(|file| file["file"].as_u64().unwrap())
        .collect();
    let page = stage.good("/api/files?count=500&state=living");
    assert_eq!(numbers(&page), living);
    let best = stage.good("/api/files?count=500&state=living&sort=points&descending=true");
    let points: Vec<f64> = best["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["points"].as_f64().unwrap())
        .collect();
    assert!(points.is_sorted_by(|a, b| a >= b), "{points:?}");
    let mut paged = numbers(&stage.good("/api/files?count=3&sort=points&descending=true"));
    paged.extend(numbers(
        &stage.good("/api/files?count=2&skip=3&sort=points&descending=true"),
    ));
    let five = stage.good("/api/files?count=5&sort=points&descending=true");
    assert_eq!(paged, numbers(&five));

    let parent = files
        .iter()
        .max_by_key(|file| file["children"].as_u64())
        .unwrap();
    let children = stage.good(&format!("/api/files?count=500&parent={}", parent["file"]));
    assert_eq!(children["total"], parent["children"]);

    // Won, drawn and lost are all there is.
    let file = living[0];
    let list = |query: &str| -> Vec<u64> {
        let mut found = Vec::new();
        let mut before = String::new();
        loop {
            let page = stage.good(&format!("/api/matches?count=7&file={file}{query}{before}"));
            let matches = page["matches"].as_array().unwrap().iter();
            found.extend(matches.map(|one| one["number"].as_u64().unwrap()));
            match page["before"].as_u64() {
                Some(number) => before = format!("&before={number}"),
                None => return found,
            }
        }
    };
    let mut parts: Vec<u64> = ["won", "drawn", "lost"]
        .iter()
        .flat_map(|result| list(&format!("&result={result}")))
        .collect();
    parts.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(parts, list(""));
    assert!(!parts.is_empty());
}

#[test]
fn weights_in_both_forms() {
    let stage = Stage::new();
    stage.population.finish();
    let champion = get(stage.address(), "/api/champion").body;
    assert_eq!(champion, recording().champion, "as `export` writes it");
    for path in ["/api/champion", "/api/files/5/weights"] {
        let toml = get(stage.address(), path);
        assert!(
            toml.header("content-type")
                .unwrap()
                .starts_with("application/toml")
        );
        let from_toml = WeightFile::parse(&toml.body, "a.toml").unwrap();
        let json = request(
            stage.address(),
            "GET",
            path,
            "Accept: application/json\r\n",
            "",
        );
        check("Weights", &json.json());
        assert_eq!(WeightFile::parse(&json.body, "a.json").unwrap(), from_toml);
    }
}

#[test]
fn metrics_are_prometheus_text() {
    let stage = Stage::new();
    assert_eq!(get(stage.address(), "/healthz").body, "ok\n");
    let answer = get(stage.address(), "/metrics");
    let kind = answer.header("content-type").unwrap();
    assert!(kind.starts_with("text/plain; version=0.0.4"), "{kind}");
    let mut names = Vec::new();
    for line in answer.body.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        value.parse::<f64>().unwrap();
        names.push(name.split('{').next().unwrap().to_owned());
    }
    for name in [
        "loatune_games_total",
        "loatune_files",
        "loatune_state",
        "loatune_http_requests_total",
        #[cfg(target_os = "linux")]
        "process_resident_memory_bytes",
        #[cfg(target_os = "linux")]
        "process_cpu_seconds_total",
    ] {
        assert!(names.iter().any(|found| found == name), "{name}");
        assert!(answer.body.contains(&format!("# TYPE {name} ")), "{name}");
    }
    assert!(answer.body.contains("loatune_state{state=\"evolving\"} 1"));
    assert!(
        answer
            .body
            .contains(&format!("loatune_matches_total {BEGIN}\n"))
    );

    // The speed is known as soon as there is one.
    assert!(!answer.body.contains("loatune_games_per_second"));
    stage.population.play_at(12.5);
    let told = "\nloatune_games_per_second 12.5\n";
    let begin = Instant::now();
    // A status is shared for a moment.
    while !get(stage.address(), "/metrics").body.contains(told) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(20));
    }
    let samples = &stage.good("/api/speed")["samples"];
    assert_eq!(samples[0]["games_per_second"], 12.5);
}

/// The page outlives the work by a moment: what is known is still shown, and
/// what would have to be read is refused with a sentence.
#[test]
fn a_closed_store_is_told() {
    let stage = Stage::new();
    stage.good("/api/status");
    stage.population.close();
    assert_eq!(stage.good("/api/status")["matches"], BEGIN);
    for path in [
        "/api/files",
        "/api/matches/0",
        "/api/history",
        "/api/champion",
    ] {
        let message = stage.refused(path, 500);
        assert!(message.contains("closed"), "{path}: {message}");
    }
    assert_eq!(get(stage.address(), "/healthz").status, 200);
}
