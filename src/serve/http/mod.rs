//! The page to watch an evolution, to look into it and to play against what it
//! found, and the HTTP interface for programs.
//!
//! Owns the server, the access policy, the pages and the description of the
//! interface. What it shows comes through [`Source`]; it knows no store and no
//! run, and takes no thread from the games. It listens on loopback unless told
//! otherwise, and connects to no other host.
//!
//! | file | purpose |
//! |---|---|
//! | `server` | the thread, the connections, the orderly end |
//! | `routes` | which handler answers which path, limits of all requests |
//! | `access_policy` | which requests are answered |
//! | `origin` | the texts of `Host` and `Origin` |
//! | `token` | the secret that lets a user change things |
//! | `security_headers` | what browsers may do with an answer |
//! | `app_state` | what every handler needs |
//! | `population` | answers about the population |
//! | `weight_files` | weight files as TOML or JSON |
//! | `control` | what changes something: stop, import |
//! | `positions` | answers about positions and games |
//! | `analysis_engine` | the one engine that searches for the page |
//! | `stream` | events as they happen |
//! | `metrics` | numbers for monitoring |
//! | `pages` | what a browser loads |
//! | `reply` | refusals, and the extractors of query and path |
//! | `description` | the OpenAPI description, derived from types and handlers |

mod access_policy;
mod analysis_engine;
mod app_state;
mod control;
mod description;
mod metrics;
mod origin;
mod pages;
mod population;
mod positions;
mod reply;
mod routes;
mod security_headers;
mod server;
mod stream;
mod token;
mod weight_files;

pub use crate::api::{ChartView, MatchQuery, Source, SourceError};
pub use description::OPENAPI;
pub use server::{Options, Server, StartError};
pub use token::{TOKEN_FILE, Token, TokenError};
