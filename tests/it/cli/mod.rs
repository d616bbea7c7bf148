//! The commands, as their users see them: the real binary in a fresh directory
//! with a clean environment.

mod analyse;
mod book;
mod certify;
mod commands;
mod experiment;
mod external;
mod limits;
mod match_games;
mod opponents;
mod outputs;
mod params;
mod play;
mod published;
mod resume;
mod suite;
mod ugi;
mod variables;
mod weights;
