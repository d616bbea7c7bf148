//! Certificates: what is written is read again, what is wrong is told, and
//! what is forged is found.

use std::fs;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::binary::{Place, wait_for_handler};
use loatune::document::FileError;
use loatune::eval::Weights;
use loatune::eval::genes::{Role, TABLE};
use loatune::game::{NoMoves, Simultaneous};
use loatune::params::Params;
use loatune::run::proof::{Contestant, play_match};
use loatune::search::Algorithm;
use loatune::search::EngineVersion;
use loatune::stats::{Pentanomial, Record};
use loatune::weights::random_weights;
use loatune::weights::{Certificate, ChampionKind, Conditions, ProofMatch, WeightFile};
use serde_json::{Value, json};

/// Depth 1: games of milliseconds.
fn conditions() -> Conditions {
    let mut params = Params::default();
    params.player.depth = 1;
    params.run.seed = 5;
    Conditions::from(&params)
}

/// A champion whose certificate is true.
fn champion(games: u64) -> WeightFile {
    let weights = Weights::source();
    let opponents = [
        ("default", weights),
        ("first population", random_weights(8)),
    ];
    let results = opponents.map(|(name, theirs)| {
        let contestants = [
            Contestant {
                name: "champion",
                weights: &weights,
            },
            Contestant {
                name,
                weights: &theirs,
            },
        ];
        let go = &mut |_, _: &_| ControlFlow::Continue(());
        let tally = play_match(contestants, &conditions(), games, 2, go);
        ProofMatch::new(name, &theirs, &tally.unwrap().unwrap())
    });
    WeightFile {
        name: String::from("champion"),
        origin: String::from("a test"),
        weights,
        certificate: Some(Certificate {
            champion: ChampionKind::Elder,
            file: 77,
            ancestry: vec![String::from("#77 elder"), String::from("#3 founder")],
            seed: 5,
            params: String::from("0123456789abcdef"),
            command: None,
            engine: EngineVersion::PRESENT.signature(),
            games: 20_000,
            matches: 10_000,
            conditions: conditions(),
            results: results.to_vec(),
        }),
    }
}

/// Every value away from its default.
fn strange() -> WeightFile {
    let mut endgame = random_weights(4);
    for (n, gene) in TABLE.iter().enumerate() {
        if gene.role == Role::Weight {
            endgame.endgame[n] = gene.min;
        }
    }
    let result = |opponent: &str, weights, elo, elo_error, los| ProofMatch {
        opponent: opponent.to_owned(),
        weights,
        player: None,
        games: 6,
        record: Record {
            wins: 3,
            draws: 2,
            losses: 1,
        },
        pairs: Pentanomial([0, 1, 0, 2, 0]),
        elo,
        elo_error,
        los,
    };
    let mut params = Params::default();
    params.rules.simultaneous = Simultaneous::Draw;
    params.rules.no_moves = NoMoves::Passes;
    params.rules.repetition = 0;
    params.rules.max_plies = 2000;
    params.player.search = Algorithm::AlphaBeta.into();
    params.player.depth = 0;
    params.player.nodes = 123_456;
    params.player.table_kib = 64;
    params.openings.plies = 40;
    params.openings.bound = 0;
    params.run.seed = u64::MAX;
    WeightFile {
        certificate: Some(Certificate {
            champion: ChampionKind::Last,
            file: u64::MAX,
            ancestry: vec![String::from("a \"b\" # [c]")],
            seed: u64::MAX - 1,
            params: "ff".repeat(32),
            command: Some(String::from("loatune run --panel 'a@b;c'")),
            engine: 0,
            games: 1,
            matches: u64::MAX,
            conditions: Conditions::from(&params),
            results: vec![
                result("x = 'y' # \\", endgame, Some(-0.1), None, 0.0),
                result("won", Weights::source(), None, None, 1.0),
                result("even", random_weights(1), Some(0.0), Some(12.5), 0.1234),
            ],
        }),
        ..WeightFile::source()
    }
}

fn complaints(text: &str) -> Vec<String> {
    match WeightFile::parse(text, "w") {
        Err(FileError::Problems { problems, .. }) => problems
            .iter()
            .map(|problem| match problem.line {
                Some(line) => format!("{line}: {}", problem.what),
                None => format!("-: {}", problem.what),
            })
            .collect(),
        other => panic!("problems expected, not {other:?}"),
    }
}

