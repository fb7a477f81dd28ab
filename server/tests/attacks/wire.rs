//! A small HTTP client that can come from any address of loopback, and can misbehave.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// The time after which a response counts as missing.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A connection from an address of loopback.
pub(super) struct Wire {
    pub(super) stream: TcpStream,
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// Whether it is the last one of its connection.
    pub(super) is_last: bool,
}

impl Wire {
    /// Connects from `127.0.x.y`, where `host` is the last two numbers.
    pub(super) fn open(host: u16, server: SocketAddr) -> io::Result<Self> {
        let [third, fourth] = host.to_be_bytes();
        let own = SocketAddr::from((Ipv4Addr::new(127, 0, third, fourth), 0));
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&own.into())?;
        socket.connect_timeout(&server.into(), TIMEOUT)?;
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream })
    }

    /// Sends a request and reads its response.
    pub(super) fn call(&mut self, request: &[u8]) -> io::Result<Response> {
        self.stream.write_all(request)?;
        self.receive()
    }

    /// Reads a response.
    pub(super) fn receive(&mut self) -> io::Result<Response> {
        let mut bytes = Vec::new();
        let head = self.until(&mut bytes, |bytes| {
            bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
        })?;
        let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        let end = match length.and_then(|length| length.trim().parse::<usize>().ok()) {
            Some(length) => self.until(&mut bytes, |bytes| {
                (bytes.len() >= head + length).then_some(head + length)
            })?,
            None => self
                .until(&mut bytes, |bytes| bytes.ends_with(b"0\r\n\r\n").then_some(bytes.len()))?,
        };
        let is_last = text.contains("\r\nconnection: close\r\n");
        Ok(Response { status, body: bytes[head..end].to_vec(), is_last })
    }

    /// Reads until the server closes the connection.
    pub(super) fn rest(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn until(
        &mut self,
        bytes: &mut Vec<u8>,
        end: impl Fn(&[u8]) -> Option<usize>,
    ) -> io::Result<usize> {
        let mut buffer = [0; 16 * 1024];
        loop {
            if let Some(end) = end(bytes) {
                return Ok(end);
            }
            match self.stream.read(&mut buffer)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => bytes.extend_from_slice(&buffer[..count]),
            }
        }
    }
}

/// Returns a request with the lines of its headers and a body.
pub(super) fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
