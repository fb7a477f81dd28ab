//! Expressions of a row, computed for many rows at once.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::evaluator::Evaluator;
use super::fast;
use super::frame::Owner;
use super::operators;
use super::selection::Selection;
use super::vector::Vector;
use crate::check::{Kind, NodeId};
use crate::data::{Column, NO_CODE, NO_ROW, NULL};
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Value};

/// The rows an expression is computed for, and where.
#[derive(Clone, Copy)]
pub(super) struct Batch<'r> {
    pub(super) owner: Owner,
    pub(super) source: SourceId,
    pub(super) rows: &'r [u32],
    /// What the rows are, where what is computed for them is kept.
    pub(super) selection: Option<&'r Selection>,
    pub(super) frame: usize,
    pub(super) bucket: usize,
}

impl Batch<'_> {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The places of the rows in a column, where they follow each other.
    fn run(&self) -> Option<Range<usize>> {
        self.selection.filter(|selection| selection.is_run())?;
        let first = usize::try_from(*self.rows.first()?).ok()?;
        Some(first..first.checked_add(self.rows.len())?)
    }
}

impl<'a> Evaluator<'a> {
    /// The values of an expression, computed once for all that ask for it over the same rows.
    pub(super) fn rows(&mut self, batch: &Batch<'_>, id: NodeId) -> Rc<Vector> {
        let constant = self.node(batch.owner, id).is_none_or(|node| {
            matches!(node.kind, Kind::Constant(_) | Kind::Literal(_) | Kind::Outer(_))
        });
        let key = match batch.selection {
            Some(selection) if !constant => {
                self.computation(batch, id).map(|computation| (selection, computation))
            }
            Some(_) | None => None,
        };
        let Some((selection, computation)) = key else {
            return self.unkept_rows(batch, id);
        };
        if let Some(known) = self.kept_vector(selection, computation) {
            return known;
        }
        let vector = self.unkept_rows(batch, id);
        self.keep_vector(selection, computation, &vector);
        vector
    }

    /// The same where nobody else will ask.
    pub(super) fn unkept_rows(&mut self, batch: &Batch<'_>, id: NodeId) -> Rc<Vector> {
        let Some(node) = self.node(batch.owner, id) else { return Rc::new(null()) };
        match &node.kind {
            Kind::Shared(inner) => self.rows(batch, *inner),
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => {
                self.step(batch.len());
                self.row_chain(batch, id)
            }
            kind => Rc::new(self.vector(batch, id, kind)),
        }
    }

    fn vector(&mut self, batch: &Batch<'_>, id: NodeId, kind: &'a Kind) -> Vector {
        self.step(batch.len());
        match kind {
            // As written: amounts of rows are converted after the whole expression, if at all.
            Kind::Constant(value) => Vector::Same(value.clone()),
            Kind::Column(path) => self.gather(batch, path),
            Kind::PerRow(inner) => self.per_row(batch, *inner),
            Kind::Outer(inner) => self.outer(batch, *inner),
            Kind::Compare(op, left, right) => {
                let (left, right) = (self.rows(batch, *left), self.rows(batch, *right));
                fast::compare(*op, &left, &right, batch.len()).unwrap_or_else(|| {
                    let env = self.environment();
                    let holds = |index| {
                        operators::compare(*op, &left.value(index), &right.value(index), &env)
                    };
                    Vector::Truth((0..batch.len()).map(holds).collect())
                })
            }
            Kind::Not(operand) => {
                let operand = self.rows(batch, *operand);
                Vector::Truth(operand.truths(batch.len()).iter().map(|truth| !truth).collect())
            }
            Kind::IsNull(operand) => {
                let operand = self.rows(batch, *operand);
                Vector::Truth(operand.missing(batch.len()))
            }
            Kind::InList(operand, values) => self.rows_in_list(batch, *operand, values),
            Kind::Like(operand, pattern) => self.rows_like(batch, *operand, pattern),
            Kind::Case(branches, otherwise) => self.rows_case(batch, branches, *otherwise),
            Kind::Call(_, arguments) => self.rows_call(batch, id, arguments),
            Kind::Negate(operand) => {
                let operand = self.rows(batch, *operand);
                each(batch, |index| operators::negate(&operand.value(index)))
            }
            Kind::IsError(operand) => {
                let operand = self.rows(batch, *operand);
                let is_error = |index| {
                    let missing = operand.value(index).as_missing();
                    missing.is_some_and(|missing| !missing.reason.is_missing_data())
                };
                Vector::Truth((0..batch.len()).map(is_error).collect())
            }
            Kind::InPeriod(operand, period) => {
                let (operand, period) = (self.rows(batch, *operand), self.rows(batch, *period));
                let env = self.environment();
                let holds =
                    |index| operators::in_period(&operand.value(index), &period.value(index), &env);
                Vector::Truth((0..batch.len()).map(holds).collect())
            }
            _ => {
                // The same for all rows: constants, the period, the present.
                let cells = self.cells(batch.owner, id, batch.frame);
                Vector::Same(self.cell(&cells, batch))
            }
        }
    }

