//! Bad requests to the page's server: wrong methods, addresses, questions,
//! bodies and headers. Each is answered with its status code and a JSON error
//! that names the place, and changes nothing.

use crate::support::client::{Answer, exchange, get};
use crate::support::population::Playback;
use loatune::serve::http::{Server, TOKEN_FILE};
use loatune::weights::WeightFile;

/// A request, and what must be answered.
struct Case {
    method: &'static str,
    path: String,
    /// Each ended by `\r\n`.
    headers: String,
    body: Vec<u8>,
    status: u16,
    /// What is wrong: the key, the header or the address.
    place: &'static str,
    /// What is wrong with it, or what is allowed.
    what: &'static str,
}

fn bad(line: &'static str, status: u16, place: &'static str, what: &'static str) -> Case {
    let (method, path) = line.split_once(' ').unwrap();
    Case {
        method,
        path: path.to_owned(),
        headers: String::new(),
        body: Vec::new(),
        status,
        place,
        what,
    }
}

impl Case {
    fn header(mut self, line: &str) -> Case {
        self.headers += &format!("{line}\r\n");
        self
    }

    fn body(mut self, bytes: impl AsRef<[u8]>) -> Case {
        self.body = bytes.as_ref().to_vec();
        self
    }
}

/// A server over a population that goes on, and its token.
struct Stage {
    population: Playback,
    server: Server,
    token: String,
}

impl Stage {
    fn new() -> Stage {
        let population = Playback::new(20);
        let (window, options) = (population.window.clone(), population.options());
        let server = Server::start("127.0.0.1:0", window, options).unwrap();
        let token = population.directory().join(TOKEN_FILE);
        let token = std::fs::read_to_string(token).unwrap();
        Stage {
            population,
            server,
            token: token.trim().to_owned(),
        }
    }

