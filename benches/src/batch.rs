//! The rows as the engine takes them: a batch of columns.

use quotient::columns::{Batch, Column};
use quotient::plan::Plan;
use quotient::{Engine, Request, file};

use crate::rows::Cents;
use crate::{Failure, all_sound};

const INPUTS: &str = "input revenue money(USD)\ninput refunds money(USD)\ninput orders count\n";

/// The columns as the engine takes them.
#[derive(Debug)]
pub struct Table {
    /// It knows the inputs.
    pub engine: Engine,
    /// A column for each input.
    pub batch: Batch,
    /// How many there are.
    pub rows: u32,
}

impl Table {
    /// The same rows.
    pub fn new(cents: &Cents) -> Result<Self, Failure> {
        let batch = Batch::new(cents.revenue.len())
            .with("revenue", Column::scaled(cents.revenue.clone(), 2))
            .with("refunds", Column::scaled(cents.refunds.clone(), 2))
            .with("orders", Column::counts(cents.orders.clone()));
        let rows = u32::try_from(batch.rows())?;
        Ok(Self { engine: engine(INPUTS)?, batch, rows })
    }

    /// The plan of a formula.
    pub fn plan(&self, text: &str) -> Result<Plan, Failure> {
        plan(&self.engine, text)
    }

    /// What it answers, row by row.
    pub fn column(&self, plan: &Plan) -> Result<Column, Failure> {
        let columns = self.engine.columns(plan, &self.batch, &Request::default());
        let columns = columns.map_err(|found| format!("{found:?}"))?;
        columns.into_iter().next().ok_or_else(|| "a plan of no formula".into())
    }
}

/// An engine that knows what is declared.
pub fn engine(declarations: &str) -> Result<Engine, Failure> {
    let loaded = file::load("columns.metrics", &mut |_| Ok(declarations.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
    all_sound("columns.metrics", &findings)?;
    Ok(engine)
}

/// The plan of one formula.
pub fn plan(engine: &Engine, text: &str) -> Result<Plan, Failure> {
    let formula = engine.compile(text).map_err(|found| format!("{text}: {found:?}"))?;
    engine.plan(&[&formula]).map_err(|found| format!("{text}: {found:?}").into())
}
