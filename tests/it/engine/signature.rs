//! The bench: what the engine does, as one number.

use crate::support::binary::Place;
use loatune::eval::Weights;
use loatune::search::signature::{
    POSITIONS, POSITIONS_OF_FIRST, SELECTIVE_PLIES, SELECTIVE_SIGNATURE, SIGNATURE, TREE_SIGNATURE,
    WEIGHT_SETS, of_players, run, run_as,
};
use loatune::search::value::is_proven;
use loatune::search::{Algorithm, EngineVersion};

/// The nodes of each position that the first version of the engine visits with
/// the default weights; together its signature.
const NODES_OF_FIRST: [u64; POSITIONS_OF_FIRST] = [
    2_188_729, 1_468_729, 1_012_006, 633_206, 756_082, 169_859, 117_596, 109_987, 81_086, 90_180,
    144_505, 157_192, 68_067, 290_081,
];

fn nodes_of_first(positions: std::ops::Range<usize>) -> Vec<u64> {
    let nodes = |&(position, depth): &(&'static str, u32)| {
        run_as(EngineVersion::First, &WEIGHT_SETS[0], position, depth).nodes
    };
    POSITIONS[positions].iter().map(nodes).collect()
}

#[test]
fn the_first_version_searches_as_it_did() {
    let total: u64 = NODES_OF_FIRST.iter().sum();
    assert_eq!(total, EngineVersion::First.signature());
    assert_eq!(nodes_of_first(5..14), NODES_OF_FIRST[5..]);
}

#[test]
#[ignore = "the large positions of the first signature; the small ones are in the test above"]
fn the_first_version_searches_large_positions_as_it_did() {
    assert_eq!(nodes_of_first(0..5), NODES_OF_FIRST[..5]);
}

#[test]
fn the_sets_take_every_path_of_the_evaluation() {
    let [default, champion, two_phase] = &WEIGHT_SETS;
    assert_eq!(default.weights, Weights::source());
    assert!(!champion.weights.has_phases() && two_phase.weights.has_phases());
    for set in &WEIGHT_SETS {
        set.weights.validate().unwrap();
    }
    // Two versions that differ only after a proven result differ here.
    let mut decided = 0;
    for (position, depth) in &POSITIONS[POSITIONS_OF_FIRST..] {
        let found = run(champion, position, *depth);
        decided += u32::from(is_proven(found.value, found.depths) && found.depths < *depth);
        let first = run_as(EngineVersion::First, champion, position, *depth);
        assert_eq!(first.value, found.value, "{position}");
        assert_eq!(first.depths, *depth, "{position}");
        assert_ne!(first.nodes, found.nodes, "{position}");
    }
    assert_eq!(decided, 4);
}

#[test]
fn a_position_gives_the_same_on_every_thread() {
    let (position, depth) = POSITIONS[12];
    let alone = run(&WEIGHT_SETS[1], position, depth);
    let others: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| run(&WEIGHT_SETS[1], position, depth)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(others.iter().all(|line| *line == alone));
}

#[test]
fn the_command_prints_the_signature_and_the_speed_of_every_set() {
    let json = Place::new().json(&["bench", "--json"]);
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(
        json["nodes"], SIGNATURE,
        "the engine behaves differently: {positions:#?}"
    );
    assert_eq!(positions.len(), WEIGHT_SETS.len() * POSITIONS.len());
    let nodes = |row: &serde_json::Value| row["nodes"].as_u64().unwrap();
    assert_eq!(positions.iter().map(nodes).sum::<u64>(), SIGNATURE);
    for (row, (position, depth)) in positions.iter().zip(POSITIONS.iter().cycle()) {
        assert_eq!(row["position"], *position);
        assert_eq!(row["depth"], *depth);
        assert!(row["value"].is_i64() && row["best"].is_string() && row["passes"].is_u64());
    }
    let sets = json["sets"].as_array().unwrap();
    let signed = sets.iter().filter(|row| row["signed"] == true);
    assert_eq!(signed.map(nodes).sum::<u64>(), SIGNATURE);
    // The built-in weights are timed beside them.
    let last = sets.last().unwrap();
    assert_eq!(
        (&last["weights"], &last["signed"]),
        (&"default".into(), &false.into())
    );
    assert_eq!(sets.len(), WEIGHT_SETS.len() + 1);
    for (row, set) in sets.iter().zip(&WEIGHT_SETS) {
        assert_eq!(row["weights"], set.name);
        assert!(row["seconds"].as_f64().unwrap() > 0.0);
        assert!(row["nodes_per_second"].as_u64().unwrap() > 0);
    }
    assert!(json["seconds"].as_f64().unwrap() > 0.0);
    assert!(json["nodes_per_second"].as_u64().unwrap() > 0);
}

#[test]
fn the_command_prints_the_signature_of_the_selective_search() {
    let json = Place::new().json(&["bench", "--selective", "--json"]);
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(
        json["nodes"], SELECTIVE_SIGNATURE,
        "the selective search behaves differently: {positions:#?}"
    );
    assert_eq!(json["player"], "selective");
    for (row, (position, depth)) in positions.iter().zip(POSITIONS.iter().cycle()) {
        assert_eq!(row["position"], *position);
        assert_eq!(row["depth"], depth + SELECTIVE_PLIES);
    }
}

