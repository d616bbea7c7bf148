//! Whole runs: to the champion, through kills, stopped in order, verified and
//! repaired.

mod kills;
mod to_the_end;
mod trust;
