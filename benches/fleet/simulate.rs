//! A fleet of workers that make their results up: legal games of random moves
//! with the right opening, so that broker and coordinator have all of their work
//! and only the players have none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::{self, consumer::PullConsumer};
use futures_util::StreamExt;
use loatune::arena::openings::Start;
use loatune::game::{Game, Rules, Winner};
use loatune::params::Params;
use loatune::run::{GameSettings, RunWorker};
use loatune::search::EngineVersion;
use loatune::serve::fleet::wire::{self, Answer, Beat, Charter, Order, PROTOCOL, PlayedPair};
use loatune::store::{StoredGame, StoredReason, StoredWinner};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::broker::Broker;
use super::process::{Program, Seen};

/// Workers that share a connection.
const PER_CONNECTION: u64 = 20;

/// Matches that are folded.
const MATCHES: u64 = 20_000;

pub(crate) fn measure(workers: u64) {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let broker = Broker::start(place);
    let url = broker.url();
    // Each simulated worker has two threads' worth of orders in hand.
    let window = (4 * workers).min(65_536);
    let budget = 2 * (MATCHES + 2 * window);
    let settings = [
        ("--budget", budget.to_string()),
        ("--window", window.to_string()),
        ("--files", (2 * window + window / 2).to_string()),
    ];
    let mut args = vec![
        "-q",
        "run",
        "--no-http",
        "--population",
        "far",
        "--fleet",
        &url,
    ];
    args.extend([
        "--fleet-check",
        "0",
        "--fleet-probation",
        "0",
        "--threads",
        "1",
    ]);
    args.extend([
        "--certificate-games",
        "2",
        "--hall-games",
        "2",
        "--final-share",
        "0",
    ]);
    for (flag, value) in &settings {
        args.extend([flag, &**value]);
    }
    println!(
        "simulate: {workers} workers, window {window}, {} matches",
        budget / 2
    );
    let stop = Arc::<AtomicBool>::default();
    let answered = Arc::<AtomicU64>::default();
    let mut coordinator = Program::start(place, &args);
    let fleet = {
        let (url, stop, answered) = (url.clone(), Arc::clone(&stop), Arc::clone(&answered));
        std::thread::spawn(move || simulate(&url, workers, &stop, &answered))
    };
    let before = broker.traffic();
    let seen = coordinator.watch();
    let after = broker.traffic();
    stop.store(true, Ordering::Relaxed);
    let mut of_broker = Seen::default();
    of_broker.update(broker.id());
    let matches = answered.load(Ordering::Relaxed) as f64;
    println!(
        "  {:.0} matches/s by the clock, coordinator, broker and all workers on one machine; \
         coordinator {:.0} MiB at most, broker {:.0} MiB",
        matches / seen.clock,
        seen.memory,
        of_broker.memory
    );
    let mut threads: Vec<(&String, &f64)> = seen.threads.iter().collect();
    threads.sort_by(|a, b| b.1.total_cmp(a.1));
    for (name, seconds) in threads {
        println!(
            "  coordinator's thread {name:<16} {:>8.1} us a match: at most {:.0} matches/s",
            1e6 * seconds / matches,
            matches / seconds
        );
    }
    println!(
        "  broker {:.1} us of processor a match; {:.1} messages and {:.0} bytes a match to it",
        1e6 * of_broker.seconds() / matches,
        (after[0] - before[0]) as f64 / matches,
        (after[2] - before[2]) as f64 / matches
    );
    let _ = fleet.join();
}

fn simulate(url: &str, workers: u64, stop: &Arc<AtomicBool>, answered: &Arc<AtomicU64>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(url).await.unwrap();
        let charter: Charter = loop {
            let asked = client.request("loatune.loatune.charter", "".into());
            if let Ok(answer) = asked.await {
                break wire::from_json(&answer.payload).unwrap();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let charter = Arc::new(charter);
        let (orders, waiting) =
            crossbeam_channel::unbounded::<(Order, tokio::sync::oneshot::Sender<Vec<u8>>)>();
        // The games are made up on a thread of its own.
        {
            let charter = Arc::clone(&charter);
            std::thread::spawn(move || make_up(&charter, &waiting));
        }
        let mut tasks = Vec::new();
        let mut shared = client;
        for number in 0..workers {
            if number % PER_CONNECTION == 0 {
                shared = async_nats::connect(url).await.unwrap();
            }
            let (client, charter, orders) = (shared.clone(), Arc::clone(&charter), orders.clone());
            let (stop, answered) = (Arc::clone(stop), Arc::clone(answered));
            tasks.push(tokio::spawn(async move {
                let worker = format!("sim-{number}");
                worker_loop(&client, &charter, &worker, &orders, &stop, &answered).await;
            }));
        }
        for task in tasks {
            let _ = task.await;
        }
    });
}

