//! A formula of a hundred atoms, evaluated again and again.

use std::fmt::Write;
use std::sync::Barrier;
use std::thread::scope;

use quotient::cache::Cache;
use quotient::data::{Data, Rates};
use quotient::{Answers, Engine, Formula, Inputs, Request, file};

use crate::{Failure, all_sound};

/// The number of atoms of the formula.
pub const ATOMS: u32 = 100;
/// The number of threads that evaluate at the same time.
pub const THREADS: u32 = 8;

/// A few orders, and a formula of a hundred atoms over them.
#[derive(Debug)]
pub struct Shop {
    engine: Engine,
    /// The orders.
    pub data: Data,
    formula: Formula,
}

impl Shop {
    /// Creates the shop.
    pub fn open() -> Result<Self, Failure> {
        let text = "source orders event\n    date placed_at datetime\n    field total money\n";
        let loaded = file::load("cache.metrics", &mut |_| Ok(text.to_owned()));
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

    /// Returns the answers of the formula.
    pub fn answers(&self, inputs: Inputs<'_>) -> Result<Answers, Failure> {
        let answers = self.engine.evaluate(&[&self.formula], inputs, &Request::default());
        answers.map_err(|found| format!("{found:?}").into())
    }

    /// Returns the answers of the formula with a cache.
    pub fn cached_answers(&self, cache: &Cache) -> Result<Answers, Failure> {
        self.answers(Inputs::data(&self.data).cached(cache))
    }

    /// Fills the cache from eight threads that start together: each key is computed once, and the
    /// answer is the one without a cache.
    pub fn check_at_once(&self, cache: &Cache) -> Result<(), Failure> {
        let together = Barrier::new(usize::try_from(THREADS)?);
        let expected = self.answers(Inputs::data(&self.data))?;
        let expected = expected.first().map(|answer| answer.value.clone());
        let alike = scope(|scope| {
            let evaluate = || {
                together.wait();
                let answers = self.cached_answers(cache).ok()?;
                answers.first().map(|answer| answer.value.clone())
            };
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(evaluate)).collect();
            threads.into_iter().all(|thread| thread.join().is_ok_and(|answer| answer == expected))
        });
        let misses = cache.statistics().misses;
        if !alike || misses != u64::from(ATOMS) {
            return Err(format!("{misses} computations of {ATOMS} keys, alike: {alike}").into());
        }
        Ok(())
    }
}
