//! A library that is put before the C library (`LD_PRELOAD`) and sees every call
//! of the program that concerns a file below one directory. It either records
//! what the calls change, or lets one of them fail.
//!
//! Needs nothing but the standard library: the torture compiles it by one call
//! of rustc. Only Linux has all of these functions.
//!
//! | file | purpose |
//! |---|---|
//! | `record` | what is recorded, as bytes |
//! | `fault` | the kinds of faults |
//! | `real` | the C library's own functions |
//! | `state` | what is watched, and what is to be done |
//! | `names` | the functions that take a path |
//! | `descriptors` | the functions that take an open file |

#![cfg(target_os = "linux")]
// Functions that replace those of the C library cannot be written without it.
#![allow(unsafe_code)]
#![allow(dead_code, reason = "the torture uses what is not used here")]

mod descriptors;
mod fault;
mod names;
mod real;
mod record;
mod state;
