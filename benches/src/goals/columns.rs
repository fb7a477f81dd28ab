//! Formulas over a million rows, in time per row.
//!
//! Contestants that compute row by row get fewer rows, as their time per row is the same.

use quotient::Request;
use quotient::columns::Column;
use quotient::plan::Plan;
use rust_decimal::Decimal;

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::batch::{Table, engine, plan};
use crate::measure::{Contestant, measure};
use crate::peers::python::{self, Python};
use crate::peers::{Answer, zen};
use crate::rows::{Cents, Floats, KERNELS, Kernel, quotients};
use crate::workloads::{self, AVERAGE};

const ROUNDED: &[(&str, Goal)] = &[
    (zen::NAME, Goal::Faster(40.0)),
    (python::DUCKDB, Goal::Faster(5.0)),
    (python::POLARS_DECIMAL, Goal::Faster(4.0)),
    (python::POLARS_FLOAT, Goal::Within(2.0)),
];
const ALL_DIGITS: &[(&str, Goal)] =
    &[(zen::NAME, Goal::Faster(5.0)), ("native rust_decimal", Goal::Faster(1.4))];
const RATIO: &[(&str, Goal)] = &[
    (python::POLARS_FLOAT, Goal::Faster(1.0)),
    (python::DUCKDB, Goal::Faster(5.0)),
    ("native f64", Goal::Within(1.3)),
];
/// The goals of any formula, compared with a hand-written loop.
const KERNEL: &[(&str, Goal)] =
    &[("native i64", Goal::Within(2.0)), ("one thread", Goal::Faster(1.7))];
/// The goal of columns with nulls, compared with the same without.
const NULLS: &[(&str, Goal)] = &[("without nulls", Goal::Within(1.15))];

const SOURCE: &str = "
source days event
    date day datetime
    field revenue money
    field refunds money
    field orders count
";
const SUMS: &str = "sum(days.revenue - days.refunds) / sum(days.orders)";

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let (rows, few) = if session.testing { (10_000, 100) } else { (1_000_000, 20_000) };
    let cents = Cents::new(rows)?;
    let python = Python::start(&session.target, python::COLUMNS, &[&rows.to_string()])?;
    let table = Table::new(&cents)?;
    let contest = Contest {
        session,
        python: python.as_ref(),
        cents: &cents,
        table: &table,
        rows: cents.decimals(few),
    };
    let mut lines = contest.rounded()?;
    lines.extend(contest.all_digits()?);
    lines.extend(contest.ratio()?);
    for kernel in KERNELS {
        lines.extend(contest.kernel(kernel)?);
    }
    lines.extend(contest.nulls()?);
    Ok(lines)
}

fn calls<'t>(name: &'static str, table: &'t Table, plan: &'t Plan) -> Contestant<'t> {
    Contestant::new(name, move || table.column(plan).ok()).of(table.rows)
}

fn waits<'t>(
    name: &'static str,
    (table, plan): (&'t Table, &'t Plan),
    threads: usize,
) -> Contestant<'t> {
    let request = Request::default();
    let call = move || table.engine.columns_on_threads(plan, &table.batch, &request, threads).ok();
    Contestant::waiting(name, call).of(table.rows)
}

/// The contestants, and the rows in their input formats.
struct Contest<'r> {
    session: &'r Session,
    python: Option<&'r Python>,
    cents: &'r Cents,
    table: &'r Table,
    rows: Vec<[Decimal; 3]>,
}

