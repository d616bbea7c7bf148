//! The page's server and its interface for programs.

mod access;
mod after_the_end;
mod answers;
mod attacks;
mod bad_requests;
mod control_socket;
mod events;
mod explanation;
mod limits;
mod positions;
mod real_run;
mod schema;
mod school;
mod sessions;
mod stage;
