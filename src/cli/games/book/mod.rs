//! `loatune book`: opening books, from building to export.
//!
//! What a book knows and how it grows is decided in [`crate::book`] and
//! [`crate::learn::book`]; here are the arguments, the file to go on from and
//! what is printed.

mod build;
mod export;
mod file_arg;
mod game_log;
mod merge;
mod move_table;
mod prune;
mod show;

use std::io::Write;

use clap::{Args, Subcommand};

/// Make opening books by self-play, merge, prune, show and export them
///
/// A book says which first moves have won, by position. A player follows it with
/// the option book: `loatune match champion@selective:n20000,book=mine.book …`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Positions are kept under the eight symmetries of the board: what is learned of one
image is known of all. A file of openings, which says where the games of a match
begin, is something else: see --openings of `loatune match`.

Examples:
  loatune book build champion@selective:n2000 -o mine.book --games 5000
  loatune book show mine.book startpos
  loatune book merge mine.book yours.book -o both.book
  loatune book prune both.book --min-games 8 -o small.book
  loatune book export small.book --sgf -o small.sgf
  loatune match champion@mtdf:5,book=small.book champion@mtdf:5 --opening-plies 2")]
pub(crate) struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(build::Build),
    Merge(merge::Merge),
    Prune(prune::Prune),
    Show(show::Show),
    Export(export::Export),
}

impl Book {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match &self.action {
            Action::Build(action) => action.run(out),
            Action::Merge(action) => action.run(out),
            Action::Prune(action) => action.run(out),
            Action::Show(action) => action.run(out),
            Action::Export(action) => action.run(out),
        }
    }
}
