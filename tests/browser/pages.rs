//! The pages over a population that goes on when a test wants it to.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread::JoinHandle;

use loatune::serve::http::TOKEN_FILE;
use serde_json::json;

use crate::driver::{Browser, keys};
use crate::page::Page;
use crate::stage::{BEGIN, Stage, fleet, serve};
use crate::support::binary::{self, Place};
use crate::support::client::{escaped, get, request};
use crate::support::population::{NAME, Playback};

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_overview_lives() {
    let mut stage = Stage::new();
    stage.open("/");
    stage.until("#name", |name| name == NAME);
    stage.until("#live", |state| state == "live");
    stage.until("#facts", |facts| facts.contains("applied130"));
    stage.find("#charts canvas");
    stage.js("window.neverReloaded = true");

    stage.population.advance(1);
    stage.until("#facts", |facts| facts.contains("applied131"));
    stage.until("#events", |events| events.contains("match 130"));

    // The server says goodbye and comes back; meanwhile so much goes on that only
    // a short list of it is told.
    stage.server.take().unwrap().shutdown();
    stage.until("#live", |state| state == "the program has ended");
    stage.population.advance(203);
    stage.server = Some(serve(&stage.population, &stage.address.to_string()));
    stage.until("#live", |state| state == "live");
    stage.until("#facts", |facts| facts.contains("applied334"));
    stage.until("#events", |events| {
        events.contains("match 333") && events.contains("more events")
    });
    assert_eq!(stage.js("return window.neverReloaded"), true);
    let lines = stage.js("return document.querySelectorAll('#events li').length");
    assert!(lines.as_u64().unwrap() <= 14, "{lines}");

    stage.population.finish();
    stage.until("#crown", |crown| {
        crown.contains("is the elder") || crown.contains("survived them all")
    });
    stage.until("#state", |state| state == "finished");
    stage.until("#final", |last| last.contains("champion"));
    stage.console_is_clean(&["net::ERR", "the server does not answer"]);
}

/// Whoever looks at the charts of a run that goes on sees them stay where they are.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn what_happens_moves_nothing() {
    let stage = Stage::new();
    for (width, height) in [(1280, 1000), (390, 844)] {
        stage.browser.set_window_size(width, height);
        stage.open("/");
        stage.find("#chart-points canvas");
        stage.find("#calibration .bin");
        let between = "const [events, charts] = ['events', 'charts']\
            .map((id) => document.getElementById(id).getBoundingClientRect()); \
            return charts.top - events.top";
        let before = stage.js(between);
        for _ in 0..12 {
            let newest = stage.text("#events li");
            stage.population.advance(1);
            stage.until("#events li", |text| text != newest);
            assert_eq!(stage.js(between), before, "{width} px");
        }
    }
    stage.console_is_clean(&[]);
}

/// The machines that play are on the page from its beginning.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_fleet_is_shown() {
    let stage = Stage::new();
    stage.population.window.show_fleet(Some(fleet()));
    stage.open("/");
    stage.until("#fleet-line", |line| {
        line.contains("12.5 games a second, 7 matches out")
    });
    let workers = stage.until("#workers", |rows| rows.contains("attic-12"));
    assert!(workers.contains("liar-7"), "{workers}");
    assert!(
        workers.contains("liar-7its result of match 9 is falsebarred"),
        "{workers}"
    );
    stage.until("#fleet-events", |events| {
        events.contains("liar-7 is barred")
    });
    stage.shoot("fleet");
    stage.console_is_clean(&[]);
}

/// A real run, which ends when the page says so.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_token_lets_a_browser_stop_the_run() {
    let place = Place::new();
    let args = ["run", "--population", NAME, "--depth", "1", "--http"];
    let mut run = place.start(&[&args[..], &["127.0.0.1:0"]].concat());
    let page = Page {
        address: binary::address(run.stderr.take().unwrap()),
        browser: Browser::start(),
    };
    page.open("/");
    page.until("#control-note", |note| note.contains("token"));
    let hidden = "return document.getElementById('control').hidden";
    assert_eq!(page.js(hidden), true);

    let token = place.path().join("populations").join(NAME).join(TOKEN_FILE);
    let token = fs::read_to_string(token).unwrap();
    page.open(&format!("/?token={}", token.trim()));
    page.until("#name", |name| name == NAME);
    // The token stands in no history.
    page.until_url(|url| !url.contains('?'));
    page.until("#stop", |text| text == "Stop and save");
    page.until_js(hidden, |hidden| *hidden == false);
    page.click("#stop");
    page.browser.accept_alert();
    page.until("#live", |state| state == "the program has ended");
    assert_eq!(run.wait().unwrap().code(), Some(3));
    page.until("#state", |state| state == "stopped");
    page.console_is_clean(&["net::ERR", "the server does not answer"]);
}

