//! The window: a page to watch an evolution, to look into it and to play
//! against what it found, and an interface for programs.
//!
//! Owns the server, who may ask it what, and the pages. What it shows comes
//! through [`Source`]; it knows no store and no daemon, and whatever a browser
//! does, it takes no thread from the games. It listens where it is told, by
//! default on loopback only, and asks no other host for anything.
//!
//! | file | purpose |
//! |---|---|
//! | `source` | what is asked of a population |
//! | `server` | the thread, the connections, the end |
//! | `token` | the secret that lets a user change things |
//! | `guard` | who may come in |
//! | `routes` | which question goes where |
//! | `population` | answers about the population |
//! | `control` | what changes something: stop, import |
//! | `positions` | answers about positions and games |
//! | `thinker` | the one engine that thinks for the page |
//! | `stream` | events as they happen |
//! | `metrics` | numbers for monitoring |
//! | `pages` | what a browser loads |
//! | `reply` | answers and refusals in their form |
//! | `shared` | what all answers need |

mod control;
mod guard;
mod metrics;
mod pages;
mod population;
mod positions;
mod reply;
mod routes;
mod server;
mod shared;
mod stream;
mod thinker;
mod token;

pub use crate::api::{ChartView, MatchQuery, Source, SourceError};
pub use server::{Options, Server, StartError};
pub use token::{TOKEN_FILE, Token, TokenError};

/// The description of the interface, OpenAPI 3.1.
pub const OPENAPI: &str = include_str!("openapi.json");
