//! A fleet of workers that make their results up: legal games of random moves
//! with the right opening, so that broker and coordinator have all of their work
//! and only the players have none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::{self, Message, consumer::PullConsumer};
use futures_util::StreamExt;
use loatune::arena::openings::Start;
use loatune::game::{Game, Rules, Winner};
use loatune::params::Params;
use loatune::run::{GameSettings, RunWorker};
use loatune::search::EngineVersion;
use loatune::serve::fleet::wire::{
    self, Answer, Beat, Charter, Notice, Order, PROTOCOL, PlayedPair,
};
use loatune::store::{StoredGame, StoredReason, StoredWinner};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tokio::sync::mpsc;

use super::broker::Broker;
use super::process::{Program, Seen};

/// Workers that share a connection.
const PER_CONNECTION: u64 = 20;

/// Orders that a worker with one thread has in hand at most, and how many may be left
/// when it asks for more, where the window is wide.
const IN_HAND: [u64; 2] = [4, 2];

/// A simulated fleet.
struct Fleet {
    workers: u64,
    window: u64,
    matches: u64,
    /// The time that a worker takes for a match.
    match_time: Duration,
    /// Whether lessons are given, for which matches wait. They cost a coordinator what
    /// they cost a run on one machine.
    school: bool,
}

/// How fast broker and coordinator are with workers that need no time, for windows
/// of different widths.
pub(crate) fn measure(workers: u64) {
    println!("simulate: {workers} workers that need no time, 20,000 matches");
    let cases = [
        (workers / 4, false),
        (workers, false),
        (4 * workers, false),
        (4 * workers, true),
    ];
    for (window, school) in cases {
        let window = window.clamp(8, 4000);
        let fleet = Fleet {
            workers,
            window,
            matches: 20_000,
            match_time: Duration::ZERO,
            school,
        };
        let lessons = if school { "with" } else { "without" };
        println!("  {lessons} a school:");
        fleet.run().print(window);
    }
}

/// How wide the window must be to keep workers busy that need some time.
pub(crate) fn measure_width(workers: u64) {
    let match_time = Duration::from_secs(5);
    let busy = workers as f64 / match_time.as_secs_f64();
    println!(
        "width: {workers} workers with one thread and matches of {match_time:?}: {busy:.0} \
         matches/s if all are always busy"
    );
    for halves in [1, 2, 3, 4, 6, 8] {
        let window = (workers * halves / 2).min(4000);
        let fleet = Fleet {
            workers,
            window,
            matches: (busy * 40.0) as u64,
            match_time,
            school: false,
        };
        let found = fleet.run();
        println!(
            "  window {window:>4}, {:.1} a thread: {:.0} matches/s, {:.0} % of the workers' time",
            window as f64 / workers as f64,
            found.rate,
            100.0 * found.rate / busy
        );
    }
}

/// What was found.
struct Found {
    /// Matches a second, once all workers are there.
    rate: f64,
    matches: f64,
    coordinator: Seen,
    broker: Seen,
    messages: f64,
    bytes: f64,
}

impl Found {
    fn print(&self, window: u64) {
        println!(
            "  window {window}, {} files: {:.0} matches/s by the clock, coordinator, broker and \
             all workers on this machine",
            files(window),
            self.rate
        );
        println!(
            "    memory at most: coordinator {:.0} MiB, broker {:.0} MiB",
            self.coordinator.memory, self.broker.memory
        );
        let mut threads: Vec<(&String, &f64)> = self.coordinator.threads.iter().collect();
        threads.sort_by(|a, b| b.1.total_cmp(a.1));
        for (name, seconds) in threads.into_iter().take(4) {
            println!(
                "    coordinator's thread {name:<14} {:>6.1} us a match: at most {:.0} matches/s",
                1e6 * seconds / self.matches,
                self.matches / seconds
            );
        }
        println!(
            "    broker {:.1} us of processor a match; {:.1} messages and {:.0} bytes a match to it",
            1e6 * self.broker.seconds() / self.matches,
            self.messages / self.matches,
            self.bytes / self.matches
        );
    }
}

/// The files that a window needs, and some more.
fn files(window: u64) -> u64 {
    (window * 5 / 2).max(32)
}

impl Fleet {
    fn run(&self) -> Found {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        let broker = Broker::start(place);
        let url = broker.url();
        let settings = [
            ("--budget", 2 * self.matches),
            ("--window", self.window),
            ("--files", files(self.window)),
            ("--threads", 1),
            ("--certificate-games", 2),
            ("--hall-games", 2),
            ("--fleet-check", 0),
            ("--fleet-probation", 0),
            ("--final-share", 0),
        ];
        let settings = settings.map(|(flag, value)| (flag, value.to_string()));
        let mut args = vec![
            "-q",
            "run",
            "--no-http",
            "--population",
            "far",
            "--fleet",
            &url,
        ];
        for (flag, value) in &settings {
            args.extend([flag, &**value]);
        }
        args.extend(["--school", if self.school { "true" } else { "false" }]);
        let stop = Arc::<AtomicBool>::default();
        let answered = Arc::<AtomicU64>::default();
        let before = broker.traffic();
        let mut coordinator = Program::start(place, &args);
        let fleet = {
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            let (workers, match_time) = (self.workers, self.match_time);
            std::thread::spawn(move || simulate(&url, workers, match_time, &stop, &answered))
        };
        // From a third of the matches to nearly all.
        let times = {
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            let marks = [self.matches / 3, self.matches * 9 / 10];
            std::thread::spawn(move || {
                marks.map(|mark| {
                    while answered.load(Ordering::Relaxed) < mark && !stop.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    (Instant::now(), answered.load(Ordering::Relaxed))
                })
            })
        };
        let seen = coordinator.watch();
        let after = broker.traffic();
        stop.store(true, Ordering::Relaxed);
        let [begin, end] = times.join().unwrap();
        let mut of_broker = Seen::default();
        of_broker.update(broker.id());
        let _ = fleet.join();
        Found {
            rate: (end.1 - begin.1) as f64 / end.0.duration_since(begin.0).as_secs_f64(),
            matches: answered.load(Ordering::Relaxed) as f64,
            coordinator: seen,
            broker: of_broker,
            messages: (after[0] - before[0]) as f64,
            bytes: (after[2] - before[2]) as f64,
        }
    }
}

