//! The messages between coordinator and workers.
//!
//! What is rare and worth reading with the broker's own tools is JSON: the
//! charter, signs of life, notices. Work and results are a byte with the version
//! and postcard. A message that cannot be read is refused and
//! changes nothing; none is longer than [`MAX_BYTES`].

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::genome::GeneTable;
use crate::run::Task;
use crate::store::StoredGame;

/// The version of the messages. Coordinator and workers must have the same.
pub const PROTOCOL: u32 = 1;

/// The longest message in bytes: two games of 2,000 plies have 8,200.
pub const MAX_BYTES: usize = 64 * 1024;

/// What a run is: everything that a worker needs to know to play its games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Charter {
    /// [`PROTOCOL`] of the coordinator.
    pub protocol: u32,
    /// The version of the coordinator's program.
    pub program: String,
    /// The name of the population.
    pub population: String,
    /// The signature of the engine that plays.
    pub engine: u64,
    /// The fingerprint of the parameters.
    pub fingerprint: String,
    /// The text of the parameters.
    pub params: String,
    /// The genes that the players' genomes have.
    pub genes: GeneTable,
    /// The time, in seconds, after which a match without a sign of life is
    /// published again.
    pub timeout_seconds: u32,
}

impl Charter {
    /// A number that is the same for all charters under which the same games
    /// are played.
    pub fn id(&self) -> u64 {
        hash(&(self.protocol, self.engine, &self.fingerprint, &self.genes))
    }
}

/// A sign of life of a worker; the first one asks whether it may take part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// [`PROTOCOL`] of the worker.
    pub protocol: u32,
    /// The name of the worker.
    pub worker: String,
    /// The version of its program.
    pub program: String,
    /// The signature of the engine that it would play with; 0 where it does not
    /// know the charter's.
    pub engine: u64,
    /// The fingerprint that it computes from the charter's parameters.
    pub fingerprint: String,
    /// Games that it plays at the same time.
    pub threads: u32,
    /// Games that it has played.
    pub games: u64,
    /// Games a second.
    pub games_per_second: f64,
    /// The load average of its host.
    pub load: Option<f64>,
    /// The matches that it holds, by the number of their order.
    pub holding: Vec<u64>,
    /// Whether it goes away.
    pub leaving: bool,
}

/// The answer to a worker that wants to take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Why it is not wanted; `None` where it is.
    pub unwanted: Option<String>,
    /// Whether it gave a false result before, and need not ask again.
    pub barred: bool,
}

/// What the coordinator tells all workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "kebab-case")]
pub enum Notice {
    /// A run goes on.
    Here {
        /// [`Charter::id`] of its charter.
        charter: u64,
        /// Seconds between two signs of life of a worker.
        beat_seconds: f64,
        /// Matches of the run's window for each thread of the fleet: a worker that
        /// has more in hand takes them from others. Older coordinators do not say.
        #[serde(default)]
        orders_per_thread: Option<f64>,
    },
    /// A worker is not wanted.
    Unwanted {
        /// Its name.
        worker: String,
        /// What it is told.
        #[serde(flatten)]
        verdict: Verdict,
    },
    /// The coordinator ends.
    Over,
}

/// Two games that a worker is to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// [`Charter::id`] of the charter under which they are played.
    pub charter: u64,
    /// The task.
    pub task: Task,
}

impl Order {
    /// The number of the order, which follows from what it says: the same task
    /// has the same number, whoever asks for it and whenever.
    pub fn number(&self) -> u64 {
        hash(self)
    }
}

/// What a worker made of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// [`Order::number`].
    pub order: u64,
    /// The time that the two games took, in microseconds.
    pub micros: u64,
    /// The games.
    pub pair: PlayedPair,
}

