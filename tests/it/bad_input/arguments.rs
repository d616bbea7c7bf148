//! The arguments of all other commands, and environment variables.

use super::case::{Case, bad, check_all};

fn cases(rows: &[(&str, &str, &str)]) -> Vec<Case> {
    rows.iter()
        .map(|(line, place, what)| bad(line, place, what))
        .collect()
}

#[test]
fn commands() {
    let rows = [
        ("xyzzy", "unrecognized subcommand 'xyzzy'", "Usage"),
        ("pertf 3", "unrecognized subcommand 'pertf'", "'perft'"),
        ("Run", "unrecognized subcommand 'Run'", "Usage"),
        ("''", "unrecognized subcommand ''", "Usage"),
        ("--xyzzy", "unexpected argument '--xyzzy'", "Usage"),
        (
            "-v -q list",
            "'--verbose...'",
            "cannot be used with '--quiet'",
        ),
        ("list --jsn", "unexpected argument '--jsn'", "'--json'"),
        (
            "list --json --json",
            "'--json'",
            "cannot be used multiple times",
        ),
        ("list x", "unexpected argument 'x'", "Usage"),
        (
            "status --json=yes",
            "'yes' for '--json'",
            "unexpected value",
        ),
        ("stop x", "unexpected argument 'x'", "Usage"),
        (
            "completions",
            "<SHELL>",
            "required arguments were not provided",
        ),
        (
            "completions cmd",
            "'cmd' for '<SHELL>'",
            "possible values: bash",
        ),
        ("man x", "unexpected argument 'x'", "Usage"),
        (
            "features --json",
            "--sgf",
            "required arguments were not provided",
        ),
        (
            "features --games 10 --sgf a.sgf",
            "'--games <N>'",
            "cannot be used with '--sgf",
        ),
        (
            "features --games 10 --force",
            "--svg <FILE>",
            "required arguments were not provided",
        ),
        (
            "fit -o a.toml",
            "--games",
            "required arguments were not provided",
        ),
        (
            "fit --play 10",
            "--output <FILE>",
            "required arguments were not provided",
        ),
        (
            "fit --play 10 --population x -o a.toml",
            "'--play <N>'",
            "cannot be used with '--population",
        ),
        (
            "fit --play 3 -o a.toml",
            "'3' for '--play <N>'",
            "must be an even number",
        ),
        (
            "fit --play 10 --last 5 -o a.toml",
            "'--play <N>'",
            "cannot be used with '--last <N>'",
        ),
        (
            "fit --play 10 --strict -o a.toml",
            "'--play <N>'",
            "cannot be used with",
        ),
        ("params xyzzy", "unrecognized subcommand 'xyzzy'", "Usage"),
        (
            "params show --xyzzy",
            "unexpected argument '--xyzzy'",
            "Usage",
        ),
        (
            "params show --json --toml",
            "'--json'",
            "cannot be used with '--toml'",
        ),
        ("params check a b", "unexpected argument 'b'", "Usage"),
        ("weights a b", "unexpected argument 'b'", "Usage"),
        ("help xyzzy", "unrecognized subcommand 'xyzzy'", "Usage"),
        (
            "bench --depth 3",
            "--players",
            "required arguments were not provided",
        ),
        (
            "bench --players --depth 0",
            "'0' for '--depth <DEPTH>'",
            "0 is not in 1..=10",
        ),
        (
            "bench --players --depth 11",
            "'11' for '--depth <DEPTH>'",
            "11 is not in 1..=10",
        ),
        (
            "bench --players --node-limit x",
            "'x' for '--node-limit <N>'",
            "invalid digit",
        ),
        (
            "bench --players --scaling",
            "'--players'",
            "cannot be used with '--scaling'",
        ),
        (
            "bench --player mtdf",
            "--scaling",
            "required arguments were not provided",
        ),
        (
            "bench --weights champion",
            "--scaling",
            "required arguments were not provided",
        ),
        (
            "bench --scaling --player mtdg",
            "'mtdg' for '--player <NAME>'",
            "a similar value exists: 'mtdf'",
        ),
        (
            "bench --scaling --node-limit 0",
            "'0' for '--node-limit <N>'",
            "0 is not in 1..",
        ),
        (
            "bench --scaling --weights nowhere.toml",
            "nowhere.toml",
            "default",
        ),
    ];
    check_all(&cases(&rows), 30);
}

