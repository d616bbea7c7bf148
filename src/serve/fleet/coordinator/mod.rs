//! The coordinator: a run whose games are played by a fleet.
//!
//! | thread | does |
//! |---|---|
//! | the run's | submits tasks, takes games |
//! | `fleet` | the dispatcher's decisions; judges every result |
//! | `fleet network` | talks to the broker |
//! | `games N` | play matches again to check them |

mod dispatcher;
mod network;
mod referee;
mod roster;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, select, unbounded};

use self::dispatcher::{Action, Dispatcher, PairRecords, Policy, task_name};
use self::network::{NetEvent, Network};
use self::referee::Referee;
use super::connection::{Broker, BrokerError};
use super::pair_player::{PairDone, PairJob, PairPlayer};
use super::wire::{self, Answer, Beat, Charter, PROTOCOL};
use crate::api::FleetView;
use crate::arena::{PairHalf, WorkerPool};
use crate::genome::GeneTable;
use crate::params::{FleetParams, Params};
use crate::run::{GameEvent, GameSettings, GameSource, OpenFleet, Played, SourceFault, Task};
use crate::search::EngineVersion;

/// A run's way to its fleet.
pub struct Coordinator {
    /// The broker.
    pub broker: Broker,
    /// How far workers are trusted, and for how long they are waited for.
    pub params: FleetParams,
    /// Matches that are checked at the same time.
    pub threads: usize,
}

/// Between two looks at what is due, in a fleet that is silent.
const TICK: Duration = Duration::from_millis(50);

/// Between two looks for lost matches and workers, and two pictures of the fleet.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Between two notices that the run goes on.
const HERE_EVERY: Duration = Duration::from_secs(2);

/// Messages of one kind that are taken in one go.
const AT_ONCE: usize = 512;

/// Checks that wait for a thread before other workers are asked.
const CHECKS_PER_THREAD: usize = 4;

/// What the run says to the fleet's thread.
enum Command {
    Submit(u64, Box<Task>),
    Discard,
}

/// What the fleet's thread says to the run.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all of them are the large variant, and few exist at a time"
)]
enum Delivery {
    Pair {
        epoch: u64,
        task: Box<Task>,
        records: PairRecords,
        micros: u64,
    },
    /// Nobody was there to play for so long.
    Waited(Duration),
    Fault(String),
}

impl OpenFleet for Coordinator {
    fn open(
        &self,
        population: &str,
        params: &Params,
        params_text: &str,
        genes: &GeneTable,
        version: EngineVersion,
    ) -> Result<Box<dyn GameSource>, SourceFault> {
        let charter = charter(
            population,
            params,
            params_text,
            genes,
            version,
            self.params.timeout,
        )?;
        let mut secret = [0; 32];
        rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut secret).map_err(|error| {
            fleet_fault(&format!("the system gives no random numbers: {error}"))
        })?;
        let policy = Policy {
            check: self.params.check,
            probation: u64::from(self.params.probation),
            timeout: Duration::from_secs(u64::from(self.params.timeout)),
            local_checks: CHECKS_PER_THREAD * self.threads.max(1),
            secret,
        };
        let settings = GameSettings::built_in(params, genes, version)
            .map_err(|error| fleet_fault(&error.to_string()))?;
        let (send_commands, commands) = unbounded();
        let (deliver, delivered) = unbounded();
        let view = Arc::<Mutex<FleetView>>::default();
        let desk = Desk {
            name: self.broker.subjects.fleet().to_owned(),
            url: self.broker.url().to_owned(),
            dispatcher: Dispatcher::new(policy, charter.clone()),
            network: Network::start(&self.broker, &charter).map_err(thread_fault)?,
            is_connected: false,
            deliver,
            view: Arc::clone(&view),
            looked: Instant::now(),
            told: None,
        };
        let (params, threads) = (params.clone(), self.threads.max(1));
        let thread = std::thread::Builder::new()
            .name(String::from("fleet"))
            .spawn(move || desk.work(&params, &settings, threads, &commands))
            .map_err(thread_fault)?;
        Ok(Box::new(FleetSource {
            commands: Some(send_commands),
            delivered,
            epoch: Cell::new(0),
            busy: Cell::new(Duration::ZERO),
            played: RefCell::default(),
            view,
            thread: Some(thread),
        }))
    }
}

fn fleet_fault(text: &str) -> SourceFault {
    SourceFault::Fleet(text.to_owned())
}

fn thread_fault(error: impl std::fmt::Display) -> SourceFault {
    SourceFault::Fleet(format!("cannot start a thread: {error}"))
}