type Orders = crossbeam_channel::Sender<(Order, tokio::sync::oneshot::Sender<Vec<u8>>)>;

async fn worker_loop(
    client: &Client,
    charter: &Charter,
    worker: &str,
    orders: &Orders,
    stop: &AtomicBool,
    answered: &AtomicU64,
) {
    let js = jetstream::new(client.clone());
    let mut told = tokio::time::Instant::now() - Duration::from_secs(60);
    let mut consumer: Option<PullConsumer> = None;
    while !stop.load(Ordering::Relaxed) {
        if told.elapsed() > Duration::from_secs(4) {
            told = tokio::time::Instant::now();
            let beat = wire::to_json(&beat(worker, charter));
            let _ = client.publish("loatune.loatune.beat", beat.into()).await;
        }
        let Some(found) = &consumer else {
            let found = js
                .get_consumer_from_stream("workers", "loatune_loatune_work")
                .await;
            consumer = found.ok();
            continue;
        };
        let batch = found
            .batch()
            .max_messages(2)
            .expires(Duration::from_secs(1));
        let Ok(mut batch) = batch.messages().await else {
            consumer = None;
            continue;
        };
        while let Some(Ok(message)) = batch.next().await {
            let order: Order = wire::from_bytes(&message.payload).unwrap();
            let (send, made) = tokio::sync::oneshot::channel();
            let _ = orders.send((order, send));
            let Ok(bytes) = made.await else {
                return;
            };
            let subject = format!("loatune.loatune.result.{worker}");
            if let Ok(sent) = js.publish(subject, bytes.into()).await
                && sent.await.is_ok()
            {
                answered.fetch_add(1, Ordering::Relaxed);
                let _ = message.ack().await;
            }
        }
    }
}

fn beat(worker: &str, charter: &Charter) -> Beat {
    Beat {
        protocol: PROTOCOL,
        worker: worker.to_owned(),
        program: charter.program.clone(),
        engine: charter.engine,
        fingerprint: charter.fingerprint.clone(),
        threads: 1,
        games: 0,
        games_per_second: 1.0,
        load: None,
        holding: Vec::new(),
        leaving: false,
    }
}

/// Answers orders with games of random moves, which follow from the order.
fn make_up(
    charter: &Charter,
    orders: &crossbeam_channel::Receiver<(Order, tokio::sync::oneshot::Sender<Vec<u8>>)>,
) {
    let params = Params::parse_recorded(&charter.params, "charter", &charter.genes).unwrap();
    let version = EngineVersion::from_signature(params.player.search, charter.engine).unwrap();
    let settings = GameSettings::new(&params, &charter.genes, version).unwrap();
    let mut openings = RunWorker::new(&settings, &Arc::default()).unwrap();
    for (order, send) in orders {
        let start = openings.start(&order.task).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(order.number());
        let games = [0, 1].map(|_| random_game(&start, &params.rules, &mut rng));
        let answer = Answer {
            order: order.number(),
            micros: 1000,
            pair: PlayedPair::Games {
                seed: start.seed,
                games,
            },
        };
        let _ = send.send(wire::to_bytes(&answer));
    }
}

fn random_game(start: &Start, rules: &Rules, rng: &mut ChaCha8Rng) -> StoredGame {
    let mut game: Game = start.opening.game(rules).unwrap();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        let moves = game.board().moves();
        game.play(moves[rng.random_range(0..moves.len())]).unwrap();
    };
    let winner = match outcome.winner {
        Winner::Side(side) => Some(side),
        Winner::Draw => None,
    };
    let reason = loatune::arena::EndCause::Rules(outcome.reason);
    StoredGame {
        first: None,
        opening_plies: start.opening.moves.len() as u32,
        moves: game.played().iter().map(|mv| mv.to_bits()).collect(),
        winner: StoredWinner::from(outcome.winner),
        reason: StoredReason::from(&reason),
        final_value: winner.map(|_| 20_000 + rng.random_range(0..100)),
        loser_groups: winner.map(|side| game.board().pieces(!side).groups()),
        nodes: [1000, 1000],
    }
}