// ---- the file

#[test]
fn what_is_written_is_read_again() {
    let mut bare = strange();
    let certificate = bare.certificate.as_mut().unwrap();
    certificate.results.clear();
    certificate.ancestry.clear();
    for file in [champion(4), strange(), bare] {
        let toml = file.to_toml();
        assert_eq!(WeightFile::parse(&toml, "w.toml").unwrap(), file, "{toml}");
        let json = file.to_json().to_string();
        assert_eq!(WeightFile::parse(&json, "w.json").unwrap(), file, "{json}");
        assert_eq!(toml, WeightFile::parse(&json, "w").unwrap().to_toml());
        let other: toml::Table = toml.parse().unwrap();
        assert!(other["certificate"].is_table());
    }
}

#[test]
fn a_person_can_read_it() {
    let text = strange().to_toml();
    for line in [
        "# The champion is the last file, the one that survived all others.\n",
        "# Against won: +inf Elo, LOS 100.0 %, 6 games (W 3, D 2, L 1).\n",
        "# Against even: +0.0 +/- 12.5 Elo, LOS 12.3 %, 6 games (W 3, D 2, L 1).\n",
        "\nseed = \"18446744073709551614\"\n",
        "\nopening_seed = \"18446744073709551615\"\n",
        "\npentanomial = [0, 1, 0, 2, 0]\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
    assert_eq!(text.matches("\n[[certificate.match]]\n").count(), 3);
}

#[test]
fn every_key_is_checked_with_its_line() {
    let text = champion(2).to_toml();
    let start = text.find("[certificate]").unwrap();
    let cases = [
        ("champion", "\"best\"", "\"elder\", \"last\" or \"scholar\""),
        ("file", "-1", "an integer from 0 to"),
        ("ancestry", "[1]", "a list of at most 10000 texts"),
        ("ancestry", "\"a\"", "a list of at most 10000 texts"),
        ("seed", "1.5", "an integer from 0 to"),
        ("params", "\"xyz\"", "a text of 8 to 128 hexadecimal digits"),
        ("engine", "true", "an integer from 0 to"),
        ("search", "\"mtcs\"", "\"minimax\" or \"negamax\" or"),
        (
            "depth",
            "251",
            "an integer from 0 (only nodes limit) to 250",
        ),
        ("table_kib", "63", "an integer from 64 to"),
        ("opening_plies", "0", "an integer from 1 to 40"),
        ("opening_bound", "-1", "an integer from 0 to 100000"),
        ("simultaneous", "\"both\"", "\"mover-wins\" or \"draw\""),
        ("max_plies", "19", "an integer from 20 to 2000"),
        ("match.opponent", "\"a\\nb\"", "a text of 1 to 200"),
        ("match.games", "3", "an even integer from 2 to"),
        ("match.wins", "-1", "an integer from 0 to"),
        (
            "match.pentanomial",
            "[1, 2, 3, 4]",
            "a list of five integers",
        ),
        (
            "match.pentanomial",
            "[0, 0, 0, 0, -1]",
            "a list of five integers",
        ),
        ("match.elo", "inf", "a number from -10000 to 10000"),
        ("match.elo", "nan", "a number from -10000 to 10000"),
        ("match.elo_error", "-0.1", "a number from 0 to 10000"),
        ("match.los", "1.01", "a number from 0 to 1"),
    ];
    for (key, value, allowed) in cases {
        let name = key.strip_prefix("match.").unwrap_or(key);
        let from = match key == name {
            true => start,
            false => text.find("[[certificate.match]]").unwrap(),
        };
        // Where the file has no such key, it goes before the last one.
        let find = |name: &str| text[from..].find(&format!("\n{name} = "));
        let place = from + find(name).or_else(|| find("los")).unwrap() + 1;
        let is_there = text[place..].starts_with(&format!("{name} ="));
        let end = if is_there {
            place + text[place..].find('\n').unwrap()
        } else {
            place
        };
        let filler = if is_there { "" } else { "\n" };
        let bad = format!("{}{name} = {value}{filler}{}", &text[..place], &text[end..]);
        let line = 1 + text[..place].matches('\n').count();
        let found = complaints(&bad);
        assert_eq!(found.len(), 1, "{key}: {found:?}");
        let expected = format!("{line}: certificate.{key} = ");
        assert!(found[0].starts_with(&expected), "{found:?}");
        assert!(
            found[0].contains(&format!("must be {allowed}")),
            "{found:?}"
        );
    }
}

#[test]
fn what_is_missing_or_unknown_is_named() {
    let text = champion(2).to_toml();
    let without = |key: &str| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with(&format!("{key} =")));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let found = complaints(&without("engine"));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("-: missing key certificate.engine: must be an integer"));
    let found = complaints(&without("losses"));
    assert_eq!(found.len(), 2, "one a match: {found:?}");
    let lines: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| *line == "[[certificate.match]]")
        .map(|(n, _)| n + 1)
        .collect();
    // The second match is a line further up, since the first one lost a line.
    for (said, line) in found.iter().zip([lines[0], lines[1] - 1]) {
        let expected = format!("{line}: missing key certificate.match.losses: must be");
        assert!(said.starts_with(&expected), "{said}");
    }
    let found = complaints(&text.replacen("losses =", "lost =", 1));
    assert!(
        found
            .iter()
            .any(|said| said.contains("unknown key certificate.match.lost"))
    );
    let found = complaints(&text.replacen("{ euler = 60,", "{ euler = 401, foo = 1,", 1));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].contains("certificate.match.weights.foo"),
        "{found:?}"
    );
    assert!(
        found[1].contains("certificate.match.weights.euler = 401: must be from -50 to 400"),
        "{found:?}"
    );
    let found = complaints(&text.replacen("{ euler = 60,", "{", 1));
    assert!(
        found[0].contains("missing key certificate.match.weights.euler"),
        "{found:?}"
    );
    let found = complaints(&text.replacen("depth = 1", "depth = 0", 1));
    assert!(found[0].contains("are both 0"), "{found:?}");
    let start = text.find("[[certificate.match]]").unwrap();
    let found = complaints(&format!("{}match = 3\n", &text[..start]));
    assert!(found[0].contains("certificate.match = 3: must be [[certificate.match]]"));
    let found = complaints(&format!("{}match = [3]\n", &text[..start]));
    assert!(found[0].contains("must be a table"), "{found:?}");
}

