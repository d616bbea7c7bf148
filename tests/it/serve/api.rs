//! The page's server, asked over loopback by a client that sends what it
//! likes: answers, their description, and who is refused.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::support::START;
use crate::support::binary::{Place, address};
use crate::support::client::{connect, escaped, exchange, get, request};
use crate::support::population::{NAME, Playback, recording};
use loatune::serve::http::{OPENAPI, Options, Server, Source, StartError, TOKEN_FILE};
use loatune::weights::WeightFile;
use serde_json::{Value, json};

use super::schema::check;

/// Matches that are applied when a test begins.
const BEGIN: u64 = 60;

/// A population and its server.
struct Stage {
    population: Playback,
    server: Server,
}

impl Stage {
    fn new() -> Stage {
        Stage::on("127.0.0.1:0")
    }

    fn on(address: &str) -> Stage {
        let population = Playback::new(BEGIN);
        let options = population.options();
        let server = Server::start(address, population.window.clone(), options).unwrap();
        Stage { population, server }
    }

    fn address(&self) -> SocketAddr {
        let mut address = self.server.address();
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        address
    }

    fn token(&self) -> String {
        let path = self.population.directory().join(TOKEN_FILE);
        std::fs::read_to_string(path).unwrap().trim().to_owned()
    }

    fn bearer(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.token())
    }

    #[track_caller]
    fn good(&self, path: &str) -> Value {
        let answer = get(self.address(), path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    #[track_caller]
    fn refused(&self, path: &str, status: u16) -> String {
        let answer = get(self.address(), path);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        answer.error()
    }
}

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
    let routes = include_str!("../../../src/serve/http/routes.rs");
    for path in routes.split("route(\"").skip(1) {
        let path = path.split('"').next().unwrap();
        assert!(described["paths"].get(path).is_some(), "{path}");
    }
}

