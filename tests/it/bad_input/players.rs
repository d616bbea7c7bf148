//! Players, and the settings of matches between them.

use super::case::{Case, bad, check_all};

#[test]
fn names() {
    let rows = [
        (
            "nobody",
            "no player \"nobody\": no such file",
            "populations/published has none",
        ),
        (
            "''",
            "\"\" names no player",
            "a weight file, a published champion",
        ),
        ("@mtdf", "\"@mtdf\" names no player", "a weight file"),
        ("no.toml@mtdf:3", "no player \"no.toml\"", "no such file"),
        (
            "../nobody-is-here",
            "no player \"../nobody-is-here\"",
            "no such file",
        ),
        (
            "random:x",
            "bad seed \"x\" in random:SEED",
            "a whole number from 0",
        ),
        (
            "random:-1",
            "bad seed \"-1\" in random:SEED",
            "a whole number from 0",
        ),
        (
            "random:",
            "bad seed \"\" in random:SEED",
            "a whole number from 0",
        ),
        (
            "random:99999999999999999999",
            "bad seed \"99999999999999999999\"",
            "a whole number from 0",
        ),
        ("ugi:", "no command in ugi:COMMAND", "ugi:"),
        (
            "default@chess",
            "\"default@chess\": unknown player `chess`",
            "one of minimax",
        ),
        (
            "default@",
            "\"default@\": unknown player ``",
            "one of minimax",
        ),
        (
            "default@mtdf:",
            "\"default@mtdf:\": bad limit \"\"",
            "write a depth from 1 to 250",
        ),
        (
            "default@mtdf:0",
            "\"default@mtdf:0\": bad limit \"0\"",
            "write a depth from 1 to 250",
        ),
        (
            "default@mtdf:251",
            "\"default@mtdf:251\": bad limit \"251\"",
            "write a depth from 1 to 250",
        ),
        (
            "default@mtdf:n0",
            "\"default@mtdf:n0\": bad limit \"n0\"",
            "nodes as in mtdf:n20000",
        ),
        (
            "default@mtdf:t0",
            "\"default@mtdf:t0\": bad limit \"t0\"",
            "seconds from 0.001 as in mtdf:t0.5",
        ),
        (
            "default@mtdf:tNaN",
            "\"default@mtdf:tNaN\": bad limit \"tNaN\"",
            "seconds from 0.001 as in mtdf:t0.5",
        ),
        (
            "default@mtdf:t1e300",
            "\"default@mtdf:t1e300\": bad limit \"t1e300\"",
            "seconds",
        ),
    ];
    let mut cases: Vec<Case> = Vec::new();
    for (n, (name, place, what)) in rows.into_iter().enumerate() {
        let command = [
            "match default",
            "gauntlet default --against",
            "tournament default",
        ][n % 3];
        cases.push(bad(&format!("{command} {name}"), place, what));
    }
    for (command, place, what) in [
        ("match a default", "cannot read weights from a", "directory"),
        (
            "match ugi:no-such-program default --games 2",
            "no-such-program",
            "cannot start the engine",
        ),
        (
            "match 'ugi:\"open' default --games 2",
            "cannot read the engine's command",
            "is not closed",
        ),
    ] {
        cases.push(bad(command, place, what).directory("a"));
    }
    check_all(&cases, 22);
}

