//! A broker on loopback, and what it counts.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) struct Broker {
    child: Child,
    port: u16,
    monitor: u16,
}

impl Broker {
    pub(crate) fn start(place: &Path) -> Broker {
        let [port, monitor] = [0, 1].map(|_| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        });
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{monitor}\"\n\
             jetstream {{ store_dir: {:?} }}\n",
            place.join("nats")
        );
        let file = place.join("nats.conf");
        std::fs::write(&file, config).unwrap();
        let child = Command::new("nats-server")
            .args(["-l", "/dev/null", "-c"])
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server must be installed");
        let broker = Broker {
            child,
            port,
            monitor,
        };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        broker
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Messages in and out, and bytes in and out.
    pub(crate) fn traffic(&self) -> [u64; 4] {
        let mut stream = TcpStream::connect(("127.0.0.1", self.monitor)).unwrap();
        write!(stream, "GET /varz HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (_, body) = text.split_once("\r\n\r\n").unwrap();
        let found: serde_json::Value = serde_json::from_str(body).unwrap();
        ["in_msgs", "out_msgs", "in_bytes", "out_bytes"].map(|key| found[key].as_u64().unwrap())
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
