//! Answers that are there already.
//!
//! A hit is measured where programs meet it, within an evaluation: a request for a hundred atoms
//! that are all kept, and its time for each of them. Making the key is part of it, and so is the
//! rest of the request.

use std::fmt::Write;
use std::sync::Barrier;
use std::thread::scope;
use std::time::Duration;

use quotient::cache::Cache;
use quotient::data::{Data, Rates};
use quotient::{Engine, Formula, Inputs, Request};

use super::line::beside;
use super::{Goal, Line, Session};
use crate::measure::{Contestant, measure, process_time};
use crate::{Failure, all_sound};

const ATOMS: u32 = 100;
const THREADS: u32 = 8;
const CAPACITY_BYTES: u64 = 64 << 20;

/// Eight threads get at least four times the answers of one where each has a core, if an answer costs
/// each of them at most twice the time. That can be measured on fewer cores too.
const SHARED: Goal = Goal::Within(2.0);

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let shop = Shop::open()?;
    let cache = Cache::new(CAPACITY_BYTES);
    shop.ask_at_once(&cache)?;
    let ask = || shop.ask(&cache).is_ok();
    let mut contestants = [
        Contestant::reporting("8 threads", |calls| busy(calls, &ask))
            .of(ATOMS.saturating_mul(THREADS)),
        Contestant::new("one thread", ask).of(ATOMS),
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

/// What all threads together are on a processor while each asks that often.
fn busy(calls: u32, ask: &(impl Fn() -> bool + Sync)) -> Duration {
    let start = process_time();
    scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| (0..calls).all(|_| ask()));
        }
    });
    process_time().saturating_sub(start)
}

/// A few orders, and a formula of a hundred atoms over them.
#[derive(Debug)]
struct Shop {
    engine: Engine,
    data: Data,
    formula: Formula,
}

impl Shop {
    fn open() -> Result<Self, Failure> {
        let text = "source orders event\n    date placed_at datetime\n    field total money\n";
        let loaded = quotient::file::load("cache.metrics", &mut |_| Ok(text.to_owned()));
        let (engine, findings) = Engine::from_loaded(&loaded);
        let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
        all_sound("cache.metrics", &findings)?;
        let mut orders = engine.table("orders", &["placed_at", "total"])?;
        for minute in 0..60 {
            orders.push(&[&format!("2026-02-03 09:{minute:02}:00"), &format!("{minute}.50")])?;
        }
        let data = engine.data(vec![orders.finish()], Rates::new())?;
        let mut formula = String::from("0 USD");
        for least in 0..ATOMS {
            write!(formula, " + sum(orders.total where total > {least} USD)")?;
        }
        let formula = engine.compile(&formula).map_err(|found| format!("{found:?}"))?;
        Ok(Self { engine, data, formula })
    }

    fn answers(&self, inputs: Inputs<'_>) -> Result<quotient::Answers, Failure> {
        let answers = self.engine.evaluate(&[&self.formula], inputs, &Request::default());
        answers.map_err(|found| format!("{found:?}").into())
    }

    fn ask(&self, cache: &Cache) -> Result<quotient::Answers, Failure> {
        self.answers(Inputs::data(&self.data).cached(cache))
    }

    /// Fills the cache from eight threads that start together: each key is computed once, and the
    /// answer is the one without a cache.
    fn ask_at_once(&self, cache: &Cache) -> Result<(), Failure> {
        let together = Barrier::new(8);
        let expected = self.answers(Inputs::data(&self.data))?;
        let expected = expected.first().map(|answer| answer.value.clone());
        let alike = scope(|scope| {
            let ask = || {
                together.wait();
                let answers = self.ask(cache).ok()?;
                answers.first().map(|answer| answer.value.clone())
            };
            let asked: Vec<_> = (0..THREADS).map(|_| scope.spawn(ask)).collect();
            asked.into_iter().all(|asked| asked.join().is_ok_and(|answer| answer == expected))
        });
        let misses = cache.statistics().misses;
        if !alike || misses != u64::from(ATOMS) {
            return Err(format!("{misses} computations of {ATOMS} keys, alike: {alike}").into());
        }
        Ok(())
    }
}