#[test]
fn json_has_its_lines_too() {
    let text = serde_json::to_string_pretty(&champion(2).to_json()).unwrap();
    let text = text.replacen("\"wins\": ", "\"wins\": -", 1);
    let line = 1 + text[..text.find("\"wins\"").unwrap()].matches('\n').count();
    let found = complaints(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    let expected = format!("{line}: certificate.match.wins = -");
    assert!(found[0].starts_with(&expected), "{found:?}");
}

// ---- the command

/// Exit code, JSON or text on standard output, standard error.
fn certify(place: &Place, args: &[&str]) -> (i32, String, String) {
    let output = place.run(&[&["certify"], args].concat());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn a_true_certificate_holds() {
    let place = Place::new().with("c.toml", &champion(20).to_toml());
    let found = place.json(&["certify", "c.toml", "--json"]);
    assert_eq!(found["holds"], true);
    assert_eq!(
        (&found["champion"], &found["file"]),
        (&json!("elder"), &json!(77))
    );
    assert_eq!(found["engine"]["same"], true);
    assert_eq!(found["engine"]["known"], true);
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["holds"], "exactly");
        assert_eq!(result["claimed"], result["now"]);
        assert_eq!(result["now"]["games"], 20);
    }
    let text = place.good(&["certify", "c.toml", "--threads", "1"]);
    assert!(text.starts_with("champion: the elder, the running mean of the consensus; file #77"));
    assert!(text.contains("the same as this one's"), "{text}");
    assert!(
        text.contains("\nancestry: #77 elder, #3 founder\n"),
        "{text}"
    );
    assert_eq!(text.matches("  exactly\n").count(), 2, "{text}");
    // JSON is certified like TOML.
    let json = place.good(&["weights", "c.toml", "--json"]);
    let place = place.with("c.json", &json);
    assert_eq!(place.json(&["certify", "c.json", "--json"]), found);
    let shown = place.good(&["weights", "c.json"]);
    assert_eq!(shown, champion(20).to_toml());
}

