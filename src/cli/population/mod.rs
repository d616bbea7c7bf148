//! Commands about a population: begin it and go on with it, look at it, stop
//! it, copy and rename it, check and repair it, serve its page, play for it. They reach a population through
//! the daemon that works on it, or open its store themselves.

mod copy;
mod export;
mod export_options;
mod fleet;
mod games;
mod history;
mod history_text;
mod import;
mod list;
mod open_population;
mod page;
mod relocation;
mod rename;
mod repair;
mod run;
mod serve;
mod status;
mod stop;
mod systemd;
mod verify;
mod worker;

pub(super) use copy::Copy;
pub(super) use export::Export;
pub(super) use fleet::Fleet;
pub(super) use games::{Games, readable_directory};
pub(super) use history::History;
pub(super) use import::Import;
pub(super) use list::List;
pub(super) use rename::Rename;
pub(super) use repair::Repair;
pub(super) use run::Run;
pub(super) use serve::Serve;
pub(super) use status::Status;
pub(super) use stop::Stop;
pub(super) use systemd::Systemd;
pub(super) use verify::Verify;
pub(super) use worker::Worker;
