//! Arguments that several commands take: which population, which position,
//! which weights, which parameters, which games. Owns how they are spelt and
//! checked; it prints nothing and runs nothing.

pub(super) mod arena_flags;
pub(super) mod param_flags;
pub(super) mod population_arg;
pub(super) mod position_arg;
pub(super) mod weights_arg;
