//! The coordinator's connection to the broker, on a thread of its own: messages
//! in and out, streams and consumers made anew where the broker has lost them.
//! What the messages say is the dispatcher's matter.

use std::io;
use std::thread::JoinHandle;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::{self, context::ContextBuilder, stream};
use async_nats::{Client, Event, Subject};
use crossbeam_channel::{Receiver, Sender, unbounded};
use futures_util::StreamExt;
use tokio::sync::{mpsc, oneshot};

use crate::run::SourceFault;
use crate::serve::fleet::connection::{Broker, BrokerError, pause};
use crate::serve::fleet::subjects::{COORDINATOR, Subjects, WORKERS};
use crate::serve::fleet::wire::{self, Charter, MAX_BYTES, Notice, Order};

/// What came from the broker.
pub(super) enum NetEvent {
    Connected,
    Disconnected,
    /// A worker asks whether it may take part.
    Join {
        beat: Vec<u8>,
        reply: Subject,
    },
    Beat(Vec<u8>),
    Result {
        worker: String,
        answer: Vec<u8>,
    },
    /// The broker did not take an order.
    Unpublished(u64),
    /// The broker cannot be used, now or later.
    Fatal(SourceFault),
}

enum Outgoing {
    Order(u64, Vec<u8>),
    Notice(Vec<u8>),
    Reply(Subject, Vec<u8>),
}

