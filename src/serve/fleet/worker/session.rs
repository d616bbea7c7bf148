//! A worker's part in one run: pulls orders as it has room for them, sends the
//! games, shows signs of life, and gives back what it cannot finish.
//!
//! An order is acknowledged once the broker has its answer. Until then the
//! worker says from time to time that it is still at it, so a long match is not
//! given to another; a worker that is killed says nothing, and its orders are
//! given out again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::{self, AckKind, Message};
use async_nats::{Client, connection::State};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout};

use super::network::{Ending, NetEvent, Shared};
use crate::genome::Genome;
use crate::serve::fleet::connection::{Broker, pause};
use crate::serve::fleet::pair_player::PairJob;
use crate::serve::fleet::subjects::WORKERS;
use crate::serve::fleet::wire::{self, Answer, Charter, Notice};

/// How a session ended.
pub(super) enum SessionEnd {
    /// The run has ended, or another one has taken its place.
    Over,
    /// The coordinator does not want this worker now.
    Unwanted(String),
    /// The worker gave a false result.
    Barred(String),
    /// The worker was asked to end.
    Stopped,
}

/// How long a request for orders waits at the broker. A worker that ends waits
/// for the rest of it, so that no order is sent to where nobody listens.
const PULL: Duration = Duration::from_millis(700);

/// How often an order is handed out that belongs to no run that is known.
const MAX_DELIVERED: i64 = 10;

/// The time for the last answers and orders to arrive.
const LAST_ANSWERS: Duration = Duration::from_millis(600);

/// The time for farewells.
const FAREWELL: Duration = Duration::from_millis(400);

/// Signs of life in the first seconds; the coordinator may ask for fewer.
const FIRST_BEAT_SECONDS: f64 = 2.0;

struct Session<'a> {
    shared: &'a Shared,
    client: &'a Client,
    js: jetstream::Context,
    broker: &'a Broker,
    charter: &'a Charter,
    charter_id: u64,
    fingerprint: &'a str,
    /// Orders that are not answered, by their numbers.
    held: HashMap<u64, Arc<Message>>,
    /// Told when the broker has an answer.
    sent: mpsc::UnboundedSender<u64>,
    /// Answers that are on their way.
    sending: usize,
    /// The orders for each thread that the run has.
    orders_per_thread: f64,
}

/// Takes part in a run until it ends.
pub(super) async fn play(
    client: &Client,
    broker: &Broker,
    shared: &Shared,
    charter: &Charter,
    fingerprint: &str,
    answers: &mut mpsc::UnboundedReceiver<Answer>,
) -> SessionEnd {
    let js = ContextBuilder::new()
        .timeout(Duration::from_secs(5))
        .ack_timeout(Duration::from_secs(3))
        .build(client.clone());
    let (sent, sending) = mpsc::unbounded_channel();
    let mut session = Session {
        shared,
        client,
        js,
        broker,
        charter,
        charter_id: charter.id(),
        fingerprint,
        held: HashMap::new(),
        sent,
        sending: 0,
        // Until the coordinator says how many there are, a worker is modest.
        orders_per_thread: 1.0,
    };
    let end = session.run(answers, sending).await;
    let farewell = session.say_farewell(matches!(end, SessionEnd::Stopped));
    let _ = timeout(FAREWELL, farewell).await;
    end
}

