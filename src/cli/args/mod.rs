//! Arguments that several commands take: which population, which position,
//! which weights, which parameters, which games. Owns how they are spelt and
//! checked; it prints nothing and runs nothing.

mod arena_flags;
mod book_arg;
mod fleet_flags;
mod panel;
mod param_flags;
mod population_arg;
mod population_dir;
mod position_arg;
mod shell;
mod table_memory;
mod values;
mod variables;
mod weights_arg;

pub(super) use arena_flags::{ArenaFlags, PLAYER_HELP, PLAYERS_HELP};
pub(super) use book_arg::read_player_book;
pub(super) use fleet_flags::{DEFAULT_FLEET, FleetFlags};
pub(super) use panel::check_panel;
pub(super) use param_flags::{AllGroups, DEFAULT_PARAMS_FILE, LearnGroups, ParamFlags, RuleFlags};
pub(super) use population_arg::PopulationArg;
pub(super) use population_dir::{DEFAULT_POPULATION, PopulationDir, all_populations};
pub(super) use position_arg::{PositionArg, parse_board};
pub(super) use shell::quoted;
pub(super) use table_memory::{check_players, check_table, check_tree};
pub(super) use values::{
    DEFAULT_TABLE_KIB, even_games, file_id, player_name, search_setup, seconds, table_kib,
};
pub(super) use variables::{add_to_flags, warn_of_unknown};
pub(super) use weights_arg::{DEFAULT_WEIGHTS, WEIGHTS_HELP, read_weights};