/// Where everything needs the token: the form, the session in every kind of
/// request that the pages make, and its end.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn beyond_loopback_a_browser_logs_in_and_out() {
    let population = Playback::new(BEGIN);
    let server = serve(&population, "0.0.0.0:0");
    let address = SocketAddr::from(([127, 0, 0, 1], server.address().port()));
    let token = fs::read_to_string(population.directory().join(TOKEN_FILE)).unwrap();
    let page = Page {
        browser: Browser::start(),
        address,
    };
    page.open("/files");
    page.until("h1", |text| text == "This page needs the token");
    page.shoot("token");
    page.find("#token").send_keys("nonsense");
    page.click("#login button");
    page.until("#problem", |text| text.contains("not the token"));
    page.js("document.getElementById('token').value = ''");
    page.find("#token").send_keys(token.trim());
    page.click("#login button");
    // It goes on where it was.
    page.until("tbody tr td", |text| text.starts_with('#'));
    page.until_url(|url| url.ends_with("/files"));

    page.open("/");
    page.until("#live", |state| state == "live");
    page.until("#facts", |facts| facts.contains("applied130"));
    page.until_js(
        "return document.querySelectorAll('#charts canvas').length",
        |shown| shown.as_u64() >= Some(3),
    );
    population.advance(1);
    page.until("#events", |events| events.contains("match 130"));
    page.shoot("overview-with-session");
    let saved = "return (await import('/assets/session.js')).secret()";
    let secret = page.js(saved).as_str().unwrap().to_owned();
    assert_eq!(secret.len(), 64);
    assert_ne!(secret, token.trim());
    assert_eq!(page.js("return document.cookie"), "");
    page.open("/matches/1");
    page.until("#moves li", |text| !text.is_empty());
    page.open("/play");
    page.until("#turn", |turn| turn.starts_with("Black to move: 36"));

    // Another server of this machine gets the cookie, which is worth nothing.
    let cookie = cookie_at_another_port(&page);
    let name = format!("loatune-{}=", address.port());
    let replayed = format!("Cookie: {cookie}\r\nOrigin: http://{address}\r\n");
    assert!(cookie.contains(&name), "{cookie}");
    assert!(!cookie.contains(&secret) && !cookie.contains(token.trim()));
    for (method, path) in [("GET", "/api/status"), ("POST", "/api/stop")] {
        let answer = request(address, method, path, &replayed, "");
        assert_eq!(answer.status, 401, "{path}");
    }
    assert!(population.is_left_alone());

    // A link of another site leads to the page all the same.
    let link = format!("<a id=\"link\" href=\"http://{address}/files\">files</a>");
    let (port, _) = other_server(&link);
    page.browser.goto(&format!("http://localhost:{port}/"));
    page.click("#link");
    page.until("tbody tr td", |text| text.starts_with('#'));

    page.open("/");
    page.until("#live", |state| state == "live");
    page.click("#logout");
    page.until("h1", |text| text == "This page needs the token");
    assert_eq!(page.js(saved), serde_json::Value::Null);
    let bearer = format!("Authorization: Bearer {secret}\r\n");
    let answer = request(address, "GET", "/api/status", &bearer, "");
    assert_eq!(answer.status, 401);
    page.console_is_clean(&["401", "net::ERR"]);
}

/// A server on another port of this machine that answers one request with a
/// page, and tells what it was asked.
fn other_server(body: &str) -> (u16, JoinHandle<Vec<String>>) {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    let asked = std::thread::spawn(move || {
        let (stream, _) = other.accept().unwrap();
        let lines = BufReader::new(&stream).lines().map_while(Result::ok);
        let lines: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
        (&stream).write_all(answer.as_bytes()).unwrap();
        lines
    });
    (port, asked)
}

