//! Commands that play games: between players of any kind, against a champion's
//! certificate, and against a person. They own schedules and reports; the games
//! themselves are played by the arena.

mod book;
mod certify;
mod experiment;
mod game_runner;
mod gauntlet;
mod line_log;
mod match_games;
mod match_report;
mod match_settings;
mod play;
mod resume_file;
mod sgf_file;
mod tournament;

pub(super) use book::Book;
pub(super) use certify::Certify;
pub(super) use experiment::Experiment;
pub(super) use game_runner::{GameRunner, ResultSink};
pub(super) use gauntlet::Gauntlet;
pub(super) use match_games::Match;
pub(super) use play::Play;
pub(super) use resume_file::RESUME;
pub(super) use tournament::Tournament;
