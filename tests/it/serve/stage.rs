//! A population and its server, as the tests of the interface ask it.

use std::net::SocketAddr;

use loatune::serve::http::{Server, TOKEN_FILE};
use serde_json::Value;

use crate::support::client::get;
use crate::support::population::Playback;

/// Matches that are applied when a test begins.
pub(super) const BEGIN: u64 = 60;

/// A population and its server.
pub(super) struct Stage {
    pub(super) population: Playback,
    pub(super) server: Server,
}

impl Stage {
    pub(super) fn new() -> Stage {
        Stage::on("127.0.0.1:0")
    }

    pub(super) fn on(address: &str) -> Stage {
        Stage::with(Playback::new(BEGIN), address)
    }

    pub(super) fn with(population: Playback, address: &str) -> Stage {
        let options = population.options();
        let server = Server::start(address, population.window.clone(), options).unwrap();
        Stage { population, server }
    }

    pub(super) fn address(&self) -> SocketAddr {
        let mut address = self.server.address();
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        address
    }

    pub(super) fn token(&self) -> String {
        let path = self.population.directory().join(TOKEN_FILE);
        std::fs::read_to_string(path).unwrap().trim().to_owned()
    }

    pub(super) fn bearer(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.token())
    }

    #[track_caller]
    pub(super) fn good(&self, path: &str) -> Value {
        let answer = get(self.address(), path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    #[track_caller]
    pub(super) fn refused(&self, path: &str, status: u16) -> String {
        let answer = get(self.address(), path);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        answer.error()
    }
}
