//! The rows in the engine's input format: a batch of columns.

use quotient::columns::{Batch, Column};
use quotient::plan::Plan;
use quotient::{Engine, Request, file};

use crate::rows::Cents;
use crate::{Failure, all_sound};

const INPUTS: &str = "input revenue money(USD)\ninput refunds money(USD)\ninput orders count\n";

/// The columns in the engine's input format.
#[derive(Debug)]
pub struct Table {
    /// An engine that declares the inputs.
    pub engine: Engine,
    /// A column for each input.
    pub batch: Batch,
    /// The number of rows.
    pub rows: u32,
}

impl Table {
    /// Converts the rows.
    pub fn new(cents: &Cents) -> Result<Self, Failure> {
        let batch = Batch::new(cents.revenue.len())
            .with("revenue", Column::scaled(cents.revenue.clone(), 2))
            .with("refunds", Column::scaled(cents.refunds.clone(), 2))
            .with("orders", Column::counts(cents.orders.clone()));
        let rows = u32::try_from(batch.rows())?;
        Ok(Self { engine: engine(INPUTS)?, batch, rows })
    }

    /// Returns the plan of a formula.
    pub fn plan(&self, text: &str) -> Result<Plan, Failure> {
        plan(&self.engine, text)
    }

    /// Returns the answers of a plan, row by row.
    pub fn column(&self, plan: &Plan) -> Result<Column, Failure> {
        let columns = self.engine.columns(plan, &self.batch, &Request::default());
        let columns = columns.map_err(|found| format!("{found:?}"))?;
        columns.into_iter().next().ok_or_else(|| "a plan of no formula".into())
    }
}

/// Creates an engine from declarations.
pub fn engine(declarations: &str) -> Result<Engine, Failure> {
    let loaded = file::load("columns.metrics", &mut |_| Ok(declarations.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    let findings: Vec<_> = findings.iter().map(|(_, finding)| finding).collect();
    all_sound("columns.metrics", &findings)?;
    Ok(engine)
}

/// Returns the plan of one formula.
pub fn plan(engine: &Engine, text: &str) -> Result<Plan, Failure> {
    let formula = engine.compile(text).map_err(|found| format!("{text}: {found:?}"))?;
    engine.plan(&[&formula]).map_err(|found| format!("{text}: {found:?}").into())
}