/// The two games of a task, or why there are none. It follows from the task
/// alone, so two workers that play the same task must agree to the byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all of them are the large variant, and few exist at a time"
)]
pub enum PlayedPair {
    /// The games.
    Games {
        /// The seed of their opening.
        seed: u64,
        /// Both games, colours swapped in the second.
        games: [StoredGame; 2],
    },
    /// There is no opening for them.
    NoOpening,
}

impl PlayedPair {
    /// A number by which two results are compared.
    pub fn digest(&self) -> u64 {
        hash(self)
    }
}

/// Why a message is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// It is too long.
    #[error("a message of {0} bytes, more than {MAX_BYTES}")]
    Long(usize),
    /// It cannot be read.
    #[error("no message of this version: {0}")]
    Broken(String),
}

/// Bytes of an order or an answer.
pub fn to_bytes<T: Serialize>(message: &T) -> Vec<u8> {
    let first = vec![PROTOCOL as u8];
    postcard::to_extend(message, first).expect("messages have no form that postcard refuses")
}

/// An order or an answer from its bytes.
///
/// # Errors
/// They are too many, or no such message.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    check_length(bytes)?;
    let broken = |why: &str| WireError::Broken(why.to_owned());
    let (&version, rest) = bytes.split_first().ok_or_else(|| broken("no bytes"))?;
    if u32::from(version) != PROTOCOL {
        return Err(WireError::Broken(format!("version {version}")));
    }
    match postcard::take_from_bytes(rest) {
        Ok((message, [])) => Ok(message),
        Ok(_) => Err(broken("bytes are left")),
        Err(error) => Err(WireError::Broken(error.to_string())),
    }
}

/// Any other message as JSON.
pub fn to_json<T: Serialize>(message: &T) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have only text keys and finite numbers")
}

/// Any other message from its JSON.
///
/// # Errors
/// It is too long, or no such message.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    check_length(bytes)?;
    serde_json::from_slice(bytes).map_err(|error| WireError::Broken(error.to_string()))
}

fn check_length(bytes: &[u8]) -> Result<(), WireError> {
    if bytes.len() > MAX_BYTES {
        return Err(WireError::Long(bytes.len()));
    }
    Ok(())
}

/// The first eight bytes of a hash of a value.
fn hash<T: Serialize>(value: &T) -> u64 {
    let hash = blake3::hash(&to_bytes(value));
    let (first, _) = hash
        .as_bytes()
        .split_first_chunk()
        .expect("it has 32 bytes");
    u64::from_le_bytes(*first)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::genome::Genome;
    use crate::run::Measurement;

    fn order(pair: u64) -> Order {
        let weights = [3, 4].map(|value| Genome::uniform([value; 5]));
        let task = Task::Measurement(Measurement { pair, weights });
        Order { charter: 7, task }
    }

    #[test]
    fn an_order_is_numbered_by_what_it_says() {
        assert_eq!(order(1).number(), order(1).number());
        assert_ne!(order(1).number(), order(2).number());
        let bytes = to_bytes(&order(3));
        assert_eq!(from_bytes::<Order>(&bytes).unwrap(), order(3));
    }

    #[test]
    fn a_notice_of_an_older_coordinator_is_understood() {
        let text = br#"{"notice":"here","charter":7,"beat_seconds":2.0}"#;
        let expected = Notice::Here {
            charter: 7,
            beat_seconds: 2.0,
            orders_per_thread: None,
        };
        assert_eq!(from_json::<Notice>(text).unwrap(), expected);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let bytes = to_bytes(&order(3));
        for length in 0..bytes.len() {
            assert!(from_bytes::<Order>(&bytes[..length]).is_err(), "{length}");
        }
        let long = vec![1; MAX_BYTES + 1];
        assert_eq!(
            from_bytes::<Answer>(&long).unwrap_err(),
            WireError::Long(MAX_BYTES + 1)
        );
        assert!(from_json::<Beat>(b"{\"protocol\":1}").is_err());
        assert!(from_json::<Beat>(&[0xff; 300]).is_err());
    }
}