#[test]
fn the_command_prints_the_signature_of_the_tree_search() {
    let json = Place::new().json(&["bench", "--mcts", "--json"]);
    assert_eq!(json["nodes"], TREE_SIGNATURE);
    assert_eq!(json["player"], "mcts");
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(positions.len(), WEIGHT_SETS.len() * POSITIONS.len());
    let text = Place::new().good(&["bench", "--mcts"]);
    assert!(text.contains("\nsimulations            100\n"), "{text}");
    let last = format!("\nBench: {TREE_SIGNATURE}\n");
    assert!(text.ends_with(&last), "{text}");
    let refused = Place::new().refused(&["bench", "--mcts", "--selective"]);
    assert!(refused.contains("cannot be used with"), "{refused}");
}

#[test]
fn games_are_signed_by_the_searches_that_play_them() {
    use Algorithm::{Memory, Mtdf, Selective};
    assert_eq!(of_players([Mtdf, Memory]), SIGNATURE);
    assert_eq!(of_players([Selective, Selective]), SELECTIVE_SIGNATURE);
    assert_eq!(
        of_players([Mtdf, Selective]),
        SIGNATURE + SELECTIVE_SIGNATURE
    );
    let version = |player, signature| EngineVersion::from_signature(player, signature);
    assert_eq!(version(Mtdf, SIGNATURE), Some(EngineVersion::Second));
    assert_eq!(version(Mtdf, SELECTIVE_SIGNATURE), None);
    assert_eq!(version(Selective, SIGNATURE), None);
    let present = version(Selective, SELECTIVE_SIGNATURE);
    assert_eq!(present, Some(EngineVersion::PRESENT));
}

#[test]
fn the_players_are_compared_by_depth() {
    let json = Place::new().json(&["bench", "--players", "--depth", "3", "--json"]);
    let nodes = |player: &str, depth: u64| {
        let rows = json["players"].as_array().unwrap();
        let found = rows
            .iter()
            .find(|row| row["player"] == player && row["depth"] == depth);
        found.unwrap()["nodes"].as_u64().unwrap()
    };
    assert_eq!(nodes("minimax", 3), nodes("negamax", 3));
    assert!(nodes("alphabeta", 3) * 5 < nodes("negamax", 3));
    assert!(nodes("memory", 3) < nodes("alphabeta", 3));
    assert!(nodes("mtdf", 3) < nodes("alphabeta", 3));

    // Beyond the limit a player is left out.
    let args = ["bench", "--players", "--depth", "2", "--node-limit", "5000"];
    let text = Place::new().good(&args);
    let last = text.lines().last().unwrap();
    assert_eq!(last.split_whitespace().nth(1), Some("-"), "{text}");
}

#[test]
fn the_cost_of_a_ply_is_shown_for_each_player() {
    // Quiet, because a slow machine would show progress.
    let args = "bench --quiet --scaling --depth 2 --node-limit 10000 --json";
    let json = Place::new().json(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(json["weights"], "default");
    assert_eq!(json["positions"], 14);
    let rows = json["depths"].as_array().unwrap();
    let of = |player: &str| -> Vec<_> {
        let rows = rows.iter().filter(|row| row["player"] == player);
        rows.collect()
    };
    // 15,040 nodes at depth 2 are too many for those who look at everything.
    let depths = [
        ("minimax", 1),
        ("negamax", 1),
        ("alphabeta", 2),
        ("mtdf", 2),
    ];
    for (player, depths) in depths {
        assert_eq!(of(player).len(), depths, "{player}");
    }
    let nodes = |row: &serde_json::Value| row["nodes"].as_u64().unwrap() as f64;
    for row in rows {
        let is_first = row["depth"] == 1;
        assert_eq!(row["growth"].is_null(), is_first, "{row}");
        assert_eq!(row["time_growth"].is_null(), is_first, "{row}");
        assert!(row["seconds"].as_f64().unwrap() > 0.0 && row["nodes_per_second"].is_u64());
    }

    let players = json["players"].as_array().unwrap();
    let names: Vec<_> = players.iter().map(|row| &row["player"]).collect();
    assert_eq!(names, Algorithm::BY_DEPTH.map(Algorithm::name));
    assert_eq!(players[0]["left_out_from"], 2);
    assert!(players[0]["branching_factor"].is_null());
    for (n, player) in [(2, "alphabeta"), (4, "mtdf")] {
        // Over one ply the mean growth is the growth.
        let [first, second] = of(player)[..] else {
            panic!("two depths of {player}");
        };
        let growth = nodes(second) / nodes(first);
        for found in [&second["growth"], &players[n]["branching_factor"]] {
            let found = found.as_f64().unwrap();
            assert!((found - growth).abs() < 1e-9, "{player}: {found}");
        }
        assert!(players[n]["left_out_from"].is_null());
        assert!(players[n]["time_factor"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn the_cost_of_a_ply_is_shown_for_chosen_players_and_weights() {
    let args = "bench -q --scaling --depth 2 --player selective,mtdf --weights random:7";
    let text = Place::new().good(&args.split(' ').collect::<Vec<_>>());
    let first_words: Vec<_> = (text.lines())
        .map(|line| line.split_whitespace().next().unwrap_or(""))
        .collect();
    let expected = [
        "14",
        "player",
        "mtdf",
        "mtdf",
        "selective",
        "selective",
        "",
        "player",
        "mtdf",
        "selective",
    ];
    assert_eq!(first_words, expected, "{text}");
    assert!(
        text.starts_with("14 positions, random:7 weights\n"),
        "{text}"
    );

    // Where not even the first depth is finished there is no factor.
    let args = "bench -q --scaling --player minimax --node-limit 10";
    let text = Place::new().good(&args.split(' ').collect::<Vec<_>>());
    let last: Vec<_> = text.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last, ["minimax", "0", "-", "-"], "{text}");
}
