//! The keys of a certificate: one row each, with what is allowed and its place
//! in [`Certificate`] and [`ProofMatch`]. Reading and writing, TOML and JSON
//! all go through these rows.

use serde_json::{Value, json};

use super::values::{
    MAX_GAMES, MAX_ITEMS, allowed_count, allowed_rule, allowed_unsigned, assign_rule, count,
    integer, real, unsigned, unsigned_json,
};
use super::{Certificate, ChampionKind, ProofMatch};
use crate::document::raw_document::Raw;
use crate::search::value::MAX_DEPTH;
use crate::search::{Algorithm, SearchSetup, Table};
use crate::weights::values::{assign, one_line};

/// The name of the table in a weight file.
pub(in crate::weights) const CERTIFICATE: &str = "certificate";
/// The name of the list of matches in that table.
pub(super) const MATCH: &str = "match";
/// A match as TOML heads it, without its brackets.
pub(super) const MATCHES: &str = "certificate.match";
/// The opponent's weights in a match.
pub(super) const WEIGHTS: &str = "weights";
/// The opponent's search and the signature of its engine, where they are others
/// than the champion's.
pub(super) const PLAYER: &str = "player";
pub(super) const PLAYER_ENGINE: &str = "player_engine";

/// The most characters of a command: every parameter of a run fits in it.
const LONGEST_COMMAND: usize = 10_000;

/// The names of all keys that `[certificate]` may have.
pub(in crate::weights) fn names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).chain([MATCH]).collect()
}

/// A key of a table that fills in a `T`.
pub(super) struct Key<T> {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    /// What is allowed, to follow "must be".
    pub(super) allowed: fn() -> String,
    /// The value as it is written; `None` where it is left out.
    pub(super) get: fn(&T) -> Option<Value>,
    /// Takes a value; `false` if it is not allowed.
    pub(super) set: fn(&mut T, &Raw) -> bool,
}