/// The thread's other end.
pub(super) struct Network {
    pub(super) events: Receiver<NetEvent>,
    outgoing: mpsc::UnboundedSender<Outgoing>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The time for farewells.
const FAREWELL: Duration = Duration::from_millis(500);

/// The time for the broker to answer.
const ANSWER: Duration = Duration::from_secs(5);

impl Network {
    pub(super) fn start(broker: &Broker, charter: &Charter) -> io::Result<Network> {
        let (send, events) = unbounded();
        let (outgoing, incoming) = mpsc::unbounded_channel();
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (broker, charter) = (broker.clone(), charter.clone());
        let thread = std::thread::Builder::new()
            .name(String::from("fleet network"))
            .spawn(move || {
                runtime.block_on(talk(&broker, &charter, &send, incoming, stopped));
            })?;
        Ok(Network {
            events,
            outgoing,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Gives an order to the workers.
    pub(super) fn order(&self, order: &Order) {
        self.send(Outgoing::Order(order.number(), wire::to_bytes(order)));
    }

    /// Tells all workers.
    pub(super) fn notice(&self, notice: &Notice) {
        self.send(Outgoing::Notice(wire::to_json(notice)));
    }

    /// Answers a worker.
    pub(super) fn reply(&self, to: Subject, answer: Vec<u8>) {
        self.send(Outgoing::Reply(to, answer));
    }

    fn send(&self, message: Outgoing) {
        // Where the thread has ended, its last event says why.
        let _ = self.outgoing.send(message);
    }

    /// Says farewell to the workers and ends.
    pub(super) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
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

/// Everything that the thread does.
async fn talk(
    broker: &Broker,
    charter: &Charter,
    events: &Sender<NetEvent>,
    incoming: mpsc::UnboundedReceiver<Outgoing>,
    mut stopped: oneshot::Receiver<()>,
) {
    let client = tokio::select! {
        _ = &mut stopped => return,
        found = connect(broker, events) => match found {
            Ok(client) => client,
            Err(error) => {
                let _ = events.send(NetEvent::Fatal(error.into()));
                return;
            }
        },
    };
    let subjects = &broker.subjects;
    tokio::select! {
        _ = &mut stopped => {}
        ended = serve(&client, broker, charter, events, incoming) => {
            if let Err(error) = ended {
                let _ = events.send(NetEvent::Fatal(error.into()));
            }
            return;
        }
    }
    let farewell = async {
        let over = wire::to_json(&Notice::Over).into();
        let _ = client.publish(subjects.notice(), over).await;
        // Nobody waits for what is left there.
        let _ = jetstream(&client)
            .delete_stream(subjects.work_stream())
            .await;
        let _ = client.flush().await;
    };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}

/// Connects, however long it takes, unless the broker will never let us in.
async fn connect(broker: &Broker, events: &Sender<NetEvent>) -> Result<Client, BrokerError> {
    let mut attempts = 0;
    loop {
        let told = events.clone();
        let hear = move |event: &Event| match event {
            Event::Connected => drop(told.send(NetEvent::Connected)),
            Event::Disconnected => drop(told.send(NetEvent::Disconnected)),
            other => log::debug!("broker: {other}"),
        };
        match broker.connect("loatune coordinator", hear).await {
            Err(BrokerError::Unreachable(error)) => {
                let pause = pause(attempts);
                log::warn!("{error}; trying again in {:.1} s", pause.as_secs_f64());
                tokio::time::sleep(pause).await;
                attempts += 1;
            }
            found => return found,
        }
    }
}

fn jetstream(client: &Client) -> jetstream::Context {
    ContextBuilder::new()
        .timeout(ANSWER)
        .ack_timeout(ANSWER)
        .build(client.clone())
}

/// Carries messages, until the connection is closed for good.
async fn serve(
    client: &Client,
    broker: &Broker,
    charter: &Charter,
    events: &Sender<NetEvent>,
    mut incoming: mpsc::UnboundedReceiver<Outgoing>,
) -> Result<(), String> {
    let subjects = &broker.subjects;
    refuse_second_coordinator(client, broker).await?;
    let failed = |error: async_nats::SubscribeError| error.to_string();
    let mut charters = client.subscribe(subjects.charter()).await.map_err(failed)?;
    let mut joins = client.subscribe(subjects.join()).await.map_err(failed)?;
    let mut beats = client.subscribe(subjects.beat()).await.map_err(failed)?;
    let js = jetstream(client);
    // What an earlier coordinator asked for may be done already; what is still
    // wanted is published anew. Results that wait are kept.
    let _ = js.delete_stream(subjects.work_stream()).await;
    let results = take_results(
        js.clone(),
        subjects.clone(),
        charter.timeout_seconds,
        events.clone(),
    );
    tokio::spawn(results);
    let charter = wire::to_json(charter);
    loop {
        tokio::select! {
            message = incoming.recv() => match message {
                None => return Ok(()),
                Some(message) => send(client, &js, subjects, events, message).await,
            },
            Some(asked) = charters.next() => {
                if let Some(reply) = asked.reply {
                    let _ = client.publish(reply, charter.clone().into()).await;
                }
            }
            Some(asked) = joins.next() => {
                if let Some(reply) = asked.reply {
                    let beat = asked.payload.to_vec();
                    let _ = events.send(NetEvent::Join { beat, reply });
                }
            }
            Some(beat) = beats.next() => {
                let _ = events.send(NetEvent::Beat(beat.payload.to_vec()));
            }
        }
    }
}

/// A fleet has one coordinator: two would take each other's results.
async fn refuse_second_coordinator(client: &Client, broker: &Broker) -> Result<(), String> {
    let asked = client.request(broker.subjects.charter(), "".into());
    let Ok(Ok(answer)) = tokio::time::timeout(Duration::from_secs(1), asked).await else {
        return Ok(());
    };
    let population = match wire::from_json::<Charter>(&answer.payload) {
        Ok(other) => other.population,
        Err(_) => String::from("another program"),
    };
    Err(format!(
        "the fleet {} on {} plays for the population {population} already; give this run's fleet \
         another name, with --fleet-name",
        broker.subjects.fleet(),
        broker.url(),
    ))
}

async fn send(
    client: &Client,
    js: &jetstream::Context,
    subjects: &Subjects,
    events: &Sender<NetEvent>,
    message: Outgoing,
) {
    match message {
        Outgoing::Notice(bytes) => {
            let _ = client.publish(subjects.notice(), bytes.into()).await;
        }
        Outgoing::Reply(to, bytes) => {
            let _ = client.publish(to, bytes.into()).await;
        }
        Outgoing::Order(number, bytes) => {
            let sent = js.publish(subjects.work(), bytes.into()).await;
            let events = events.clone();
            tokio::spawn(async move {
                let is_taken = match sent {
                    Ok(acknowledged) => acknowledged.await.is_ok(),
                    Err(_) => false,
                };
                if !is_taken {
                    // The stream is made anew meanwhile.
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    let _ = events.send(NetEvent::Unpublished(number));
                }
            });
        }
    }
}

/// Takes results for ever. Whatever fails, streams and consumers are looked for
/// and made again after a pause.
async fn take_results(
    js: jetstream::Context,
    subjects: Subjects,
    timeout_seconds: u32,
    events: Sender<NetEvent>,
) {
    let mut failures = 0;
    loop {
        let found = take_some_results(&js, &subjects, timeout_seconds, &events, &mut failures);
        if let Err(error) = found.await {
            log::debug!("results: {error}");
        }
        tokio::time::sleep(pause(failures).min(Duration::from_secs(2))).await;
        failures += 1;
    }
}

async fn take_some_results(
    js: &jetstream::Context,
    subjects: &Subjects,
    timeout_seconds: u32,
    events: &Sender<NetEvent>,
    failures: &mut usize,
) -> Result<(), async_nats::Error> {
    let consumer = make_streams(js, subjects, timeout_seconds).await?;
    let mut messages = consumer
        .stream()
        .max_messages_per_batch(512)
        .expires(Duration::from_secs(4))
        .heartbeat(Duration::from_secs(1))
        .messages()
        .await?;
    while let Some(message) = messages.next().await {
        let message = message?;
        *failures = 0;
        let worker = message.subject.rsplit('.').next().unwrap_or_default();
        let _ = events.send(NetEvent::Result {
            worker: worker.to_owned(),
            answer: message.payload.to_vec(),
        });
        message.ack().await?;
    }
    Ok(())
}

/// Makes both streams with their consumers, as far as they are not there. The
/// consumer of results is what comes back.
async fn make_streams(
    js: &jetstream::Context,
    subjects: &Subjects,
    timeout_seconds: u32,
) -> Result<jetstream::consumer::Consumer<pull::Config>, async_nats::Error> {
    let stream = |name: String, subject: String| stream::Config {
        name,
        subjects: vec![subject],
        retention: stream::RetentionPolicy::WorkQueue,
        storage: stream::StorageType::File,
        max_message_size: MAX_BYTES as i32,
        ..stream::Config::default()
    };
    let consumer = |name: &str, ack_wait: Duration| pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_ack_pending: -1,
        max_waiting: 100_000,
        ..pull::Config::default()
    };
    let work = js
        .get_or_create_stream(stream(subjects.work_stream(), subjects.work()))
        .await?;
    // The coordinator's own patience is the second net.
    let patience = Duration::from_millis(u64::from(timeout_seconds) * 500);
    work.get_or_create_consumer(WORKERS, consumer(WORKERS, patience))
        .await?;
    let results = js
        .get_or_create_stream(stream(subjects.result_stream(), subjects.results()))
        .await?;
    let found = results
        .get_or_create_consumer(COORDINATOR, consumer(COORDINATOR, Duration::from_secs(10)))
        .await?;
    Ok(found)
}
