//! The pages of a real run: it is watched from its first games to its champion,
//! which is then played against.

use std::thread::sleep;

use serde_json::{Value, json};

use crate::driver::{Browser, PAUSE};
use crate::page::Page;
use crate::support::binary::{self, Place};
use crate::support::client::{get, request};

/// A run that lasts some seconds.
const RUN: &[&str] = &[
    "run",
    "--population",
    "watched",
    "--depth",
    "1",
    "--budget",
    "2000",
    "--certificate-games",
    "40",
    "--hall-games",
    "20",
    // Its lessons would take most of the time of so short a run.
    "--school-games",
    "300",
    // One thread, so that the run leaves the browser a core and lasts longer.
    "--threads",
    "1",
];

/// Whether the strengths of ten files of the hall are known.
fn is_measured(hall: &str) -> bool {
    hall.matches("at match").count() == 10 && !hall.contains("not measured yet")
}

/// Notes whether the strength of a file of the hall is shown before the final.
const NOTE_EARLY_HALL: &str = "
    const [hall, state] = ['hall', 'state'].map((id) => document.getElementById(id));
    new MutationObserver(() => {
        if (state.textContent === 'evolving' && /Elo|alike/.test(hall.textContent)) window.hallWasEarly = true;
    }).observe(hall, { childList: true, subtree: true });";

/// The number that a text begins with.
fn leading_number(text: &str) -> u64 {
    let digits: String = text
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or(0)
}

/// The champion's certificate.
fn certificate(page: &Page) -> Value {
    let headers = "Accept: application/json\r\n";
    let answer = request(page.address, "GET", "/api/champion", headers, "");
    answer.json()["certificate"].take()
}

