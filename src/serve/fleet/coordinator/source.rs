//! The run's end of the fleet: tasks go to the fleet's thread, games come back.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};

use super::dispatcher::PairRecords;
use crate::api::FleetView;
use crate::arena::PairHalf;
use crate::run::{GameEvent, GameSource, Played, SourceFault, Task};

/// What the run says to the fleet's thread.
pub(super) enum Command {
    Submit(u64, Box<Task>),
    Discard,
}

/// What the fleet's thread says to the run.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all of them are the large variant, and few exist at a time"
)]
pub(super) enum Delivery {
    Pair {
        epoch: u64,
        task: Box<Task>,
        records: PairRecords,
        micros: u64,
    },
    /// Nobody was there to play for so long.
    Waited(Duration),
    Fault(SourceFault),
}

/// The run's end of the fleet.
pub(super) struct FleetSource {
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

impl FleetSource {
    pub(super) fn new(
        commands: Sender<Command>,
        delivered: Receiver<Delivery>,
        view: Arc<Mutex<FleetView>>,
        thread: JoinHandle<()>,
    ) -> FleetSource {
        FleetSource {
            commands: Some(commands),
            delivered,
            epoch: Cell::new(0),
            busy: Cell::new(Duration::ZERO),
            played: RefCell::default(),
            view,
            thread: Some(thread),
        }
    }
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
                return Err(super::fleet_fault("the fleet's thread has ended"));
            }
        };
        match delivery {
            Delivery::Fault(fault) => Err(fault),
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