#[test]
fn positions_are_answered_as_by_the_commands() {
    let stage = Stage::new();
    let place = Place::new();
    for position in [
        START,
        "8/2x5/8/3x4/3oo3/8/6o1/x7 o",
        "8/8/8/3x4/3oo3/8/8/8 x",
    ] {
        let path = format!("/api/moves?position={}", escaped(position));
        let printed = place.json(&["moves", "--json", position]);
        assert_eq!(stage.good(&path), printed, "{position}");

        let path = format!("/api/analyse?depth=3&position={}", escaped(position));
        let mut answered = stage.good(&path);
        let mut printed = place.json(&["analyse", "--json", "--depth", "3", position]);
        for key in ["seconds", "nodes_per_second"] {
            answered[key].take();
            printed[key].take();
        }
        assert_eq!(answered, printed, "{position}");
    }
    // With the moves, the game's past counts too.
    let there_and_back = "b1-b3 a2-c2 b3-b1 c2-a2 ".repeat(2);
    let path = format!("/api/moves?moves={}", escaped(there_and_back.trim()));
    let answer = stage.good(&path);
    assert_eq!(
        (&answer["result"], &answer["reason"]),
        (&json!("draw"), &json!("repetition"))
    );
    check("Listing", &answer);
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

/// A chance is calibrated, and the same wherever it is asked for.
#[test]
fn chances_are_honest_and_agree() {
    let stage = Stage::new();
    let calibration = loop {
        let answer = get(stage.address(), "/api/calibration?weights=3");
        match answer.status {
            503 => std::thread::sleep(Duration::from_millis(200)),
            status => {
                assert_eq!(status, 200, "{answer:?}");
                break answer.json();
            }
        }
    };
    check("Calibration", &calibration);
    let sum = |name: &str| -> u64 {
        let bins = calibration["bins"].as_array().unwrap().iter();
        bins.map(|bin| bin[name].as_u64().unwrap()).sum()
    };
    assert_eq!(calibration["checked"], sum("positions"));
    assert!(calibration["brier"].as_f64().unwrap() < 0.3);
    let moves = "c8-c6 a2-c4 c1xc4 h6-e6";
    let curve = stage.good(&format!("/api/curve?weights=3&moves={}", escaped(moves)));
    for (plies, chance) in curve["chances"].as_array().unwrap().iter().enumerate() {
        let so_far: Vec<&str> = moves.split(' ').take(plies).collect();
        let path = format!("/api/chance?weights=3&moves={}", escaped(&so_far.join(" ")));
        assert_eq!(&stage.good(&path)["chance"], chance, "{plies}");
        let chance = chance.as_f64().unwrap();
        assert!((0.02..=0.98).contains(&chance), "nobody has won: {chance}");
    }
    // What is over is certain.
    let over = escaped("8/8/8/3xx3/8/o7/8/7o o");
    let end = stage.good(&format!("/api/chance?position={over}"));
    assert_eq!(end["chance"], 1.0);
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
fn games_as_sgf_and_back() {
    let stage = Stage::new();
    let path = "/api/sgf?moves=b1-b3%20a2-c2&black=Ann&white=Bob%20%5D";
    let written = get(stage.address(), path);
    assert_eq!(written.status, 200);
    let shown = written.header("content-disposition").unwrap();
    assert!(shown.starts_with("attachment"), "{shown}");
    let read = request(stage.address(), "POST", "/api/sgf", "", &written.body).json();
    check("SgfGames", &read);
    assert_eq!(read["games"][0]["players"], json!(["Ann", "Bob ]"]));
    assert_eq!(read["games"][0]["moves"], json!(["b1-b3", "a2-c2"]));
    let broken = request(stage.address(), "POST", "/api/sgf", "", "(;GM[1])");
    assert_eq!(broken.status, 400);
    assert!(
        broken.error().contains("GM[1] is another game"),
        "{}",
        broken.error()
    );
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
}

// Who may come in.

#[test]
fn a_foreign_host_is_refused() {
    let stage = Stage::new();
    let port = stage.address().port();
    for host in [
        "localhost",
        "127.0.0.1",
        &format!("localhost:{port}"),
        "[::1]:9",
    ] {
        let answer = request(
            stage.address(),
            "GET",
            "/api/status",
            &format!("Host: {host}\r\n"),
            "",
        );
        assert_eq!(answer.status, 200, "{host}");
    }
    for host in [
        "example.com",
        "localhost.example.com",
        "192.168.0.7",
        "127.0.0.1.nip.io",
    ] {
        for path in ["/", "/api/status", "/healthz", "/assets/board.js"] {
            let answer = request(
                stage.address(),
                "GET",
                path,
                &format!("Host: {host}\r\n"),
                "",
            );
            assert_eq!(answer.status, 403, "{host} {path}");
            assert!(answer.error().contains("is no name of this server"));
        }
    }
    let none = exchange(stage.address(), b"GET /api/status HTTP/1.0\r\n\r\n");
    assert_eq!(none.status, 403);
    let twice = "Host: localhost\r\nHost: example.com\r\n";
    let twice = request(stage.address(), "GET", "/api/status", twice, "");
    assert!(matches!(twice.status, 400 | 403), "{twice:?}");
}

#[test]
fn a_foreign_page_is_refused() {
    let stage = Stage::new();
    let address = stage.address();
    let own = format!("Origin: http://{address}\r\n");
    assert_eq!(request(address, "GET", "/api/status", &own, "").status, 200);
    for origin in [
        "null",
        "http://example.com",
        "http://127.0.0.1:1",
        "http://localhost",
    ] {
        for (method, path) in [
            ("GET", "/api/status"),
            ("POST", "/api/stop"),
            ("POST", "/api/sgf"),
        ] {
            let headers = format!("Origin: {origin}\r\n{}", stage.bearer());
            let answer = request(address, method, path, &headers, "");
            assert_eq!(answer.status, 403, "{origin} {path}");
        }
    }
    // What a page of another site, or of another port, makes a browser ask.
    for site in ["cross-site", "same-site"] {
        let fetch = format!(
            "Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n"
        );
        for path in ["/api/analyse?time=5", "/api/charts/points.svg", "/"] {
            assert_eq!(
                request(address, "GET", path, &fetch, "").status,
                403,
                "{path}"
            );
        }
        let link = format!(
            "Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
        );
        assert_eq!(request(address, "GET", "/", &link, "").status, 200);
        assert_eq!(
            request(address, "GET", "/api/status", &link, "").status,
            403
        );
        let frame = link.replace("document", "iframe");
        assert_eq!(request(address, "GET", "/", &frame, "").status, 403);
    }
    assert!(stage.population.is_left_alone());
}

#[test]
fn changes_need_the_token() {
    let stage = Stage::new();
    let address = stage.address();
    let post =
        |path: &str, headers: &str, body: &str| request(address, "POST", path, headers, body);
    let weights = WeightFile::default().to_toml();
    let wrong = format!("Authorization: Bearer {}\r\n", "0".repeat(64));
    for headers in [
        "",
        &wrong,
        "Authorization: Basic eA==\r\n",
        "Cookie: loatune-1=x\r\n",
    ] {
        for path in ["/api/stop", "/api/import"] {
            let answer = post(path, headers, &weights);
            assert_eq!(answer.status, 401, "{path} {headers}");
            assert!(answer.header("www-authenticate").is_some());
        }
    }
    assert!(stage.population.is_left_alone());

    assert_eq!(stage.good("/api/session")["may_change"], false);
    let session = request(address, "GET", "/api/session", &stage.bearer(), "");
    assert_eq!(session.json()["may_change"], true);
}

/// With the token a real run takes weights in, and stops.
#[test]
fn with_the_token_changes_are_made() {
    let place = Place::new();
    let mut run = place.start(&[
        "run",
        "--population",
        NAME,
        "--depth",
        "1",
        "--http",
        "127.0.0.1:0",
    ]);
    let page = address(run.stderr.take().unwrap());
    let token = place.path().join("populations").join(NAME).join(TOKEN_FILE);
    let token = std::fs::read_to_string(token).unwrap().trim().to_owned();
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let post = |path: &str, headers: &str, body: &str| request(page, "POST", path, headers, body);

    let weights = WeightFile::default();
    let imported = post("/api/import", &bearer, &weights.to_toml()).json();
    check("Imported", &imported);
    let file = get(page, &format!("/api/files/{}", imported["file"])).json();
    check("File", &file);
    assert_eq!(file["origin"], "immigrant");
    let path = format!("/api/files/{}/weights", imported["file"]);
    let taken = WeightFile::parse(&get(page, &path).body, "taken.toml").unwrap();
    assert_eq!(taken.weights, weights.weights);
    let broken = post("/api/import", &bearer, "[loatune]\nformat = 9\n");
    assert_eq!(broken.status, 400);
    let message = broken.error();
    assert!(message.contains("loatune.format = 9"), "{message}");

    let session = post("/api/login", &bearer, "").json();
    let session = session["session"].as_str().unwrap();
    let own = format!("Authorization: Bearer {session}\r\nOrigin: http://{page}\r\n");
    let stopped = post("/api/stop", &own, "");
    check("Stopping", &stopped.json());
    assert_eq!(run.wait().unwrap().code(), Some(3));

    // Nobody works on it any more.
    let mut serve = place.start(&["serve", "--http", "127.0.0.1:0"]);
    let page = address(serve.stdout.take().unwrap());
    for path in ["/api/stop", "/api/import"] {
        let late = request(page, "POST", path, &bearer, &weights.to_toml());
        assert_eq!(late.status, 409, "{path}: {late:?}");
        let message = format!("nobody works on the population {NAME}");
        assert_eq!(late.error(), message);
    }
}

#[test]
fn beyond_loopback_everything_needs_the_token() {
    let stage = Stage::on("0.0.0.0:0");
    let address = stage.address();
    for path in [
        "/",
        "/play",
        "/api/status",
        "/api/events",
        "/metrics",
        "/assets/board.js",
    ] {
        assert_eq!(get(address, path).status, 401, "{path}");
    }
    assert_eq!(get(address, "/healthz").status, 200);
    for path in ["/", "/api/status", "/metrics", "/assets/board.js"] {
        let answer = request(address, "GET", path, &stage.bearer(), "");
        assert_eq!(answer.status, 200, "{path}");
    }
    let elsewhere = format!("Host: 192.168.0.7:{}\r\n{}", address.port(), stage.bearer());
    assert_eq!(
        request(address, "GET", "/api/status", &elsewhere, "").status,
        200
    );
    let rebound = format!("Host: example.com\r\n{}", stage.bearer());
    assert_eq!(
        request(address, "GET", "/api/status", &rebound, "").status,
        403
    );
    let bare = Server::start(
        "0.0.0.0:0",
        stage.population.window.clone(),
        Options::default(),
    );
    assert!(matches!(bare, Err(StartError::NoToken(_))));
}

#[test]
fn an_address_in_use_is_named() {
    let stage = Stage::new();
    let address = stage.address().to_string();
    let second = Server::start(
        &address,
        stage.population.window.clone(),
        Options::default(),
    );
    let message = second.unwrap_err().to_string();
    assert!(
        message.contains(&address) && message.contains("--no-http"),
        "{message}"
    );
    assert!(
        Server::start(
            "nonsense",
            stage.population.window.clone(),
            Options::default()
        )
        .is_err()
    );
}

// Limits.

#[test]
fn a_body_that_is_too_long_is_refused() {
    let stage = Stage::new();
    let long = "x".repeat(300 * 1024);
    let answer = request(stage.address(), "POST", "/api/sgf", "", &long);
    assert_eq!(answer.status, 413);
    // Even where the length is a lie, or not told.
    let head = format!("POST /api/sgf HTTP/1.1\r\nHost: {}\r\n", stage.address());
    let lie = exchange(
        stage.address(),
        format!("{head}Content-Length: 99999999999\r\nConnection: close\r\n\r\n(;").as_bytes(),
    );
    assert_eq!(lie.status, 413);
    let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let chunked = exchange(
        stage.address(),
        format!("{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{chunk}").as_bytes(),
    );
    assert_eq!(chunked.status, 413);
    assert_eq!(stage.good("/api/status")["population"], NAME);
}

#[test]
fn slow_clients_hold_up_nobody() {
    let stage = Stage::new();
    let mut slow: Vec<_> = (0..40).map(|_| connect(stage.address())).collect();
    for (n, stream) in slow.iter_mut().enumerate() {
        // Half a head, half a body, or an answer that nobody reads.
        let text = match n % 3 {
            0 => "GET /api/st".to_owned(),
            1 => format!(
                "POST /api/sgf HTTP/1.1\r\nHost: {}\r\nContent-Length: 50\r\n\r\n(;",
                stage.address()
            ),
            _ => format!(
                "GET /api/matches?count=500 HTTP/1.1\r\nHost: {}\r\n\r\n",
                stage.address()
            ),
        };
        stream.write_all(text.as_bytes()).unwrap();
    }
    for _ in 0..5 {
        stage.good("/api/status");
    }
}

#[test]
fn too_many_searches_are_turned_away() {
    let stage = Stage::new();
    let address = stage.address();
    let ask = format!(
        "GET /api/analyse?time=5&depth=99 HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    );
    let mut waiting: Vec<_> = (0..12)
        .map(|_| {
            let mut stream = connect(address);
            stream.write_all(ask.as_bytes()).unwrap();
            stream
        })
        .collect();
    // The page is there meanwhile, and those who come too late are told so.
    stage.good("/api/status");
    let mut busy = 0;
    for stream in &mut waiting {
        stream
            .set_read_timeout(Some(Duration::from_millis(300)))
            .unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        busy += usize::from(text.starts_with("HTTP/1.1 503"));
    }
    assert!((5..=11).contains(&busy), "{busy} turned away");
    // Whoever leaves is not thought for: the next answer comes soon.
    drop(waiting);
    let start = Instant::now();
    let answer = loop {
        let answer = get(address, "/api/analyse?depth=1");
        if answer.status == 200 {
            break answer;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{answer:?}");
        std::thread::sleep(Duration::from_millis(20));
    };
    check("Analysis", &answer.json());
}

// Events.

/// One browser that listens.
struct Listener {
    lines: std::io::Lines<BufReader<std::net::TcpStream>>,
}

/// A message: its name, its id and its data.
type Message = (String, Option<u64>, Value);

impl Listener {
    fn new(stage: &Stage, path: &str, headers: &str) -> Listener {
        let mut stream = connect(stage.address());
        let host = stage.address();
        let text = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        Listener {
            lines: BufReader::new(stream).lines(),
        }
    }

    /// The next message of a kind; `None` at the end of the stream.
    fn next(&mut self, kind: &str) -> Option<Message> {
        let (mut name, mut id, mut data) = (String::new(), None, String::new());
        loop {
            let line = self.lines.next()?.ok()?;
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.to_owned();
            } else if let Some(text) = line.strip_prefix("id: ") {
                id = text.parse().ok();
            } else if let Some(text) = line.strip_prefix("data: ") {
                data += text;
            } else if line.is_empty() && !name.is_empty() {
                if name == kind {
                    return Some((name, id, serde_json::from_str(&data).unwrap()));
                }
                (name, id, data) = (String::new(), None, String::new());
            }
        }
    }

    fn numbers(&mut self) -> (Vec<u64>, u64) {
        let (_, id, data) = self.next("events").unwrap();
        check("Events", &data);
        let events = data["events"].as_array().unwrap();
        let numbers: Vec<_> = events
            .iter()
            .map(|e| e["number"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers.last().copied(), id);
        (numbers, data["skipped"].as_u64().unwrap())
    }
}

#[test]
fn events_come_as_they_happen_and_go_on_after_a_break() {
    let stage = Stage::new();
    let population = &stage.population;
    let newest = || *population.events().last().unwrap();
    let after = |known: u64| -> Vec<u64> {
        let events = population.events().into_iter();
        events.filter(|&number| number > known).collect()
    };
    let mut listener = Listener::new(&stage, "/api/events", "");
    let (numbers, skipped) = listener.numbers();
    let all = population.events();
    assert_eq!((numbers.as_slice(), skipped), (&all[all.len() - 30..], 0));
    let (_, _, status) = listener.next("status").unwrap();
    check("Status", &status);
    let known = newest();
    population.advance(1);
    assert_eq!(listener.numbers(), (after(known), 0));
    let (_, _, status) = listener.next("status").unwrap();
    assert_eq!(status["matches"], BEGIN + 1);
    drop(listener);

    // Everything since then, once, by either way of asking. No matter which
    // event was the last one known: each of the last matches and of what they
    // brought.
    population.advance(2);
    let all = population.events();
    for known in &all[all.len() - 12..all.len() - 1] {
        let header = format!("Last-Event-ID: {known}\r\n");
        let mut by_header = Listener::new(&stage, "/api/events", &header);
        let mut by_query = Listener::new(&stage, &format!("/api/events?after={known}"), "");
        assert_eq!(by_header.numbers(), (after(*known), 0));
        assert_eq!(by_query.numbers(), (after(*known), 0));
    }

    // Someone who knows everything hears of what comes next.
    let known = newest();
    let header = format!("Last-Event-ID: {known}\r\n");
    let mut patient = Listener::new(&stage, "/api/events", &header);
    patient.next("status").unwrap();
    population.advance(1);
    assert_eq!(patient.numbers(), (after(known), 0));

    // Someone who knows more than there is begins anew.
    let mut stranger = Listener::new(&stage, "/api/events?after=99999999999", "");
    let (numbers, _) = stranger.numbers();
    assert_eq!(numbers.last(), Some(&newest()));
}

#[test]
fn a_flood_of_events_drowns_nobody() {
    let stage = Stage::new();
    let mut listener = Listener::new(&stage, "/api/events", "");
    let (mut known, _) = listener.numbers();
    let mut seen = *known.last().unwrap();
    stage.population.advance(300);
    let all = stage.population.events();
    let place = |number: u64| all.iter().position(|&event| event == number).unwrap() as u64;
    let newest = *all.last().unwrap();
    let flood = all.len() as u64 - 1 - place(seen);
    let (mut told, mut left_out) = (0, 0);
    while seen < newest {
        let skipped;
        (known, skipped) = listener.numbers();
        assert!(known.len() <= 100);
        assert_eq!(place(known[0]), place(seen) + skipped + 1);
        seen = *known.last().unwrap();
        told += known.len() as u64;
        left_out += skipped;
    }
    assert_eq!(told + left_out, flood);
    assert!(left_out > told, "{told} of {flood} were told");
}

/// What is shown by number is what is shown without, whatever the count.
#[test]
fn the_newest_events_are_the_end_of_all() {
    let population = Playback::new(BEGIN);
    let all = population.events();
    for count in [1, 2, 3, 30, 100, all.len(), all.len() + 1] {
        let newest = population.window.events(None, count).unwrap();
        let newest: Vec<u64> = newest.iter().map(|event| event.number).collect();
        assert_eq!(newest, all[all.len().saturating_sub(count)..], "{count}");
    }
    for (first, &after) in all.iter().enumerate() {
        for (second, &before) in all.iter().enumerate().skip(first + 1).step_by(7) {
            let between = population.window.events_between(after, before).unwrap();
            assert_eq!(between, (second - first - 1) as u64, "{after} to {before}");
        }
    }
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

#[test]
fn streams_end_with_the_server() {
    let stage = Stage::new();
    let mut listener = Listener::new(&stage, "/api/events", "");
    listener.numbers();
    let address = stage.address();
    stage.server.shutdown();
    assert!(listener.next("bye").is_some(), "a word of farewell");
    assert!(listener.next("status").is_none(), "and nothing after it");
    assert!(std::net::TcpStream::connect(address).is_err());
}
