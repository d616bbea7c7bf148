//! A page over a population that goes on when a test wants it to.

use std::ops::Deref;

use loatune::serve::http::Server;

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
