//! A worker's connection to the broker, on a thread of its own: finds the run of
//! its fleet, asks to take part, and then carries orders and answers.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use async_nats::{Client, Event, RequestErrorKind};
use crossbeam_channel::{Receiver, Sender, unbounded};
use tokio::sync::{mpsc, watch};

use super::WorkerStatus;
use super::session::{SessionEnd, play};
use crate::params::Params;
use crate::search::EngineVersion;
use crate::serve::fleet::connection::{Broker, BrokerError, pause};
use crate::serve::fleet::pair_player::PairJob;
use crate::serve::fleet::wire::{self, Answer, Beat, Charter, PROTOCOL, Verdict};

/// What the network's thread says.
pub(super) enum NetEvent {
    /// The worker takes part in a run.
    Session(Box<Charter>, Box<Params>),
    /// A match to play.
    Order(PairJob),
    /// The run is over, or another one has taken its place.
    SessionOver,
    /// The worker gave a false result.
    Barred(String),
    /// The broker does not let it in.
    Fatal(String),
    /// What it does now.
    Doing(String),
    /// The broker is lost, or back.
    Connected(bool),
}

/// How far the worker has been asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Not at all.
    No,
    /// No more orders are taken.
    Drain,
    /// What is not answered is given back, and that is all.
    Now,
}

/// What the thread that talks and the thread that plays share.
pub(super) struct Shared {
    pub(super) events: Sender<NetEvent>,
    pub(super) name: String,
    pub(super) threads: usize,
    pub(super) status: Arc<Mutex<WorkerStatus>>,
    pub(super) ending: watch::Receiver<Ending>,
}

/// The thread's other end.
pub(super) struct Network {
    pub(super) events: Receiver<NetEvent>,
    answers: mpsc::UnboundedSender<Answer>,
    status: Arc<Mutex<WorkerStatus>>,
    ending: watch::Sender<Ending>,
    thread: Option<JoinHandle<()>>,
}

impl Network {
    pub(super) fn start(broker: &Broker, name: &str, threads: usize) -> io::Result<Network> {
        let (send, events) = unbounded();
        let (answers, answered) = mpsc::unbounded_channel();
        let (ending, ended) = watch::channel(Ending::No);
        let status = Arc::<Mutex<WorkerStatus>>::default();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let broker = broker.clone();
        let shared = Shared {
            events: send,
            name: name.to_owned(),
            threads,
            status: Arc::clone(&status),
            ending: ended,
        };
        let thread = std::thread::Builder::new()
            .name(String::from("fleet network"))
            .spawn(move || runtime.block_on(talk(&broker, &shared, answered)))?;
        Ok(Network {
            events,
            answers,
            status,
            ending,
            thread: Some(thread),
        })
    }

    /// Sends the games of an order.
    pub(super) fn answer(&self, answer: Answer) {
        // Where the thread has ended, its last event says why.
        let _ = self.answers.send(answer);
    }

    /// What the next sign of life says.
    pub(super) fn status(&self, status: &WorkerStatus) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = status.clone();
    }

    /// Takes no more orders.
    pub(super) fn drain(&self) {
        let _ = self.ending.send(Ending::Drain);
    }

    /// Gives back what is not answered, and ends.
    pub(super) fn stop(&mut self) {
        let _ = self.ending.send(Ending::Now);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    pub(super) fn tell(&self, event: NetEvent) {
        // The other end listens for as long as this thread lives.
        let _ = self.events.send(event);
    }

    fn doing(&self, text: String) {
        log::info!("{text}");
        self.tell(NetEvent::Doing(text));
    }

    /// Sleeps; whether the worker goes on after that.
    async fn sleep(&self, time: Duration) -> bool {
        let mut ending = self.ending.clone();
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            _ = ending.wait_for(|ending| *ending != Ending::No) => false,
        }
    }

    /// A sign of life of a worker that plays with an engine of this signature.
    pub(super) fn beat(&self, engine: u64, fingerprint: &str, holding: Vec<u64>) -> Beat {
        let status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        Beat {
            protocol: PROTOCOL,
            worker: self.name.clone(),
            program: String::from(env!("CARGO_PKG_VERSION")),
            engine,
            fingerprint: fingerprint.to_owned(),
            threads: self.threads as u32,
            games: status.games,
            games_per_second: status.games_per_second,
            load: status.load,
            holding,
            leaving: false,
        }
    }
}

/// Everything that the thread does.
async fn talk(broker: &Broker, shared: &Shared, mut answers: mpsc::UnboundedReceiver<Answer>) {
    let Some(client) = connect(broker, shared).await else {
        return;
    };
    let mut attempts = 0;
    while *shared.ending.borrow() == Ending::No {
        match join(&client, broker, shared).await {
            Joined::Yes(charter, params) => {
                attempts = 0;
                let fingerprint = params.fingerprint();
                shared.tell(NetEvent::Session(charter.clone(), params));
                let end = play(
                    &client,
                    broker,
                    shared,
                    &charter,
                    &fingerprint,
                    &mut answers,
                );
                match end.await {
                    SessionEnd::Barred(why) => return shared.tell(NetEvent::Barred(why)),
                    SessionEnd::Stopped => return,
                    SessionEnd::Over => shared.doing(String::from("the run has ended; waits")),
                    SessionEnd::Unwanted(why) => shared.doing(format!("is not wanted: {why}")),
                }
                shared.tell(NetEvent::SessionOver);
                // Answers of that session are of no use to another.
                while answers.try_recv().is_ok() {}
            }
            Joined::Barred(why) => return shared.tell(NetEvent::Barred(why)),
            Joined::No(why) => {
                if attempts == 0 || attempts % 20 == 0 {
                    shared.doing(why);
                }
                attempts += 1;
            }
        }
        if !shared.sleep(pause(attempts).min(MAX_WAIT)).await {
            return;
        }
    }
}

