//! The page's server and its interface for programs.

mod api;
mod bad_requests;
mod real_run;
mod schema;
