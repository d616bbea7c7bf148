//! The commands, as their users see them: the real binary in a fresh directory
//! with a clean environment.

mod analyse;
mod certify;
mod commands;
mod external;
mod match_games;
mod outputs;
mod params;
mod play;
mod ugi;
mod weights;
