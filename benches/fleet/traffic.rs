//! Messages and bytes a game, and that the champion is the one of a run without a
//! fleet.

use super::broker::Broker;
use super::process::Program;

pub(crate) fn measure(games: u64) {
    println!("traffic: {games} games at depth 3, one worker with one thread");
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let budget = games.to_string();
    let common = [
        "-q",
        "run",
        "--no-http",
        "--threads",
        "1",
        "--budget",
        &budget,
    ];
    let proof = ["--certificate-games", "2", "--hall-games", "2"];
    let run = |name: &str, more: &[&str]| {
        let args = [&common[..], &proof, &["--population", name], more].concat();
        Program::start(place, &args).watch();
        let file = place.join("populations").join(name).join("champion.toml");
        std::fs::read_to_string(file).unwrap().replace(name, "NAME")
    };
    let alone = run("alone", &[]);
    let broker = Broker::start(place);
    let url = broker.url();
    let worker = [
        "-q",
        "worker",
        "--fleet",
        &url,
        "--threads",
        "1",
        "--nice",
        "0",
    ];
    let _worker = Program::start(place, &worker);
    let before = broker.traffic();
    let far = run(
        "far",
        &[
            "--fleet",
            &url,
            "--fleet-check",
            "0",
            "--fleet-probation",
            "0",
        ],
    );
    let after = broker.traffic();
    assert_eq!(far, alone, "the champion must be the same");
    let each = |n: usize| (after[n] - before[n]) as f64 / games as f64;
    println!(
        "  a game: {:.2} messages and {:.0} bytes to the broker, {:.2} messages and {:.0} bytes \
         from it; the same champion",
        each(0),
        each(2),
        each(1),
        each(3)
    );
}
