//! A page in a real browser: what tests do with it and wait for.
//!
//! With `LOATUNE_SHOTS=DIRECTORY` pictures of the pages are left there.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::{Browser, Element, PATIENCE, PAUSE};
use crate::support::client::{escaped, get};

/// A browser, and where the pages are that it looks at.
pub struct Page {
    pub browser: Browser,
    pub address: SocketAddr,
}

impl Page {
    #[track_caller]
    pub fn open(&self, path: &str) {
        self.browser.goto(&format!("http://{}{path}", self.address));
    }

    /// Chooses the theme of all pages that are opened from now on.
    pub fn choose_theme(&self, theme: &str) {
        // Whatever the server has will do; the icon asks for nothing else and leaves
        // no request behind when the next page is opened.
        self.open("/assets/icon.svg");
        self.browser.execute(
            "localStorage.setItem('loatune-theme', arguments[0])",
            &[json!(theme)],
        );
    }

    #[track_caller]
    pub fn find(&self, selector: &str) -> Element<'_> {
        self.browser.find(selector)
    }

    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.browser.click(selector);
    }

    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
        let value = self.browser.execute(script, &[json!(selector)]);
        value.as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn js(&self, script: &str) -> Value {
        self.browser.execute(script, &[])
    }

    /// Waits until a text is as it should be.
    #[track_caller]
    pub fn until(&self, selector: &str, is_good: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let text = self.text(selector);
            if is_good(&text) {
                return text;
            }
            let waited = start.elapsed();
            assert!(waited < PATIENCE, "{selector} still says {text:?}");
            sleep(PAUSE);
        }
    }

    /// Waits until a script says what it should.
    #[track_caller]
    pub fn until_js(&self, script: &str, is_good: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let value = self.js(script);
            if is_good(&value) {
                return value;
            }
            assert!(start.elapsed() < PATIENCE, "{script}: still {value}");
            sleep(PAUSE);
        }
    }

    /// Waits until the browser has come to an address.
    #[track_caller]
    pub fn until_url(&self, is_good: impl Fn(&str) -> bool) {
        self.until_js("return location.href", |url| is_good(url.as_str().unwrap()));
    }

    /// Waits until exactly these squares are marked as accessible.
    #[track_caller]
    pub fn until_accessible(&self, squares: &[impl AsRef<str>]) {
        let start = Instant::now();
        loop {
            let found = self.accessible();
            if found.iter().eq(squares.iter().map(AsRef::as_ref)) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{found:?} are marked");
            sleep(PAUSE);
        }
    }

    #[track_caller]
    pub fn choose(&self, selector: &str, value: &str) {
        self.click(&format!("{selector} option[value='{value}']"));
    }

    /// The moves that the page lists.
    #[track_caller]
    pub fn moves(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('#moves li')].map(li => li.textContent)";
        serde_json::from_value(self.js(script)).unwrap()
    }

    /// Waits until so many moves are played.
    #[track_caller]
    pub fn until_moves(&self, count: usize) {
        let script = "return document.querySelectorAll('#moves li').length";
        self.until_js(script, |found| found.as_u64() >= Some(count as u64));
    }

    /// The squares that the page marks as accessible, sorted.
    #[track_caller]
    pub fn accessible(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('.cell.accessible')]\
            .map(cell => cell.dataset.square).sort()";
        serde_json::from_value(self.js(script)).unwrap()
    }

    #[track_caller]
    pub fn square(&self, square: &str) -> Element<'_> {
        self.find(&format!(".cell[data-square='{square}']"))
    }

    #[track_caller]
    pub fn click_square(&self, square: &str) {
        self.click(&format!(".cell[data-square='{square}']"));
    }

    /// What the server says about the game on the page.
    #[track_caller]
    pub fn listing(&self) -> Value {
        let moves = escaped(&self.moves().join(" "));
        get(self.address, &format!("/api/moves?moves={moves}")).json()
    }

    /// A picture, where somebody wants one.
    pub fn shoot(&self, name: &str) {
        let Ok(directory) = std::env::var("LOATUNE_SHOTS") else {
            return;
        };
        let height = "scrollTo(0, 0); return Math.max(700, document.documentElement.scrollHeight)";
        let height = self.js(height).as_u64().unwrap();
        let (width, old) = self.browser.window_size();
        self.browser.set_window_size(width, (height + 20).min(9000));
        sleep(Duration::from_millis(400));
        let picture = self.browser.screenshot();
        fs::create_dir_all(&directory).unwrap();
        fs::write(Path::new(&directory).join(format!("{name}.png")), picture).unwrap();
        self.browser.set_window_size(width, old);
    }

    /// At the end of a test: the console has shown nothing. Warnings of what a
    /// test does on purpose are `allowed`.
    #[track_caller]
    pub fn console_is_clean(&self, allowed: &[&str]) {
        // An engine that is busy, and chances that are still being computed, are asked
        // again; the browser notes the first answers.
        let is_early = |line: &String| line.contains("/api/") && line.contains("503");
        let is_allowed =
            |line: &String| is_early(line) || allowed.iter().any(|part| line.contains(part));
        let mut shown = self.browser.console();
        shown.retain(|line| !is_allowed(line));
        assert!(shown.is_empty(), "the console shows {shown:#?}");
    }
}
