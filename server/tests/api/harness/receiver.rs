//! A webhook receiver on the loopback interface, with the replies that a test sets.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Limit: time to wait for a call.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A received call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// The request line.
    pub(crate) line: String,
    /// The headers, with names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body.
    pub(crate) body: String,
}

/// The webhook receiver.
#[derive(Debug)]
pub(crate) struct Receiver {
    address: SocketAddr,
    calls: UnboundedReceiver<Call>,
    answers: Arc<Mutex<VecDeque<u16>>>,
}

impl Receiver {
    /// Receives calls until the test ends. The first calls get these statuses and later ones 200; a status of 0 sends
    /// no response.
    pub(crate) async fn answering(answers: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (sender, calls) = unbounded_channel();
        let answers = Arc::new(Mutex::new(answers.iter().copied().collect::<VecDeque<_>>()));
        let shared = Arc::clone(&answers);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(take(stream, sender.clone(), Arc::clone(&shared)));
            }
        });
        Self { address, calls, answers }
    }

    /// Returns the URL to call.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hooks?of=alerts", self.address)
    }

    /// Waits for the next call.
    pub(crate) async fn next(&mut self) -> Call {
        let call = tokio::time::timeout(PATIENCE, self.calls.recv()).await;
        call.expect("a call comes in time").expect("calls come")
    }

    /// Returns whether no call is left.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.calls.try_recv().is_err() && self.answers.lock().is_ok_and(|left| left.is_empty())
    }
}

async fn take(
    stream: TcpStream,
    sender: UnboundedSender<Call>,
    answers: Arc<Mutex<VecDeque<u16>>>,
) {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.expect("a line");
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        stream.read_line(&mut header).await.expect("a header");
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.expect("a body");
    let body = String::from_utf8(body).expect("a text");
    let status = answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or(200);
    let _over = sender.send(Call { line: line.trim_end().to_owned(), headers, body });
    if status == 0 {
        std::future::pending::<()>().await;
    }
    let answer = format!("HTTP/1.1 {status} Said\r\ncontent-length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.expect("it listens");
}
