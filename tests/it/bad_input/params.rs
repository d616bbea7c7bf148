//! Files of parameters: values, names, syntax, and what does not go together.

use super::case::{Case, bad, check_all};

/// `params.toml` as it stands, the place and the reason.
type Row = (&'static str, &'static str, &'static str);

fn cases(rows: &[Row]) -> Vec<Case> {
    let case =
        |(text, place, what): &Row| bad("params check", place, what).file("params.toml", text);
    rows.iter().map(case).collect()
}

#[test]
fn values() {
    let rows = [
        (
            "[rules]\nsimultaneous = \"both\"",
            "params.toml:2: rules.simultaneous = \"both\"",
            "must be \"mover-wins\" or \"draw\"",
        ),
        (
            "[rules]\nsimultaneous = \"Draw\"",
            "params.toml:2: rules.simultaneous = \"Draw\"",
            "must be \"mover-wins\" or \"draw\"",
        ),
        (
            "[rules]\nsimultaneous = 1",
            "params.toml:2: rules.simultaneous = 1",
            "must be \"mover-wins\" or \"draw\"",
        ),
        (
            "[rules]\nno_moves = true",
            "params.toml:2: rules.no_moves = true",
            "must be \"loses\" or \"passes\"",
        ),
        (
            "[rules]\nrepetition = 1",
            "params.toml:2: rules.repetition = 1",
            "must be an integer, 0 (off) or at least 2",
        ),
        (
            "[rules]\nrepetition = 2.0",
            "params.toml:2: rules.repetition = 2.0",
            "must be an integer",
        ),
        (
            "[rules]\nmax_plies = 19",
            "params.toml:2: rules.max_plies = 19",
            "must be an integer from 20 to 2000",
        ),
        (
            "[rules]\nmax_plies = 2001",
            "params.toml:2: rules.max_plies = 2001",
            "must be an integer from 20 to 2000",
        ),
        (
            "[rules]\nmax_plies = \"200\"",
            "params.toml:2: rules.max_plies = \"200\"",
            "must be an integer from 20 to 2000",
        ),
        (
            "[rules]\nmax_plies = 1979-05-27",
            "params.toml:2: rules.max_plies = 1979-05-27",
            "must be an integer from 20 to 2000",
        ),
        (
            "[genome]\nphases = 0",
            "params.toml:2: genome.phases = 0",
            "must be an integer from 1 to 2",
        ),
        (
            "[genome]\nphases = 3",
            "params.toml:2: genome.phases = 3",
            "must be an integer from 1 to 2",
        ),
        (
            "[genome]\nnormalise = \"yes\"",
            "params.toml:2: genome.normalise = \"yes\"",
            "must be true or false",
        ),
        (
            "[genome]\nnormalise = 1",
            "params.toml:2: genome.normalise = 1",
            "must be true or false",
        ),
        (
            "[genome]\nfeatures = []",
            "params.toml:2: genome.features = []",
            "must be a list of \"connection\"",
        ),
        (
            "[genome]\nfeatures = [\"chess\"]",
            "params.toml:2: genome.features = [\"chess\"]",
            "must be a list of \"connection\"",
        ),
        (
            "[genome]\nfeatures = [\"quads\", \"quads\"]",
            "params.toml:2: genome.features = [\"quads\", \"quads\"]",
            "must be a list of",
        ),
        (
            "[genome]\nfeatures = \"quads\"",
            "params.toml:2: genome.features = \"quads\"",
            "must be a list of",
        ),
        (
            "[genome]\nfeatures = [1, 2]",
            "params.toml:2: genome.features = [1, 2]",
            "must be a list of",
        ),
        (
            "[genome]\neuler = [5, 1]",
            "params.toml:2: genome.euler = [5, 1]",
            "must be [least, most] within",
        ),
        (
            "[genome]\neuler = [0]",
            "params.toml:2: genome.euler = [0]",
            "must be [least, most] within",
        ),
        (
            "[genome]\neuler = [0, 1, 2]",
            "params.toml:2: genome.euler = [0, 1, 2]",
            "must be [least, most] within",
        ),
        (
            "[genome]\neuler = 5",
            "params.toml:2: genome.euler = 5",
            "must be [least, most] within",
        ),
        (
            "[genome]\neuler = [0, 1000000]",
            "params.toml:2: genome.euler = [0, 1000000]",
            "must be [least, most] within",
        ),
        (
            "[genome]\nquad3 = [0.5, 1]",
            "params.toml:2: genome.quad3 = [0.5, 1]",
            "must be [least, most] within",
        ),
        (
            "[genome]\nspread_power = [nan, nan]",
            "params.toml:2: genome.spread_power = [nan, nan]",
            "must be [least, most] within",
        ),
        (
            "[player]\nsearch = \"chess\"",
            "params.toml:2: player.search = \"chess\"",
            "must be \"minimax\", \"negamax\"",
        ),
        (
            "[player]\nsearch = \"selective:lmr=2\"",
            "params.toml:2: player.search = \"selective:lmr=2\"",
            "option lmr of `selective` is \"2\"; it takes a whole number from 0 to 1",
        ),
        (
            "[player]\nsearch = \"selective:lmg=1\"",
            "params.toml:2: player.search = \"selective:lmg=1\"",
            "unknown option \"lmg\" of `selective`",
        ),
        (
            "[player]\nsearch = \"mcts:s500,c=0.1\"",
            "params.toml:2: player.search = \"mcts:s500,c=0.1\"",
            "\"s500\" is no option",
        ),
        (
            "[player]\nsearch = \"mcts:threads=2,shared_tree=1\"",
            "params.toml:2: player.search = ",
            "not deterministic",
        ),
        (
            "[player]\nsearch = \"mtdf:c=0.1\"",
            "params.toml:2: player.search = \"mtdf:c=0.1\"",
            "`mtdf` has no option \"c\"",
        ),
        (
            "[player]\ndepth = 251",
            "params.toml:2: player.depth = 251",
            "must be an integer, 0 (off) or from 1 to 250",
        ),
        (
            "[player]\ndepth = -1",
            "params.toml:2: player.depth = -1",
            "from 1 to 250",
        ),
        (
            "[player]\nnodes = 1_000_000_001",
            "params.toml:2: player.nodes = 1_000_000_001",
            "from 1 to 1000000000",
        ),
        (
            "[player]\ntable_kib = 0",
            "params.toml:2: player.table_kib = 0",
            "must be an integer from",
        ),
        (
            "[openings]\nplies = 0",
            "params.toml:2: openings.plies = 0",
            "must be an integer from 1 to 40",
        ),
        (
            "[openings]\nplies = 41",
            "params.toml:2: openings.plies = 41",
            "must be an integer from 1 to 40",
        ),
        (
            "[openings]\nbound = 100_001",
            "params.toml:2: openings.bound = 100_001",
            "must be an integer from 0 to 100000",
        ),
        (
            "[evolution]\nbudget = -5",
            "params.toml:2: evolution.budget = -5",
            "must be an integer from 0 to 1000000000000",
        ),
        (
            "[evolution]\nbudget = 1e6",
            "params.toml:2: evolution.budget = 1e6",
            "must be an integer",
        ),
        (
            "[evolution]\npopulation = 1",
            "params.toml:2: evolution.population = 1",
            "must be an integer from 2 to 10000",
        ),
        (
            "[evolution]\nmaturity = 1001",
            "params.toml:2: evolution.maturity = 1001",
            "must be an integer from 0 to 1000",
        ),
        (
            "[evolution]\nmin_points = inf",
            "params.toml:2: evolution.min_points = inf",
            "must be a number from -1000 to 1000",
        ),
        (
            "[evolution]\nmax_points = \"2\"",
            "params.toml:2: evolution.max_points = \"2\"",
            "must be a number from -1000 to 1000",
        ),
        (
            "[evolution]\nsigma = 0",
            "params.toml:2: evolution.sigma = 0",
            "must be a number from 0.001 to 1",
        ),
        (
            "[evolution]\nsigma = -nan",
            "params.toml:2: evolution.sigma = -nan",
            "must be a number from 0.001 to 1",
        ),
        (
            "[evolution]\ncrossover = 1.01",
            "params.toml:2: evolution.crossover = 1.01",
            "must be a number from 0 to 1",
        ),
        (
            "[evolution]\ninherit = -0.1",
            "params.toml:2: evolution.inherit = -0.1",
            "must be a number from 0 to 1",
        ),
        (
            "[evolution]\nborder = 0.6",
            "params.toml:2: evolution.border = 0.6",
            "must be a number from 0 to 0.5",
        ),
        (
            "[evolution]\nelder_from = 2",
            "params.toml:2: evolution.elder_from = 2",
            "must be a number from 0 to 1",
        ),
        (
            "[evolution]\nshrink_from = false",
            "params.toml:2: evolution.shrink_from = false",
            "must be a number from 0 to 1",
        ),
        (
            "[evolution]\nrefill_below = 1",
            "params.toml:2: evolution.refill_below = 1",
            "must be an integer from 2 to 10000",
        ),
        (
            "[evolution]\nvote = 1e308",
            "params.toml:2: evolution.vote = 1e308",
            "must be a number from 0 to 1",
        ),
        (
            "[final]\nshare = 0.95",
            "params.toml:2: final.share = 0.95",
            "must be a number from 0 to 0.9",
        ),
        (
            "[final]\nerrors = 11",
            "params.toml:2: final.errors = 11",
            "must be a number from 0 to 10",
        ),
        (
            "[final]\ncertificate_games = 3",
            "params.toml:2: final.certificate_games = 3",
            "must be an even integer from 2 to 1000000",
        ),
        (
            "[final]\nhall_games = 0",
            "params.toml:2: final.hall_games = 0",
            "must be an even integer from 2 to 1000000",
        ),
        (
            "[run]\nseed = -1",
            "params.toml:2: run.seed = -1",
            "must be an integer from 0 to 9223372036854775807",
        ),
        (
            "[run]\nthreads = 1025",
            "params.toml:2: run.threads = 1025",
            "must be an integer from 0 to 1024",
        ),
        (
            "[run]\nwindow = 0",
            "params.toml:2: run.window = 0",
            "must be an integer from 1 to 65536",
        ),
        (
            "[run]\ncheckpoint = 0",
            "params.toml:2: run.checkpoint = 0",
            "must be an integer from 1 to 1000000",
        ),
        (
            "[run]\ncheckpoint = [1]",
            "params.toml:2: run.checkpoint = [1]",
            "must be an integer",
        ),
        (
            "[run]\ncheckpoint = { a = 1 }",
            "params.toml:2: run.checkpoint = { a = 1 }",
            "must be an integer",
        ),
        (
            "[http]\nenabled = 0",
            "params.toml:2: http.enabled = 0",
            "must be true or false",
        ),
        (
            "[http]\naddress = \"localhost:80\"",
            "params.toml:2: http.address = \"localhost:80\"",
            "must be an address IP:PORT",
        ),
        (
            "[http]\naddress = \"127.0.0.1\"",
            "params.toml:2: http.address = \"127.0.0.1\"",
            "must be an address IP:PORT",
        ),
        (
            "[http]\naddress = \"127.0.0.1:65536\"",
            "params.toml:2: http.address = \"127.0.0.1:65536\"",
            "must be an address IP:PORT",
        ),
    ];
    check_all(&cases(&rows), 60);
}

#[test]
fn names() {
    let rows = [
        (
            "[rules]\nrepitition = 3",
            "params.toml:2: unknown key rules.repitition",
            "did you mean rules.repetition?",
        ),
        (
            "[rules]\nxyzzy = 3",
            "params.toml:2: unknown key rules.xyzzy",
            "repetition",
        ),
        (
            "[rules]\nMax_Plies = 30",
            "params.toml:2: unknown key rules.Max_Plies",
            "max_plies",
        ),
        (
            "[run]\nbudget = 3",
            "params.toml:2: unknown key run.budget",
            "did you mean evolution.budget?",
        ),
        (
            "[genome]\neuler2 = [0, 1]",
            "params.toml:2: unknown key genome.euler2",
            "did you mean genome.euler?",
        ),
        (
            "[rule]\nrepetition = 3",
            "params.toml:1: unknown",
            "did you mean [rules]?",
        ),
        ("[nonsense]\na = 3", "params.toml:1: unknown", "[nonsense]"),
        ("repetition = 3", "params.toml:1:", "repetition"),
        ("xyzzy = 3", "params.toml:1:", "xyzzy"),
        ("rules = 3", "params.toml:1: rules = 3", "[rules]"),
        ("[[rules]]\nrepetition = 3", "params.toml:1:", "rules"),
        (
            "[rules.repetition]\nvalue = 3",
            "params.toml:",
            "rules.repetition",
        ),
        (
            "[rules]\nrepetition.value = 3",
            "params.toml:2: rules.repetition",
            "must be an integer",
        ),
        (
            "[rules]\n\"\" = 3",
            "params.toml:2: unknown key rules.",
            "\"\"",
        ),
        (
            "[rules]\nrepetition = 3\nrepetition = 3",
            "params.toml:3:",
            "duplicate key: repetition",
        ),
        (
            "[rules]\n[rules]\n",
            "params.toml:2:",
            "duplicate key: rules",
        ),
        (
            "[run]\nseed = 1\n\n[rules]\n[run]\nwindow = 3",
            "params.toml:5:",
            "duplicate key: run",
        ),
    ];
    check_all(&cases(&rows), 17);
}

#[test]
fn syntax() {
    let rows = [
        ("[rules", "params.toml:1:", "]"),
        ("[rules]\nrepetition", "params.toml:2:", "="),
        ("[rules]\nrepetition =", "params.toml:2:", "value"),
        (
            "[rules]\nrepetition = 3 4",
            "params.toml:2:",
            "must be quoted",
        ),
        (
            "[rules]\nrepetition = 03",
            "params.toml:2:",
            "unexpected leading zero",
        ),
        ("[rules]\nsimultaneous = draw", "params.toml:2:", "quot"),
        ("[rules]\nsimultaneous = \"draw", "params.toml:2:", "\""),
        (
            "[rules]\nsimultaneous = \"\\q\"",
            "params.toml:2:",
            "escape",
        ),
        (
            "[rules]\nmax_plies = 99999999999999999999",
            "params.toml:2:",
            "99999999999999999999",
        ),
        ("[genome]\neuler = [1, 2", "params.toml:2:", "]"),
        ("{\"rules\": {}}", "params.toml:1:", "expected key"),
        ("\u{1}", "params.toml:1:", "key"),
        ("[rules]\n= 3", "params.toml:2:", "key"),
    ];
    check_all(&cases(&rows), 13);
}

#[test]
fn together() {
    let fixed: String = [
        "euler",
        "hole_penalty",
        "quad3",
        "quad4",
        "spread",
        "spread_power",
        "capturable",
        "mobility",
        "mobility_power",
        "blocked",
        "mobility_centre",
        "pieces",
        "extent",
        "concentration",
        "edge_moves",
        "centre_moves",
    ]
    .iter()
    .map(|gene| match *gene {
        "spread_power" | "mobility_power" => format!("{gene} = [1, 1]\n"),
        _ => format!("{gene} = [0, 0]\n"),
    })
    .collect();
    let all_fixed = format!("[genome]\n{fixed}");
    let one_free = all_fixed.replace("euler = [0, 0]", "euler = [0, 9]");
    let mut cases = cases(&[
        (
            "[evolution]\npopulation = 8\n[run]\nwindow = 9",
            "params.toml:4: evolution.population = 8 (line 2)",
            "must be at least run.window = 9 (line 4)",
        ),
        (
            "[evolution]\nmin_points = 2\nmax_points = 2",
            "params.toml:3: evolution.min_points = 2.0 (line 2)",
            "must be less than evolution.max_points = 2.0 (line 3)",
        ),
        (
            "[evolution]\nmin_points = 500",
            "params.toml:2: evolution.min_points = 500.0 (line 2)",
            "must be less than",
        ),
        (
            "[player]\ndepth = 0\nnodes = 0",
            "params.toml:3: player.depth = 0 (line 2) and player.nodes = 0 (line 3)",
            "one of them must limit",
        ),
        (
            "[rules]\nmax_plies = 0\n[run]\nsead = 1\n[player]\ndepth = 0",
            "3 problems in the parameters",
            "params.toml:4: unknown key run.sead",
        ),
    ]);
    for (text, place, what) in [
        (all_fixed, "params.toml:", "nothing is left to evolve"),
        (
            one_free,
            "genome.normalise = true",
            "needs at least 2 weights",
        ),
    ] {
        cases.push(bad("params check", place, what).file("params.toml", text));
    }
    check_all(&cases, 7);
}

#[test]
fn files() {
    let cases = [
        bad("params check", "params.toml", "cannot read parameters"),
        bad("params check missing.toml", "missing.toml", "No such file"),
        bad(
            "params check a",
            "cannot read parameters from a",
            "directory",
        )
        .directory("a"),
        bad("params check a.toml", "a.toml", "not").file("a.toml", b"[rules]\n# \xff\xfe\n"),
        bad("params check a.toml", "a.toml", "unknown").file("a.toml", b"\xef\xbb\xbf[rulez]\n"),
        bad("params check", "missing.toml", "No such file")
            .variable("LOATUNE_PARAMS", "missing.toml"),
        bad(
            "params show --params missing.toml",
            "missing.toml",
            "No such file",
        ),
        bad("moves startpos", "params.toml:1:", "unknown").file("params.toml", "[x]"),
        bad("run", "params.toml:2: run.window = 0", "must be")
            .file("params.toml", "[run]\nwindow = 0"),
        bad("params init", "params.toml exists", "--force overwrites it").file("params.toml", ""),
        bad(
            "params init no/such/a.toml",
            "cannot write no/such/a.toml",
            "No such file",
        )
        .fails(),
        bad("params init a", "cannot write a", "directory")
            .directory("a")
            .fails(),
        bad("params init --force a", "cannot write a", "directory")
            .directory("a")
            .fails(),
    ];
    check_all(&cases, 13);
}
