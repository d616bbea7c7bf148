//! Commands about suites of errors: collecting them from games, scoring players on
//! them, proving them again. They own arguments and reports; errors and proofs are
//! those of [`crate::suite`].
//!
//! | file | purpose |
//! |---|---|
//! | `blunders` | `loatune blunders`: a suite from the errors of games |
//! | `collection` | the entries of a suite as they are found |
//! | `played_games` | the games in which errors are looked for |
//! | `players` | `loatune suite`: players on a suite, or its proof |
//! | `rows` | who is scored with which limits |
//! | `score` | what the players achieved, as text and JSON |
//! | `proof` | a suite proved again |
//! | `in_order` | jobs on several threads, results in order |

mod blunders;
mod collection;
mod in_order;
mod played_games;
mod players;
mod proof;
mod rows;
mod score;

pub(super) use blunders::Blunders;
pub(super) use players::Suite;