impl Contest<'_> {
    /// Measures W1 at a declared scale.
    fn rounded(&self) -> Result<Vec<Line>, Failure> {
        let what = "1 M rows, W1 rounded";
        let [kernel, ..] = KERNELS else { return Ok(Vec::new()) };
        let workload = workloads::average_rounded()?;
        let plan = self.table.plan(kernel.text)?;
        let (zen, answers) = zen::over_rows(&workload, &self.rows)?;
        is_alike(&self.table.column(&plan)?, &answers, zen::NAME)?;
        self.check_python()?;
        let floats = Floats::new(self.cents);
        let native = Contestant::new("native f64", || floats.averages()).of(self.table.rows);
        let mut contestants = vec![calls("quotient", self.table, &plan), zen, native];
        let absent = self.invite(&mut contestants, what, "average", ROUNDED);
        let times = measure(&mut contestants, self.session.effort);
        let mut lines = beside(what, &times, ROUNDED);
        lines.extend(absent);
        Ok(lines)
    }

    /// Measures W1 with the 28 digits of a decimal.
    fn all_digits(&self) -> Result<Vec<Line>, Failure> {
        let plan = self.table.plan(AVERAGE)?;
        let workload = workloads::average()?;
        let (zen, answers) = zen::over_rows(&workload, &self.rows)?;
        is_alike(&self.table.column(&plan)?, &answers, zen::NAME)?;
        is_alike(&self.table.column(&plan)?, &quotients(&self.rows), "native rust_decimal")?;
        let few = u32::try_from(self.rows.len())?;
        let native = Contestant::new("native rust_decimal", || quotients(&self.rows)).of(few);
        let mut contestants = [calls("quotient", self.table, &plan), zen, native];
        let times = measure(&mut contestants, self.session.effort);
        Ok(beside("1 M rows, W1 with 28 digits", &times, ALL_DIGITS))
    }

    /// Measures an exact ratio of two sums.
    fn ratio(&self) -> Result<Vec<Line>, Failure> {
        let what = "1 M rows, ratio of sums";
        let engine = engine(SOURCE)?;
        let plan = plan(&engine, SUMS)?;
        let (batch, request) = (&self.table.batch, Request::default());
        let ratio = || engine.column_totals(&plan, batch, &request);
        let value = ratio().map_err(|found| format!("{found:?}"))?;
        let value = value.first().and_then(quotient::types::Value::as_number);
        let value = value.ok_or("the ratio has no value")?;
        let floats = Floats::new(self.cents);
        Answer::Exact(self.cents.ratio()).check(value, "native i64")?;
        Answer::Float(floats.ratio()).check(value, "native f64")?;
        let mut contestants = vec![
            Contestant::new("quotient", ratio).of(self.table.rows),
            Contestant::new("native f64", || floats.ratio()).of(self.table.rows),
            Contestant::new("native i64", || self.cents.ratio()).of(self.table.rows),
        ];
        for peer in python::ALL.iter().filter(|peer| **peer != python::POLARS_DECIMAL) {
            if let Some(python) = self.python {
                Answer::Float(python.answer(peer, "ratio")?.parse()?).check(value, peer)?;
            }
        }
        let absent = self.invite(&mut contestants, what, "ratio", RATIO);
        let times = measure(&mut contestants, self.session.effort);
        let mut lines = beside(what, &times, RATIO);
        lines.extend(absent);
        Ok(lines)
    }

    fn kernel(&self, kernel: &Kernel) -> Result<Vec<Line>, Failure> {
        let plan = self.table.plan(kernel.text)?;
        let expected: Vec<Decimal> =
            (kernel.run)(self.cents).into_iter().map(|cents| Decimal::new(cents, 2)).collect();
        is_alike(&self.table.column(&plan)?, &expected, kernel.text)?;
        let mut contestants = [
            calls("quotient", self.table, &plan),
            Contestant::new("native i64", || (kernel.run)(self.cents)).of(self.table.rows),
        ];
        let times = measure(&mut contestants, self.session.effort);
        let mut lines = beside(&format!("1 M rows, {}", kernel.text), &times, KERNEL);
        let mut contestants = [
            waits("two threads", (self.table, &plan), 2),
            waits("one thread", (self.table, &plan), 1),
        ];
        let times = measure(&mut contestants, self.session.effort);
        lines.extend(beside("the same on two threads", &times, KERNEL));
        Ok(lines)
    }

    /// Measures columns in which every thirteenth row is null, and in another every seventeenth.
    fn nulls(&self) -> Result<Vec<Line>, Failure> {
        let [kernel, ..] = KERNELS else { return Ok(Vec::new()) };
        let every = |step: usize| {
            (0..self.cents.revenue.len()).map(|row| row.is_multiple_of(step)).collect::<Vec<_>>()
        };
        let batch = self.table.batch.clone();
        let batch = batch
            .with("refunds", Column::scaled(self.cents.refunds.clone(), 2).with_nulls(&every(13)))
            .with("orders", Column::counts(self.cents.orders.clone()).with_nulls(&every(17)));
        let with_nulls = Table { engine: self.table.engine.clone(), batch, rows: self.table.rows };
        let plan = self.table.plan(kernel.text)?;
        let mut contestants =
            [calls("quotient", &with_nulls, &plan), calls("without nulls", self.table, &plan)];
        let times = measure(&mut contestants, self.session.effort);
        Ok(beside("1 M rows, W1 rounded, with nulls", &times, NULLS))
    }

    /// Adds the Python peers, or lines that they are not installed.
    fn invite(
        &self,
        contestants: &mut Vec<Contestant<'_>>,
        what: &str,
        query: &str,
        goals: &[(&str, Goal)],
    ) -> Vec<Line> {
        let Some(python) = self.python else {
            let missing = goals.iter().filter(|(peer, _)| python::ALL.contains(peer));
            return missing.map(|(peer, goal)| Line::absent(what, peer, *goal)).collect();
        };
        let all = python::ALL.iter().map(|peer| python.contestant(peer, query).of(self.table.rows));
        contestants.extend(all);
        Vec::new()
    }

    /// Checks the sums over the rows that the Python peers compute: Polars' decimals round ties to
    /// even, which the engine can do too; DuckDB divides decimals as floats.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "sums of a million amounts are far below the largest decimal"
    )]
    fn check_python(&self) -> Result<(), Failure> {
        let Some(python) = self.python else { return Ok(()) };
        let plan = self.table.plan("round((revenue - refunds) / orders, 2, mode: half_even)")?;
        let even: Decimal =
            self.table.column(&plan)?.values().filter_map(|value| value.as_number()).sum();
        for peer in python::ALL {
            let answer: Decimal = python.answer(peer, "average")?.parse()?;
            let off = (answer - even).abs();
            let allowed =
                if peer == python::POLARS_DECIMAL { Decimal::ZERO } else { even / MILLION };
            if off > allowed {
                return Err(format!("{peer} sums up to {answer}, not {even}").into());
            }
        }
        Ok(())
    }
}

const MILLION: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

/// Checks that the column begins with the expected rows.
fn is_alike(column: &Column, expected: &[Decimal], who: &str) -> Result<(), Failure> {
    for (value, expected) in column.values().zip(expected) {
        let value = value.as_number().ok_or_else(|| format!("{who}: a row is null"))?;
        Answer::Exact(*expected).check(value, who)?;
    }
    Ok(())
}
