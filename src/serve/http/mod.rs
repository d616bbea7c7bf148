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
//! | `server` | the thread and the orderly end |
//! | `connections` | how many there are, from where, and how long they last |
//! | `write_timeout` | lets a client go that takes no answers |
//! | `routes` | which handler answers which path, limits of all requests |
//! | `access_policy` | which requests are answered |
//! | `origin` | the texts of `Host` and `Origin` |
//! | `token` | the secret that lets a user change things |
//! | `sessions` | what browsers get for the token, and how it ends |
//! | `login` | beginning and ending a session |
//! | `limited_log` | warnings that clients can cause |
//! | `security_headers` | what browsers may do with an answer |
//! | `app_state` | what every handler needs |
//! | `population` | answers about the population |
//! | `weight_files` | weight files as TOML or JSON |
//! | `control` | what changes something: stop, import |
//! | `positions` | answers about positions and games |
//! | `chances` | honest chances of winning, fitted to the population's games |
//! | `explanations` | what weights value, computed once for each |
//! | `engine_games` | best lines, and games between two sets of weights |
//! | `analysis_engine` | the one engine that searches for the page |
//! | `priority` | the priority of its thread |
//! | `stream` | events as they happen, one client's |
//! | `feed` | one look at the population for all of them |
//! | `event_messages` | their messages as bytes |
//! | `shared_answers` | what all pages ask for, rendered once |
//! | `viewers` | whether somebody looks at the page |
//! | `metrics` | numbers for monitoring |
//! | `process_metrics` | those of the process itself |
//! | `pages` | what a browser loads |
//! | `reply` | refusals, and the extractors of query and path |
//! | `description` | the OpenAPI description, derived from types and handlers |

mod access_policy;
mod analysis_engine;
mod app_state;
mod chances;
mod connections;
mod control;
mod description;
mod engine_games;
mod event_messages;
mod explanations;
mod feed;
mod fleet_metrics;
mod limited_log;
mod login;
mod metrics;
mod origin;
mod pages;
mod population;
mod positions;
mod priority;
mod process_metrics;
mod reply;
mod routes;
mod security_headers;
mod server;
mod sessions;
mod shared_answers;
mod stream;
mod task_queue;
mod token;
mod viewers;
mod weight_files;
mod write_timeout;

pub use crate::api::{ChartView, MatchQuery, Source, SourceError};
pub use description::OPENAPI;
pub use server::{ListPopulations, Options, Server, StartError};
pub use token::{TOKEN_FILE, Token, TokenError};