#[test]
fn settings() {
    let rows = [
        ("match", "<A>", "required arguments were not provided"),
        (
            "match default",
            "<B>",
            "required arguments were not provided",
        ),
        (
            "match default default default",
            "unexpected argument 'default'",
            "Usage",
        ),
        (
            "match default default --games 3",
            "'3' for '--games <N>'",
            "must be an even number",
        ),
        (
            "match default default --games 0",
            "'0' for '--games <N>'",
            "must be an even number",
        ),
        (
            "match default default --games x",
            "'x' for '--games <N>'",
            "must be an even number",
        ),
        (
            "match default default --games=-2",
            "'-2' for '--games <N>'",
            "must be an even number",
        ),
        (
            "match default default --depth 0",
            "'0' for '--depth <N>'",
            "0 is not in 1..=250",
        ),
        (
            "match default default --depth 251",
            "'251' for '--depth <N>'",
            "251 is not in 1..=250",
        ),
        (
            "match default default --depth 2.5",
            "'2.5' for '--depth <N>'",
            "invalid digit",
        ),
        (
            "match default default --nodes 0",
            "'0' for '--nodes <N>'",
            "0 is not in 1..",
        ),
        (
            "match default default --time 0",
            "'0' for '--time <S>'",
            "must be a number of seconds, from 0.001 to 1000000",
        ),
        (
            "match default default --time nan",
            "'nan' for '--time <S>'",
            "must be a number of seconds",
        ),
        (
            "match default default --time=-1",
            "'-1' for '--time <S>'",
            "must be a number of seconds",
        ),
        (
            "match default default --time 0.0005",
            "'0.0005' for '--time <S>'",
            "must be a number of seconds, from 0.001 to 1000000",
        ),
        (
            "gauntlet default --against default@mtdf:t0.0005",
            "\"default@mtdf:t0.0005\": bad limit \"t0.0005\"",
            "seconds from 0.001 as in mtdf:t0.5",
        ),
        (
            "tournament default random:1 --hash 16777216 --threads 1024",
            "2048 tables of --hash 16777216 KiB, one a player and thread",
            "32 TiB of memory are needed, but only",
        ),
        (
            "match default default --hash 0",
            "'0' for '--hash <KIB>'",
            "0 is not in",
        ),
        (
            "match default default --hash 99999999",
            "'99999999' for '--hash <KIB>'",
            "99999999 is not in",
        ),
        (
            "match default default --opening-plies 41",
            "'41' for '--opening-plies <N>'",
            "41 is not in 1..=40",
        ),
        (
            "match default default --opening-bound=-1",
            "'-1' for '--opening-bound <V>'",
            "-1 is not in 0..=100000",
        ),
        (
            "match default default --seed=-1",
            "'-1' for '--seed <S>'",
            "invalid digit",
        ),
        (
            "match default default --threads 0",
            "'0' for '--threads <N>'",
            "0 is not in 1..=1024",
        ),
        (
            "match default default --max-plies 19",
            "invalid value '19' for --max-plies",
            "must be an integer from 20 to 2000",
        ),
        (
            "gauntlet default",
            "--against <PLAYER>",
            "required arguments were not provided",
        ),
        (
            "gauntlet default --against",
            "'--against <PLAYER>...'",
            "value is required",
        ),
        (
            "gauntlet default --against default --games 1",
            "'1' for '--games <N>'",
            "must be an even number",
        ),
        ("tournament default", "<PLAYER>...", "2 values required"),
        (
            "tournament default default --games 5",
            "'5' for '--games <N>'",
            "must be an even number",
        ),
    ];
    let cases: Vec<Case> = rows
        .iter()
        .map(|(line, place, what)| bad(line, place, what))
        .collect();
    check_all(&cases, 26);
}

#[test]
fn sequential_tests() {
    let rows = [
        (
            "''",
            "\"\" is not a setting",
            "write elo0=NUMBER,elo1=NUMBER",
        ),
        ("5", "\"5\" is not a setting", "write elo0=NUMBER"),
        ("elo0=0", "elo1 is missing", "elo0 and elo1 are required"),
        ("elo1=0", "elo0 is missing", "elo0 and elo1 are required"),
        (
            "elo0=0,elo2=5",
            "unknown key \"elo2\"",
            "allowed are elo0, elo1, alpha, beta and model",
        ),
        ("elo0=0,elo0=5", "elo0 is given twice", "--sprt"),
        ("elo0=x,elo1=5", "elo0 = \"x\"", "is not a number"),
        (
            "elo0=5,elo1=5",
            "elo0 = 5, elo1 = 5",
            "elo0 must be less than elo1",
        ),
        ("elo0=nan,elo1=5", "elo0 = NaN", "allowed are -"),
        ("elo0=0,elo1=1e9", "elo1 = 1000000000", "allowed are -"),
        (
            "elo0=0,elo1=5,alpha=0",
            "alpha = 0",
            "more than 0 and less than 0.5",
        ),
        (
            "elo0=0,elo1=5,beta=0.5",
            "beta = 0.5",
            "more than 0 and less than 0.5",
        ),
        (
            "elo0=0,elo1=5,",
            "\"\" is not a setting",
            "write elo0=NUMBER",
        ),
    ];
    let case = |(text, place, what): &(&str, &str, &str)| {
        bad(&format!("match default default --sprt {text}"), place, what)
    };
    let cases: Vec<Case> = rows.iter().map(case).collect();
    check_all(&cases, 13);
}