    fn send(&self, case: &Case) -> Answer {
        let address = self.server.address();
        let headers = case.headers.replace("TOKEN", &self.token);
        let headers = headers.replace("PORT", &address.port().to_string());
        let host = match headers.to_lowercase().contains("host:") {
            true => String::new(),
            false => format!("Host: {address}\r\n"),
        };
        let length = match headers.contains("Content-Length") {
            true => String::new(),
            false => format!("Content-Length: {}\r\n", case.body.len()),
        };
        let (method, path) = (case.method, &case.path);
        let head =
            format!("{method} {path} HTTP/1.1\r\n{host}{headers}{length}Connection: close\r\n\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&case.body);
        exchange(address, &bytes)
    }

    /// Sends all, and says everything that is wrong with the answers.
    #[track_caller]
    fn check_all(&self, cases: &[Case], at_least: usize) {
        assert!(cases.len() >= at_least, "only {} cases", cases.len());
        let mut faults = Vec::new();
        for case in cases {
            let answer = self.send(case);
            let error: Option<String> = serde_json::from_str(&answer.body)
                .ok()
                .and_then(|value: serde_json::Value| value["error"].as_str().map(str::to_owned));
            let is_told = error.as_deref().is_some_and(|error| {
                error.contains(case.place)
                    && error.contains(case.what)
                    && !error.contains("panicked")
                    && error.chars().count() < 500
            });
            let is_json = answer.header("content-type") == Some("application/json");
            let is_safe = answer.header("x-content-type-options") == Some("nosniff");
            if answer.status != case.status || !is_told || !is_json || !is_safe {
                faults.push(format!("{} {}: {answer:?}", case.method, case.path));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(self.population.is_left_alone());
        assert_eq!(get(self.server.address(), "/api/status").status, 200);
    }
}

#[test]
fn methods_and_addresses() {
    let cases = [
        bad(
            "DELETE /api/status",
            405,
            "DELETE",
            "no method of this address",
        ),
        bad("POST /api/status", 405, "POST", "no method of this address"),
        bad("PUT /api/files/1", 405, "PUT", "no method of this address"),
        bad(
            "PATCH /api/import",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        ),
        bad(
            "XYZZY /api/moves",
            405,
            "XYZZY",
            "no method of this address",
        ),
        bad(
            "OPTIONS /api/moves",
            405,
            "OPTIONS",
            "no method of this address",
        ),
        bad("GET /api/", 404, "/api/", "there is nothing at"),
        bad(
            "GET /api/nothing",
            404,
            "/api/nothing",
            "there is nothing at",
        ),
        bad(
            "GET /api/status/",
            404,
            "/api/status/",
            "there is nothing at",
        ),
        bad(
            "GET /api/files/1/genes",
            404,
            "/api/files/1/genes",
            "there is nothing at",
        ),
        bad(
            "GET /api/../api/status",
            404,
            "/api/../api/status",
            "there is nothing at",
        ),
        bad(
            "GET /api/files/x",
            400,
            "file \"x\"",
            "must be a whole number from 0",
        ),
        bad(
            "GET /api/files/-1",
            400,
            "file \"-1\"",
            "must be a whole number from 0",
        ),
        bad(
            "GET /api/files/1.5/weights",
            400,
            "file \"1.5\"",
            "must be a whole number from 0",
        ),
        bad(
            "GET /api/files/99999999999999999999",
            400,
            "file \"99999999999999999999\"",
            "must be a whole number",
        ),
        bad(
            "GET /api/files/%00",
            400,
            "file \"\\0\"",
            "must be a whole number",
        ),
        bad(
            "GET /api/files/%FF",
            400,
            "/api/files/%FF",
            "is not UTF-8 text",
        ),
        bad("GET /api/files/99999", 404, "#99999", "there is no file"),
        bad(
            "GET /api/files/99999/weights",
            404,
            "#99999",
            "there is no file",
        ),
        bad(
            "GET /api/matches/x",
            400,
            "match \"x\"",
            "must be a whole number from 0",
        ),
        bad("GET /api/matches/9999", 404, "9999", "there is no match"),
        bad(
            "GET /api/charts/none.svg",
            404,
            "\"none.svg\"",
            "there is no chart",
        ),
        bad(
            "GET /api/charts/%2e%2e%2fpasswd",
            404,
            "passwd",
            "there is no chart",
        ),
        bad(
            "GET /api/champion",
            404,
            "champion",
            "there is no champion yet",
        ),
    ];
    Stage::new().check_all(&cases, 24);
}

#[test]
fn questions() {
    let cases = [
        bad(
            "GET /api/files?count=0",
            400,
            "count 0",
            "must be from 1 to 500",
        ),
        bad(
            "GET /api/files?count=501",
            400,
            "count 501",
            "must be from 1 to 500",
        ),
        bad("GET /api/files?count=-1", 400, "count", "invalid digit"),
        bad("GET /api/files?from=x", 400, "from", "invalid digit"),
        bad(
            "GET /api/files?cuont=5",
            400,
            "`cuont`",
            "expected one of `from`, `count`",
        ),
        bad(
            "GET /api/files?count=5&count=6",
            400,
            "`count`",
            "duplicate field",
        ),
        bad(
            "GET /api/matches?before=",
            400,
            "before",
            "cannot parse integer from empty string",
        ),
        bad("GET /api/matches?count=1e3", 400, "count", "invalid digit"),
        bad(
            "GET /api/charts/points.svg?theme=pink",
            400,
            "theme \"pink\"",
            "must be \"light\" or",
        ),
        bad("GET /api/events?after=x", 400, "after", "invalid digit"),
        bad(
            "GET /api/moves?position=",
            400,
            "bad position",
            "the position is empty",
        ),
        bad(
            "GET /api/moves?position=8/8%20x",
            400,
            "bad position",
            "the board has 2 ranks",
        ),
        bad("GET /api/moves?position=%FF", 400, "bad position", "rank"),
        bad(
            "GET /api/moves?moves=b1-b4",
            400,
            "bad moves: move 1 (\"b1-b4\")",
            "b1 moves exactly 2 squares",
        ),
        bad(
            "GET /api/moves?moves=b1-b3%20nonsense",
            400,
            "bad moves: move 2 (\"nonsense\")",
            "expected two squares",
        ),
        bad(
            "GET /api/moves?depth=3",
            400,
            "`depth`",
            "expected `position` or `moves`",
        ),
        bad(
            "GET /api/analyse?depth=0",
            400,
            "depth 0",
            "must be from 1 to 250",
        ),
        bad(
            "GET /api/analyse?depth=251",
            400,
            "depth 251",
            "must be from 1 to 250",
        ),
        bad("GET /api/analyse?depth=two", 400, "depth", "invalid digit"),
        bad(
            "GET /api/analyse?nodes=0",
            400,
            "nodes 0",
            "must be at least 1",
        ),
        bad(
            "GET /api/analyse?time=0",
            400,
            "time 0",
            "must be more than 0 and at most",
        ),
        bad(
            "GET /api/analyse?time=-1",
            400,
            "time -1",
            "must be more than 0 and at most",
        ),
        bad(
            "GET /api/analyse?time=inf",
            400,
            "time inf",
            "must be more than 0 and at most",
        ),
        bad(
            "GET /api/analyse?player=chess",
            400,
            "`chess`",
            "one of minimax",
        ),
        bad(
            "GET /api/analyse?weights=../../x",
            400,
            "weights \"../../x\"",
            "must be",
        ),
        bad(
            "GET /api/analyse?weights=99999",
            404,
            "#99999",
            "there is no file",
        ),
        bad(
            "GET /api/analyse?weights=champion",
            404,
            "weights \"champion\"",
            "there is no champion",
        ),
        bad("GET /api/analyse?plies=-1", 400, "plies", "invalid digit"),
        bad(
            "GET /api/curve?depth=5",
            400,
            "depth 5",
            "must be from 0 to 4",
        ),
        bad(
            "GET /api/curve?position=x",
            400,
            "bad position",
            "the board has 1 rank",
        ),
        bad(
            "GET /api/sgf?moves=x",
            400,
            "bad moves: move 1 (\"x\")",
            "expected two squares",
        ),
        bad(
            "GET /api/sgf?resigned=black",
            400,
            "resigned \"black\"",
            "must be x or o",
        ),
    ];
    Stage::new().check_all(&cases, 32);
}

#[test]
fn bodies() {
    let broken = WeightFile::source().to_toml();
    let broken = broken.replace("[weights]", "[weihgts]");
    let import = || {
        bad(
            "POST /api/import",
            400,
            "the request's body",
            "missing group [weights]",
        )
    };
    let with_token = |case: Case| case.header("Authorization: Bearer TOKEN");
    let cases = [
        bad(
            "POST /api/sgf",
            400,
            "line 1, column 1",
            "there is no game here",
        ),
        bad(
            "POST /api/sgf",
            400,
            "line 1, column 1",
            "never closed by `)`",
        )
        .body("(;GM[9]"),
        bad(
            "POST /api/sgf",
            400,
            "line 1, column 5",
            "GM[1] is another game",
        )
        .body("(;GM[1])"),
        bad(
            "POST /api/sgf",
            400,
            "line 2, column 3",
            "move 1 (B[b1-b4])",
        )
        .body("(;GM[9]\n;B[b1-b4])"),
        bad("POST /api/sgf", 400, "the body", "is not UTF-8 text").body(b"(;C[\xff])"),
        bad("POST /api/sgf", 413, "the body", "longer than 256 KiB").body(vec![b'x'; 300 * 1024]),
        with_token(import()),
        with_token(import().body("{}")),
        with_token(
            bad(
                "POST /api/import",
                400,
                "the request's body:1:",
                "EOF while parsing",
            )
            .body("{\"a\""),
        ),
        with_token(
            bad(
                "POST /api/import",
                400,
                "unknown",
                "did you mean [weights]?",
            )
            .body(broken),
        ),
        with_token(bad("POST /api/import", 400, "the body", "is not UTF-8 text").body(b"\xff\xfe")),
        with_token(
            bad("POST /api/import", 413, "the body", "longer than 256 KiB")
                .header("Content-Length: 99999999"),
        ),
    ];
    Stage::new().check_all(&cases, 12);
}

#[test]
fn headers() {
    let weights = WeightFile::source().to_toml();
    let cases = [
        bad(
            "GET /api/status",
            403,
            "Host \"example.com\"",
            "is no name of this server",
        )
        .header("Host: example.com"),
        bad("GET /api/status", 403, "Host", "is no name of this server")
            .header("Host: localhost.example.com:PORT"),
        bad("GET /api/status", 403, "Host", "is no name of this server")
            .header("Host: localhost")
            .header("Host: localhost"),
        bad(
            "GET /api/status",
            403,
            "Host \"\"",
            "is no name of this server",
        )
        .header("Host: "),
        bad(
            "GET /api/status",
            403,
            "Origin \"null\"",
            "is not this page",
        )
        .header("Origin: null"),
        bad(
            "GET /api/status",
            403,
            "Origin \"http://example.com\"",
            "is not this page",
        )
        .header("Origin: http://example.com"),
        bad("GET /api/status", 403, "another site", "asked for by")
            .header("Sec-Fetch-Site: cross-site"),
        bad(
            "POST /api/stop",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        ),
        bad(
            "POST /api/stop",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .header("Authorization: Bearer wrong"),
        bad(
            "POST /api/stop",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .header("Authorization: Basic TOKEN"),
        bad(
            "POST /api/stop",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .header("Authorization: Bearer TOKENx"),
        bad(
            "POST /api/stop",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .header("Cookie: loatune-PORT=wrong"),
        bad(
            "POST /api/stop",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .header("Cookie: loatune-PORT=TOKEN")
        .header("Origin: http://127.0.0.1:PORT"),
        bad(
            "POST /api/login",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        ),
        bad(
            "POST /api/logout",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .header("Authorization: Bearer wrong"),
        bad(
            "POST /api/import",
            401,
            "token",
            "Authorization: Bearer TOKEN",
        )
        .body(weights),
        bad("GET /api/stop", 401, "token", "Authorization: Bearer TOKEN"),
        bad("GET /api/stop", 405, "GET", "no method of this address")
            .header("Authorization: Bearer TOKEN"),
    ];
    Stage::new().check_all(&cases, 18);
}
