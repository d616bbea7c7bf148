//! The pages of a real run in a real browser: the run is watched from its first
//! games to its champion, which is then played against. See `page.rs` for
//! what is needed.

use std::process::Child;

use crate::page::{Page, in_a_browser};
use crate::support::binary::{self, Place};
use crate::support::client::get;

/// A run that lasts some seconds.
const RUN: &[&str] = &[
    "run",
    "--population",
    "watched",
    "--depth",
    "1",
    "--budget",
    "6000",
    "--certificate-games",
    "40",
    "--hall-games",
    "20",
];

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The number that a text begins with.
fn leading_number(text: &str) -> u64 {
    let digits: String = text
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or(0)
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_run_is_watched_and_its_champion_played_against() {
    in_a_browser(&["net::ERR"], |client| async move {
        let place = Place::new();
        let mut run = Process(place.start(&[RUN, &["--http", "127.0.0.1:0"]].concat()));
        let address = binary::address(run.0.stderr.take().unwrap());
        let page = Page { client, address };
        page.open("/").await;
        page.until("#name", |name| name == "watched").await;
        page.until("#live", |state| state == "live").await;
        page.js("window.neverReloaded = true", vec![]).await;

        // It moves while one looks on.
        let first = page.until("#done", |done| leading_number(done) > 0).await;
        let first = leading_number(&first);
        page.until("#done", |done| leading_number(done) > first)
            .await;
        page.until("#events", |events| events.contains("match"))
            .await;

        // Killed and begun again: the page goes on by itself.
        drop(run);
        page.until("#live", |state| state == "reconnecting").await;
        let before = leading_number(&page.text("#done").await);
        let mut run = Process(place.start(&[RUN, &["--http", &address.to_string()]].concat()));
        page.until("#live", |state| state == "live").await;
        page.until("#done", |done| leading_number(done) > before)
            .await;
        // The hall's strength is known long before the end.
        page.until("#hall", |hall| hall.contains("Elo")).await;
        assert_eq!(get(address, "/api/status").json()["state"], "evolving");
        page.find("#charts img").await;
        page.shoot("run-overview").await;

        // The end, which the page tells although the program is gone.
        page.until("#live", |state| state.contains("has ended"))
            .await;
        assert_eq!(page.text("#state").await, "finished");
        assert!(page.text("#crown").await.contains("champion"));
        assert_eq!(page.text("#hall").await.matches("Elo").count(), 10);
        assert_eq!(page.js("return window.neverReloaded", vec![]).await, true);
        assert_eq!(run.0.wait().unwrap().code(), Some(0));

        // The page of a population at rest.
        let serve = ["serve", "--population", "watched", "--http", "127.0.0.1:0"];
        let mut server = Process(place.start(&serve));
        let address = binary::address(server.0.stdout.take().unwrap());
        let page = Page { address, ..page };
        page.open("/").await;
        page.until("#state", |state| state == "finished").await;
        page.until("#hall", |hall| hall.matches("Elo").count() == 10)
            .await;
        let drawn = "return [...document.querySelectorAll('#charts img')]\
            .filter(img => img.complete && img.naturalWidth > 0).length";
        page.until_js(drawn, |count| count.as_u64() >= Some(4))
            .await;
        page.shoot("finished-overview").await;

        // A match of the run, from the list.
        page.open("/matches").await;
        page.click("tbody a[href^='/matches/']").await;
        page.until("#where", |text| text.contains(" of ")).await;

        // A move against the champion, and its answer.
        page.open("/play?against=champion").await;
        page.until("#turn", |turn| turn.starts_with("Black to move: 36"))
            .await;
        page.choose("#time-o", "0.1").await;
        page.choose("#depth-o", "1").await;
        page.click_square("b1").await;
        assert_eq!(page.accessible().await, ["b3", "d3", "h1"]);
        page.click_square("b3").await;
        page.until("#turn", |turn| turn.starts_with("Black to move"))
            .await;
        assert_eq!(page.moves().await.len(), 2);
        (page.client, server)
    });
}