    /// The value of this bucket, where groups do not matter.
    fn cell(&self, cells: &[Value], batch: &Batch<'_>) -> Value {
        let groups = self.frame(batch.frame).map_or(1, super::frame::Frame::group_count);
        let index = batch.bucket.saturating_mul(groups);
        cells.get(index).cloned().unwrap_or(Value::missing(Reason::NoRows))
    }

    /// A column, behind links or not.
    pub(super) fn gather(&self, batch: &Batch<'_>, path: &Path) -> Vector {
        let stand_in = self.stand_in.as_ref();
        if let Some(given) = stand_in.and_then(|it| it.gather(batch.source, path, batch.rows)) {
            return given;
        }
        let Some(data) = self.data() else { return null() };
        let mut at = batch.source;
        let mut run = batch.run();
        let mut reached = Cow::Borrowed(batch.rows);
        for link in &path.links {
            let Some(leads) = data.link(at, *link) else { return null() };
            reached = match run.take().and_then(|run| leads.get(run)) {
                Some(rows) => Cow::Borrowed(rows),
                None => Cow::Owned(picked(leads, &reached, NO_ROW)),
            };
            let next = self.schema().source_at(at).and_then(|table| table.links.get(link.0));
            at = next.map_or(at, |link| link.target);
        }
        let column = data.table(at).and_then(|table| table.columns.get(path.field.0)?.as_ref());
        match (column, run) {
            (Some(column), Some(run)) => part(column, run),
            (Some(column), None) => pick(column, &reached),
            (None, _) => null(),
        }
    }

    /// An aggregate over the rows linked to each row.
    fn per_row(&mut self, batch: &Batch<'_>, inner: NodeId) -> Vector {
        let frame = self.entity_frame(batch.source, batch.frame, batch.bucket);
        let cells = self.cells(batch.owner, inner, frame);
        let of = |row: &u32| {
            let found = usize::try_from(*row).ok().and_then(|row| cells.get(row));
            found.cloned().unwrap_or(Value::missing(Reason::NoRows))
        };
        Vector::Values(batch.rows.iter().map(of).collect())
    }

    /// A value of the whole period, from outside the aggregate.
    fn outer(&mut self, batch: &Batch<'_>, inner: NodeId) -> Vector {
        let frame = self.ungrouped_frame(batch.frame, batch.bucket);
        let cells = self.cells(batch.owner, inner, frame);
        Vector::Same(cells.first().cloned().unwrap_or(Value::missing(Reason::NoRows)))
    }

