//! Cache hits.
//!
//! A hit is measured within an evaluation, as in a program: the time of a request for a hundred
//! cached atoms, divided by their number. It includes building the key and the rest of the request.

use std::thread::scope;
use std::time::Duration;

use quotient::Inputs;
use quotient::cache::Cache;

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::atoms::{ATOMS, Shop, THREADS};
use crate::measure::{Contestant, measure, process_time};

const CAPACITY_BYTES: u64 = 64 << 20;

/// If an answer costs each of eight threads at most twice the time, then eight threads with a core each
/// get at least four times the answers of one. The time can be measured on fewer cores too.
const SHARED: Goal = Goal::Within(2.0);

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let shop = Shop::open()?;
    let cache = Cache::new(CAPACITY_BYTES);
    shop.check_at_once(&cache)?;
    let evaluate = || shop.cached_answers(&cache).is_ok();
    let mut contestants = [
        Contestant::reporting("8 threads", |calls| busy(calls, &evaluate))
            .of(ATOMS.saturating_mul(THREADS)),
        Contestant::new("one thread", evaluate).of(ATOMS),
        Contestant::new("no cache", || shop.answers(Inputs::data(&shop.data)).is_ok()).of(ATOMS),
    ];
    let times = measure(&mut contestants, session.effort);
    let [_, one, without] = times.as_slice() else { return Ok(Vec::new()) };
    let mut lines =
        vec![Line::time("cache hit with its key", one, Goal::Under(Duration::from_micros(1)))];
    lines.push(Line::ratio("cache hit with its key", (one, without), Goal::Shown));
    let shared = beside("cache hit, 8 threads, processor time", &times, &[("one thread", SHARED)]);
    lines.extend(shared.into_iter().take(1));
    Ok(lines)
}

/// Returns the processor time of all threads while each makes this many calls.
fn busy(calls: u32, evaluate: &(impl Fn() -> bool + Sync)) -> Duration {
    let start = process_time();
    scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| (0..calls).all(|_| evaluate()));
        }
    });
    process_time().saturating_sub(start)
}
