//! A worker process against the same number of threads inside `run`, in turns.

use super::broker::Broker;
use super::process::{Program, Seen};

const ROUNDS: usize = 3;

pub(crate) fn measure(games: u64) {
    println!("worker: {games} games of the default parameters, one thread, {ROUNDS} rounds");
    let mut ratios = Vec::new();
    for round in 0..ROUNDS {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        let games_text = games.to_string();
        let common = [
            "-q",
            "run",
            "--no-http",
            "--budget",
            &games_text,
            "--certificate-games",
            "2",
            "--hall-games",
            "2",
        ];
        let mut alone = common.to_vec();
        alone.extend(["--population", "alone", "--threads", "1"]);
        let alone = Program::start(place, &alone).watch();

        let broker = Broker::start(place);
        let url = broker.url();
        let worker = Program::start(
            place,
            &["worker", "--fleet", &url, "--threads", "1", "--nice", "0"],
        );
        let mut args = common.to_vec();
        args.extend(["--population", "far", "--fleet", &url, "--threads", "1"]);
        args.extend(["--fleet-check", "0", "--fleet-probation", "0"]);
        let before = broker.traffic();
        let coordinator = Program::start(place, &args).watch();
        let after = broker.traffic();
        let mut played = Seen::default();
        played.update(worker.0.id());
        let champion = |name: &str| {
            let file = place.join("populations").join(name).join("champion.toml");
            std::fs::read_to_string(file)
                .unwrap()
                .replace("far", "alone")
        };
        assert_eq!(champion("far"), champion("alone"));
        let by_clock = alone.clock / coordinator.clock;
        let by_processor = alone.seconds() / played.seconds();
        println!(
            "  round {round}: inside run {:.1} games/s, {:.2} ms of processor a game; worker {:.1} \
             games/s, {:.2} ms: {:.1} % by the clock, {:.1} % by the processor's time",
            games as f64 / alone.clock,
            1e3 * alone.seconds() / games as f64,
            games as f64 / coordinator.clock,
            1e3 * played.seconds() / games as f64,
            100.0 * by_clock,
            100.0 * by_processor
        );
        let each = |n: usize| (after[n] - before[n]) as f64 / games as f64;
        println!(
            "    a game: {:.2} messages to the broker, {:.2} from it; {:.0} bytes to it, {:.0} from it",
            each(0),
            each(1),
            each(2),
            each(3)
        );
        ratios.push(by_processor);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "  median: {:.1} % by the processor's time",
        100.0 * ratios[ROUNDS / 2]
    );
}