fn simulate(
    url: &str,
    workers: u64,
    match_time: Duration,
    stop: &Arc<AtomicBool>,
    answered: &Arc<AtomicU64>,
) {
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
        let share = Arc::new(AtomicU64::new(1));
        {
            // All workers hear the same notices, so one subscription serves them.
            let mut notices = client.subscribe("loatune.loatune.notice").await.unwrap();
            let share = Arc::clone(&share);
            tokio::spawn(async move {
                while let Some(notice) = notices.next().await {
                    let notice = wire::from_json(&notice.payload);
                    if let Ok(Notice::Here {
                        orders_per_thread: Some(orders),
                        ..
                    }) = notice
                    {
                        share.store(orders as u64, Ordering::Relaxed);
                    }
                }
            });
        }
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
            let worker = SimulatedWorker {
                client: shared.clone(),
                js: jetstream::new(shared.clone()),
                charter: Arc::clone(&charter),
                name: format!("sim-{number}"),
                orders: orders.clone(),
                match_time,
                stop: Arc::clone(stop),
                answered: Arc::clone(answered),
                share: Arc::clone(&share),
                in_hand: AtomicU64::new(0),
            };
            tasks.push(tokio::spawn(worker.work()));
        }
        for task in tasks {
            let _ = task.await;
        }
    });
}

type Orders = crossbeam_channel::Sender<(Order, tokio::sync::oneshot::Sender<Vec<u8>>)>;

struct SimulatedWorker {
    client: Client,
    js: jetstream::Context,
    charter: Arc<Charter>,
    name: String,
    orders: Orders,
    match_time: Duration,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    /// Orders that the run has for each thread, rounded down.
    share: Arc<AtomicU64>,
    in_hand: AtomicU64,
}

impl SimulatedWorker {
    async fn work(self) {
        let (taken, mut waiting) = mpsc::unbounded_channel();
        tokio::join!(self.take_orders(taken), async {
            while let Some(message) = waiting.recv().await {
                self.play(&message).await;
                self.in_hand.fetch_sub(1, Ordering::Relaxed);
            }
        });
    }

    /// Takes orders as a worker with one thread does, and shows signs of life.
    async fn take_orders(&self, taken: mpsc::UnboundedSender<Message>) {
        let mut told = tokio::time::Instant::now() - Duration::from_secs(60);
        let mut consumer: Option<PullConsumer> = None;
        while !self.stop.load(Ordering::Relaxed) {
            if told.elapsed() > Duration::from_secs(4) {
                told = tokio::time::Instant::now();
                let beat = wire::to_json(&beat(&self.name, &self.charter));
                let sent = self.client.publish("loatune.loatune.beat", beat.into());
                let _ = sent.await;
            }
            let most = self.share.load(Ordering::Relaxed).clamp(1, IN_HAND[0]);
            let least = IN_HAND[1].min(most - 1);
            let in_hand = self.in_hand.load(Ordering::Relaxed);
            if in_hand > least {
                tokio::time::sleep(Duration::from_millis(5)).await;
                continue;
            }
            let Some(found) = &consumer else {
                let stream = "loatune_loatune_work";
                consumer = self
                    .js
                    .get_consumer_from_stream("workers", stream)
                    .await
                    .ok();
                continue;
            };
            let batch = found.batch().max_messages((most - in_hand) as usize);
            let batch = batch.expires(Duration::from_millis(700)).messages();
            let Ok(mut batch) = batch.await else {
                consumer = None;
                continue;
            };
            while let Some(Ok(message)) = batch.next().await {
                self.in_hand.fetch_add(1, Ordering::Relaxed);
                let _ = taken.send(message);
            }
        }
    }

    async fn play(&self, message: &Message) {
        tokio::time::sleep(self.match_time).await;
        let order: Order = wire::from_bytes(&message.payload).unwrap();
        let (send, made) = tokio::sync::oneshot::channel();
        let _ = self.orders.send((order, send));
        let Ok(bytes) = made.await else {
            return;
        };
        let subject = format!("loatune.loatune.result.{}", self.name);
        if let Ok(sent) = self.js.publish(subject, bytes.into()).await
            && sent.await.is_ok()
        {
            self.answered.fetch_add(1, Ordering::Relaxed);
            let _ = message.ack().await;
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
    let version =
        EngineVersion::from_signature(params.player.search.algorithm, charter.engine).unwrap();
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
