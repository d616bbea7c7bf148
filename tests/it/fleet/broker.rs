//! A real broker on loopback, which tests kill and start again.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::binary::Process;

/// How long anything may take on a slow and loaded machine.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// A broker with its data.
pub struct Broker {
    process: Option<Process>,
    port: u16,
    data: TempDir,
    /// Lines of its configuration beside the address and the data.
    config: String,
}

impl Broker {
    /// A broker that everybody may use; `None`, with a word about it, where
    /// there is no nats-server.
    pub fn start() -> Option<Broker> {
        Broker::with("")
    }

    /// The same with further lines of configuration.
    pub fn with(config: &str) -> Option<Broker> {
        if program().is_none() {
            let all = std::env::var("LOATUNE_TEST_ALL").is_ok_and(|value| value == "1");
            assert!(!all, "nats-server is missing: apt-get install nats-server");
            eprintln!("SKIPPED: nats-server is not installed, so the fleet was not tested");
            return None;
        }
        let mut broker = Broker {
            process: None,
            port: free_port(),
            data: tempfile::tempdir().unwrap(),
            config: config.to_owned(),
        };
        broker.run();
        Some(broker)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it without a word.
    pub fn kill(&mut self) {
        // Dropping a process kills it.
        self.process = None;
    }

    /// Deletes all that it has stored; it must not run.
    pub fn lose_data(&mut self) {
        assert!(self.process.is_none());
        self.data = tempfile::tempdir().unwrap();
    }

    /// Starts it, and waits until it listens.
    pub fn run(&mut self) {
        let file = self.data.path().join("config");
        let store = self.data.path().join("store");
        let text = format!(
            "listen: \"127.0.0.1:{}\"\njetstream {{ store_dir: {:?} }}\n{}\n",
            self.port, store, self.config
        );
        std::fs::write(&file, text).unwrap();
        let begin = Instant::now();
        loop {
            let mut command = Command::new(program().unwrap());
            let mut process = Process::spawn(command.args(["-l", "/dev/null", "-c"]).arg(&file));
            while process.try_wait().unwrap().is_none() {
                if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                    self.process = Some(process);
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
                assert!(begin.elapsed() < PATIENCE, "the broker does not listen");
            }
            // The port was taken by somebody else meanwhile.
            assert!(begin.elapsed() < PATIENCE, "the broker does not start");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    places.extend(["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from));
    places
        .into_iter()
        .map(|place| place.join("nats-server"))
        .find(|file| file.is_file())
}
