//! Formulas over columns: many rows of values in one call.

use super::{Engine, Request};
use crate::diagnostics::Diagnostic;
use crate::evaluate::columns::{self, Batch, Column};
use crate::functions::Environment;
use crate::plan::Plan;
use crate::types::Value;

impl Engine {
    /// The answers of a plan's formulas for every row of a batch: a column each, in the order of
    /// the formulas.
    ///
    /// A row's values are taken as those of a record: a column gives an input by its name, and an
    /// input without a column is null. Numbers come as scaled integers where the formula rounds to
    /// digits or only adds and multiplies scaled integers, and as decimals otherwise. Every row is
    /// the number that [`Engine::evaluate`] gives for its record. Of the request, zone and present
    /// count.
    ///
    /// ```
    /// use quotient::columns::{Batch, Column};
    /// use quotient::schema::{Input, Schema};
    /// use quotient::types::{Currency, CurrencyOf, Reason, Type, Unit};
    /// use quotient::{Engine, Request};
    ///
    /// let money = Type::Quantity(Unit::money(CurrencyOf::Fixed(Currency::USD)));
    /// let input = |name: &str, ty| Input { name: name.into(), description: None, ty };
    /// let mut schema = Schema::default();
    /// schema.inputs = vec![
    ///     input("revenue", money.clone()),
    ///     input("refunds", money),
    ///     input("orders", Type::Quantity(Unit::count("orders"))),
    /// ];
    /// let engine = Engine::new(schema);
    /// let formula = engine.compile("round((revenue - refunds) / orders, 2)").expect("it checks");
    ///
    /// let plan = engine.plan(&[&formula]).expect("a small plan");
    /// let batch = Batch::new(3)
    ///     .with("revenue", Column::scaled(vec![10_000, 5_000, 700], 2))
    ///     .with("refunds", Column::scaled(vec![0, 1_000, 0], 2))
    ///     .with("orders", Column::counts(vec![3, 2, 0]));
    /// let columns = engine.columns(&plan, &batch, &Request::default()).expect("values alone");
    ///
    /// let averages = columns.first().expect("one formula");
    /// let (cents, scale) = averages.as_scaled().expect("rounded to two digits");
    /// assert_eq!((cents.get(..2), scale), (Some(&[3_333, 2_000][..]), 2));
    /// assert_eq!(averages.null_reason(2), Some(Reason::DivisionByZero));
    /// ```
    ///
    /// # Errors
    /// An unknown zone; a formula that needs rows or a period.
    pub fn columns(
        &self,
        plan: &Plan,
        batch: &Batch,
        request: &Request,
    ) -> Result<Vec<Column>, Vec<Diagnostic>> {
        self.columns_on_threads(plan, batch, request, 1)
    }

    /// The same on that many threads, which end before it returns; the answers are the same.
    ///
    /// # Errors
    /// As [`Engine::columns`].
    pub fn columns_on_threads(
        &self,
        plan: &Plan,
        batch: &Batch,
        request: &Request,
        threads: usize,
    ) -> Result<Vec<Column>, Vec<Diagnostic>> {
        let calendar = self.calendar_of(request)?;
        let env = Environment { calendar: &calendar, now: request.now };
        columns::compute(plan, batch, env, threads).map_err(|finding| vec![finding])
    }

    /// The value of each formula of a plan over all rows of a batch together, for formulas of
    /// aggregates over one source such as `sum(revenue - refunds) / sum(orders)`.
    ///
    /// The columns are the source's fields, by name or by path (`total` or `order.total`). Every
    /// row counts: there are no dates, groups or links in a batch.
    ///
    /// # Errors
    /// An unknown zone; a formula that needs more than one source, a window, or a column that the
    /// batch lacks.
    pub fn column_totals(
        &self,
        plan: &Plan,
        batch: &Batch,
        request: &Request,
    ) -> Result<Vec<Value>, Vec<Diagnostic>> {
        let calendar = self.calendar_of(request)?;
        let env = Environment { calendar: &calendar, now: request.now };
        columns::totals(plan, batch, env).map_err(|finding| vec![finding])
    }
}
