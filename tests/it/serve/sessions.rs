//! Sessions: what a browser gets for the token, what each part of it is good
//! for, and how it ends; and the names by which the server is reached.

use std::net::SocketAddr;

use loatune::serve::http::{Options, Server, TOKEN_FILE};

use super::schema::check;
use crate::support::binary::{Place, Process, address, loatune};
use crate::support::client::{Answer, get, request};
use crate::support::population::{NAME, Playback};

/// A population and its server.
struct Stage {
    population: Playback,
    server: Server,
}

/// A browser's session: the secret of the page's script, and the cookie.
struct Session {
    secret: String,
    cookie: String,
}

impl Session {
    fn bearer(&self) -> String {
        bearer(&self.secret)
    }

    fn cookie(&self) -> String {
        format!("Cookie: other=1; {}\r\n", self.cookie)
    }
}

fn bearer(secret: &str) -> String {
    format!("Authorization: Bearer {secret}\r\n")
}

impl Stage {
    fn on(address: &str, hosts: &[&str]) -> Stage {
        let population = Playback::new(10);
        let options = Options {
            hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
            ..population.options()
        };
        let server = Server::start(address, population.window.clone(), options).unwrap();
        Stage { population, server }
    }

    fn address(&self) -> SocketAddr {
        let port = self.server.address().port();
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    fn token(&self) -> String {
        let path = self.population.directory().join(TOKEN_FILE);
        std::fs::read_to_string(path).unwrap().trim().to_owned()
    }

    fn send(&self, method: &str, path: &str, headers: &str) -> Answer {
        request(self.address(), method, path, headers, "")
    }

    #[track_caller]
    fn login(&self) -> Session {
        let answer = self.send("POST", "/api/login", &bearer(&self.token()));
        assert_eq!(answer.status, 200, "{answer:?}");
        check("Login", &answer.json());
        Session {
            secret: answer.json()["session"].as_str().unwrap().to_owned(),
            cookie: cookie_of(&answer),
        }
    }

    fn may_change(&self, session: &Session) -> bool {
        let answer = self.send("GET", "/api/session", &session.bearer());
        answer.json()["may_change"] == true
    }
}

/// Name and value of the cookie that an answer sets.
fn cookie_of(answer: &Answer) -> String {
    let cookie = answer.header("set-cookie").unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

#[test]
fn the_token_in_the_address_begins_a_session() {
    let stage = Stage::on("127.0.0.1:0", &[]);
    let token = stage.token();
    let answer = get(stage.address(), &format!("/?token={token}"));
    assert_eq!(answer.status, 200);
    let cookie = answer.header("set-cookie").unwrap();
    let name = format!("loatune-{}=", stage.address().port());
    for part in [&name, "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }
    assert!(!cookie.contains(&token));
    assert!(!answer.body.contains(&token));
    let (_, secret) = answer.body.split_once("session\" content=\"").unwrap();
    let secret = secret.split('"').next().unwrap().to_owned();
    assert_eq!(secret.len(), 64);
    assert!(!cookie.contains(&secret));
    let cookie = cookie_of(&answer);
    assert!(stage.may_change(&Session { secret, cookie }));

    let wrong = get(stage.address(), "/?token=abc");
    assert_eq!(wrong.status, 401);
    assert!(wrong.header("set-cookie").is_none());
    assert!(stage.server.url_with_token().ends_with(&token));
}

/// Another server on this machine gets the cookie, and sends it with whatever
/// headers it likes. It may load pages, which hold nothing, and nothing else.
#[test]
fn a_cookie_that_is_replayed_gives_nothing_away() {
    let stage = Stage::on("0.0.0.0:0", &[]);
    let session = stage.login();
    let headers = format!(
        "{}Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n",
        session.cookie(),
        stage.address()
    );
    for path in ["/", "/files/3", "/play", "/assets/board.js"] {
        assert_eq!(stage.send("GET", path, &headers).status, 200, "{path}");
    }
    for path in [
        "/api/status",
        "/api/session",
        "/api/events",
        "/api/history",
        "/api/charts/points.svg",
        "/api/openapi.json",
        "/metrics",
    ] {
        assert_eq!(stage.send("GET", path, &headers).status, 401, "{path}");
    }
    for path in ["/api/stop", "/api/import", "/api/login", "/api/logout"] {
        assert_eq!(stage.send("POST", path, &headers).status, 401, "{path}");
    }
    // Its value is no secret of a session either.
    let (_, value) = session.cookie.split_once('=').unwrap();
    assert_eq!(stage.send("GET", "/api/status", &bearer(value)).status, 401);
    assert!(stage.population.is_left_alone());
    // The page's script has the other half.
    for path in ["/api/status", "/metrics", "/api/charts/points.svg"] {
        let answer = stage.send("GET", path, &session.bearer());
        assert_eq!(answer.status, 200, "{path}");
    }
}

#[test]
fn sessions_end() {
    let stage = Stage::on("0.0.0.0:0", &[]);
    let sessions = [stage.login(), stage.login(), stage.login()];
    let [first, second, third] = &sessions;
    let logout = |headers: &str| {
        let answer = stage.send("POST", "/api/logout", headers);
        assert_eq!(answer.status, 200, "{answer:?}");
        check("Logout", &answer.json());
        assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
        answer.json()["ended"].as_u64().unwrap()
    };
    // A session begins no further ones.
    let another = stage.send("POST", "/api/login", &first.bearer());
    assert_eq!(another.status, 401);
    // The user logs out.
    assert_eq!(logout(&first.bearer()), 1);
    assert_eq!(
        stage.send("GET", "/api/status", &first.bearer()).status,
        401
    );
    assert_eq!(stage.send("GET", "/", &first.cookie()).status, 401);
    assert!(stage.may_change(second) && stage.may_change(third));
    // The owner of the token ends all of them.
    assert_eq!(logout(&bearer(&stage.token())), 2);
    for session in [second, third] {
        let answer = stage.send("GET", "/api/status", &session.bearer());
        assert_eq!(answer.status, 401);
    }
    // Another process has the same token, and none of the sessions.
    let session = stage.login();
    assert!(stage.may_change(&session));
    let Stage { population, server } = stage;
    let address = server.address().to_string();
    server.shutdown();
    let server = Server::start(&address, population.window.clone(), population.options());
    let stage = Stage {
        population,
        server: server.unwrap(),
    };
    let answer = stage.send("GET", "/api/status", &session.bearer());
    assert_eq!(answer.status, 401);
    assert!(stage.may_change(&stage.login()));
}

#[test]
fn the_page_that_asks_for_the_token_is_whole() {
    let stage = Stage::on("0.0.0.0:0", &[]);
    for path in ["/", "/files/3", "/play?against=3"] {
        let answer = get(stage.address(), path);
        assert_eq!(answer.status, 401, "{path}");
        assert!(
            answer
                .body
                .contains("<input type=\"password\" id=\"token\"")
        );
        // Everything that it loads is there.
        let loads = answer.body.split("=\"/assets/").skip(1);
        let loads: Vec<&str> = loads.filter_map(|rest| rest.split('"').next()).collect();
        assert!(loads.len() >= 4, "{loads:?}");
        for name in loads {
            let answer = get(stage.address(), &format!("/assets/{name}"));
            assert_eq!(answer.status, 200, "{name}");
        }
    }
    assert_eq!(get(stage.address(), "/assets/session.js").status, 200);
    assert_eq!(get(stage.address(), "/login").status, 200);
}

#[test]
fn a_name_that_is_set_works_with_the_token() {
    for bound in ["0.0.0.0:0", "127.0.0.1:0"] {
        let stage = Stage::on(bound, &["loa.example.org", "box"]);
        let token = bearer(&stage.token());
        let status = |headers: &str| stage.send("GET", "/api/status", headers).status;
        for host in ["loa.example.org", "LOA.example.org:8443", "box:1"] {
            let host = format!("Host: {host}\r\n");
            assert_eq!(status(&host), 401, "{bound} {host}");
            assert_eq!(status(&format!("{host}{token}")), 200, "{bound} {host}");
        }
        let foreign = format!("Host: example.org\r\n{token}");
        assert_eq!(status(&foreign), 403);

        // A proxy passes the name on, with or without its port, or not at all.
        let origin = "Origin: https://loa.example.org:8443\r\n";
        for host in [
            "loa.example.org:8443",
            "loa.example.org",
            &stage.address().to_string(),
        ] {
            let headers = format!("Host: {host}\r\n{origin}{token}X-Forwarded-For: 192.0.2.1\r\n");
            let answer = stage.send("POST", "/api/login", &headers);
            assert_eq!(answer.status, 200, "{bound} {host}: {answer:?}");
        }
        let elsewhere = format!("Host: box\r\nOrigin: https://example.org\r\n{token}");
        assert_eq!(status(&elsewhere), 403);
    }
    // Who comes through a proxy does not come from this machine.
    let stage = Stage::on("127.0.0.1:0", &[]);
    for header in [
        "X-Forwarded-For: 192.0.2.1",
        "Forwarded: for=192.0.2.1",
        "Via: 1.1 proxy",
    ] {
        let header = format!("{header}\r\n");
        assert_eq!(stage.send("GET", "/api/status", &header).status, 401);
        assert_eq!(stage.send("GET", "/healthz", &header).status, 200);
        let with_token = format!("{header}{}", bearer(&stage.token()));
        assert_eq!(stage.send("GET", "/api/status", &with_token).status, 200);
    }
}

#[test]
fn names_are_set_by_flags_and_parameters() {
    let population = Playback::at_rest(5);
    population.close();
    let place = population.directory().parent().unwrap();
    let name = format!("./{NAME}");
    let mut serve = loatune(place);
    serve.args(["serve", "--population", &name, "--http", "127.0.0.1:0"]);
    serve.args(["--http-host", "box", "--http-host", "loa.example.org"]);
    let mut serve = Process::spawn(&mut serve);
    let page = address(serve.stdout.take().unwrap());
    let token = std::fs::read_to_string(population.directory().join(TOKEN_FILE)).unwrap();
    for (host, status) in [("box", 200), ("loa.example.org:80", 200), ("other", 403)] {
        let headers = format!("Host: {host}\r\n{}", bearer(token.trim()));
        let answer = request(page, "GET", "/api/status", &headers, "");
        assert_eq!(answer.status, status, "{host}");
    }

    let place = Place::new().with("params.toml", "[http]\nhosts = [\"a.example\", \"b\"]\n");
    let shown = place.good(&["params", "show"]);
    assert!(shown.contains("[\"a.example\", \"b\"]"), "{shown}");
    let shown = place.good(&["params", "show", "--http-host", "c", "--http-host", "d"]);
    assert!(shown.contains("[\"c\", \"d\"]"), "{shown}");
    for command in ["serve", "run"] {
        let message = place.refused(&[command, "--http-host", "box:8420"]);
        assert!(message.contains("box:8420"), "{message}");
        assert!(message.contains("without a port"), "{message}");
    }
    let place = Place::new().with("params.toml", "[http]\nhosts = [\"http://box\"]\n");
    let message = place.refused(&["params", "show"]);
    assert!(message.contains("without a port"), "{message}");
}