#[test]
fn positions_and_searches() {
    let rows = [
        ("perft", "<DEPTH>", "required arguments were not provided"),
        (
            "perft x",
            "'x' for '[DEPTH]'",
            "the depth must be an integer from 0 to 12",
        ),
        (
            "perft 13",
            "'13' for '[DEPTH]'",
            "the depth must be an integer from 0 to 12",
        ),
        ("perft -1", "unexpected argument '-1'", "Usage"),
        (
            "perft 1.5",
            "'1.5' for '[DEPTH]'",
            "the depth must be an integer from 0 to 12",
        ),
        (
            "perft 3 --position",
            "'--position <TEXT>...'",
            "value is required",
        ),
        (
            "perft --position startpos",
            "the depth is missing",
            "loatune perft DEPTH --position TEXT",
        ),
        (
            "perft --position startpos 13",
            "the depth must be an integer from 0 to 12",
            "not 13",
        ),
        (
            "perft 2 --repetition 1",
            "invalid value '1' for --repetition",
            "must be an integer, 0 (off) or at least 2",
        ),
        ("moves", "<TEXT>...", "required arguments were not provided"),
        ("show", "<TEXT>...", "required arguments were not provided"),
        (
            "show startpos --no-moves dances",
            "invalid value 'dances' for --no-moves",
            "must be \"loses\" or \"passes\"",
        ),
        (
            "moves startpos --simultaneous both",
            "invalid value 'both' for --simultaneous",
            "must be \"mover-wins\" or \"draw\"",
        ),
        (
            "moves startpos --depth 3",
            "unexpected argument '--depth'",
            "Usage",
        ),
        (
            "analyse",
            "<TEXT>...",
            "required arguments were not provided",
        ),
        (
            "analyse startpos --player chess",
            "'chess' for '--player <NAME[:OPTIONS]>'",
            "one of minimax, negamax",
        ),
        (
            "analyse startpos --depth 0",
            "'0' for '--depth <N>'",
            "0 is not in 1..=250",
        ),
        (
            "analyse startpos --depth 251",
            "'251' for '--depth <N>'",
            "251 is not in 1..=250",
        ),
        (
            "analyse startpos --nodes 0",
            "'0' for '--nodes <N>'",
            "0 is not in 1..",
        ),
        (
            "analyse startpos --time 0",
            "'0' for '--time <S>'",
            "must be a number of seconds, from 0.001 to 1000000",
        ),
        (
            "analyse startpos --time inf",
            "'inf' for '--time <S>'",
            "must be a number of seconds",
        ),
        (
            "analyse startpos --hash 1",
            "'1' for '--hash <KIB>'",
            "1 is not in",
        ),
        (
            "analyse startpos --plies=-1",
            "'-1' for '--plies <N>'",
            "invalid digit",
        ),
        (
            "analyse startpos --plies x",
            "'x' for '--plies <N>'",
            "invalid digit",
        ),
        (
            "play --level 0",
            "'0' for '--level <1..7>'",
            "0 is not in 1..=7",
        ),
        (
            "play --level 8",
            "'8' for '--level <1..7>'",
            "8 is not in 1..=7",
        ),
        (
            "play --side z",
            "'z' for '--side <SIDE>'",
            "possible values: x, o",
        ),
        (
            "play --depth 0",
            "'0' for '--depth <N>'",
            "0 is not in 1..=250",
        ),
        (
            "play --time 0",
            "'0' for '--time <S>'",
            "must be from 0.01 to 86400 seconds",
        ),
        (
            "play --time x",
            "'x' for '--time <S>'",
            "must be from 0.01 to 86400 seconds",
        ),
        ("play x", "unexpected argument 'x'", "Usage"),
        ("ugi x", "unexpected argument 'x'", "Usage"),
        (
            "ugi --max-plies 2001",
            "invalid value '2001' for --max-plies",
            "must be an integer from 20 to 2000",
        ),
    ];
    check_all(&cases(&rows), 33);
}

