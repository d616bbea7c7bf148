//! A page over a population that goes on when a test wants it to.

use std::ops::Deref;

use loatune::api::FleetView;
use loatune::serve::http::Server;
use serde_json::json;

use crate::driver::Browser;
use crate::page::Page;
use crate::support::population::Playback;

/// Matches that are applied when a test begins.
pub const BEGIN: u64 = 130;

/// A page with a population behind it. The browser is closed first.
pub struct Stage {
    pub page: Page,
    pub server: Option<Server>,
    pub population: Playback,
}

impl Deref for Stage {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Stage {
    pub fn new() -> Stage {
        Stage::with(Playback::new(BEGIN))
    }

    pub fn with(population: Playback) -> Stage {
        let server = serve(&population, "127.0.0.1:0");
        let page = Page {
            browser: Browser::start(),
            address: server.address(),
        };
        Stage {
            page,
            server: Some(server),
            population,
        }
    }
}

pub fn serve(population: &Playback, address: &str) -> Server {
    Server::start(address, population.window.clone(), population.options()).unwrap()
}

/// Two workers of a fleet, one of which is barred.
pub fn fleet() -> FleetView {
    let fleet = json!({
        "name": "far", "broker": "nats://127.0.0.1:4222", "connected": true,
        "games_per_second": 12.5, "games": 400, "waiting": 3, "out": 7, "checking": 0,
        "republished": 0, "duplicates": 0, "late": 0, "refused": 5, "checks": 20,
        "differences": 1,
        "workers": [
            {"worker": "attic-12", "state": "trusted", "threads": 4, "games": 396,
             "games_per_second": 12.5, "load": 3.97, "checked": 18, "faults": 0, "holding": 7,
             "seen_seconds": 0.5, "why": null},
            {"worker": "liar-7", "state": "barred", "threads": 1, "games": 4,
             "games_per_second": 0.0, "load": null, "checked": 2, "faults": 1, "holding": 0,
             "seen_seconds": 60.0, "why": "its result of match 9 is false"},
        ],
        "events": [{"number": 1, "seconds_ago": 60.0, "text": "liar-7 is barred"}],
    });
    serde_json::from_value(fleet).unwrap()
}