/// The cookies that a server on another port of this machine gets.
fn cookie_at_another_port(page: &Page) -> String {
    let (port, asked) = other_server("");
    page.browser.goto(&format!("http://127.0.0.1:{port}/"));
    let lines = asked.join().unwrap();
    let mut cookies = lines
        .iter()
        .filter_map(|line| line.strip_prefix("Cookie: "));
    cookies.next().unwrap_or_default().to_owned()
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_whole_game_against_level_five() {
    let stage = Stage::new();
    stage.open("/play");
    stage.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    assert_eq!(stage.find("#level-o").property("value"), "mtdf");
    stage.choose("#time-o", "0.1");
    stage.choose("#depth-o", "1");

    for turn in 0.. {
        assert!(turn < 100, "the game has no end");
        stage.until("#turn", |turn| {
            turn.starts_with("Black to move")
                || turn.contains(':') && turn.contains("wins")
                || turn.starts_with("Draw")
        });
        let listing = stage.listing();
        if !listing["result"].is_null() {
            break;
        }
        assert_eq!(listing["side_to_move"], "x");
        let played = stage.moves();
        let path = format!("/api/analyse?depth=3&moves={}", escaped(&played.join(" ")));
        let best = get(stage.address, &path).json()["best"]
            .as_str()
            .unwrap()
            .to_owned();
        let (from, to) = (&best[..2], &best[3..]);

        // Exactly the squares that the piece can reach are marked.
        stage.click_square(from);
        let legal = listing["legal_moves"].as_array().unwrap().iter();
        let mut expected: Vec<_> = legal
            .map(|text| text.as_str().unwrap())
            .filter(|text| text.starts_with(from))
            .map(|text| text[3..].to_owned())
            .collect();
        expected.sort();
        stage.until_accessible(&expected);
        stage.click_square(to);
        let want = played.len() + 1;
        stage.until_moves(want);
        assert_eq!(stage.moves()[want - 1], best);
    }
    let listing = stage.listing();
    let winner = match listing["result"].as_str().unwrap() {
        "x" => "Black wins",
        "o" => "White wins",
        _ => "Draw",
    };
    stage.until("#turn.over", |turn| turn.starts_with(winner));
    stage.until("#announce", |said| said.starts_with(winner));

    // Back from the end, to a person's turn.
    let before = stage.moves().len();
    stage.click("#undo");
    stage.until("#turn", |turn| turn.starts_with("Black to move"));
    assert!(stage.moves().len() < before);
    stage.click("#new");
    stage.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    assert!(stage.moves().is_empty());
    stage.console_is_clean(&[]);
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_board_by_keyboard_and_by_drag() {
    let stage = Stage::new();
    stage.open("/play");
    stage.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    stage.choose("#kind-o", "person");
    stage.until("#turn", |turn| turn.starts_with("Black to move: 36"));

    // From a1, where the focus is: right, choose, up and up, choose.
    let focus = "document.querySelector('.cell[tabindex=\"0\"]').focus(); \
            return document.activeElement.dataset.square";
    assert_eq!(stage.js(focus), "a1");
    let press = |key: &str| stage.browser.active().send_keys(key);
    press(keys::RIGHT);
    press(keys::ENTER);
    stage.until_accessible(&["b3", "d3", "h1"]);
    let label =
        "return document.querySelector(\".cell[data-square='b3']\").getAttribute('aria-label')";
    assert_eq!(stage.js(label), "b3, empty, can be reached");
    press(keys::UP);
    press(keys::UP);
    press(keys::ENTER);
    stage.until("#announce", |said| said == "Black moves b1 to b3.");
    stage.until("#turn", |turn| turn.starts_with("White to move"));
    assert_eq!(stage.moves(), ["b1-b3"]);

    // Marks can be turned off; legal moves stay legal.
    stage.click("#show-targets");
    stage.click_square("a2");
    assert!(stage.accessible().is_empty());
    stage.click_square("b8");
    assert_eq!(stage.moves().len(), 1, "an illegal move is not played");
    stage.click("#show-targets");

    // A capture by drag: a3 goes where c1 stands.
    let legal = stage.listing()["legal_moves"].to_string();
    let capture = legal
        .split('"')
        .find(|text| text.contains('x'))
        .unwrap()
        .to_owned();
    let scrolled = stage.js("return window.scrollY").as_f64().unwrap();
    let middle = |square: &str| {
        let (x, y) = stage.square(square).middle();
        (x, y - scrolled)
    };
    let (from, to) = (middle(&capture[..2]), middle(&capture[3..]));
    let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    stage.browser.drag(&[from, half, to]);
    stage.until("#announce", |said| said.starts_with("White captures"));
    assert_eq!(stage.moves(), ["b1-b3", capture.as_str()]);
    stage.until("#seat-bottom", |seat| seat.contains("11 pieces"));

    // Undo, hint, and a position of one's own.
    stage.click("#undo");
    stage.until("#turn", |turn| turn.starts_with("White to move"));
    stage.click("#hint");
    stage.until("#turn", |turn| turn.starts_with("Hint: "));
    stage.click("#setup");
    stage.click("#setup-clear");
    for square in ["a1", "c3", "h8", "h8", "f8", "f8"] {
        stage.click_square(square);
    }
    let text = "return document.getElementById('setup-text').value";
    assert_eq!(stage.js(text), "5o1o/8/8/8/8/2x5/8/x7 o");
    stage.choose("#setup-turn", "x");
    stage.click("#setup-done");
    stage.until("#turn", |turn| turn.starts_with("Black to move"));
    stage.click_square("a1");
    stage.until_accessible(&["a2", "b1", "d4"]);
    stage.click_square("a2");
    stage.until("#turn", |turn| turn.starts_with("White to move"));
    stage.click_square("f8");
    stage.click_square("g7");
    stage.until("#turn.over", |turn| turn == "White wins: connected");
    assert_eq!(stage.moves(), ["a1-a2", "f8-g7"]);

    // A game that is saved is the game that is loaded.
    let link = stage.find("#save").attribute("href").unwrap();
    let saved = stage.population.directory().join("game.sgf");
    fs::write(&saved, get(stage.address, &link).body).unwrap();
    stage.click("#new");
    stage.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    stage.find("#load").send_keys(saved.to_str().unwrap());
    stage.until("#turn.over", |turn| turn == "White wins: connected");
    assert_eq!(stage.moves(), ["a1-a2", "f8-g7"]);

    // Who played White plays Black, which is at the top then.
    stage.click("#new");
    stage.choose("#kind-o", "machine");
    stage.choose("#depth-o", "1");
    stage.click("#swap");
    stage.until("#turn", |turn| turn.starts_with("White to move"));
    assert_eq!(stage.moves().len(), 1);
    let top = stage.text("#seat-top");
    assert!(top.starts_with("Black"), "{top}");
    stage.click("#theme");
    let theme = stage.js("return document.documentElement.dataset.theme");
    assert_eq!(theme, "dark");

    // Machine against machine, until it is told to wait.
    stage.click("#new");
    for side in ["x", "o"] {
        stage.choose(&format!("#kind-{side}"), "machine");
        stage.choose(&format!("#depth-{side}"), "1");
    }
    stage.until_moves(4);
    stage.click("#pause");
    stage.until("#turn", |turn| turn == "Paused.");
    stage.console_is_clean(&[]);
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_match_is_replayed_and_a_family_walked() {
    let stage = Stage::new();
    let record = get(stage.address, "/api/matches/7").json();
    let moves = record["games"][0]["moves"].as_array().unwrap();
    stage.open("/matches");
    stage.until("#rows", |rows| rows.contains("#"));
    stage.open("/matches/7");
    let opening = record["games"][0]["opening_plies"].as_u64().unwrap();
    let at = |ply: u64| format!("Move {ply} of {}", moves.len());
    stage.until("#where", |text| text.starts_with(&at(opening)));
    stage.find("body").send_keys(keys::RIGHT);
    stage.until("#where", |text| text.starts_with(&at(opening + 1)));
    stage.click("#back");
    stage.until("#where", |text| text.starts_with(&at(opening)));
    stage.click("#first");
    stage.until("#where", |text| text.starts_with("Start of"));
    let piece =
        "return document.querySelector(\".cell[data-square='b1']\").getAttribute('aria-label')";
    assert_eq!(stage.js(piece), "b1, black piece");
    // Playing it through goes on, however late somebody looks.
    stage.click("#run");
    stage.until("#where", |text| {
        let number = text
            .strip_prefix("Move ")
            .and_then(|rest| rest.split(' ').next());
        number.and_then(|number| number.parse::<u64>().ok()) >= Some(2)
    });
    stage.click("#last");
    let result = record["games"][0]["result"].as_str().unwrap();
    let words = match result {
        "x" => "Black wins",
        "o" => "White wins",
        _ => "Draw",
    };
    stage.until("#where", |text| text.contains(words));
    stage.until("#trace", |trace| {
        trace.contains("Groups") && trace.contains("All together")
    });
    stage.find("#curve canvas");
    stage.click("#game-1");
    let second = record["games"][1]["moves"].as_array().unwrap().len();
    stage.until("#where", |text| text.contains(&format!("of {second}")));

    // A file, its genes, and from child to parent.
    let child = (0..).find(|file| {
        let file = get(stage.address, &format!("/api/files/{file}")).json();
        file["origin"] == "crossover"
    });
    stage.open(&format!("/files/{}", child.unwrap()));
    stage.until("#title", |title| title.starts_with("File #"));
    stage.find(".node.parent");
    let genes = stage.js("return document.querySelectorAll('.gene').length");
    assert_eq!(genes, loatune::eval::genes::GENES);
    let parent = stage.find(".node.parent").attribute("href").unwrap();
    stage.click(".node.parent");
    stage.until_url(|url| url.ends_with(&parent));
    stage.find(".node.child");

    // The file is the opponent on the board.
    stage.click("#play");
    stage.until("#seat-top", |seat| seat.contains("file #"));
    let number = parent.rsplit('/').next().unwrap();
    assert_eq!(stage.find("#file-o").property("value"), number);
    stage.console_is_clean(&[]);
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_pages_fit_a_phone_in_light_and_dark() {
    let stage = Stage::with(Playback::of_a_school());
    for (width, height, size) in [
        (1280, 1000, "desktop"),
        (1024, 768, "small-desktop"),
        (390, 844, "phone"),
    ] {
        stage.browser.set_window_size(width, height);
        for theme in ["light", "dark"] {
            stage.choose_theme(theme);
            let moves = "c8-c6 a2-c4 c1xc4 h6-e6 b1-b3 h7-f7 f8-d6 a7-c5 b8-f8 h2-f4 g1-e3 c5xe3";
            let pages = [
                ("overview", "/".to_owned(), "#leaders td"),
                ("files", "/files".to_owned(), "#rows td"),
                ("file", "/files/40".to_owned(), "#values td"),
                ("match", "/matches/12".to_owned(), "#trace tfoot"),
                ("matches", "/matches".to_owned(), "#rows td"),
                ("compare", "/compare".to_owned(), "#genes td"),
                ("parameters", "/parameters".to_owned(), "#rows td"),
                ("populations", "/populations".to_owned(), "#rows td"),
                (
                    "play",
                    format!("/play?moves={}", escaped(moves)),
                    "#trace tfoot",
                ),
            ];
            for (name, path, ready) in pages {
                stage.open(&path);
                stage.find(ready);
                stage.find("#main:not([data-loading])");
                let dark = stage.js("return document.documentElement.dataset.theme");
                assert_eq!(dark, theme);
                if name == "overview" {
                    stage.find("#charts canvas");
                    stage.find("#calibration .bin");
                    stage.find("#school-calibration .bin");
                    stage.find(".values-fold summary .note:not(:empty)");
                }
                if name == "match" {
                    stage.find("#curve canvas");
                }
                if name == "play" {
                    stage.click_square("d6");
                }
                let wide = "return document.documentElement.scrollWidth - innerWidth";
                let over = stage.js(wide).as_i64().unwrap();
                assert!(over <= 0, "{name} is {over} pixels too wide for a {size}");
                let spilled = stage.js(SPILLED);
                assert_eq!(spilled, json!([]), "{name} on a {size}");
                let shifts = stage.browser.execute_async(SHIFTS).as_f64().unwrap();
                assert!(
                    shifts < 0.1,
                    "{name} on a {size}: layout shifts of {shifts}"
                );
                stage.shoot(&format!("{name}-{size}-{theme}"));
            }
        }
    }
    stage.console_is_clean(&[]);
}

/// What is wider than its card and cannot be scrolled into view, and labels that are
/// clipped.
const SPILLED: &str = "
    const spills = (node) => {
        const card = node.closest('.card').getBoundingClientRect();
        const box = node.getBoundingClientRect();
        return box.width > 0 && box.right > card.right + 1;
    };
    const clips = (node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    const wide = [...document.querySelectorAll('.card table, .card svg, .card canvas, .card p')]
        .filter((node) => !node.closest('.scroll') && spills(node));
    const clipped = [...document.querySelectorAll('.evalbar, .badge, button, .button, .tile, h1, h2, h3')]
        .filter((node) => node.checkVisibility() && !node.matches('.visually-hidden') && clips(node));
    return [...wide, ...clipped].map((node) => node.tagName + ' ' + node.id + ' ' + node.className);";

/// The sum of all layout shifts since the page began to load, as browsers
/// measure them.
const SHIFTS: &str = "
    const done = arguments[arguments.length - 1];
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum), 0)));";
