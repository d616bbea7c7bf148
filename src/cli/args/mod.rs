//! Arguments that several commands take: which population, which position,
//! which weights, which parameters, which games. Owns how they are spelt and
//! checked; it prints nothing and runs nothing.

mod arena_flags;
mod param_flags;
mod population_arg;
mod population_dir;
mod position_arg;
mod values;
mod weights_arg;

pub(super) use arena_flags::{ArenaFlags, PLAYER_HELP, PLAYERS_HELP};
pub(super) use param_flags::{AllGroups, DEFAULT_PARAMS_FILE, ParamFlags, RuleFlags};
pub(super) use population_arg::PopulationArg;
pub(super) use population_dir::{DEFAULT_POPULATION, PopulationDir, all_populations};
pub(super) use position_arg::{PositionArg, parse_board};
pub(super) use values::{even_games, file_id, seconds, table_kib};
pub(super) use weights_arg::{DEFAULT_WEIGHTS, WEIGHTS_HELP, read_weights};
