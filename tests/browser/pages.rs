//! The pages in a real browser, with a made-up population that does what a test
//! wants. See `page.rs` for what is needed.

use std::fs;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::page::{self, PATIENCE, Page};
use crate::support::client::{escaped, get};
use crate::support::window::Window;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::key::Key;
use loatune::http::{Options, Server};
use serde_json::json;
use tempfile::TempDir;

/// A page with a population behind it.
struct Stage {
    page: Page,
    window: Arc<Window>,
    server: Option<Server>,
    place: TempDir,
}

impl Deref for Stage {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Stage {
    fn options(&self) -> Options {
        Options {
            token_directory: Some(self.place.path().to_owned()),
            ..Options::default()
        }
    }
}

/// Runs a test in a browser; see [`page::in_a_browser`].
fn in_a_browser<F: Future<Output = Stage>>(allowed: &[&str], test: impl FnOnce(Stage) -> F) {
    page::in_a_browser(allowed, |client| async move {
        let place = tempfile::tempdir().unwrap();
        let window = Arc::new(Window::new(130));
        let options = Options {
            token_directory: Some(place.path().to_owned()),
            ..Options::default()
        };
        let server = Server::start("127.0.0.1:0", window.clone(), options).unwrap();
        let address = server.address();
        let stage = test(Stage {
            page: Page { client, address },
            window,
            server: Some(server),
            place,
        });
        let stage = stage.await;
        (stage.page.client.clone(), stage)
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_overview_lives() {
    in_a_browser(&["net::ERR"], |mut stage| async move {
        stage.open("/").await;
        stage.until("#name", |name| name == "shelf-3").await;
        stage.until("#live", |state| state == "live").await;
        stage
            .until("#facts", |facts| facts.contains("applied130"))
            .await;
        stage.find("#charts img").await;
        stage.js("window.neverReloaded = true", vec![]).await;

        stage.window.advance();
        stage
            .until("#facts", |facts| facts.contains("applied131"))
            .await;
        stage
            .until("#events", |events| events.contains("match 130"))
            .await;

        // The server says goodbye and comes back; meanwhile things go on.
        stage.server.take().unwrap().shutdown();
        stage
            .until("#live", |state| state == "the program has ended")
            .await;
        for _ in 0..3 {
            stage.window.advance();
        }
        let address = stage.address.to_string();
        let again = Server::start(&address, stage.window.clone(), stage.options());
        stage.server = Some(again.unwrap());
        stage.until("#live", |state| state == "live").await;
        stage
            .until("#facts", |facts| facts.contains("applied134"))
            .await;
        stage
            .until("#events", |events| events.contains("match 133"))
            .await;
        assert_eq!(stage.js("return window.neverReloaded", vec![]).await, true);

        // A flood leaves a short list.
        stage.window.flood(20_000);
        stage
            .until("#events", |events| events.contains("more events"))
            .await;
        let lines = stage
            .js(
                "return document.querySelectorAll('#events li').length",
                vec![],
            )
            .await;
        assert!(lines.as_u64().unwrap() <= 14, "{lines}");

        stage.window.finish();
        stage
            .until("#crown", |crown| crown.contains("the elder"))
            .await;
        stage.until("#state", |state| state == "finished").await;
        stage
            .until("#final", |last| last.contains("champion"))
            .await;
        stage
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_token_lets_a_browser_stop_the_run() {
    in_a_browser(&[], |stage| async move {
        stage.open("/").await;
        stage
            .until("#control-note", |note| note.contains("token"))
            .await;
        let hidden = "return document.getElementById('control').hidden";
        assert_eq!(stage.js(hidden, vec![]).await, true);

        let url = stage.server.as_ref().unwrap().url_with_token();
        stage.client.goto(&url).await.unwrap();
        stage.until("#name", |name| name == "shelf-3").await;
        let now = stage.client.current_url().await.unwrap();
        assert_eq!(now.query(), None, "the token stands in no history");
        stage.until("#stop", |text| text == "Stop and save").await;
        let start = Instant::now();
        while stage.js(hidden, vec![]).await == true {
            assert!(start.elapsed() < PATIENCE);
        }
        stage.click("#stop").await;
        stage.client.accept_alert().await.unwrap();
        stage.until("#state", |state| state == "stopping").await;
        assert!(stage.window.is_stopping());
        stage
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_whole_game_against_level_five() {
    in_a_browser(&[], |stage| async move {
        stage.open("/play").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move: 36"))
            .await;
        assert_eq!(
            stage
                .find("#level-o")
                .await
                .prop("value")
                .await
                .unwrap()
                .as_deref(),
            Some("mtdf")
        );
        stage.choose("#time-o", "0.1").await;
        stage.choose("#depth-o", "1").await;

        for turn in 0.. {
            assert!(turn < 100, "the game has no end");
            stage
                .until("#turn", |turn| {
                    turn.starts_with("Black to move")
                        || turn.contains(':') && turn.contains("wins")
                        || turn.starts_with("Draw")
                })
                .await;
            let listing = stage.listing().await;
            if !listing["result"].is_null() {
                break;
            }
            assert_eq!(listing["side_to_move"], "x");
            let played = stage.moves().await;
            let path = format!("/api/analyse?depth=3&moves={}", escaped(&played.join(" ")));
            let best = get(stage.address, &path).json()["best"]
                .as_str()
                .unwrap()
                .to_owned();
            let (from, to) = (&best[..2], &best[3..]);

            // Exactly the squares that the piece can reach are marked.
            stage.click_square(from).await;
            let legal = listing["legal_moves"].as_array().unwrap().iter();
            let mut expected: Vec<_> = legal
                .map(|text| text.as_str().unwrap())
                .filter(|text| text.starts_with(from))
                .map(|text| text[3..].to_owned())
                .collect();
            expected.sort();
            assert_eq!(stage.accessible().await, expected, "{from}");
            stage.click_square(to).await;
            let want = played.len() + 1;
            let start = Instant::now();
            while stage.moves().await.len() < want {
                assert!(start.elapsed() < PATIENCE, "{best} was not played");
            }
            assert_eq!(stage.moves().await[want - 1], best);
        }
        let listing = stage.listing().await;
        let winner = match listing["result"].as_str().unwrap() {
            "x" => "Black wins",
            "o" => "White wins",
            _ => "Draw",
        };
        stage
            .until("#turn.over", |turn| turn.starts_with(winner))
            .await;
        stage
            .until("#announce", |said| said.starts_with(winner))
            .await;

        // Back from the end, to a person's turn.
        let before = stage.moves().await.len();
        stage.click("#undo").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move"))
            .await;
        assert!(stage.moves().await.len() < before);
        stage.click("#new").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move: 36"))
            .await;
        assert!(stage.moves().await.is_empty());
        stage
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_board_by_keyboard_and_by_drag() {
    in_a_browser(&[], |stage| async move {
        stage.open("/play").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move: 36"))
            .await;
        stage.choose("#kind-o", "person").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move: 36"))
            .await;

        // From a1, where the focus is: right, choose, up and up, choose.
        let focus = "document.querySelector('.cell[tabindex=\"0\"]').focus(); \
            return document.activeElement.dataset.square";
        assert_eq!(stage.js(focus, vec![]).await, "a1");
        let keys = |keys: &[Key]| keys.iter().map(|&key| char::from(key)).collect::<String>();
        let press = async |text: String| {
            let active = stage.client.active_element().await.unwrap();
            active.send_keys(&text).await.unwrap();
        };
        press(keys(&[Key::Right])).await;
        press(keys(&[Key::Enter])).await;
        assert_eq!(stage.accessible().await, ["b3", "d3", "h1"]);
        let label =
            "return document.querySelector(\".cell[data-square='b3']\").getAttribute('aria-label')";
        assert_eq!(stage.js(label, vec![]).await, "b3, empty, can be reached");
        press(keys(&[Key::Up])).await;
        press(keys(&[Key::Up])).await;
        press(keys(&[Key::Enter])).await;
        stage
            .until("#announce", |said| said == "Black moves b1 to b3.")
            .await;
        stage
            .until("#turn", |turn| turn.starts_with("White to move"))
            .await;
        assert_eq!(stage.moves().await, ["b1-b3"]);

        // Marks can be turned off; legal moves stay legal.
        stage.click("#show-targets").await;
        stage.click_square("a2").await;
        assert!(stage.accessible().await.is_empty());
        stage.click_square("b8").await;
        assert_eq!(
            stage.moves().await.len(),
            1,
            "an illegal move is not played"
        );
        stage.click("#show-targets").await;

        // A capture by drag: a3 goes where c1 stands.
        let legal = stage.listing().await["legal_moves"].to_string();
        let capture = legal
            .split('"')
            .find(|text| text.contains('x'))
            .unwrap()
            .to_owned();
        let from = stage
            .find(&format!(".cell[data-square='{}']", &capture[..2]))
            .await;
        let to = stage
            .find(&format!(".cell[data-square='{}']", &capture[3..]))
            .await;
        let middle = |(x, y, w, h): (f64, f64, f64, f64)| (x + w / 2.0, y + h / 2.0);
        let (from, to) = (
            middle(from.rectangle().await.unwrap()),
            middle(to.rectangle().await.unwrap()),
        );
        let scrolled = stage
            .js("return window.scrollY", vec![])
            .await
            .as_f64()
            .unwrap();
        let there = |(x, y): (f64, f64)| PointerAction::MoveTo {
            duration: Some(Duration::from_millis(60)),
            x,
            y: y - scrolled,
        };
        let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let drag = MouseActions::new("mouse".to_owned())
            .then(there(from))
            .then(PointerAction::Down { button: 0 })
            .then(there(half))
            .then(there(to))
            .then(PointerAction::Up { button: 0 });
        stage.client.perform_actions(drag).await.unwrap();
        stage
            .until("#announce", |said| said.starts_with("White captures"))
            .await;
        assert_eq!(stage.moves().await, ["b1-b3", capture.as_str()]);
        stage
            .until("#seat-bottom", |seat| seat.contains("11 pieces"))
            .await;

        // Undo, hint, and a position of one's own.
        stage.click("#undo").await;
        stage
            .until("#turn", |turn| turn.starts_with("White to move"))
            .await;
        stage.click("#hint").await;
        stage
            .until("#turn", |turn| turn.starts_with("Hint: "))
            .await;
        stage.click("#setup").await;
        stage.click("#setup-clear").await;
        for square in ["a1", "c3", "h8", "h8", "f8", "f8"] {
            stage.click_square(square).await;
        }
        let text = "return document.getElementById('setup-text').value";
        assert_eq!(stage.js(text, vec![]).await, "5o1o/8/8/8/8/2x5/8/x7 o");
        stage.choose("#setup-turn", "x").await;
        stage.click("#setup-done").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move"))
            .await;
        stage.click_square("a1").await;
        assert_eq!(stage.accessible().await, ["a2", "b1", "d4"]);
        stage.click_square("a2").await;
        stage
            .until("#turn", |turn| turn.starts_with("White to move"))
            .await;
        stage.click_square("f8").await;
        stage.click_square("g7").await;
        stage
            .until("#turn.over", |turn| turn == "White wins: connected")
            .await;
        assert_eq!(stage.moves().await, ["a1-a2", "f8-g7"]);

        // A game that is saved is the game that is loaded.
        let link = stage
            .find("#save")
            .await
            .attr("href")
            .await
            .unwrap()
            .unwrap();
        let saved = stage.place.path().join("game.sgf");
        fs::write(&saved, get(stage.address, &link).body).unwrap();
        stage.click("#new").await;
        stage
            .until("#turn", |turn| turn.starts_with("Black to move: 36"))
            .await;
        let load = stage.find("#load").await;
        load.send_keys(saved.to_str().unwrap()).await.unwrap();
        stage
            .until("#turn.over", |turn| turn == "White wins: connected")
            .await;
        assert_eq!(stage.moves().await, ["a1-a2", "f8-g7"]);

        // Who played White plays Black, which is at the top then.
        stage.click("#new").await;
        stage.choose("#kind-o", "machine").await;
        stage.choose("#depth-o", "1").await;
        stage.click("#swap").await;
        stage
            .until("#turn", |turn| turn.starts_with("White to move"))
            .await;
        assert_eq!(stage.moves().await.len(), 1);
        let top = stage.text("#seat-top").await;
        assert!(top.starts_with("Black"), "{top}");
        stage.click("#theme").await;
        let theme = stage
            .js("return document.documentElement.dataset.theme", vec![])
            .await;
        assert_eq!(theme, "dark");

        // Machine against machine, until it is told to wait.
        stage.click("#new").await;
        for side in ["x", "o"] {
            stage.choose(&format!("#kind-{side}"), "machine").await;
            stage.choose(&format!("#depth-{side}"), "1").await;
        }
        let start = Instant::now();
        while stage.moves().await.len() < 4 {
            assert!(start.elapsed() < PATIENCE);
        }
        stage.click("#pause").await;
        stage.until("#turn", |turn| turn == "Paused.").await;
        stage
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_match_is_replayed_and_a_family_walked() {
    in_a_browser(&[], |stage| async move {
        let record = get(stage.address, "/api/matches/7").json();
        let moves = record["games"][0]["moves"].as_array().unwrap();
        stage.open("/matches").await;
        stage.until("#rows", |rows| rows.contains("#")).await;
        stage.open("/matches/7").await;
        let opening = record["games"][0]["opening_plies"].as_u64().unwrap();
        let at = |ply: u64| format!("Move {ply} of {}", moves.len());
        stage
            .until("#where", |text| text.starts_with(&at(opening)))
            .await;
        let body = stage.find("body").await;
        body.send_keys(&char::from(Key::Right).to_string())
            .await
            .unwrap();
        stage
            .until("#where", |text| text.starts_with(&at(opening + 1)))
            .await;
        stage.click("#back").await;
        stage
            .until("#where", |text| text.starts_with(&at(opening)))
            .await;
        stage.click("#first").await;
        stage
            .until("#where", |text| text.starts_with("Start of"))
            .await;
        let piece =
            "return document.querySelector(\".cell[data-square='b1']\").getAttribute('aria-label')";
        assert_eq!(stage.js(piece, vec![]).await, "b1, black piece");
        stage.click("#run").await;
        stage.until("#where", |text| text.starts_with(&at(2))).await;
        stage.click("#last").await;
        let result = record["games"][0]["result"].as_str().unwrap();
        let words = match result {
            "x" => "Black wins",
            "o" => "White wins",
            _ => "Draw",
        };
        stage.until("#where", |text| text.contains(words)).await;
        stage
            .until("#trace", |trace| {
                trace.contains("Groups") && trace.contains("All together")
            })
            .await;
        stage.find("#curve polyline").await;
        stage.click("#game-1").await;
        let second = record["games"][1]["moves"].as_array().unwrap().len();
        stage
            .until("#where", |text| text.contains(&format!("of {second}")))
            .await;

        // A file, its genes, and from child to parent.
        let child = (0..).find(|file| {
            let file = get(stage.address, &format!("/api/files/{file}")).json();
            file["origin"] == "crossover"
        });
        stage.open(&format!("/files/{}", child.unwrap())).await;
        stage
            .until("#title", |title| title.starts_with("File #"))
            .await;
        stage.find(".node.parent").await;
        let genes = stage
            .js("return document.querySelectorAll('.gene').length", vec![])
            .await;
        assert_eq!(genes, 11);
        let parent = stage
            .find(".node.parent")
            .await
            .attr("href")
            .await
            .unwrap()
            .unwrap();
        stage.click(".node.parent").await;
        stage.find(".node.child").await;
        assert_eq!(stage.client.current_url().await.unwrap().path(), parent);

        // The file is the opponent on the board.
        stage.click("#play").await;
        stage
            .until("#seat-top", |seat| seat.contains("file #"))
            .await;
        let number = parent.rsplit('/').next().unwrap();
        let field = stage.find("#file-o").await;
        assert_eq!(field.prop("value").await.unwrap().as_deref(), Some(number));
        stage
    });
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_pages_fit_a_phone_in_light_and_dark() {
    in_a_browser(&[], |stage| async move {
        stage.window.finish();
        for (width, height, size) in [(1280, 1000, "desktop"), (390, 844, "phone")] {
            stage.client.set_window_size(width, height).await.unwrap();
            for theme in ["light", "dark"] {
                stage.open("/").await;
                stage
                    .js(
                        "localStorage.setItem('loatune-theme', arguments[0])",
                        vec![json!(theme)],
                    )
                    .await;
                let moves =
                    "c8-c6 a2-c4 c1xc4 h6-e6 b1-b3 h7-f7 f8-d6 a7-c5 b8-f8 h2-f4 g1-e3 c5xe3";
                let pages = [
                    ("overview", "/".to_owned(), "#leaders td"),
                    ("files", "/files".to_owned(), "#rows td"),
                    ("file", "/files/40".to_owned(), ".node.self"),
                    ("match", "/matches/12".to_owned(), "#trace tfoot"),
                    (
                        "play",
                        format!("/play?moves={}", escaped(moves)),
                        "#trace tfoot",
                    ),
                ];
                for (name, path, ready) in pages {
                    stage.open(&path).await;
                    stage.find(ready).await;
                    let dark = stage
                        .js("return document.documentElement.dataset.theme", vec![])
                        .await;
                    assert_eq!(dark, theme);
                    if name == "overview" {
                        stage.find("#charts img").await;
                    }
                    if name == "match" {
                        stage.find("#curve polyline").await;
                    }
                    if name == "play" {
                        stage.click_square("d6").await;
                    }
                    let wide = "return document.documentElement.scrollWidth - innerWidth";
                    let over = stage.js(wide, vec![]).await.as_i64().unwrap();
                    assert!(over <= 0, "{name} is {over} pixels too wide for a {size}");
                    stage.shoot(&format!("{name}-{size}-{theme}")).await;
                }
            }
        }
        stage
    });
}
