//! A client of the WebDriver protocol: JSON over HTTP to a chromedriver that is
//! started here, with as much of the protocol as the tests need.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::client::{get, request};

/// How long a page may take to do something: far longer than it does, also where
/// others keep the machine busy.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// Between two looks at something that is waited for.
pub const PAUSE: Duration = Duration::from_millis(30);

/// The key of an element's id, by the standard.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The codes of keys, by the standard.
pub mod keys {
    pub const ENTER: &str = "\u{e007}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
}

/// chromedriver, ended with the test.
struct Driver {
    child: Child,
    address: SocketAddr,
}

impl Driver {
    fn start() -> Driver {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.unwrap_or_else(|error| {
            panic!("chromedriver cannot be started: {error}; install it and Chromium")
        });
        let output = BufReader::new(child.stdout.take().unwrap());
        let port = output.lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("chromedriver names its port");
        Driver {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], port)),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Asked nicely it takes its browsers along, also after a failed test.
        let _ = std::panic::catch_unwind(|| get(self.address, "/shutdown"));
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser with one window.
pub struct Browser {
    driver: Driver,
    session: String,
}

/// An element of the page, for as long as the page is shown.
pub struct Element<'a> {
    browser: &'a Browser,
    id: String,
}

impl Browser {
    /// Starts headless Chromium.
    pub fn start() -> Browser {
        let driver = Driver::start();
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1280,1000",
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": PATIENCE.as_millis() as u64, "pageLoad": PATIENCE.as_millis() as u64 },
        } } });
        let made = call(driver.address, "POST", "/session", &wanted).unwrap();
        let session = made["sessionId"].as_str().unwrap().to_owned();
        Browser { driver, session }
    }

    /// A command of the session, or why it failed.
    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let path = format!("/session/{}{path}", self.session);
        call(self.driver.address, method, &path, body)
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.call("GET", path, &Value::Null).unwrap()
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", path, body).unwrap()
    }

    #[track_caller]
    pub fn goto(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    /// Runs a script; its arguments are `arguments[0]` and so on.
    #[track_caller]
    pub fn execute(&self, script: &str, args: &[Value]) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": args }))
    }

    /// Runs a script that hands its result to the function that is its last
    /// argument.
    #[track_caller]
    pub fn execute_async(&self, script: &str) -> Value {
        self.post("/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// The first element that a selector names, once there is one.
    #[track_caller]
    pub fn find(&self, selector: &str) -> Element<'_> {
        let wanted = json!({ "using": "css selector", "value": selector });
        let start = Instant::now();
        loop {
            match self.call("POST", "/element", &wanted) {
                Ok(found) => return self.element(&found),
                Err(error) => assert!(start.elapsed() < PATIENCE, "{selector}: {error}"),
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The element that keys go to.
    #[track_caller]
    pub fn active(&self) -> Element<'_> {
        self.element(&self.get("/element/active"))
    }

    fn element(&self, found: &Value) -> Element<'_> {
        Element {
            browser: self,
            id: found[ELEMENT].as_str().unwrap().to_owned(),
        }
    }

    /// Clicks what a selector names, once it can be clicked: what is drawn anew or
    /// moves at this moment is looked for again.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        const PASSING: [&str; 3] = [
            "stale element reference",
            "element click intercepted",
            "element not interactable",
        ];
        let start = Instant::now();
        loop {
            let path = self.find(selector).path("click");
            let Err(error) = self.call("POST", &path, &json!({})) else {
                return;
            };
            let may_pass = PASSING.iter().any(|kind| error.contains(kind));
            let is_time = start.elapsed() < PATIENCE;
            assert!(may_pass && is_time, "{selector}: {error}");
            std::thread::sleep(PAUSE);
        }
    }

    /// Says yes to a question of the page, once it is asked.
    #[track_caller]
    pub fn accept_alert(&self) {
        let start = Instant::now();
        while let Err(error) = self.call("POST", "/alert/accept", &json!({})) {
            assert!(start.elapsed() < PATIENCE, "{error}");
            std::thread::sleep(PAUSE);
        }
    }

    /// Drags with the left button from the first point of the window over all
    /// others to the last.
    #[track_caller]
    pub fn drag(&self, points: &[(f64, f64)]) {
        let move_to = |&(x, y): &(f64, f64)| {
            let (x, y) = (x.round(), y.round());
            json!({ "type": "pointerMove", "duration": 60, "x": x as i64, "y": y as i64 })
        };
        let mut actions: Vec<Value> = points.iter().map(move_to).collect();
        actions.insert(1, json!({ "type": "pointerDown", "button": 0 }));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.post("/actions", &json!({ "actions": [mouse] }));
    }

    /// Moves the pointer to a point of the window, without a button.
    #[track_caller]
    pub fn point_at(&self, (x, y): (f64, f64)) {
        let (x, y) = (x.round() as i64, y.round() as i64);
        let step = json!({ "type": "pointerMove", "duration": 30, "x": x, "y": y });
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": [step] });
        self.post("/actions", &json!({ "actions": [mouse] }));
    }

    #[track_caller]
    pub fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// Width and height of the window.
    #[track_caller]
    pub fn window_size(&self) -> (u64, u64) {
        let found = self.get("/window/rect");
        let number = |name: &str| found[name].as_u64().unwrap();
        (number("width"), number("height"))
    }

    #[track_caller]
    pub fn set_window_size(&self, width: u64, height: u64) {
        self.post("/window/rect", &json!({ "width": width, "height": height }));
    }

    /// A picture of the window, PNG. The driver gives up after ten seconds, so a
    /// browser that is slow to paint is asked again.
    #[track_caller]
    pub fn screenshot(&self) -> Vec<u8> {
        let start = Instant::now();
        loop {
            match self.call("GET", "/screenshot", &Value::Null) {
                Ok(picture) => return from_base64(picture.as_str().unwrap()),
                Err(error) => assert!(start.elapsed() < PATIENCE, "{error}"),
            }
        }
    }

    /// Warnings and errors that the console has shown since the last look.
    #[track_caller]
    pub fn console(&self) -> Vec<String> {
        let found = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = found.as_array().unwrap().iter();
        entries
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| entry["message"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Element<'_> {
    fn path(&self, rest: &str) -> String {
        format!("/element/{}/{rest}", self.id)
    }

    /// Types a text; for an upload it is the path of the file.
    #[track_caller]
    pub fn send_keys(&self, text: &str) {
        self.browser
            .post(&self.path("value"), &json!({ "text": text }));
    }

    #[track_caller]
    pub fn attribute(&self, name: &str) -> Option<String> {
        let found = self.browser.get(&self.path(&format!("attribute/{name}")));
        found.as_str().map(str::to_owned)
    }

    #[track_caller]
    pub fn property(&self, name: &str) -> Value {
        self.browser.get(&self.path(&format!("property/{name}")))
    }

    /// Its middle, from the upper left corner of the page.
    #[track_caller]
    pub fn middle(&self) -> (f64, f64) {
        let found = self.browser.get(&self.path("rect"));
        let number = |name: &str| found[name].as_f64().unwrap();
        (
            number("x") + number("width") / 2.0,
            number("y") + number("height") / 2.0,
        )
    }
}

/// Sends a command and takes the value out of its answer.
fn call(address: SocketAddr, method: &str, path: &str, body: &Value) -> Result<Value, String> {
    let body = match body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    let headers = "Content-Type: application/json\r\n";
    let answer = request(address, method, path, headers, &body);
    let value = answer.json()["value"].take();
    if answer.status == 200 {
        return Ok(value);
    }
    // The rest of the message is the driver's own stack.
    let message = value["message"].as_str().unwrap_or_default();
    let message = message.lines().next().unwrap_or_default();
    Err(format!("{method} {path}: {}: {message}", value["error"]))
}

fn from_base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = LETTERS.iter().position(|&other| other == letter);
        bits = bits << 6 | value.expect("base64") as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
