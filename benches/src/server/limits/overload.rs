//! More work than the server can do: how much of it is done, how fast, and how the rest is refused.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::thread;
use std::time::{Duration, Instant};

use super::{Extent, Target};
use crate::Failure;
use crate::server::socket::Reply;
use crate::server::times::{millis, p99};

/// The number of connections that keep the server busy without making it refuse anything.
const BUSY: u32 = 64;

/// The load as a multiple of the server's capacity.
const TIMES: u32 = 5;

/// The outcome of a load.
#[derive(Debug, Default)]
struct Outcome {
    answered: Vec<Duration>,
    refused: Vec<Duration>,
    /// Refusals without a time to retry, other responses, and broken connections.
    wrong: usize,
    wall: Duration,
}

impl Outcome {
    fn per_second(&self, count: usize) -> f64 {
        f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / self.wall.as_secs_f64()
    }

    fn add(&mut self, reply: &Result<Reply, Failure>) -> bool {
        match reply {
            Ok(reply) if reply.status == 200 => self.answered.push(reply.took),
            Ok(reply) if matches!(reply.status, 429 | 503) && reply.says_when => {
                self.refused.push(reply.took);
            }
            Ok(_) => self.wrong = self.wrong.saturating_add(1),
            Err(_) => {
                self.wrong = self.wrong.saturating_add(1);
                return false;
            }
        }
        true
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(super) fn measure(target: &Target, extent: Extent) -> Result<(), Failure> {
    let peak = load(target, BUSY.min(extent.clients), None, extent.load)?;
    let rate = peak.per_second(peak.answered.len());
    let pace = Duration::from_secs_f64(f64::from(extent.clients) / (rate * f64::from(TIMES)));
    let over = load(target, extent.clients, Some(pace), extent.load)?;
    let good = over.per_second(over.answered.len());
    let all = over.answered.len().saturating_add(over.refused.len()).saturating_add(over.wrong);
    println!(
        "overload: peak {rate:.0} a second with {BUSY} connections; asked by {} connections for {TIMES} times that, {:.0} a \
         second came: {good:.0} a second answered ({:.0} % of the peak; goal 90), p99 {:.0} ms (goal 250), {} refused with \
         a time to try again, p99 {:.0} ms (goal 10), {} otherwise (goal 0)",
        extent.clients,
        over.per_second(all),
        good / rate * 100.0,
        millis(p99(&over.answered)),
        over.refused.len(),
        millis(p99(&over.refused)),
        over.wrong,
    );
    Ok(())
}

/// Sends requests over this many connections for this long: each after the previous response, or at `pace` if given.
fn load(
    target: &Target,
    connections: u32,
    pace: Option<Duration>,
    lasting: Duration,
) -> Result<Outcome, Failure> {
    let sockets: Vec<_> = (0..connections).map(|_| target.connect()).collect::<Result<_, _>>()?;
    let start = Instant::now();
    let clients: Vec<_> = sockets
        .into_iter()
        .zip(0_u32..)
        .map(|(mut socket, number)| {
            let target = target.clone();
            thread::Builder::new().stack_size(64 * 1_024).spawn(move || {
                let mut outcome = Outcome::default();
                let offset = pace.unwrap_or_default().saturating_mul(number);
                let offset = offset.checked_div(connections).unwrap_or_default();
                let mut next = start.checked_add(offset).unwrap_or(start);
                while start.elapsed() < lasting {
                    if let Some(pace) = pace {
                        thread::sleep(next.saturating_duration_since(Instant::now()));
                        next = next.checked_add(pace).unwrap_or(next);
                    }
                    if !outcome.add(&socket.send(&target.request)) {
                        break;
                    }
                }
                outcome
            })
        })
        .collect::<Result<_, _>>()?;
    let mut all = Outcome::default();
    for client in clients {
        let one = client.join().map_err(|_panic| "a client panicked")?;
        all.answered.extend(one.answered);
        all.refused.extend(one.refused);
        all.wrong = all.wrong.saturating_add(one.wrong);
    }
    all.wall = start.elapsed();
    Ok(all)
}
