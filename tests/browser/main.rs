//! The pages in a real browser. Every test here is ignored by default, because
//! it needs Chromium and chromedriver: `cargo test --test browser -- --ignored`
//! runs them, and fails where these are missing.

#![allow(unreachable_pub, clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "../it/support/mod.rs"]
mod support;

mod accessibility;
mod analysis;
mod charts;
mod driver;
mod exploring;
mod page;
mod pages;
mod real_run;
mod school;
mod stage;
mod values;
