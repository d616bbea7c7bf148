//! A real browser: headless Chromium, driven by chromedriver, and a page in it.
//!
//! With `LOATUNE_SHOTS=DIRECTORY` pictures of the pages are left there.

use std::fs;
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::support::client::{escaped, get, request};

/// How long a page may take to do something: far longer than it does.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// chromedriver, ended with the test.
pub struct Driver {
    child: Child,
    address: SocketAddr,
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

impl Driver {
    /// `None` where there is none and that is no failure.
    pub fn start() -> Option<Driver> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) => {
                let must = std::env::var("LOATUNE_TEST_ALL").is_ok_and(|value| value == "1");
                assert!(!must, "chromedriver cannot be started: {error}");
                eprintln!("skipped: chromedriver cannot be started: {error}");
                return None;
            }
        };
        let output = BufReader::new(child.stdout.take().unwrap());
        let port = output.lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let address =
            SocketAddr::from(([127, 0, 0, 1], port.expect("chromedriver names its port")));
        Some(Driver { child, address })
    }

    pub async fn client(&self) -> Client {
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1280,1000",
        ];
        let capabilities = json!({
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else {
            unreachable!()
        };
        ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://{}", self.address))
            .await
            .unwrap()
    }

    /// What the console has shown since the last look.
    pub fn console(&self, session: &str) -> Vec<String> {
        let path = format!("/session/{session}/se/log");
        let headers = "Content-Type: application/json\r\n";
        let body = r#"{"type":"browser"}"#;
        let answer = request(self.address, "POST", &path, headers, body).json();
        let entries = answer["value"].as_array().unwrap().iter();
        entries
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| entry["message"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// A browser, and where the pages are that it looks at.
pub struct Page {
    pub client: Client,
    pub address: SocketAddr,
}

impl Page {
    pub async fn open(&self, path: &str) {
        let url = format!("http://{}{path}", self.address);
        self.client.goto(&url).await.unwrap();
    }

    pub async fn find(&self, selector: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE);
        let found = wait.for_element(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    pub async fn click(&self, selector: &str) {
        self.find(selector).await.click().await.unwrap();
    }

    pub async fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
        let value = self.js(script, vec![json!(selector)]).await;
        value.as_str().unwrap().to_owned()
    }

    pub async fn js(&self, script: &str, args: Vec<Value>) -> Value {
        self.client.execute(script, args).await.unwrap()
    }

    /// Waits until a text is as it should be.
    #[track_caller]
    pub fn until<'a>(
        &'a self,
        selector: &'a str,
        is_good: impl Fn(&str) -> bool + 'a,
    ) -> impl Future<Output = String> + 'a {
        let caller = std::panic::Location::caller();
        async move {
            let start = Instant::now();
            loop {
                let text = self.text(selector).await;
                if is_good(&text) {
                    return text;
                }
                let waited = start.elapsed();
                assert!(
                    waited < PATIENCE,
                    "{caller}: {selector} still says {text:?}"
                );
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        }
    }

    /// Waits until a script says what it should.
    pub async fn until_js(&self, script: &str, is_good: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let value = self.js(script, vec![]).await;
            if is_good(&value) {
                return value;
            }
            assert!(start.elapsed() < PATIENCE, "{script}: still {value}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    pub async fn choose(&self, selector: &str, value: &str) {
        let field = self.find(selector).await;
        field.select_by_value(value).await.unwrap();
    }

    /// The moves that the page lists.
    pub async fn moves(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('#moves li')].map(li => li.textContent)";
        serde_json::from_value(self.js(script, vec![]).await).unwrap()
    }

    /// The squares that the page marks as accessible, sorted.
    pub async fn accessible(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('.cell.accessible')]\
            .map(cell => cell.dataset.square).sort()";
        serde_json::from_value(self.js(script, vec![]).await).unwrap()
    }

    pub async fn click_square(&self, square: &str) {
        self.click(&format!(".cell[data-square='{square}']")).await;
    }

    /// What the server says about the game on the page.
    pub async fn listing(&self) -> Value {
        let moves = escaped(&self.moves().await.join(" "));
        get(self.address, &format!("/api/moves?moves={moves}")).json()
    }

    /// A picture, where somebody wants one.
    pub async fn shoot(&self, name: &str) {
        let Ok(directory) = std::env::var("LOATUNE_SHOTS") else {
            return;
        };
        let height = self
            .js(
                "return Math.max(700, document.documentElement.scrollHeight)",
                vec![],
            )
            .await
            .as_u64()
            .unwrap();
        let (width, old) = self.client.get_window_size().await.unwrap();
        let high = (height as u32 + 20).min(4000);
        self.client
            .set_window_size(width as u32, high)
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(400)).await;
        let picture = self.client.screenshot().await.unwrap();
        fs::create_dir_all(&directory).unwrap();
        fs::write(Path::new(&directory).join(format!("{name}.png")), picture).unwrap();
        self.client
            .set_window_size(width as u32, old as u32)
            .await
            .unwrap();
    }
}

/// Runs a test in a browser, and afterwards looks at the console. Warnings of
/// what a test does on purpose are `allowed`. What the test returns lives until
/// the browser is closed.
pub fn in_a_browser<T, F: Future<Output = (Client, T)>>(
    allowed: &[&str],
    test: impl FnOnce(Client) -> F,
) {
    let Some(driver) = Driver::start() else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = driver.client().await;
        let session = client.session_id().await.unwrap().unwrap();
        let (client, kept) = test(client).await;
        let shown: Vec<_> = driver
            .console(&session)
            .into_iter()
            .filter(|line| !allowed.iter().any(|part| line.contains(part)))
            .collect();
        client.close().await.unwrap();
        drop(kept);
        assert!(shown.is_empty(), "the console shows {shown:#?}");
    });
}
