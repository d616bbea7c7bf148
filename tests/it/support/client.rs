//! A small HTTP client: what it sends is what the test says, to the byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The sentence that a refusal gives.
    #[track_caller]
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

/// Sends bytes and reads one answer: to the length that it names, or until the
/// server closes the connection.
pub fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = connect(address);
    // A server that refuses a body may close before all of it is sent.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let mut part = [0; 16 * 1024];
    while !is_whole(&bytes) {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(length) => bytes.extend_from_slice(&part[..length]),
        }
    }
    parse(&bytes)
}

fn is_whole(bytes: &[u8]) -> bool {
    let Some(head) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    length.is_some_and(|length: usize| bytes.len() >= head + 4 + length)
}

pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    let patience = Some(Duration::from_secs(300));
    stream.set_read_timeout(patience).unwrap();
    stream
}

/// A request with further headers, each ended by `\r\n`.
pub fn request(address: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let host = if headers.to_lowercase().contains("host:") {
        String::new()
    } else {
        format!("Host: {address}\r\n")
    };
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    exchange(address, text.as_bytes())
}

pub fn get(address: SocketAddr, path: &str) -> Answer {
    request(address, "GET", path, "", "")
}

/// Spaces and the like as an address has them.
pub fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => (byte as char).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(escape).collect()
}

fn parse(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(key, value)| (key.to_lowercase(), value.to_owned()))
        .collect();
    let is_chunked = headers.iter().any(|(_, value)| value == "chunked");
    Answer {
        status: status.unwrap_or("0").parse().unwrap(),
        body: if is_chunked {
            unchunked(body)
        } else {
            body.to_owned()
        },
        headers,
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        whole += &rest[..size.min(rest.len())];
        body = rest.get(size + 2..).unwrap_or("");
    }
    whole
}