#[test]
fn runs() {
    let rows = [
        ("run x", "unexpected argument 'x'", "Usage"),
        (
            "run --report-every 0",
            "'0' for '--report-every <S>'",
            "0 is not in 1..=86400",
        ),
        (
            "run --report-every 86401",
            "'86401' for '--report-every <S>'",
            "86401 is not in 1..=86400",
        ),
        (
            "run --seed-from",
            "'--seed-from <FILE>...'",
            "value is required",
        ),
        ("run --quick=yes", "'yes' for '--quick'", "unexpected value"),
        (
            "run --depth x",
            "invalid value 'x' for --depth",
            "from 1 to 250",
        ),
        ("run --depth", "'--depth <N>'", "value is required"),
        (
            "run --depth 3 --depth 4",
            "'--depth <N>'",
            "cannot be used multiple times",
        ),
        (
            "run --files 8 --window 9",
            "evolution.population = 8 (--files)",
            "must be at least run.window = 9 (--window)",
        ),
        (
            "run --min-points 5 --max-points 4",
            "evolution.min_points = 5.0 (--min-points)",
            "must be less than evolution.max_points",
        ),
        (
            "run --depth 0",
            "player.depth = 0 (--depth)",
            "one of them must limit the search",
        ),
        (
            "run --features connection,chess",
            "invalid value 'connection,chess' for --features",
            "must be some of connection",
        ),
        (
            "run --euler 9..3",
            "invalid value '9..3' for --euler",
            "must be LEAST..MOST within",
        ),
        (
            "run --euler 3..",
            "invalid value '3..' for --euler",
            "must be LEAST..MOST within",
        ),
        (
            "run --http 8420",
            "invalid value '8420' for --http",
            "must be an address IP:PORT",
        ),
        (
            "run --sigma 1,5",
            "invalid value '1,5' for --sigma",
            "must be a number from 0.001 to 1",
        ),
        (
            "run --params no.toml",
            "cannot read parameters from no.toml",
            "No such file",
        ),
    ];
    check_all(&cases(&rows), 17);
}

#[test]
fn variables() {
    let cases = [
        bad(
            "moves startpos",
            "invalid value '7' for LOATUNE_MAX_PLIES",
            "must be an integer from 20 to 2000",
        )
        .variable("LOATUNE_MAX_PLIES", "7"),
        bad(
            "show startpos",
            "invalid value '' for LOATUNE_REPETITION",
            "must be an integer",
        )
        .variable("LOATUNE_REPETITION", ""),
        bad(
            "perft 1",
            "invalid value 'x' for LOATUNE_NO_MOVES",
            "must be \"loses\" or",
        )
        .variable("LOATUNE_NO_MOVES", "x"),
        bad(
            "ugi",
            "invalid value 'DRAW' for LOATUNE_SIMULTANEOUS",
            "must be \"mover-wins\"",
        )
        .variable("LOATUNE_SIMULTANEOUS", "DRAW"),
        bad(
            "run",
            "invalid value 'deep' for LOATUNE_DEPTH",
            "from 1 to 250",
        )
        .variable("LOATUNE_DEPTH", "deep"),
        bad(
            "run",
            "player.depth = 0 (LOATUNE_DEPTH)",
            "one of them must limit",
        )
        .variable("LOATUNE_DEPTH", "0"),
        bad("run", "cannot read parameters from no.toml", "No such file")
            .variable("LOATUNE_PARAMS", "no.toml"),
        bad(
            "play",
            "cannot read parameters from no.toml",
            "No such file",
        )
        .variable("LOATUNE_PARAMS", "no.toml"),
        bad("run", "\"..\"", "no population's name").variable("LOATUNE_POPULATION", ".."),
        bad(
            "status",
            "no population in populations/lost",
            "there is none yet",
        )
        .variable("LOATUNE_POPULATION", "lost"),
    ];
    check_all(&cases, 10);
}

#[test]
fn places_to_write() {
    let cases = [
        bad("man --dir a", "cannot make a", "exists")
            .file("a", "")
            .fails(),
        bad("man --dir a/b", "cannot make a/b", "directory")
            .file("a", "")
            .fails(),
    ];
    check_all(&cases, 2);
}
