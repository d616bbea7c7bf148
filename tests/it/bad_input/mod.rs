//! Bad input of every kind, given to the real binary: what is refused, with
//! which exit code, and whether the message names the place. One file a kind;
//! `case` holds what is demanded of all of them.

mod arguments;
mod case;
mod certificate;
mod dialogue;
mod keys;
mod openings;
mod params;
mod players;
mod population;
mod positions;
mod sgf;
mod weights;