/// The keys of `[certificate]`, except for its matches.
pub(super) static KEYS: [Key<Certificate>; 20] = [
    Key {
        name: "champion",
        is_required: true,
        allowed: || String::from("\"elder\", \"last\" or \"scholar\""),
        get: |it| Some(json!(it.champion.name())),
        set: |it, raw| {
            let kind = raw.as_text().and_then(ChampionKind::from_name);
            assign(&mut it.champion, kind)
        },
    },
    Key {
        name: "file",
        is_required: true,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.file)),
        set: |it, raw| assign(&mut it.file, unsigned(raw)),
    },
    Key {
        name: "ancestry",
        is_required: true,
        allowed: || format!("a list of at most {MAX_ITEMS} texts, each on one line"),
        get: |it| Some(json!(it.ancestry)),
        set: |it, raw| {
            let items = raw.as_list().filter(|items| items.len() <= MAX_ITEMS);
            let lines = items.map(|items| items.iter().map(|item| one_line(&item.value)).collect());
            assign(&mut it.ancestry, lines.flatten())
        },
    },
    Key {
        name: "seed",
        is_required: true,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.seed)),
        set: |it, raw| assign(&mut it.seed, unsigned(raw)),
    },
    Key {
        name: "params",
        is_required: true,
        allowed: || String::from("a text of 8 to 128 hexadecimal digits"),
        get: |it| Some(json!(it.params)),
        set: |it, raw| {
            let is_hash = |text: &&str| {
                (8..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
            };
            assign(
                &mut it.params,
                raw.as_text().filter(is_hash).map(str::to_owned),
            )
        },
    },
    Key {
        name: "command",
        is_required: false,
        allowed: || format!("a text of 1 to {LONGEST_COMMAND} characters on one line"),
        get: |it| it.command.as_ref().map(|command| json!(command)),
        set: |it, raw| {
            let is_good = |text: &&str| {
                (1..=LONGEST_COMMAND).contains(&text.chars().count())
                    && !text.chars().any(char::is_control)
            };
            let text = raw.as_text().filter(is_good);
            assign(&mut it.command, text.map(|text| Some(text.to_owned())))
        },
    },
    Key {
        name: "engine",
        is_required: true,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.engine)),
        set: |it, raw| assign(&mut it.engine, unsigned(raw)),
    },
    Key {
        name: "games",
        is_required: true,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.games)),
        set: |it, raw| assign(&mut it.games, unsigned(raw)),
    },
    Key {
        name: "matches",
        is_required: true,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.matches)),
        set: |it, raw| assign(&mut it.matches, unsigned(raw)),
    },
    Key {
        name: "search",
        is_required: true,
        allowed: || {
            let names = Algorithm::SIGNED.map(|search| format!("{:?}", search.name()));
            let names = names.join(" or ");
            format!("{names}, with options as in \"selective:lmr=0\" where it has any")
        },
        get: |it| Some(json!(it.conditions.player.search.to_string())),
        set: |it, raw| {
            let text = raw.as_text();
            let search = text.and_then(|text| SearchSetup::parse_repeatable(text).ok());
            assign(&mut it.conditions.player.search, search)
        },
    },
    Key {
        name: "depth",
        is_required: true,
        allowed: || format!("an integer from 0 (only nodes limit) to {MAX_DEPTH}"),
        get: |it| Some(json!(it.conditions.player.depth)),
        set: |it, raw| assign(&mut it.conditions.player.depth, integer(raw, 0, MAX_DEPTH)),
    },
    Key {
        name: "nodes",
        is_required: true,
        allowed: || String::from("an integer from 0 (only the depth limits)"),
        get: |it| Some(unsigned_json(it.conditions.player.nodes)),
        set: |it, raw| assign(&mut it.conditions.player.nodes, unsigned(raw)),
    },
    Key {
        name: "table_kib",
        is_required: true,
        allowed: || {
            let (least, most) = (Table::KIB.start(), Table::KIB.end());
            format!("an integer from {least} to {most}")
        },
        get: |it| Some(json!(it.conditions.player.table_kib)),
        set: |it, raw| {
            let kib = integer(raw, *Table::KIB.start(), *Table::KIB.end());
            assign(&mut it.conditions.player.table_kib, kib)
        },
    },
    Key {
        name: "opening_plies",
        is_required: true,
        allowed: || String::from("an integer from 1 to 40"),
        get: |it| Some(json!(it.conditions.openings.plies)),
        set: |it, raw| assign(&mut it.conditions.openings.plies, integer(raw, 1, 40)),
    },
    Key {
        name: "opening_bound",
        is_required: true,
        allowed: || String::from("an integer from 0 to 100000"),
        get: |it| Some(json!(it.conditions.openings.bound)),
        set: |it, raw| {
            let bound = integer(raw, 0, 100_000).map(u32::cast_signed);
            assign(&mut it.conditions.openings.bound, bound)
        },
    },
    Key {
        name: "opening_seed",
        is_required: true,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.conditions.seed)),
        set: |it, raw| assign(&mut it.conditions.seed, unsigned(raw)),
    },
    Key {
        name: "simultaneous",
        is_required: true,
        allowed: || allowed_rule("simultaneous"),
        get: |it| Some(json!(it.conditions.rules.simultaneous.name())),
        set: |it, raw| assign_rule(it, "simultaneous", raw),
    },
    Key {
        name: "no_moves",
        is_required: true,
        allowed: || allowed_rule("no_moves"),
        get: |it| Some(json!(it.conditions.rules.no_moves.name())),
        set: |it, raw| assign_rule(it, "no_moves", raw),
    },
    Key {
        name: "repetition",
        is_required: true,
        allowed: || allowed_rule("repetition"),
        get: |it| Some(json!(it.conditions.rules.repetition)),
        set: |it, raw| assign_rule(it, "repetition", raw),
    },
    Key {
        name: "max_plies",
        is_required: true,
        allowed: || allowed_rule("max_plies"),
        get: |it| Some(json!(it.conditions.rules.max_plies)),
        set: |it, raw| assign_rule(it, "max_plies", raw),
    },
];

