//! Formulas over columns: many rows of values in one call.

use super::{Engine, Request};
use crate::diagnostics::Diagnostic;
use crate::evaluate::columns::{self, Batch, Column};
use crate::functions::Environment;
use crate::plan::Plan;
use crate::types::Value;

impl Engine {
    /// Computes the formulas of a plan for every row of a batch. Returns one column per formula, in
    /// their order.
    ///
    /// Each row acts as a record: a column supplies the input with its name, and an input without a
    /// column is null. Numbers are scaled integers if the formula rounds to digits or only adds and
    /// multiplies scaled integers, and decimals otherwise. Every row equals the result of
    /// [`Engine::evaluate`] for the same record. Only the zone and the present of the request are
    /// used.
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

    /// Like [`Engine::columns`], split over the given number of threads, which end before the call
    /// returns. The answers are the same.
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

    /// Computes each formula of a plan over all rows of a batch together. The formulas aggregate
    /// over one source, such as `sum(revenue - refunds) / sum(orders)`.
    ///
    /// The columns are the source's fields, by name or by path (`total` or `order.total`). Every
    /// row counts: a batch has no dates, groups or links.
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
