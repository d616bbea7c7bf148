//! How fast games are played.
fn main() {}