    /// Operators that group to the left, in a loop.
    fn row_chain(&mut self, batch: &Batch<'_>, id: NodeId) -> Rc<Vector> {
        let (chain, first) = self.left_chain(batch.owner, id);
        let mut left = self.rows(batch, first);
        for id in chain.into_iter().rev() {
            let Some(node) = self.node(batch.owner, id) else { return Rc::new(null()) };
            let (Kind::Arithmetic(_, _, right)
            | Kind::And(_, right)
            | Kind::Or(_, right)
            | Kind::Concat(_, right)
            | Kind::Default(_, right)) = &node.kind
            else {
                return left;
            };
            let right = self.rows(batch, *right);
            left = Rc::new(self.joined(&node.kind, batch, &left, &right));
        }
        left
    }

    fn joined(&self, kind: &Kind, batch: &Batch<'_>, left: &Vector, right: &Vector) -> Vector {
        let count = batch.len();
        match kind {
            Kind::And(..) => {
                let (left, right) = (left.truths(count), right.truths(count));
                Vector::Truth(left.iter().zip(right.iter()).map(|(a, b)| a & b).collect())
            }
            Kind::Or(..) => {
                let (left, right) = (left.truths(count), right.truths(count));
                Vector::Truth(left.iter().zip(right.iter()).map(|(a, b)| a | b).collect())
            }
            Kind::Arithmetic(op, ..) => {
                fast::arithmetic(*op, left, right, count).unwrap_or_else(|| {
                    let env = self.environment();
                    let value = |index| {
                        operators::arithmetic(*op, &left.value(index), &right.value(index), &env)
                    };
                    each(batch, value)
                })
            }
            Kind::Concat(..) => {
                each(batch, |index| operators::concat(&left.value(index), &right.value(index)))
            }
            _ => each(batch, |index| {
                if left.is_missing(index) { right.value(index) } else { left.value(index) }
            }),
        }
    }
}

pub(super) fn null() -> Vector {
    Vector::Same(Value::missing(Reason::NullValue))
}

pub(super) fn each(batch: &Batch<'_>, value: impl Fn(usize) -> Value) -> Vector {
    Vector::Values((0..batch.len()).map(value).collect())
}

/// The values at the rows, in order.
pub(super) fn picked<T: Copy>(values: &[T], rows: &[u32], null: T) -> Vec<T> {
    let at = |row: &u32| usize::try_from(*row).ok().and_then(|row| values.get(row).copied());
    rows.iter().map(|row| at(row).unwrap_or(null)).collect()
}

/// The rows of a column, in order.
fn pick(column: &Column, rows: &[u32]) -> Vector {
    match column {
        Column::Scaled { values, scale } => {
            Vector::Scaled { values: picked(values, rows, NULL), scale: *scale }
        }
        Column::Text { codes, entries } => {
            Vector::Codes { codes: picked(codes, rows, NO_CODE), entries: Arc::clone(entries) }
        }
        Column::Instant(values) => Vector::Instants(picked(values, rows, NULL)),
        Column::Bool(values) => Vector::Flags(picked(values, rows, None)),
        Column::Exact(_) | Column::Date(_) => {
            let value = |row: &u32| column.value(usize::try_from(*row).unwrap_or(usize::MAX));
            Vector::Values(rows.iter().map(value).collect())
        }
    }
}

/// Rows of a column that follow each other.
fn part(column: &Column, run: Range<usize>) -> Vector {
    match column {
        Column::Scaled { values, scale } => {
            Vector::Scaled { values: values.get(run).unwrap_or_default().to_vec(), scale: *scale }
        }
        Column::Text { codes, entries } => Vector::Codes {
            codes: codes.get(run).unwrap_or_default().to_vec(),
            entries: Arc::clone(entries),
        },
        Column::Instant(values) => Vector::Instants(values.get(run).unwrap_or_default().to_vec()),
        Column::Bool(values) => Vector::Flags(values.get(run).unwrap_or_default().to_vec()),
        Column::Exact(_) | Column::Date(_) => {
            Vector::Values(run.map(|row| column.value(row)).collect())
        }
    }
}
