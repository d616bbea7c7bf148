//! The fleet's thread: carries messages between the network, the dispatcher and the
//! run, and does what the dispatcher says.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select};

use super::dispatcher::{Action, Dispatcher, task_name};
use super::logbook::Logbook;
use super::network::{NetEvent, Network};
use super::referee::Referee;
use super::source::{Command, Delivery};
use crate::api::FleetView;
use crate::arena::WorkerPool;
use crate::params::Params;
use crate::run::{GameSettings, SourceFault, Task};
use crate::serve::fleet::connection::Broker;
use crate::serve::fleet::pair_player::{PairDone, PairJob, PairPlayer};
use crate::serve::fleet::wire::{self, Answer, Beat};

/// Between two looks at what is due, in a fleet that is silent.
const TICK: Duration = Duration::from_millis(50);

/// Between two looks for lost matches and workers, and two pictures of the fleet.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Between two notices that the run goes on.
const HERE_EVERY: Duration = Duration::from_secs(2);

/// Messages of one kind that are taken in one go.
const AT_ONCE: usize = 512;

/// The fleet's thread: carries messages to the dispatcher and does what it says.
pub(super) struct Desk {
    name: String,
    url: String,
    dispatcher: Dispatcher,
    logbook: Logbook,
    network: Network,
    is_connected: bool,
    deliver: Sender<Delivery>,
    view: Arc<Mutex<FleetView>>,
    looked: Instant,
    /// When workers were told last that the run goes on.
    told: Option<Instant>,
}

type CheckPool = WorkerPool<PairJob, PairDone>;

impl Desk {
    pub(super) fn new(
        broker: &Broker,
        dispatcher: Dispatcher,
        logbook: Logbook,
        network: Network,
        deliver: Sender<Delivery>,
        view: Arc<Mutex<FleetView>>,
    ) -> Desk {
        Desk {
            name: broker.subjects.fleet().to_owned(),
            url: broker.url().to_owned(),
            dispatcher,
            logbook,
            network,
            is_connected: false,
            deliver,
            view,
            looked: Instant::now(),
            told: None,
        }
    }

    pub(super) fn work(
        mut self,
        params: &Params,
        settings: &GameSettings,
        threads: usize,
        commands: &Receiver<Command>,
    ) {
        let halt = Arc::new(AtomicBool::new(false));
        let mut referee = Referee::new(PairPlayer::new(settings, &halt), params.rules);
        let players = (0..threads).map(|_| PairPlayer::new(settings, &halt));
        let deliver = self.deliver.clone();
        let ended = WorkerPool::run(players.collect(), &halt, |pool| {
            self.serve(pool, &mut referee, commands)
        });
        let fault = match ended {
            Ok(Ok(())) => return,
            Ok(Err(fault)) => fault,
            Err(error) => error.to_string().into(),
        };
        // Without a listener the run has ended by itself.
        let _ = deliver.send(Delivery::Fault(fault));
    }

    /// Works until the run ends, or fails.
    fn serve(
        &mut self,
        pool: &CheckPool,
        referee: &mut Referee<'_>,
        commands: &Receiver<Command>,
    ) -> Result<(), SourceFault> {
        let events = self.network.events.clone();
        loop {
            select! {
                recv(commands) -> command => match command {
                    Ok(command) => self.command(command),
                    Err(_) => {
                        self.network.stop();
                        return Ok(());
                    }
                },
                recv(events) -> event => match event {
                    Ok(event) => self.event(event, referee)?,
                    Err(_) => return Err(String::from("the thread of the network has ended").into()),
                },
                recv(pool.finished()) -> done => {
                    let done = done.map_err(|_| String::from("all threads are gone"))?;
                    let done = done.map_err(|panic| panic.to_string())?;
                    self.checked(&done, referee)?;
                },
                default(TICK) => {}
            }
            // What has come meanwhile is taken together.
            for command in commands.try_iter().take(AT_ONCE) {
                self.command(command);
            }
            for event in events.try_iter().take(AT_ONCE) {
                self.event(event, referee)?;
            }
            self.look();
            let now = Instant::now();
            if self.is_connected {
                self.dispatcher.publish(now);
            }
            // A bar is on the disk before anybody is told of it.
            self.logbook.write(self.dispatcher.take_events());
            for action in self.dispatcher.take_actions() {
                self.act(action, pool)?;
            }
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Submit(epoch, task) => self.dispatcher.submit(epoch, task),
            Command::Discard => self.dispatcher.discard(),
        }
    }

