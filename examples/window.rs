//! Serves a made-up population that goes on living, for work on the pages:
//! `cargo run --example window -- 127.0.0.1:8420 DIRECTORY`

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use loatune::http::{Options, Server};

#[path = "../tests/it/support/window.rs"]
#[allow(dead_code, unreachable_pub)]
mod window;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let address = args.next().unwrap_or_else(|| "127.0.0.1:8420".to_owned());
    let population = Arc::new(window::Window::new(150));
    let options = Options {
        token_directory: args.next().map(Into::into),
        ..Options::default()
    };
    let server = Server::start(&address, population.clone(), options)?;
    eprintln!("{}", server.url_with_token());
    loop {
        population.advance();
        std::thread::sleep(Duration::from_millis(700));
    }
}
