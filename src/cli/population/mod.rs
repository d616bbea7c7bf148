//! Commands about a population: begin it and go on with it, look at it, stop
//! it, check and repair it, serve its page. They reach a population through
//! the daemon that works on it, or open its store themselves.

mod export;
mod history;
mod import;
mod list;
mod open_population;
mod page;
mod repair;
mod run;
mod serve;
mod status;
mod stop;
mod systemd;
mod verify;

pub(super) use export::Export;
pub(super) use history::History;
pub(super) use import::Import;
pub(super) use list::List;
pub(super) use repair::Repair;
pub(super) use run::Run;
pub(super) use serve::Serve;
pub(super) use status::Status;
pub(super) use stop::Stop;
pub(super) use systemd::Systemd;
pub(super) use verify::Verify;
