//! Analysis at the board: best lines with arrows, stepping through a game, a game
//! in the address, resigning, clocks.

use crate::driver::keys;
use crate::stage::Stage;
use crate::support::client::{escaped, get};

const MOVES: &str = "c8-c6 a2-c4 c1xc4 h6-e6 b1-b3 h7-f7";

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_game_is_analysed_and_stepped_through() {
    let stage = Stage::new();
    stage.open(&format!(
        "/play?moves={}&black=person&white=person",
        escaped(MOVES)
    ));
    stage.until_moves(6);
    stage.until("#turn", |turn| turn.starts_with("Black to move"));

    // The best lines, each with an arrow.
    stage.click("#show-lines");
    stage.until_js(
        "return document.querySelectorAll('.lines li').length",
        |count| count.as_u64() == Some(3),
    );
    stage.until_js(
        "return document.querySelectorAll('polygon.arrow').length",
        |count| count.as_u64() == Some(3),
    );
    stage.shoot("play-lines");

    // The move list, the buttons and the keys lead through the game.
    stage.click("#moves li:nth-child(2) button");
    stage.until("#turn", |turn| turn == "Move 2 of 6: a2-c4");
    stage.until_js(
        "return document.getElementById('position').value",
        |position| position.as_str().unwrap().ends_with(" x"),
    );
    stage.click("#back");
    stage.until("#turn", |turn| turn == "Move 1 of 6: c8-c6");
    stage.find("body").send_keys(keys::RIGHT);
    stage.until("#turn", |turn| turn == "Move 2 of 6: a2-c4");
    stage.click("#first");
    stage.until("#turn", |turn| turn == "Start of 6 moves");
    stage.click("#last");
    stage.until("#turn", |turn| turn.starts_with("Black to move"));

    // From an earlier position the game takes another way.
    stage.click("#moves li:nth-child(4) button");
    stage.click("#branch");
    stage.until("#turn", |turn| turn.starts_with("Black to move"));
    assert_eq!(stage.moves(), ["c8-c6", "a2-c4", "c1xc4", "h6-e6"]);

    // A move of a line is played by a click on it.
    let lines = "#lines[data-moves='c8-c6 a2-c4 c1xc4 h6-e6'] .line-move";
    let best = stage.until(lines, |text| !text.is_empty());
    stage.click(lines);
    stage.until_moves(5);
    assert_eq!(stage.moves()[4].len(), best.len());

    // The game is in the address: a reload keeps it.
    let before = stage.moves();
    stage.until("#turn", |turn| turn.starts_with("White to move"));
    stage.browser.reload();
    stage.until_moves(5);
    assert_eq!(stage.moves(), before);
    stage.until("#turn", |turn| turn.starts_with("White to move"));

    // Who resigns has lost, also after a reload.
    stage.click("#resign");
    stage.until("#turn.over", |turn| turn == "Black wins: White resigns");
    stage.browser.reload();
    stage.until("#turn.over", |turn| turn == "Black wins: White resigns");
    // The saved game knows it as well.
    let link = stage.find("#save").attribute("href").unwrap();
    let saved = stage.population.directory().join("given-up.sgf");
    std::fs::write(&saved, get(stage.address, &link).body).unwrap();
    stage.click("#undo");
    stage.until("#turn", |turn| turn.starts_with("Black to move"));
    stage.find("#load").send_keys(saved.to_str().unwrap());
    stage.until("#turn.over", |turn| turn == "Black wins: White resigns");
    stage.until("#copied", |told| told == "Loaded person against person.");

    // A position comes in as text, and goes out as text.
    let text = "5o1o/8/8/8/8/2x5/8/x7 x";
    stage.click("#setup");
    stage.js("document.getElementById('setup-text').value = ''");
    stage
        .find("#setup-text")
        .send_keys(&format!("{text}{}", keys::ENTER));
    stage.until("#turn", |turn| turn == "Setting up");
    let squares = "return document.querySelectorAll('#board .cell[aria-label$=\"piece\"]').length";
    stage.until_js(squares, |pieces| *pieces == 4);
    stage.click("#setup-done");
    stage.until("#turn", |turn| turn.starts_with("Black to move"));
    let shown = "return document.getElementById('position').value";
    stage.until_js(shown, |position| position == text);
    stage.click("#copy-position");
    stage.until("#copied", |told| told.contains("copied") || told == text);

    // Clocks run from the first move on.
    stage.choose("#clock", "600");
    stage.click("#new");
    stage.until("[data-clock='x']", |time| time == "10:00");
    stage.until("#turn", |turn| turn.starts_with("Black to move: 36"));
    stage.click_square("b1");
    stage.click_square("b3");
    stage.until("[data-clock='o']", |time| time.starts_with("9:5"));
    assert_eq!(stage.text("[data-clock='x']"), "10:00");
    // They go on after a reload where they were.
    stage.browser.reload();
    stage.until("[data-clock='o']", |time| time.starts_with("9:"));
    let before = stage.text("[data-clock='o']");
    stage.until("[data-clock='o']", |time| time != before);
    assert_eq!(stage.text("[data-clock='x']"), "10:00");

    // Every player is described by its strength, too.
    stage.choose("#kind-o", "machine");
    let levels = "return [...document.querySelectorAll('#level-o option')]\
        .filter((option) => !/^\\d .*\\([+−]\\d+ ± \\d+ Elo\\)$/.test(option.textContent)).length";
    assert_eq!(stage.js(levels), 0);
    let count = "return document.querySelectorAll('#level-o option').length";
    assert_eq!(stage.js(count), 7);
    stage.console_is_clean(&["503"]);
}
