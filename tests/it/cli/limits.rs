//! What is too much is refused before anything is created: memory, input files,
//! lists of problems. And what cannot be written is the same failure everywhere.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::binary::{Place, loatune, output_of};

/// A shell whose processes may address 2 GB.
fn narrow(place: &Place, line: &str) -> (Option<i32>, String) {
    let output = place
        .shell(&format!("/bin/sh -c 'ulimit -v 2000000; exec {line}'"))
        .finish();
    let message = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), message)
}

#[test]
fn a_run_without_room_for_its_tables_creates_nothing() {
    let place = Place::new();
    let refused = place.refused(&["run", "--hash", "16777216", "--threads", "1024"]);
    assert!(
        refused.starts_with(
            "player.table_kib = 16777216 KiB (--hash): two tables for each of 1024 threads: 32 \
             TiB of memory are needed, but only "
        ),
        "{refused}"
    );
    assert!(
        refused.ends_with(" are available; give less to --hash or --threads\n"),
        "{refused}"
    );
    let left: Vec<_> = fs::read_dir(place.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");

    // A population that would need it keeps what it has.
    let small = "-q run --no-http --depth 1 --budget 1000000 --threads 1";
    let run = place.shell(&format!("loatune {small}"));
    let begin = Instant::now();
    while !place.path().join("populations/default/journal").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(run);
    let (code, message) = narrow(&place, "loatune run --hash 4G --accept-changes");
    assert_eq!(code, Some(2), "{message}");
    assert!(
        message.contains("player.table_kib = 4194304 KiB (--hash): two tables"),
        "{message}"
    );
}

/// Trees of the tree search count beside the tables, in a run as in a match.
#[test]
fn a_run_without_room_for_its_trees_creates_nothing() {
    let place = Place::new();
    let refused = |line: &str| {
        let (code, message) = narrow(&place, line);
        assert_eq!(code, Some(2), "{line}: {message}");
        assert!(message.contains("option memory of mcts"), "{message}");
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
        message
    };
    let run = "loatune run --no-http --threads 64 --player";
    let told = refused(&format!("{run} mcts --depth 250"));
    assert!(
        told.contains("player mcts: two tables and trees for each of 64 threads: 8.0 GiB"),
        "{told}"
    );
    let told = refused(&format!(
        "{run} mcts:memory=65536 --depth 0 --nodes 9999999"
    ));
    assert!(
        told.contains("player mcts:memory=65536: two tables"),
        "{told}"
    );
    let players = "default@mcts:s125000 default@mcts:s125000";
    refused(&format!("loatune match {players} --threads 64 --hash 64"));
    // Few simulations cannot fill a tree.
    let few = "loatune -q run --no-http --threads 16 --player mcts --depth 1 --budget 8 --files 4 \
               --window 2 --certificate-games 2 --hall-games 2 --max-plies 20";
    let (code, message) = narrow(&place, few);
    assert_eq!(code, Some(0), "{message}");
}

#[test]
fn searches_without_room_for_their_table_are_refused() {
    let place = Place::new();
    for (line, told) in [
        (
            "loatune analyse startpos --hash 4G",
            "--hash 4194304 KiB: 4 GiB of memory are needed, but only ",
        ),
        (
            "loatune analyse startpos --player mcts:memory=4096",
            "--player mcts:memory=4096: 4 GiB of memory are needed, but only ",
        ),
        (
            "loatune match default default --games 2 --threads 1 --hash 2G",
            "2 tables of --hash 2097152 KiB",
        ),
    ] {
        let (code, message) = narrow(&place, line);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(told), "{message}");
    }
    let mut narrow_ugi = std::process::Command::new("/bin/sh");
    narrow_ugi
        .args(["-c", "ulimit -v 1000000; exec \"$0\" ugi"])
        .arg(env!("CARGO_BIN_EXE_loatune"))
        .current_dir(place.path());
    let dialogue = "setoption name Hash value 1024\nisready\nsetoption name Hash value 8\n\
                    go depth 1\nquit\n";
    let output = output_of(&mut narrow_ugi, dialogue);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("Hash is \"1024\", but must be less: 1 GiB of memory are needed"),
        "{said}"
    );
    assert!(said.contains("bestmove"), "{said}");
    assert_eq!(output.status.code(), Some(0));
}

/// A unit may be given wherever KiB are counted.
#[test]
fn the_memory_of_a_table_may_have_a_unit() {
    let place = Place::new();
    let shown = place.good(&["params", "show", "--hash", "2M"]);
    let row = shown.lines().find(|line| line.starts_with("table_kib "));
    let words: Vec<&str> = row.unwrap().split_whitespace().collect();
    assert_eq!(words[1..], ["2048", "--hash"]);
    let analysed = place.good(&["analyse", "startpos", "--depth", "1", "--hash", "1 MiB"]);
    assert!(analysed.contains("b1-"), "{analysed}");
    for bad in ["2T", "2.5M", "M", "99999999G"] {
        let refused = place.refused(&["params", "show", "--hash", bad]);
        assert!(
            refused.contains(&format!("'{bad}' for --hash")),
            "{refused}"
        );
    }
}