/// The longest pause between two looks for a run.
const MAX_WAIT: Duration = Duration::from_secs(5);

async fn connect(broker: &Broker, shared: &Shared) -> Option<Client> {
    let mut attempts = 0;
    loop {
        let (url, events) = (broker.url().to_owned(), shared.events.clone());
        let hear = move |event: &Event| match event {
            Event::Connected => {
                log::info!("connected to {url}");
                // The other end listens for as long as this thread lives.
                let _ = events.send(NetEvent::Connected(true));
            }
            Event::Disconnected => {
                log::warn!("the broker {url} is lost; trying again");
                let _ = events.send(NetEvent::Connected(false));
            }
            other => log::debug!("broker: {other}"),
        };
        let mut ending = shared.ending.clone();
        let found = tokio::select! {
            found = broker.connect(&shared.name, hear) => found,
            _ = ending.wait_for(|ending| *ending != Ending::No) => return None,
        };
        match found {
            Ok(client) => return Some(client),
            Err(BrokerError::Unreachable(error)) => {
                let pause = pause(attempts);
                log::warn!("{error}; trying again in {:.1} s", pause.as_secs_f64());
                shared.tell(NetEvent::Doing(format!("waits for {}", broker.url())));
                if !shared.sleep(pause).await {
                    return None;
                }
                attempts += 1;
            }
            Err(error) => {
                shared.tell(NetEvent::Fatal(error.to_string()));
                return None;
            }
        }
    }
}

/// What came of asking to take part.
enum Joined {
    Yes(Box<Charter>, Box<Params>),
    No(String),
    Barred(String),
}

/// The time for the coordinator to answer.
const ANSWER: Duration = Duration::from_secs(3);

/// Asks for the charter and whether the worker is wanted.
async fn join(client: &Client, broker: &Broker, shared: &Shared) -> Joined {
    let fleet = broker.subjects.fleet();
    let nobody = || Joined::No(format!("waits for a run of the fleet {fleet}"));
    let charter = match request(client, broker.subjects.charter(), Vec::new()).await {
        Ok(bytes) => wire::from_json::<Charter>(&bytes),
        Err(None) => return nobody(),
        Err(Some(why)) => return Joined::No(why),
    };
    let charter = match charter {
        Ok(charter) => charter,
        Err(error) => return Joined::No(format!("does not understand the run: {error}")),
    };
    // A file that this program cannot read has no fingerprint, and the
    // coordinator says that they differ.
    let read = Params::parse_recorded(&charter.params, "the run's parameters", &charter.genes);
    let (params, fingerprint, engine) = match read {
        Ok(params) => {
            let (fingerprint, player) = (params.fingerprint(), params.player.search.algorithm);
            let version = EngineVersion::from_signature(player, charter.engine);
            let engine = version.unwrap_or_default().signature_for(player);
            (Some(params), fingerprint, engine)
        }
        Err(error) => {
            let present = EngineVersion::PRESENT.signature();
            (None, format!("unreadable ({error})"), present)
        }
    };
    let beat = shared.beat(engine, &fingerprint, Vec::new());
    let verdict = match request(client, broker.subjects.join(), wire::to_json(&beat)).await {
        Ok(bytes) => wire::from_json::<Verdict>(&bytes),
        Err(None) => return nobody(),
        Err(Some(why)) => return Joined::No(why),
    };
    match (verdict, params) {
        (Ok(Verdict { unwanted: None, .. }), Some(params)) => {
            shared.doing(format!("plays for {}", charter.population));
            Joined::Yes(Box::new(charter), Box::new(params))
        }
        (
            Ok(Verdict {
                unwanted: Some(why),
                barred: true,
            }),
            _,
        ) => Joined::Barred(why),
        (Ok(Verdict { unwanted, .. }), _) => {
            let why = unwanted.unwrap_or_else(|| String::from("its parameters are not understood"));
            Joined::No(format!("is not wanted: {why}"))
        }
        (Err(error), _) => Joined::No(format!("does not understand the coordinator: {error}")),
    }
}

/// An answer; `Err(None)` where nobody is there to give it.
async fn request(
    client: &Client,
    subject: String,
    payload: Vec<u8>,
) -> Result<Vec<u8>, Option<String>> {
    let asked = client.request(subject, payload.into());
    match tokio::time::timeout(ANSWER, asked).await {
        Ok(Ok(answer)) => Ok(answer.payload.to_vec()),
        Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders => Err(None),
        Ok(Err(error)) => Err(Some(format!("waits for the coordinator: {error}"))),
        Err(_) => Err(Some(String::from("waits for the coordinator"))),
    }
}