/// What workers are told about the run. The text that they read must mean the
/// parameters in effect.
fn charter(
    population: &str,
    params: &Params,
    params_text: &str,
    genes: &GeneTable,
    version: EngineVersion,
    timeout_seconds: u32,
) -> Result<Charter, SourceFault> {
    let fingerprint = params.fingerprint();
    let read = Params::parse_recorded(params_text, "the population's parameters", genes);
    let read = read.map_err(|error| fleet_fault(&error.to_string()))?;
    if read.fingerprint() != fingerprint {
        return Err(fleet_fault(
            "the population's recorded parameters are not those in effect",
        ));
    }
    Ok(Charter {
        protocol: PROTOCOL,
        program: String::from(env!("CARGO_PKG_VERSION")),
        population: population.to_owned(),
        engine: version.signature_for(params.player.search),
        fingerprint,
        params: params_text.to_owned(),
        genes: genes.clone(),
        timeout_seconds,
    })
}

/// The run's end of the fleet.
struct FleetSource {
    /// `None` once it is dropped, which ends the fleet's thread.
    commands: Option<Sender<Command>>,
    delivered: Receiver<Delivery>,
    /// Grows when tasks are discarded; what belongs to an earlier one is not
    /// handed over.
    epoch: Cell<u64>,
    busy: Cell<Duration>,
    /// Games that were delivered and not yet asked for.
    played: RefCell<VecDeque<Played>>,
    view: Arc<Mutex<FleetView>>,
    thread: Option<JoinHandle<()>>,
}

impl GameSource for FleetSource {
    fn submit(&self, task: &Task) {
        if let Some(commands) = &self.commands {
            // Without a listener `wait` says why.
            let _ = commands.send(Command::Submit(self.epoch.get(), Box::new(task.clone())));
        }
    }

    fn wait(&self, at_most: Duration) -> Result<GameEvent, SourceFault> {
        if let Some(played) = self.played.borrow_mut().pop_front() {
            return Ok(GameEvent::Finished(played));
        }
        let delivery = match self.delivered.recv_timeout(at_most) {
            Ok(delivery) => delivery,
            Err(RecvTimeoutError::Timeout) => return Ok(GameEvent::Idle),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(fleet_fault("the fleet's thread has ended"));
            }
        };
        match delivery {
            Delivery::Fault(text) => Err(SourceFault::Fleet(text)),
            Delivery::Waited(time) => {
                self.busy.set(self.busy.get() + time);
                Ok(GameEvent::Idle)
            }
            Delivery::Pair { epoch, .. } if epoch != self.epoch.get() => Ok(GameEvent::Idle),
            Delivery::Pair {
                task,
                records,
                micros,
                ..
            } => {
                // A game that took no time was played all the same.
                let spent = Duration::from_micros(micros.max(1));
                self.busy.set(self.busy.get().saturating_add(spent));
                let [first, second] = match records {
                    Ok(games) => games.map(Ok),
                    Err(none) => [Err(none), Err(none)],
                };
                let [a, b] = PairHalf::BOTH;
                let mut played = self.played.borrow_mut();
                played.push_back(Played::new(&task, b, second));
                Ok(GameEvent::Finished(Played::new(&task, a, first)))
            }
        }
    }

    fn busy(&self) -> Duration {
        self.busy.get()
    }

    fn discard(&self) {
        self.epoch.set(self.epoch.get() + 1);
        self.played.borrow_mut().clear();
        if let Some(commands) = &self.commands {
            let _ = commands.send(Command::Discard);
        }
    }

    fn fleet(&self) -> Option<FleetView> {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        Some(view.clone())
    }
}

impl Drop for FleetSource {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // A panic of it was told by `wait`.
            let _ = thread.join();
        }
    }
}

/// The fleet's thread: carries messages to the dispatcher and does what it says.
struct Desk {
    name: String,
    url: String,
    dispatcher: Dispatcher,
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
    fn work(
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
            Err(error) => error.to_string(),
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
    ) -> Result<(), String> {
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
                    Err(_) => return Err(String::from("the thread of the network has ended")),
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

    fn event(&mut self, event: NetEvent, referee: &mut Referee<'_>) -> Result<(), String> {
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
            NetEvent::Fatal(error) => return Err(error),
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

    fn checked(&mut self, done: &PairDone, referee: &mut Referee<'_>) -> Result<(), String> {
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
            self.network.notice(&self.dispatcher.here());
        }
        let view = self
            .dispatcher
            .view(&self.name, &self.url, self.is_connected, now);
        *self.view.lock().unwrap_or_else(PoisonError::into_inner) = view;
    }

    fn act(&mut self, action: Action, pool: &CheckPool) -> Result<(), String> {
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
                return Err(format!(
                    "{}, which {worker} played and which was applied unchecked, is false; \
                     {advice}, then the same command goes on",
                    task_name(&task)
                ));
            }
        }
        Ok(())
    }
}

impl From<BrokerError> for SourceFault {
    fn from(error: BrokerError) -> SourceFault {
        SourceFault::Fleet(error.to_string())
    }
}
