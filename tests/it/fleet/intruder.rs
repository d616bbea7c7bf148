//! A client of the broker that is no worker of ours: it copies messages, makes
//! up others, and plays as a worker that cheats.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use async_nats::jetstream;
use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt;
use loatune::arena::PairHalf;
use loatune::params::Params;
use loatune::run::{GameSettings, RunWorker};
use loatune::search::EngineVersion;
use loatune::serve::fleet::wire::{
    self, Answer, Beat, Charter, Notice, Order, PROTOCOL, PlayedPair, Verdict,
};
use loatune::store::StoredGame;

use super::*;

/// A connection, with a runtime of its own.
pub struct Intruder {
    runtime: tokio::runtime::Runtime,
    client: Client,
}

impl Intruder {
    pub fn new(broker: &Broker) -> Intruder {
        Intruder::with(broker, ConnectOptions::new())
    }

    /// A connection of somebody who signs in.
    pub fn with(broker: &Broker, options: ConnectOptions) -> Intruder {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let client = runtime.block_on(options.connect(broker.url())).unwrap();
        Intruder { runtime, client }
    }

    pub fn publish(&self, subject: &str, bytes: Vec<u8>) {
        self.runtime.block_on(async {
            let subject = subject.to_owned();
            self.client.publish(subject, bytes.into()).await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    /// Everything that is said under `subject` from `act` on, up to a message that
    /// is `last`.
    pub fn hear(&self, subject: &str, last: &[u8], act: impl FnOnce()) -> Vec<Vec<u8>> {
        let mut messages = self.runtime.block_on(async {
            let listening = self.client.subscribe(subject.to_owned()).await.unwrap();
            // An answer of the broker shows that it has read what came before.
            let asked = self.client.request("$JS.API.INFO", Vec::new().into());
            asked.await.unwrap();
            listening
        });
        act();
        let mut heard: Vec<Vec<u8>> = Vec::new();
        self.runtime.block_on(async {
            while let Some(message) = messages.next().await {
                heard.push(message.payload.to_vec());
                if message.payload == last {
                    break;
                }
            }
        });
        heard
    }

    /// Asks the coordinator, until it is there.
    fn request(&self, subject: &str, bytes: &[u8]) -> Vec<u8> {
        let begin = Instant::now();
        loop {
            let asked = self
                .client
                .request(subject.to_owned(), bytes.to_vec().into());
            if let Ok(answer) = self.runtime.block_on(asked) {
                return answer.payload.to_vec();
            }
            assert!(begin.elapsed() < PATIENCE, "nobody answers {subject}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    pub fn charter(&self) -> Charter {
        wire::from_json(&self.request("loatune.loatune.charter", b"")).unwrap()
    }

    pub fn join(&self, beat: &Beat) -> Verdict {
        let answer = self.request("loatune.loatune.join", &wire::to_json(beat));
        wire::from_json(&answer).unwrap()
    }

    /// Takes orders as a worker does, and answers them with what `forge` makes
    /// of the true games, until the coordinator bars it. Why it does comes back.
    pub fn cheat(&self, name: &str, forge: fn(&mut PlayedPair)) -> String {
        let charter = self.charter();
        let params = Params::parse_recorded(&charter.params, "charter", &charter.genes).unwrap();
        assert_eq!(self.join(&beat(name, &charter)).unwanted, None);
        let version =
            EngineVersion::from_signature(params.player.search.algorithm, charter.engine).unwrap();
        let settings = GameSettings::new(&params, &charter.genes, version).unwrap();
        let mut player = RunWorker::new(&settings, &Arc::default()).unwrap();
        let subject = format!("loatune.loatune.result.{name}");
        self.runtime.block_on(async {
            let js = jetstream::new(self.client.clone());
            let mut notices = self
                .client
                .subscribe("loatune.loatune.notice")
                .await
                .unwrap();
            let begin = Instant::now();
            loop {
                assert!(begin.elapsed() < PATIENCE, "the cheat is not found out");
                let stream = "loatune_loatune_work";
                let consumer = js.get_consumer_from_stream("workers", stream).await;
                let Ok(consumer) = consumer else {
                    continue;
                };
                let consumer: jetstream::consumer::PullConsumer = consumer;
                let batch = consumer.fetch().max_messages(4).messages().await;
                let Ok(mut batch) = batch else {
                    continue;
                };
                while let Some(Ok(message)) = batch.next().await {
                    let order: Order = wire::from_bytes(&message.payload).unwrap();
                    let mut answer = play(&mut player, &order);
                    forge(&mut answer.pair);
                    let bytes = wire::to_bytes(&answer);
                    js.publish(subject.clone(), bytes.into())
                        .await
                        .unwrap()
                        .await
                        .unwrap();
                    message.ack().await.unwrap();
                }
                let wait = Duration::from_millis(300);
                while let Ok(Some(notice)) = tokio::time::timeout(wait, notices.next()).await {
                    if let Ok(Notice::Unwanted { worker, verdict }) =
                        wire::from_json(&notice.payload)
                        && worker == name
                    {
                        assert!(verdict.barred);
                        return verdict.unwanted.unwrap();
                    }
                }
            }
        })
    }
}

pub fn beat(name: &str, charter: &Charter) -> Beat {
    Beat {
        protocol: PROTOCOL,
        worker: name.to_owned(),
        program: charter.program.clone(),
        engine: charter.engine,
        fingerprint: charter.fingerprint.clone(),
        threads: 1,
        games: 0,
        games_per_second: 0.0,
        load: None,
        holding: Vec::new(),
        leaving: false,
    }
}

fn play(player: &mut RunWorker<'_>, order: &Order) -> Answer {
    let records = PairHalf::BOTH.map(|half| player.play_task(&order.task, half).unwrap().unwrap());
    Answer {
        order: order.number(),
        micros: 1,
        pair: PlayedPair::Games {
            seed: records[0].seed,
            games: records.each_ref().map(StoredGame::from),
        },
    }
}

/// Sends every result twice more, the second time much later.
pub struct Copier {
    stop: Arc<AtomicBool>,
    copies: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Copier {
    pub fn start(broker: &Broker) -> Copier {
        let intruder = Intruder::new(broker);
        let stop = Arc::<AtomicBool>::default();
        let copies = Arc::<AtomicU64>::default();
        let (stopped, count) = (Arc::clone(&stop), Arc::clone(&copies));
        let Intruder { runtime, client } = intruder;
        let subject = "loatune.loatune.result.*";
        let mut results = runtime.block_on(client.subscribe(subject)).unwrap();
        runtime.block_on(client.flush()).unwrap();
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                let mut seen = HashSet::new();
                let mut late = Vec::new();
                while !stopped.load(Ordering::Relaxed) {
                    let wait = Duration::from_millis(50);
                    let Ok(Some(result)) = tokio::time::timeout(wait, results.next()).await else {
                        continue;
                    };
                    if !seen.insert(result.payload.to_vec()) {
                        continue;
                    }
                    let (subject, bytes) = (result.subject, result.payload);
                    client
                        .publish(subject.clone(), bytes.clone())
                        .await
                        .unwrap();
                    count.fetch_add(1, Ordering::Relaxed);
                    late.push((subject, bytes));
                    if late.len() > 20 {
                        let (subject, bytes) = late.remove(0);
                        client.publish(subject, bytes).await.unwrap();
                    }
                }
            });
        });
        Copier {
            stop,
            copies,
            thread: Some(thread),
        }
    }

    /// Ends it; how many results it copied.
    pub fn finish(mut self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        self.copies.load(Ordering::Relaxed)
    }
}