impl Session<'_> {
    async fn run(
        &mut self,
        answers: &mut mpsc::UnboundedReceiver<Answer>,
        mut sending: mpsc::UnboundedReceiver<u64>,
    ) -> SessionEnd {
        let mut notices = match self.client.subscribe(self.broker.subjects.notice()).await {
            Ok(notices) => notices,
            Err(error) => return SessionEnd::Unwanted(error.to_string()),
        };
        let mut ending = self.shared.ending.clone();
        let mut beats = interval(Duration::from_secs_f64(FIRST_BEAT_SECONDS));
        let mut beat_seconds = FIRST_BEAT_SECONDS;
        // Three times within the patience of the broker.
        let patience = Duration::from_secs(u64::from(self.charter.timeout_seconds));
        let mut progress = interval((patience / 6).max(Duration::from_millis(100)));
        for ticks in [&mut beats, &mut progress] {
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        }
        let mut consumer: Option<Consumer<pull::Config>> = None;
        let mut batch: Option<pull::Batch> = None;
        let mut pull_ends = Instant::now();
        let mut pull_after = Instant::now();
        let mut failures = 0;
        let mut last = None;
        loop {
            let state = *ending.borrow();
            if state == Ending::Now {
                let last = *last.get_or_insert_with(|| Instant::now() + LAST_ANSWERS);
                let is_done = batch.is_none() && answers.is_empty() && self.sending == 0;
                if is_done || Instant::now() >= last {
                    return SessionEnd::Stopped;
                }
            }
            let (most, least) = orders_in_hand(self.shared.threads, self.orders_per_thread);
            let may_pull = state == Ending::No
                && batch.is_none()
                && self.held.len() <= least
                && self.client.connection_state() == State::Connected;
            tokio::select! {
                () = sleep_until(pull_after), if may_pull => {
                    match self.pull(&mut consumer, most - self.held.len()).await {
                        Ok(new) => {
                            batch = Some(new);
                            pull_ends = Instant::now() + PULL + Duration::from_millis(300);
                        }
                        Err(error) => {
                            log::debug!("work: {error}");
                            consumer = None;
                            failures += 1;
                            let pause = pause(failures).min(Duration::from_secs(2));
                            pull_after = Instant::now() + pause;
                        }
                    }
                }
                found = next(&mut batch) => match found {
                    Some(Ok(message)) => {
                        failures = 0;
                        self.take(message, state).await;
                    }
                    Some(Err(error)) => {
                        log::debug!("work: {error}");
                        (batch, consumer) = (None, None);
                        failures += 1;
                        let pause = pause(failures).min(Duration::from_secs(2));
                        pull_after = Instant::now() + pause;
                    }
                    None => batch = None,
                },
                // A request is lost with its broker.
                () = sleep_until(pull_ends), if batch.is_some() => batch = None,
                Some(answer) = answers.recv() => self.send(answer),
                Some(order) = sending.recv() => {
                    self.sending -= 1;
                    self.held.remove(&order);
                }
                Some(notice) = notices.next() => {
                    if let Some(end) = self.hear(&notice.payload, &mut beat_seconds) {
                        return end;
                    }
                    let period = Duration::from_secs_f64(beat_seconds);
                    if beats.period() != period {
                        beats = interval(period);
                        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
                        beats.reset();
                    }
                }
                _ = beats.tick() => self.beat(false).await,
                _ = progress.tick() => self.report_progress().await,
                _ = ending.changed() => {}
                // While it waits for room or for the connection.
                () = sleep(Duration::from_millis(200)) => {}
            }
        }
    }

    async fn pull(
        &self,
        consumer: &mut Option<Consumer<pull::Config>>,
        count: usize,
    ) -> Result<pull::Batch, async_nats::Error> {
        if consumer.is_none() {
            let stream = self.broker.subjects.work_stream();
            *consumer = Some(self.js.get_consumer_from_stream(WORKERS, stream).await?);
        }
        let consumer = consumer.as_ref().expect("it was just found");
        let batch = consumer.batch().max_messages(count).expires(PULL);
        Ok(batch.messages().await?)
    }

    /// Takes an order.
    async fn take(&mut self, message: Message, state: Ending) {
        let Ok(order) = wire::from_bytes::<wire::Order>(&message.payload) else {
            // No worker will ever understand it.
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let genes = self.charter.genes.len();
        let fits = |genome: &Genome| genome.opening.len() == genes && genome.endgame.len() == genes;
        if !order.task.genomes().iter().all(fits) {
            let _ = message.ack_with(AckKind::Term).await;
            return;
        }
        if order.charter != self.charter_id {
            // Another run's: the coordinator tells if ours is over. What nobody
            // wants after some time is nobody's.
            let delivered = message.info().map_or(0, |info| info.delivered);
            let kind = if delivered < MAX_DELIVERED {
                AckKind::Nak(Some(Duration::from_secs(1)))
            } else {
                AckKind::Term
            };
            let _ = message.ack_with(kind).await;
            return;
        }
        let number = order.number();
        if state != Ending::No {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        } else if let Entry::Vacant(place) = self.held.entry(number) {
            place.insert(Arc::new(message));
            self.shared.tell(NetEvent::Order(PairJob {
                order: number,
                task: Box::new(order.task),
            }));
        } else {
            // The same order again, which is being played.
            let _ = message.ack().await;
        }
    }

    /// Sends an answer, again and again until the broker has it; then the order
    /// is acknowledged.
    fn send(&mut self, answer: Answer) {
        let Some(message) = self.held.get(&answer.order).map(Arc::clone) else {
            return;
        };
        let js = self.js.clone();
        let subject = self.broker.subjects.result(&self.shared.name);
        let sent = self.sent.clone();
        self.sending += 1;
        tokio::spawn(async move {
            let bytes = wire::to_bytes(&answer);
            let mut attempts = 0;
            // The session ends the waiting, by no longer listening.
            while !sent.is_closed() {
                let published = js.publish(subject.clone(), bytes.clone().into()).await;
                let is_there = match published {
                    Ok(acknowledged) => acknowledged.await.is_ok(),
                    Err(_) => false,
                };
                if is_there {
                    let _ = message.ack().await;
                    let _ = sent.send(answer.order);
                    return;
                }
                sleep(pause(attempts).min(Duration::from_secs(2))).await;
                attempts += 1;
            }
        });
    }

    fn hear(&mut self, notice: &[u8], beat_seconds: &mut f64) -> Option<SessionEnd> {
        match wire::from_json::<Notice>(notice) {
            Ok(Notice::Here {
                charter,
                beat_seconds: wanted,
                orders_per_thread,
            }) => {
                self.orders_per_thread = orders_per_thread.unwrap_or(f64::INFINITY);
                if wanted.is_finite() {
                    *beat_seconds = wanted.clamp(0.1, 600.0);
                }
                (charter != self.charter_id).then_some(SessionEnd::Over)
            }
            Ok(Notice::Over) => Some(SessionEnd::Over),
            Ok(Notice::Unwanted { worker, verdict }) if worker == self.shared.name => {
                let why = verdict.unwanted.unwrap_or_default();
                Some(if verdict.barred {
                    SessionEnd::Barred(why)
                } else {
                    SessionEnd::Unwanted(why)
                })
            }
            Ok(Notice::Unwanted { .. }) | Err(_) => None,
        }
    }

    async fn beat(&self, leaving: bool) {
        if self.client.connection_state() != State::Connected {
            return;
        }
        let holding = self.held.keys().copied().collect();
        let mut beat = self
            .shared
            .beat(self.charter.engine, self.fingerprint, holding);
        beat.leaving = leaving;
        let bytes = wire::to_json(&beat).into();
        let _ = self
            .client
            .publish(self.broker.subjects.beat(), bytes)
            .await;
    }

    /// Tells the broker that the orders in hand are still being played.
    async fn report_progress(&self) {
        if self.client.connection_state() != State::Connected {
            return;
        }
        for message in self.held.values() {
            let _ = message.ack_with(AckKind::Progress).await;
        }
    }

    /// Gives back what was not answered.
    async fn say_farewell(&self, is_leaving: bool) {
        for message in self.held.values() {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
        if is_leaving {
            self.beat(true).await;
        }
        let _ = self.client.flush().await;
    }
}

/// The most orders that a worker has in hand, and how many may be left when it asks
/// for more: one that is played and one that waits on each thread, or more where
/// matches are so short that asking takes as long. Where the run's window has fewer
/// for each thread of the fleet, they are divided: what waits here is missing elsewhere.
fn orders_in_hand(threads: usize, orders_per_thread: f64) -> (usize, usize) {
    let threads = threads.max(1);
    let share = (threads as f64 * orders_per_thread) as usize;
    let most = share.clamp(threads, 2 * threads + 2);
    (most, (threads + 1).min(most - 1))
}

/// The next order of a request; waits for ever where there is none.
async fn next(batch: &mut Option<pull::Batch>) -> Option<Result<Message, async_nats::Error>> {
    match batch {
        Some(batch) => batch.next().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_window_is_divided_and_a_wide_one_fills_the_hands() {
        for (threads, share, expected) in [
            // Two for each thread and two on their way.
            (1, 4.0, (4, 2)),
            (8, 100.0, (18, 9)),
            (8, f64::INFINITY, (18, 9)),
            // Less than that for each.
            (8, 1.5, (12, 9)),
            (8, 1.0, (8, 7)),
            (1, 1.9, (1, 0)),
            // Fewer matches than threads: who asks first plays.
            (4, 0.2, (4, 3)),
            (4, f64::NAN, (4, 3)),
            (0, 0.0, (1, 0)),
        ] {
            assert_eq!(
                orders_in_hand(threads, share),
                expected,
                "{threads}, {share}"
            );
        }
    }
}
