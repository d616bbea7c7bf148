//! The certificates of champions' weight files.

use loatune::eval::Weights;
use loatune::params::Params;
use loatune::stats::{Pentanomial, Record};
use loatune::weights::{Certificate, ChampionKind, Conditions, ProofMatch, WeightFile};

use super::case::{bad, check_all};
use super::weights::edits;

/// A champion's file as a run writes it; the games were never played.
fn champion() -> WeightFile {
    let result = ProofMatch {
        opponent: String::from("default"),
        weights: Weights::source(),
        player: None,
        games: 6,
        record: Record {
            wins: 3,
            draws: 2,
            losses: 1,
        },
        pairs: Pentanomial([0, 1, 0, 2, 0]),
        elo: Some(120.5),
        elo_error: Some(90.25),
        los: 0.875,
    };
    WeightFile {
        certificate: Some(Certificate {
            champion: ChampionKind::Elder,
            file: 77,
            ancestry: vec![String::from("#77 elder")],
            seed: 5,
            params: String::from("0123456789abcdef"),
            command: Some(String::from("loatune run --seed 5")),
            engine: 12_345,
            games: 20_000,
            matches: 10_000,
            conditions: Conditions::from(&Params::default()),
            results: vec![result],
        }),
        ..WeightFile::source()
    }
}

#[test]
fn toml() {
    let good = champion().to_toml();
    let rows = [
        (
            "champion = \"elder\"",
            "champion = \"mine\"",
            "LINE: certificate.champion = \"mine\"",
            "must be \"elder\", \"last\" or \"scholar\"",
        ),
        (
            "champion = \"elder\"\n",
            "",
            "missing key certificate.champion",
            "must be \"elder\", \"last\" or \"scholar\"",
        ),
        (
            "file = 77",
            "file = -77",
            "LINE: certificate.file = -77",
            "must be an integer",
        ),
        (
            "ancestry = [",
            "ancestry = [5, ",
            "LINE: certificate.ancestry = [5",
            "must be a list of at most",
        ),
        (
            "command = \"loatune",
            "command = \"\\tloatune",
            "LINE: certificate.command = ",
            "must be a text of 1 to 10000 characters on one line",
        ),
        (
            "params = \"0123",
            "params = \"xyz0123",
            "LINE: certificate.params = \"xyz0123",
            "must be a text of 8 to 128 hexadecimal digits",
        ),
        (
            "engine = 12345",
            "engine = 1.5",
            "LINE: certificate.engine = 1.5",
            "must be",
        ),
        (
            "search = \"mtdf\"",
            "search = \"chess\"",
            "LINE: certificate.search = \"chess\"",
            "must be \"minimax\" or",
        ),
        (
            "search = \"mtdf\"",
            "search = \"selective:lmr=2\"",
            "LINE: certificate.search = \"selective:lmr=2\"",
            "must be \"minimax\" or",
        ),
        (
            "\ndepth = 3",
            "\ndepth = 251",
            ": certificate.depth = 251",
            "must be an integer from 0",
        ),
        (
            "\ndepth = 3",
            "\ndepth = 0",
            "certificate.depth and certificate.nodes are both 0",
            "one must limit",
        ),
        (
            "opening_plies = 4",
            "opening_plies = 0",
            "LINE: certificate.opening_plies = 0",
            "must be an integer from 1 to 40",
        ),
        (
            "max_plies = 200",
            "max_plies = 2",
            "LINE: certificate.max_plies = 2",
            "must be an integer from 20 to 2000",
        ),
        (
            "no_moves = \"loses\"",
            "no_moves = \"dances\"",
            "LINE: certificate.no_moves = \"dances\"",
            "must be \"loses\" or \"passes\"",
        ),
        (
            "[certificate]",
            "[certificate]\nyear = 1999",
            "unknown key certificate.year",
            "a.toml:",
        ),
        (
            "[[certificate.match]]",
            "[certificate.match]",
            "LINE: certificate.match",
            "must be [[certificate.match]] tables",
        ),
        (
            "[[certificate.match]]",
            "[[certificate.matc]]",
            "LINE: unknown key certificate.matc",
            "did you mean certificate.match",
        ),
        (
            "opponent = \"default\"",
            "opponent = \"\"",
            "LINE: certificate.match.opponent = \"\"",
            "must be a text of 1 to 200",
        ),
        (
            "opponent = \"default\"\n",
            "",
            "missing key certificate.match.opponent",
            "must be a text",
        ),
        (
            "games = 6",
            "games = 7",
            "LINE: certificate.match.games = 7",
            "must be an even integer from 2 to",
        ),
        (
            "wins = 3",
            "wins = -3",
            "LINE: certificate.match.wins = -3",
            "must be",
        ),
        (
            "pentanomial = [0, 1, 0, 2, 0]",
            "pentanomial = [0, 1, 2, 0]",
            "LINE: certificate.match.pentanomial = [0, 1, 2, 0]",
            "must be a list of five integers",
        ),
        (
            "elo = 120.5",
            "elo = inf",
            "LINE: certificate.match.elo = inf",
            "must be a number from -10000 to 10000",
        ),
        (
            "elo_error = 90.25",
            "elo_error = -1",
            "LINE: certificate.match.elo_error = -1",
            "must be a number from 0 to 10000",
        ),
        (
            "los = 0.875",
            "los = 1.5",
            "LINE: certificate.match.los = 1.5",
            "must be a number from 0 to 1",
        ),
    ];
    check_all(&edits("certify", "a.toml", &good, &rows), 23);
}

#[test]
fn json() {
    let good = serde_json::to_string_pretty(&champion().to_json()).unwrap();
    let rows = [
        (
            "\"champion\": \"elder\"",
            "\"champion\": 3",
            "LINE: certificate.champion = 3",
            "must be \"elder\", \"last\" or \"scholar\"",
        ),
        (
            "\"match\": [",
            "\"match\": [5, ",
            "certificate.match",
            "a.json:",
        ),
        (
            "\"match\": [",
            "\"match\": {}, \"x\": [",
            "certificate.match = {}",
            "must be [[certificate.match]] tables",
        ),
        (
            "\"opponent\": \"default\"",
            "\"opponent\": null",
            "LINE: certificate.match.opponent = null",
            "must be a text",
        ),
        (
            "\"los\": 0.875",
            "\"los\": \"high\"",
            "LINE: certificate.match.los = \"high\"",
            "must be a number from 0 to 1",
        ),
    ];
    check_all(&edits("certify", "a.json", &good, &rows), 5);
}

#[test]
fn certify() {
    let plain = WeightFile::source().to_toml();
    let full = champion().to_toml();
    let (empty, _) = full.split_once("[[certificate.match]]").unwrap();
    let cases = [
        bad("certify", "<FILE>", "required arguments were not provided"),
        bad(
            "certify default",
            "default has no certificate",
            "certificate",
        ),
        bad(
            "certify missing.toml",
            "no weights \"missing.toml\"",
            "neither a file",
        ),
        bad("certify a.toml", "a.toml has no certificate", "certificate").file("a.toml", plain),
        bad(
            "certify a.toml",
            "the certificate of a.toml",
            "has no matches",
        )
        .file("a.toml", empty),
        bad(
            "certify a.toml --threads 0",
            "'0' for '--threads <N>'",
            "0 is not in 1..=1024",
        )
        .file("a.toml", &full),
        bad(
            "certify a.toml b.toml",
            "unexpected argument 'b.toml'",
            "Usage",
        )
        .file("a.toml", &full),
    ];
    check_all(&cases, 7);
}
