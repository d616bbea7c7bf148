//! The names of a fleet's subjects, streams and consumers on its broker. They
//! begin with the fleet's name, so one broker serves several fleets.

/// The names that belong to one fleet.
#[derive(Clone, Debug)]
pub struct Subjects {
    fleet: String,
}

/// The consumer that all workers of a fleet pull their work from.
pub(super) const WORKERS: &str = "workers";

/// The consumer that the coordinator takes results from.
pub(super) const COORDINATOR: &str = "coordinator";

impl Subjects {
    /// The form of a fleet's name, in words.
    pub const NAME_FORM: &'static str = "1 to 32 letters, digits, dashes or underscores";

    /// The names of the fleet `name`; `None` where that is no name.
    pub fn new(name: &str) -> Option<Subjects> {
        let is_good = !name.is_empty() && name.len() <= 32 && name.bytes().all(is_token_byte);
        is_good.then(|| Subjects {
            fleet: name.to_owned(),
        })
    }

    /// The fleet's name.
    pub fn fleet(&self) -> &str {
        &self.fleet
    }

    /// Asked for what the run is.
    pub fn charter(&self) -> String {
        self.subject("charter")
    }

    /// Asked by a worker that wants to take part.
    pub fn join(&self) -> String {
        self.subject("join")
    }

    /// Signs of life of all workers.
    pub fn beat(&self) -> String {
        self.subject("beat")
    }

    /// What the coordinator tells all workers.
    pub fn notice(&self) -> String {
        self.subject("notice")
    }

    /// Matches that are to be played.
    pub fn work(&self) -> String {
        self.subject("work")
    }

    /// Results of one worker.
    pub fn result(&self, worker: &str) -> String {
        self.subject(&format!("result.{worker}"))
    }

    /// Results of all workers.
    pub fn results(&self) -> String {
        self.subject("result.*")
    }

    /// The stream that holds work.
    pub fn work_stream(&self) -> String {
        format!("loatune_{}_work", self.fleet)
    }

    /// The stream that holds results.
    pub fn result_stream(&self) -> String {
        format!("loatune_{}_results", self.fleet)
    }

    fn subject(&self, last: &str) -> String {
        format!("loatune.{}.{last}", self.fleet)
    }
}

/// Whether a byte may be part of a name on the broker.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// A worker's name in which everything else became a dash, at most 64 long.
pub(super) fn worker_token(name: &str) -> String {
    let kept = name.bytes().take(64);
    let kept = kept.map(|byte| {
        if is_token_byte(byte) {
            byte as char
        } else {
            '-'
        }
    });
    let token: String = kept.collect();
    if token.is_empty() {
        String::from("worker")
    } else {
        token
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_make_no_wildcards() {
        for bad in ["", "a.b", "a b", "*", ">", "é", &"x".repeat(33)] {
            assert!(Subjects::new(bad).is_none(), "{bad}");
        }
        let subjects = Subjects::new("night-1").unwrap();
        assert_eq!(subjects.result("a-7"), "loatune.night-1.result.a-7");
        assert_eq!(subjects.work_stream(), "loatune_night-1_work");
        assert_eq!(worker_token("host.example.org>*"), "host-example-org--");
        assert_eq!(worker_token(""), "worker");
    }
}