#[test]
fn endless_files_are_not_read() {
    let place = Place::new();
    let zero = "/dev/zero";
    for (args, told) in [
        (vec!["weights", zero], "cannot read weights from /dev/zero"),
        (vec!["certify", zero], "cannot read weights from /dev/zero"),
        (vec!["params", "check", zero], "cannot read parameters from"),
        (vec!["run", "--params", zero], "cannot read parameters from"),
        (vec!["run", "--seed-from", zero], "cannot read weights from"),
        (
            vec!["match", "default", "default", "--openings", zero],
            "cannot read openings from /dev/zero",
        ),
    ] {
        let refused = place.refused(&args);
        assert!(refused.starts_with(told), "{args:?}: {refused}");
        assert!(refused.contains(": it has more than "), "{refused}");
        assert!(refused.contains(" MiB, the most that is read"), "{refused}");
    }
    let output = output_of(
        loatune(place.path()).args(["play"]),
        "load /dev/zero\nquit\n",
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("it has more than 64 MiB"), "{said}");
    let endless = vec![b'x'; (1 << 20) + 1];
    let output = output_of(loatune(place.path()).args(["moves", "-"]), endless);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it has more than 1 MiB"), "{said}");
    assert!(fs::read_dir(place.path()).unwrap().next().is_none());
}

/// Reading a file takes time in proportion to its size, and a message stays
/// readable.
#[test]
fn many_problems_are_counted_and_not_listed() {
    let duplicates = format!("[player]\n{}", "depth = 3\n".repeat(30_000));
    let mut unknown = String::from("[player]\n");
    for number in 0..20_000 {
        unknown += &format!("key{number} = 3\n");
    }
    let repeated = vec!["\"euler\": 3"; 25_000].join(",\n");
    let weights = format!("{{\"weights\": {{{repeated}}}}}");
    let place = Place::new()
        .with("a.toml", &duplicates)
        .with("b.toml", &unknown)
        .with("c.json", &weights);
    for (args, count, first) in [
        (
            ["params", "check", "a.toml"],
            29_999,
            "a.toml:3: duplicate key: depth",
        ),
        (
            ["params", "check", "b.toml"],
            20_000,
            "b.toml:2: unknown key player.key0",
        ),
        (
            ["-q", "weights", "c.json"],
            24_999,
            "c.json:2: duplicate key: euler",
        ),
    ] {
        let begin = Instant::now();
        let output = place.run(&args);
        assert!(begin.elapsed() < Duration::from_secs(30), "{args:?}");
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), 22, "{args:?}: {}", lines.len());
        assert!(
            lines[0].contains(&format!("{count} problems in the ")),
            "{}",
            lines[0]
        );
        assert!(lines[1].trim_start().starts_with(first), "{}", lines[1]);
        assert_eq!(lines[21].trim_start(), format!("and {} more", count - 20));
    }
}

/// Exit code 1, whatever it is that cannot be written.
#[test]
fn what_cannot_be_written_is_a_failure() {
    let place = Place::new();
    for args in [
        vec![
            "match", "default", "default", "--games", "2", "--sgf", "no/such",
        ],
        vec!["params", "init", "no/such"],
        vec!["run", "--log-file", "no/such"],
    ] {
        let output = place.run(&args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
        assert!(message.contains("cannot write "), "{args:?}: {message}");
        assert!(message.contains("no/such: No such file"), "{message}");
    }
    // Where nothing was saved, nothing is still there.
    let place = Place::new().with("populations", "no directory");
    let output = place.run(&["run"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("cannot create population default"),
        "{message}"
    );
    assert!(!message.contains("still there"), "{message}");
}

/// The report at the end of a run has all weights of a champion of two phases.
#[test]
fn a_champion_of_two_phases_is_reported_with_both() {
    let place = Place::new();
    let output = place.run(&[
        "-q",
        "run",
        "--phases",
        "2",
        "--depth",
        "1",
        "--budget",
        "60",
        "--certificate-games",
        "2",
        "--hall-games",
        "2",
        "--no-http",
    ]);
    let report = String::from_utf8(output.stdout).unwrap();
    let row = |name: &str| {
        let row = report.lines().find_map(|line| line.strip_prefix(name));
        row.unwrap_or_else(|| panic!("no {name} in {report}"))
            .trim()
            .to_owned()
    };
    let champion = place.good(&["export"]);
    let endgame = champion.split_once("[endgame]\n").unwrap().1;
    let endgame = endgame
        .split_once("\n[")
        .map_or(endgame, |(table, _)| table);
    let genes = endgame.lines().filter(|line| line.contains(" = "));
    let genes: Vec<String> = genes.map(|line| line.replace(" = ", " ")).collect();
    assert_eq!(genes.len(), loatune::eval::features::FEATURES);
    assert_eq!(row("endgame"), genes.join(", "));
    assert!(row("weights").contains("mobility_power"));
}