/// Every match of the certificate is on the champion's card: against whom, Elo with
/// its error, likelihood of superiority, games, and pairs by their points.
#[track_caller]
fn proof_is_shown(page: &Page) {
    let expected: Vec<Vec<String>> = certificate(page)["match"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let number = |name: &str| one[name].as_f64();
            let signed = |value: f64| match value {
                _ if value.abs() < 0.05 => String::from("0.0"),
                _ if value < 0.0 => format!("−{:.1}", -value),
                _ => format!("+{value:.1}"),
            };
            let strength = match (number("elo"), number("elo_error")) {
                (Some(elo), Some(error)) => format!("{} ± {error:.1} Elo", signed(elo)),
                (Some(elo), None) => format!("{} ± ∞ Elo", signed(elo)),
                _ if number("wins") > number("losses") => String::from("won every game"),
                _ => String::from("lost every game"),
            };
            let los = number("los").map_or(String::new(), |los| format!("{:.1} %", 100.0 * los));
            let pairs: Vec<String> = one["pentanomial"]
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect();
            let opponent = one["opponent"].as_str().unwrap().to_owned();
            vec![
                opponent,
                strength,
                los,
                one["games"].to_string(),
                pairs.join(" · "),
            ]
        })
        .collect();
    assert!(!expected.is_empty());
    let shown = "return [...document.querySelectorAll('.proof tbody tr')].map((row) => \
        [0, 1, 2, 3, 5].map((column) => row.children[column].textContent))";
    page.until_js(shown, |rows| *rows == json!(expected));
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_run_is_watched_and_its_champion_played_against() {
    let place = Place::new();
    // The browser is there first: it may take as long to begin as the run lasts.
    let browser = Browser::start();
    let mut run = place.start(&[RUN, &["--http", "127.0.0.1:0"]].concat());
    let address = binary::address(run.stderr.take().unwrap());
    let mut page = Page { browser, address };
    page.open("/");
    page.until("#name", |name| name == "watched");
    page.until("#live", |state| state == "live");
    page.js("window.neverReloaded = true");

    // It moves while one looks on.
    let first = page.until("#done", |done| leading_number(done) > 0);
    let first = leading_number(&first);
    page.until("#done", |done| leading_number(done) > first);
    page.until("#events", |events| events.contains("match"));

    // Killed and begun again: the page goes on by itself.
    drop(run);
    page.until("#live", |state| state == "reconnecting");
    // What is not heard of any more has no speed.
    page.until("#done", |done| !done.contains("a second"));
    let before = leading_number(&page.text("#done"));
    let mut run = place.start(&[RUN, &["--http", &address.to_string()]].concat());
    page.js(NOTE_EARLY_HALL);
    page.until("#live", |state| state == "live");
    page.until("#done", |done| leading_number(done) > before);
    page.find("#charts canvas");
    page.shoot("run-overview");

    // The end: the page stays, because somebody looks at it, and says what
    // shows it again.
    // That takes as long as it takes where others keep the machine busy.
    while get(address, "/api/status").json()["state"] != "finished" {
        sleep(PAUSE);
    }
    page.until("#state", |state| state == "finished");
    page.until("#crown", |crown| {
        crown.contains("Elo") && crown.contains("default")
    });
    page.until("#again", |text| {
        text.contains("loatune serve --population watched")
    });
    // The dot is green for what lives, and this is over.
    page.until("#live", |state| state == "at rest");
    let dot =
        "return getComputedStyle(document.getElementById('live'), '::before').backgroundColor";
    assert_ne!(page.js(dot), "rgb(53, 161, 127)");
    page.until("#done", |done| !done.contains("a second"));
    let champion = get(address, "/api/status").json()["champion"]["file"].clone();
    // Not the loser of the final.
    let tile = format!("Champion#{champion}");
    page.until("#tiles", |tiles| {
        tiles.contains(&tile) && !tiles.contains("Leader")
    });
    proof_is_shown(&page);
    page.until("#hall", is_measured);
    // The hall's strength was known long before.
    assert_eq!(page.js("return window.hallWasEarly"), true);
    assert_eq!(page.js("return window.neverReloaded"), true);
    page.click("#crown .primary");
    page.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    page.open(&format!("/files/{champion}"));
    page.until("#state", |state| state == "champion");
    page.until("#crown", |crown| {
        crown.contains("Certificate") && crown.contains("Ancestry")
    });
    proof_is_shown(&page);
    let ancestry = certificate(&page)["ancestry"].clone();
    let lines = "return [...document.querySelectorAll('#crown .ancestry li')]\
        .map((line) => line.textContent)";
    assert_eq!(page.js(lines), ancestry);

    // Ctrl-C ends it, and the page tells that it is gone.
    page.open("/");
    page.until("#live", |state| state == "at rest");
    page.until("#crown", |crown| crown.contains("Elo"));
    binary::interrupt(&run);
    page.until("#live", |state| state == "the program has ended");
    page.until("#again", |text| text.contains("The program has ended"));
    let hidden = "return document.getElementById('crown-buttons').hidden";
    assert_eq!(page.js(hidden), true);
    assert_ne!(page.js(dot), "rgb(53, 161, 127)");
    assert_eq!(run.wait().unwrap().code(), Some(0));

    // The page of a population at rest.
    let serve = ["serve", "--population", "watched", "--http", "127.0.0.1:0"];
    let mut server = place.start(&serve);
    let address = binary::address(server.stdout.take().unwrap());
    page.address = address;
    page.open("/");
    page.until("#state", |state| state == "finished");
    page.until("#hall", is_measured);
    // Nothing can be stopped here, and no errors are made up.
    assert_eq!(
        page.js("return document.getElementById('control-note').hidden"),
        true
    );
    page.until("#hall", |hall| !hall.contains("± 0 "));
    let drawn = "return document.querySelectorAll('#charts canvas').length";
    page.until_js(drawn, |count| count.as_u64() >= Some(4));
    page.shoot("finished-overview");

    // A match of the run, from the list.
    page.open("/matches");
    page.click("tbody a[href^='/matches/']");
    page.until("#where", |text| text.contains(" of "));

    // A move against the champion, and its answer.
    page.open("/play?against=champion");
    page.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    page.choose("#time-o", "0.1");
    page.choose("#depth-o", "1");
    page.click_square("b1");
    page.until_accessible(&["b3", "d3", "h1"]);
    page.click_square("b3");
    page.until("#turn", |turn| turn.starts_with("Black to move"));
    assert_eq!(page.moves().len(), 2);
    page.console_is_clean(&["net::ERR", "the server does not answer"]);
}
