//! Pages that are open, without the browsers: one thread does for all of them
//! what the scripts of the overview ask of the server, and as little beside it
//! as possible, because the processor time of a browser is not the server's.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a page asks for what: `charts.js`, `fleet.js` and `page.js`. The
/// charts are asked for at most that often, and only where they have something
/// new to show.
const QUESTIONS: [(&str, Duration); 5] = [
    ("/api/history", Duration::from_secs(10)),
    ("/api/speed", Duration::from_secs(5)),
    ("/api/living", Duration::from_secs(10)),
    ("/api/fleet", Duration::from_secs(30)),
    ("/healthz", Duration::from_secs(50)),
];

/// Between two looks at what has come in.
const PAUSE: Duration = Duration::from_millis(100);

/// Open pages; they are closed when this is dropped.
pub(crate) struct Visitors {
    leave: Arc<AtomicBool>,
    thread: Option<JoinHandle<u64>>,
}

impl Visitors {
    /// Opens `count` pages. `been` is how long they were open before: pages do
    /// not all ask at the same moment, and not each time that they are opened.
    pub(crate) fn come(address: SocketAddr, count: u32, been: Duration) -> Visitors {
        let leave = Arc::new(AtomicBool::new(false));
        let has_left = leave.clone();
        let mut streams: Vec<TcpStream> = (0..count).map(|_| listen(address)).collect();
        let mut asking: Vec<TcpStream> = (0..count)
            .map(|_| TcpStream::connect(address).unwrap())
            .collect();
        let look_on = move || {
            let mut buffer = vec![0; 1 << 18];
            let mut bytes = 0;
            let begin = Instant::now();
            // All pages together ask `count` times as often as one.
            let due = |time: Duration, every: Duration| {
                (time.as_secs_f64() * f64::from(count) / every.as_secs_f64()) as usize
            };
            let mut asked = QUESTIONS.map(|(_, every)| due(been, every));
            while !has_left.load(Ordering::Relaxed) {
                for stream in &mut streams {
                    bytes += drain(stream, &mut buffer);
                }
                for (number, &(path, every)) in QUESTIONS.iter().enumerate() {
                    if due(been + begin.elapsed(), every) > asked[number] {
                        let page = asked[number] % asking.len();
                        asked[number] += 1;
                        bytes += ask(&mut asking[page], address, path, &mut buffer);
                    }
                }
                thread::sleep(PAUSE);
            }
            bytes
        };
        let thread = thread::Builder::new().name("visitors".to_owned());
        Visitors {
            leave,
            thread: Some(thread.spawn(look_on).unwrap()),
        }
    }

    /// Closes the pages; the bytes that they have got.
    pub(crate) fn leave(mut self) -> u64 {
        self.leave.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }
}

fn listen(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let text = format!("GET /api/events HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(text.as_bytes()).unwrap();
    stream.set_nonblocking(true).unwrap();
    stream
}

/// Reads what is there.
fn drain(stream: &mut TcpStream, buffer: &mut [u8]) -> u64 {
    match stream.read(buffer) {
        Ok(0) => panic!("a stream has ended"),
        Ok(bytes) => bytes as u64,
        Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
        Err(error) => panic!("{error}"),
    }
}

/// Asks on a connection that stays open, and reads the whole answer.
fn ask(stream: &mut TcpStream, address: SocketAddr, path: &str, buffer: &mut [u8]) -> u64 {
    let text = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(text.as_bytes()).unwrap();
    let mut read = 0;
    loop {
        let bytes = stream.read(&mut buffer[read..]).unwrap();
        assert!(bytes > 0, "{path}: the connection has ended");
        read += bytes;
        let Some(end) = buffer[..read]
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
        else {
            continue;
        };
        let head = String::from_utf8_lossy(&buffer[..end]).to_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if read >= end + 4 + length.unwrap().parse::<usize>().unwrap() {
            return read as u64;
        }
    }
}
