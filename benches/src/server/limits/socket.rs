//! A connection that repeats one request with as little work as possible, since the client shares the machine with the
//! server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::server::{Keys, Process};

/// The request, and the server.
#[derive(Debug, Clone)]
pub(super) struct Target {
    address: String,
    request: String,
}

impl Target {
    pub(super) fn of(server: &Process, keys: &Keys, path: &str) -> Result<Self, Failure> {
        let address = server.url.strip_prefix("http://").ok_or("an address without http")?;
        let key = &keys.publishable;
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\nx-publishable-api-key: {key}\r\n\r\n"
        );
        Ok(Self { address: address.to_owned(), request })
    }

    /// Opens a connection.
    pub(super) fn connect(&self) -> Result<Socket, Failure> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Socket(BufReader::with_capacity(1_024, stream)))
    }
}

/// A response, without its body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// Whether it has a time to retry.
    pub(super) says_when: bool,
    pub(super) took: Duration,
}

/// A connection that stays open.
#[derive(Debug)]
pub(super) struct Socket(BufReader<TcpStream>);

impl Socket {
    pub(super) fn ask(&mut self, target: &Target) -> Result<Reply, Failure> {
        let asked = Instant::now();
        self.0.get_mut().write_all(target.request.as_bytes())?;
        let (mut status, mut says_when, mut length) = (0, false, 0);
        let mut line = String::new();
        loop {
            line.clear();
            if self.0.read_line(&mut line)? == 0 {
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
        std::io::copy(&mut self.0.by_ref().take(length), &mut std::io::sink())?;
        Ok(Reply { status, says_when, took: asked.elapsed() })
    }
}
