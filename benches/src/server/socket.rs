//! A connection with as little work as possible, since the client shares the machine with the server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Process;
use crate::Failure;

/// A response.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// Whether it has a time to retry.
    pub(super) says_when: bool,
    pub(super) took: Duration,
}

/// A connection that stays open.
#[derive(Debug)]
pub(super) struct Socket {
    stream: BufReader<TcpStream>,
    /// The body of the last response.
    pub(super) body: Vec<u8>,
}

/// Returns a request, without its body.
pub(super) fn head(server: &Process, line: &str, headers: &[(&str, &str)]) -> String {
    let mut head = format!("{line} HTTP/1.1\r\nhost: {}\r\n", server.address());
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head
}

impl Socket {
    pub(super) fn connect(address: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Self { stream: BufReader::with_capacity(1_024, stream), body: Vec::new() })
    }

    /// Sends a whole request and reads its response.
    pub(super) fn send(&mut self, request: &str) -> Result<Reply, Failure> {
        let start = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut says_when, mut length) = (0, false, 0);
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err("the server hung up".into());
            }
            let text = line.trim_end();
            if text.is_empty() {
                break;
            }
            if let Some(rest) = text.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().unwrap_or_default().parse()?;
            } else if let Some(value) = text.strip_prefix("content-length: ") {
                length = value.parse()?;
            } else if text.starts_with("retry-after: ") {
                says_when = true;
            }
        }
        self.body.clear();
        self.stream.by_ref().take(length).read_to_end(&mut self.body)?;
        Ok(Reply { status, says_when, took: start.elapsed() })
    }
}
