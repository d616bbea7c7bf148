//! loatune evolves evaluation weights for the board game Lines of Action.
//!
//! The modules stand in the order in which data flows: no module uses one that
//! stands below it, and a test reads the sources to keep it so. Each answers one
//! question.
//!
//! | module | question |
//! |---|---|
//! | [`util`] | what has nothing to do with the game? |
//! | [`random`] | which random numbers belong to which purpose? |
//! | [`board`] | what is on the board? |
//! | [`game`] | when is it over? |
//! | [`notation`] | how is it written? |
//! | [`eval`] | what is it worth? |
//! | [`search`] | which move is best? |
//! | [`genome`] | what can be tuned? |
//! | [`stats`] | how sure are we? |
//! | [`document`] | what does a file say, and in which line? |
//! | [`params`] | what may a user choose? |
//! | [`weights`] | what is a player made of, and what is it called? |
//! | [`book`] | which first moves have won? |
//! | [`arena`] | who wins? |
//! | [`learn`] | what do played games teach? |
//! | [`suite`] | what was thrown away, and who finds it? |
//! | [`evolve`] | who lives, who dies, who is born? |
//! | [`store`] | what is kept, whatever happens? |
//! | [`charts`] | how did it go? |
//! | [`api`] | what is shown, under which names? |
//! | [`run`] | what is done, from the first match to the proof? |
//! | [`serve`] | how do browsers and commands reach a run? |
//! | [`ugi`] | how do other programs use the engine? |
//! | [`cli`] | what did the user type? |
//!
//! [`util`] and [`random`] stand first because everything may use them;
//! [`charts`] and [`api`] stand above [`run`] because a run fills their types.
//!
//! Words used throughout, defined once:
//!
//! * **ply**: one move of one side; **side**: Black (`x`, moves first) or
//!   White (`o`);
//! * **line**: a row, column or diagonal; a piece moves along it exactly as
//!   many squares as it holds pieces;
//! * **quad**: a 2×2 window of the board; **Euler number**: a side's groups
//!   minus its holes, from counting quads;
//! * **snapshot**: what can be known of a position without its line contents;
//! * **game pair**: the two games of one opening, colours swapped;
//!   **pentanomial**: how many pairs brought 0, ½, 1, 1½ and 2 points;
//! * **opening**: the position that a game of a match begins with; **book**: what
//!   is known of first moves from games, which a player may follow;
//! * **match**: games between two players. In the arena and in a proof a match
//!   has many pairs; a match of the evolution is one pair, numbered from 0;
//! * **file**: the weights of one member of a population, as users know it;
//!   inside of [`evolve`] a living one is an **individual**.

pub mod util;

pub mod random;

pub mod board;

pub mod game;

pub mod notation;

pub mod eval;

pub mod search;

pub mod genome;

pub mod stats;

pub mod document;

pub mod params;

pub mod weights;

pub mod book;

pub mod arena;

pub mod learn;

pub mod suite;

pub mod evolve;

pub mod store;

pub mod charts;

pub mod api;

pub mod run;

pub mod serve;

pub mod ugi;

pub mod cli;

#[cfg(test)]
mod layers;
