//! A client that sends events or follows links, at a pace.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Failure;
use crate::server::Process;
use crate::server::socket::Socket;

/// The numbers of the events of one client.
const NUMBERS: u64 = 10_000_000;

/// What the visitors do.
const NAMES: [&str; 4] =
    ["page_viewed", "collection_viewed", "search_submitted", "product_added_to_cart"];

/// How much is sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) clients: u32,
    /// Events of one request.
    pub(super) batch: u32,
    pub(super) per_second: u32,
    pub(super) lasting: Duration,
}

impl Load {
    /// Returns the time between two requests of a client.
    fn pace(self) -> Duration {
        let together = self.clients.saturating_mul(self.batch);
        Duration::from_secs_f64(f64::from(together) / f64::from(self.per_second))
    }
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Events, with the head of their request.
    Events(String),
    /// The request for a link.
    Link(String),
}

/// The outcome.
#[derive(Debug, Default)]
pub(super) struct SendOutcome {
    /// The numbers of the events that the server acknowledged.
    pub(super) acknowledged: Vec<u64>,
    pub(super) refused: usize,
    pub(super) times: Vec<Duration>,
    pub(super) wall: Duration,
}

impl SendOutcome {
    pub(super) fn add(&mut self, other: Self) {
        self.acknowledged.extend(other.acknowledged);
        self.refused = self.refused.saturating_add(other.refused);
        self.times.extend(other.times);
    }
}

/// A client with its connection.
#[derive(Debug)]
pub(super) struct Sender {
    socket: Socket,
    kind: Kind,
    number: u32,
    load: Load,
}

/// Sends requests at the rate of a load, for as long as it lasts; `meanwhile` runs beside them.
///
/// # Errors
/// If a connection breaks.
pub(super) fn send<T>(
    server: &Process,
    (kind, load): (&Kind, Load),
    meanwhile: impl FnOnce() -> Result<T, Failure>,
) -> Result<(SendOutcome, T), Failure> {
    let sender = |number| {
        let socket = Socket::connect(server.address())?;
        Ok(Sender { socket, kind: kind.clone(), number, load })
    };
    let senders: Vec<Sender> = (0..load.clients).map(sender).collect::<Result<_, Failure>>()?;
    let start = Instant::now();
    let threads = senders.into_iter().map(|sender| {
        thread::spawn(move || sender.run(start).map_err(|failure| failure.to_string()))
    });
    let threads: Vec<_> = threads.collect();
    let outcome = meanwhile();
    let mut sent = SendOutcome::default();
    for thread in threads {
        sent.add(thread.join().map_err(|_panic| "a client panicked")??);
    }
    sent.wall = start.elapsed();
    Ok((sent, outcome?))
}

impl Sender {
    fn run(mut self, start: Instant) -> Result<SendOutcome, Failure> {
        yield_to_others()?;
        let pace = self.load.pace();
        let offset = pace.saturating_mul(self.number).checked_div(self.load.clients);
        let mut due = start.checked_add(offset.unwrap_or_default()).unwrap_or(start);
        let mut sent = SendOutcome::default();
        let mut next = u64::from(self.number).saturating_mul(NUMBERS);
        loop {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if start.elapsed() >= self.load.lasting {
                return Ok(sent);
            }
            let end = next.saturating_add(self.load.batch.into());
            let numbers: Vec<u64> = (next..end).collect();
            self.send(&numbers, &mut sent)?;
            next = end;
            due = due.checked_add(pace).unwrap_or(due);
        }
    }

    fn send(&mut self, numbers: &[u64], sent: &mut SendOutcome) -> Result<(), Failure> {
        let request = match &self.kind {
            Kind::Events(head) => events(head, numbers)?,
            Kind::Link(request) => request.clone(),
        };
        let reply = self.socket.send(&request)?;
        sent.times.push(reply.took);
        let taken = match self.kind {
            Kind::Events(_) if reply.status == 202 => taken(&self.socket.body, numbers.len())?,
            Kind::Events(_) => Vec::new(),
            Kind::Link(_) => vec![reply.status == 302],
        };
        for (number, is_taken) in
            numbers.iter().zip(taken.into_iter().chain(std::iter::repeat(false)))
        {
            if is_taken {
                sent.acknowledged.push(*number);
            } else {
                sent.refused = sent.refused.saturating_add(1);
            }
        }
        Ok(())
    }
}

/// Returns which of so many events were taken.
fn taken(body: &[u8], count: usize) -> Result<Vec<bool>, Failure> {
    let body: Value = serde_json::from_slice(body)?;
    let events =
        body.get("events").and_then(Value::as_array).filter(|events| events.len() == count);
    let events = events.ok_or("an answer to each event was expected")?;
    Ok(events.iter().map(|event| event.get("accepted") == Some(&Value::Bool(true))).collect())
}

/// Returns a request with the events of a visit.
fn events(head: &str, numbers: &[u64]) -> Result<String, Failure> {
    let mut body = String::from("{\"events\":[");
    for (number, name) in numbers.iter().zip(NAMES.iter().cycle()) {
        write!(
            body,
            r#"{{"name":"{name}","event_id":"event-{number}","properties":{{"place":"list","number":{number}}},"#
        )?;
        body.push_str(
                r#""context":{"referrer_host":"search.example","utm_source":"news","locale":"en-GB"}},"#,
            );
    }
    // The last comma.
    body.pop();
    body.push_str("]}");
    let length = body.len();
    let visit = numbers.first().copied().unwrap_or_default();
    Ok(format!("{head}x-session-id: visit-{visit:012}\r\ncontent-length: {length}\r\n\r\n{body}"))
}

/// Gives this thread the lowest priority: the clients stand for other machines.
fn yield_to_others() -> Result<(), Failure> {
    #[cfg(unix)]
    rustix::process::nice(19)?;
    Ok(())
}
