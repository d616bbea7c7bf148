//! The coordinator: a run whose games are played by a fleet.
//!
//! | thread | does |
//! |---|---|
//! | the run's | submits tasks, takes games |
//! | `fleet` | the dispatcher's decisions; judges every result |
//! | `fleet network` | talks to the broker |
//! | `games N` | play matches again to check them |
//!
//! | file | purpose |
//! |---|---|
//! | `source` | the run's end: tasks in, games out |
//! | `desk` | the fleet's thread: between network, dispatcher and run |
//! | `dispatcher` | the decisions |
//! | `roster` | the workers, and how far each is trusted |
//! | `referee` | whether a result is a game that its task can lead to |
//! | `logbook` | events and bars that outlive the process |
//! | `network` | the broker |

mod desk;
mod dispatcher;
mod logbook;
mod network;
mod referee;
mod roster;
mod source;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::unbounded;

use self::desk::Desk;
use self::dispatcher::{Dispatcher, Policy};
use self::logbook::Logbook;
use self::network::Network;
use self::source::FleetSource;
use super::connection::{Broker, BrokerError};
use super::wire::{Charter, PROTOCOL};
use crate::api::FleetView;
use crate::genome::GeneTable;
use crate::params::{FleetParams, Params};
use crate::run::{GameSettings, GameSource, OpenFleet, SourceFault};
use crate::search::EngineVersion;

pub use self::logbook::read as read_logbook;

/// A run's way to its fleet.
pub struct Coordinator {
    /// The broker.
    pub broker: Broker,
    /// How far workers are trusted, and for how long they are waited for.
    pub params: FleetParams,
    /// Matches that are checked at the same time.
    pub threads: usize,
    /// The file beside the journal that keeps the fleet's events and bars.
    pub logbook: PathBuf,
}

/// Checks that wait for a thread before other workers are asked.
const CHECKS_PER_THREAD: usize = 4;

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
            window: u64::from(params.run.window),
            local_checks: CHECKS_PER_THREAD * self.threads.max(1),
            secret,
        };
        let settings = GameSettings::built_in(params, genes, version)
            .map_err(|error| fleet_fault(&error.to_string()))?;
        let (send_commands, commands) = unbounded();
        let (deliver, delivered) = unbounded();
        let view = Arc::<Mutex<FleetView>>::default();
        let mut dispatcher = Dispatcher::new(policy, charter.clone());
        let (logbook, records) = Logbook::open(&self.logbook);
        dispatcher.restore(&records, logbook::unix_seconds(), Instant::now());
        let network = Network::start(&self.broker, &charter).map_err(thread_fault)?;
        let desk = Desk::new(
            &self.broker,
            dispatcher,
            logbook,
            network,
            deliver,
            Arc::clone(&view),
        );
        let (params, threads) = (params.clone(), self.threads.max(1));
        let thread = std::thread::Builder::new()
            .name(String::from("fleet"))
            .spawn(move || desk.work(&params, &settings, threads, &commands))
            .map_err(thread_fault)?;
        Ok(Box::new(FleetSource::new(
            send_commands,
            delivered,
            view,
            thread,
        )))
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
        engine: version.signature_for(params.player.search.algorithm),
        fingerprint,
        params: params_text.to_owned(),
        genes: genes.clone(),
        timeout_seconds,
    })
}

impl From<BrokerError> for SourceFault {
    fn from(error: BrokerError) -> SourceFault {
        match error {
            BrokerError::Settings(why) | BrokerError::Refused(why) => SourceFault::Refused(why),
            BrokerError::Unreachable(why) => SourceFault::Fleet(why),
        }
    }
}
