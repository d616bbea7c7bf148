//! Who may ask the page's server: foreign hosts, foreign pages, and what needs the
//! token.

use loatune::serve::http::{Options, Server, StartError, TOKEN_FILE};
use loatune::weights::WeightFile;

use super::schema::check;
use super::stage::Stage;
use crate::support::binary::{Place, address};
use crate::support::client::{exchange, get, request};
use crate::support::population::NAME;

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
    let weights = WeightFile::source().to_toml();
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

    let weights = WeightFile::source();
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