    fn event(&mut self, event: NetEvent, referee: &mut Referee<'_>) -> Result<(), SourceFault> {
        let now = Instant::now();
        match event {
            NetEvent::Connected => {
                self.is_connected = true;
                self.told = None;
                let event = format!("connected to {}", self.url);
                self.dispatcher.tell_event(now, event);
            }
            NetEvent::Disconnected => {
                self.is_connected = false;
                log::warn!("the broker {} is lost; trying again", self.url);
                let event = format!("lost the broker {}", self.url);
                self.dispatcher.tell_event(now, event);
            }
            NetEvent::Join { beat, reply } => match wire::from_json::<Beat>(&beat) {
                Ok(beat) => {
                    let verdict = self.dispatcher.join(&beat, now);
                    self.network.reply(reply, wire::to_json(&verdict));
                }
                Err(_) => self.dispatcher.unreadable(),
            },
            NetEvent::Beat(beat) => match wire::from_json::<Beat>(&beat) {
                Ok(beat) => self.dispatcher.beat(&beat, now),
                Err(_) => self.dispatcher.unreadable(),
            },
            NetEvent::Result { worker, answer } => match wire::from_bytes::<Answer>(&answer) {
                Ok(answer) => self.answer(&worker, &answer, referee),
                Err(error) => {
                    log::debug!("a message of {worker} is none: {error}");
                    self.dispatcher.unreadable();
                }
            },
            NetEvent::Unpublished(order) => self.dispatcher.unpublished(order),
            NetEvent::Fatal(fault) => return Err(fault),
        }
        Ok(())
    }

    fn answer(&mut self, worker: &str, answer: &Answer, referee: &mut Referee<'_>) {
        let judged = match self.dispatcher.task(answer.order) {
            // Nobody waits for it: whether it is a game does not matter.
            None => Err(String::new()),
            Some(task) => referee
                .judge(task, &answer.pair)
                .map(|records| (answer.pair.digest(), records)),
        };
        let now = Instant::now();
        if judged.as_ref().is_err_and(String::is_empty) {
            self.dispatcher.late();
            return;
        }
        let (order, micros) = (answer.order, answer.micros);
        self.dispatcher.answer(worker, order, micros, judged, now);
    }

    fn checked(&mut self, done: &PairDone, referee: &mut Referee<'_>) -> Result<(), SourceFault> {
        let Some(task) = self.dispatcher.task(done.order) else {
            self.dispatcher.unneeded_check();
            return Ok(());
        };
        // What we play ourselves passes, or the program is at fault.
        let records = referee.judge(task, &done.pair).map_err(|why| {
            format!("the coordinator's own games are refused ({why}): a fault of the program")
        })?;
        let digest = done.pair.digest();
        self.dispatcher
            .checked(done.order, digest, records, Instant::now());
        Ok(())
    }

    /// Does what is due now and then.
    fn look(&mut self) {
        let now = Instant::now();
        let since = now.saturating_duration_since(self.looked);
        if since < LOOK_EVERY {
            return;
        }
        self.looked = now;
        self.dispatcher.look_for_lost(self.is_connected, now);
        if !self.is_connected || self.dispatcher.is_deserted(now) {
            let _ = self.deliver.send(Delivery::Waited(since));
        }
        let is_due = self.told.is_none_or(|told| now - told >= HERE_EVERY);
        if self.is_connected && is_due {
            self.told = Some(now);
            self.network.notice(&self.dispatcher.here(now));
        }
        let view = self
            .dispatcher
            .view(&self.name, &self.url, self.is_connected, now);
        *self.view.lock().unwrap_or_else(PoisonError::into_inner) = view;
    }

    fn act(&mut self, action: Action, pool: &CheckPool) -> Result<(), SourceFault> {
        match action {
            Action::Publish(order) => self.network.order(&order),
            Action::Check(order, task) => pool.submit(PairJob { order, task }),
            Action::Tell(notice) => self.network.notice(&notice),
            Action::Deliver {
                epoch,
                task,
                records,
                micros,
            } => {
                let pair = Delivery::Pair {
                    epoch,
                    task,
                    records,
                    micros,
                };
                // Without a listener the run is about to end.
                let _ = self.deliver.send(pair);
            }
            Action::False { task, worker } => {
                let advice = match &*task {
                    Task::Match(pairing) => format!(
                        "`loatune repair --before {}` gives it up with everything that followed",
                        pairing.number
                    ),
                    Task::Measurement(_) => String::from(
                        "`loatune verify --all` names it, `loatune repair --before` gives it up",
                    ),
                };
                let text = format!(
                    "{}, which {worker} played and which was applied unchecked, is false; \
                     {advice}, then the same command goes on",
                    task_name(&task)
                );
                self.dispatcher.tell_event(Instant::now(), text.clone());
                self.logbook.write(self.dispatcher.take_events());
                return Err(text.into());
            }
        }
        Ok(())
    }
}