#[test]
fn a_forged_count_is_found() {
    let mut file = champion(20);
    let result = &mut file.certificate.as_mut().unwrap().results[1];
    let (wins, losses) = (result.record.wins, result.record.losses);
    result.record.wins = losses;
    result.record.losses = wins;
    assert_ne!(wins, losses, "there is something to forge");
    let place = Place::new().with("c.toml", &file.to_toml());
    let (code, out, err) = certify(&place, &["c.toml"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("the certificate does not hold: 1 of 2 results differ"),
        "{err}"
    );
    let line = format!("wins: {losses} claimed, {wins} played");
    assert!(out.contains(&line), "{out}");
    let (code, out, _) = certify(&place, &["c.toml", "--json"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &found["holds"]), (1, &json!(false)));
    assert_eq!(found["results"][0]["holds"], "exactly");
    assert_eq!(found["results"][1]["holds"], "no");
    assert_eq!(found["results"][1]["differences"][0], line);
}

#[test]
fn another_engine_is_named_and_judged_by_errors() {
    let mut file = champion(20);
    let certificate = file.certificate.as_mut().unwrap();
    certificate.engine += 1;
    let place = Place::new().with("same.toml", &file.to_toml());
    let (code, out, _) = certify(&place, &["same.toml"]);
    assert_eq!(code, 0, "the games are the same after all");
    assert!(out.contains("games may differ"), "{out}");
    // The results of other openings, as another engine might have had them.
    let other = Conditions {
        seed: 6,
        ..conditions()
    };
    let certificate = file.certificate.as_mut().unwrap();
    let theirs = certificate.results[1].weights;
    let contestants = [
        Contestant {
            name: "a",
            weights: &Weights::source(),
        },
        Contestant {
            name: "b",
            weights: &theirs,
        },
    ];
    let go = &mut |_, _: &_| ControlFlow::Continue(());
    let tally = play_match(contestants, &other, 20, 2, go).unwrap().unwrap();
    let before = certificate.results[1].clone();
    certificate.results[1] = ProofMatch::new("b", &theirs, &tally);
    assert_ne!(certificate.results[1].pairs, before.pairs);
    let place = place.with("near.toml", &file.to_toml());
    let (code, out, err) = certify(&place, &["near.toml"]);
    assert_eq!(code, 1);
    assert!(out.contains("  within-errors\n"), "{out}");
    assert!(
        err.contains("in 1 of 2, but agree within their errors"),
        "{err}"
    );
}

#[test]
fn a_file_without_a_certificate_is_refused() {
    let mut file = champion(2);
    file.certificate.as_mut().unwrap().results.clear();
    let place = Place::new()
        .with("mine.toml", &WeightFile::source().to_toml())
        .with("empty.toml", &file.to_toml());
    let said = place.refused(&["certify", "mine.toml"]);
    assert_eq!(said, "mine.toml has no certificate\n");
    assert_eq!(
        place.refused(&["certify", "default"]),
        "default has no certificate\n"
    );
    let said = place.refused(&["certify", "empty.toml"]);
    assert_eq!(said, "the certificate of empty.toml has no matches\n");
    assert!(place.refused(&["certify", "absent"]).contains("absent"));
    // A certificate under which no game can begin.
    let mut file = champion(2);
    file.certificate.as_mut().unwrap().conditions.openings.bound = 0;
    file.certificate.as_mut().unwrap().conditions.openings.plies = 1;
    fs::write(place.path().join("none.toml"), file.to_toml()).unwrap();
    let (code, _, _) = certify(&place, &["none.toml"]);
    assert_ne!(code, 0);
}

#[test]
fn a_signal_stops_it() {
    let mut file = champion(2);
    let certificate = file.certificate.as_mut().unwrap();
    // The first match is short, the second one without end.
    certificate.results[1].games = 100_000_000;
    let place = Place::new().with("c.toml", &file.to_toml());
    let child = Command::new(env!("CARGO_BIN_EXE_loatune"))
        .args(["certify", "c.toml", "--json"])
        .current_dir(place.path())
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let killer = std::thread::spawn(move || {
        wait_for_handler(id);
        std::thread::sleep(Duration::from_secs(1));
        Command::new("kill")
            .args(["-INT", &id.to_string()])
            .status()
            .unwrap()
    });
    let output = child.wait_with_output().unwrap();
    assert!(killer.join().unwrap().success());
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("stopped by a signal; "), "{err}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["interrupted"], true);
    assert_eq!(found["holds"], false);
}