/// The keys of a `[[certificate.match]]`, except for its weights.
pub(super) static MATCH_KEYS: [Key<ProofMatch>; 11] = [
    Key {
        name: "opponent",
        is_required: true,
        allowed: || String::from("a text of 1 to 200 characters on one line"),
        get: |it| Some(json!(it.opponent)),
        set: |it, raw| assign(&mut it.opponent, one_line(raw)),
    },
    // Only players of a panel have the next two.
    Key {
        name: PLAYER,
        is_required: false,
        allowed: || {
            String::from(
                "a search with its limit, such as \"selective:n2000\", or left out where the \
                 opponent plays as the champion does",
            )
        },
        get: |it| Some(json!(it.player.as_ref()?.search)),
        set: |it, raw| {
            let player = it.player.get_or_insert_default();
            assign(&mut player.search, one_line(raw))
        },
    },
    Key {
        name: PLAYER_ENGINE,
        is_required: false,
        allowed: allowed_unsigned,
        get: |it| Some(unsigned_json(it.player.as_ref()?.engine)),
        set: |it, raw| {
            let player = it.player.get_or_insert_default();
            assign(&mut player.engine, unsigned(raw))
        },
    },
    Key {
        name: "games",
        is_required: true,
        allowed: || format!("an even integer from 2 to {MAX_GAMES}"),
        get: |it| Some(json!(it.games)),
        set: |it, raw| {
            let is_good = |games: &u64| (2..=MAX_GAMES).contains(games) && games.is_multiple_of(2);
            assign(&mut it.games, unsigned(raw).filter(is_good))
        },
    },
    Key {
        name: "wins",
        is_required: true,
        allowed: allowed_count,
        get: |it| Some(json!(it.record.wins)),
        set: |it, raw| assign(&mut it.record.wins, count(raw)),
    },
    Key {
        name: "draws",
        is_required: true,
        allowed: allowed_count,
        get: |it| Some(json!(it.record.draws)),
        set: |it, raw| assign(&mut it.record.draws, count(raw)),
    },
    Key {
        name: "losses",
        is_required: true,
        allowed: allowed_count,
        get: |it| Some(json!(it.record.losses)),
        set: |it, raw| assign(&mut it.record.losses, count(raw)),
    },
    Key {
        name: "pentanomial",
        is_required: true,
        allowed: || format!("a list of five integers from 0 to {MAX_GAMES}"),
        get: |it| Some(json!(it.pairs.0)),
        set: |it, raw| {
            let counts = raw.as_list().and_then(|items| {
                let counts: Option<Vec<u64>> =
                    items.iter().map(|item| count(&item.value)).collect();
                counts?.try_into().ok()
            });
            assign(&mut it.pairs.0, counts)
        },
    },
    Key {
        name: "elo",
        is_required: false,
        allowed: || String::from("a number from -10000 to 10000, or left out where it is infinite"),
        get: |it| it.elo.map(|elo| json!(elo)),
        set: |it, raw| assign(&mut it.elo, real(raw, -10_000.0, 10_000.0).map(Some)),
    },
    Key {
        name: "elo_error",
        is_required: false,
        allowed: || String::from("a number from 0 to 10000, or left out where there is none"),
        get: |it| it.elo_error.map(|error| json!(error)),
        set: |it, raw| assign(&mut it.elo_error, real(raw, 0.0, 10_000.0).map(Some)),
    },
    Key {
        name: "los",
        is_required: true,
        allowed: || String::from("a number from 0 to 1"),
        get: |it| Some(json!(it.los)),
        set: |it, raw| assign(&mut it.los, real(raw, 0.0, 1.0)),
    },
];
