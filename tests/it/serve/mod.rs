//! The page's server and its interface for programs.

mod api;
mod attacks;
mod bad_requests;
mod control_socket;
mod real_run;
mod schema;
mod sessions;
