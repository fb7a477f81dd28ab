//! Expressions of a row, computed for many rows at once.

use std::sync::Arc;

use super::evaluator::Evaluator;
use super::fast;
use super::frame::Owner;
use super::operators;
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
    pub(super) frame: usize,
    pub(super) bucket: usize,
}

impl Batch<'_> {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

impl Evaluator<'_> {
    pub(super) fn rows(&mut self, batch: &Batch<'_>, id: NodeId) -> Vector {
        let Some(node) = self.node(batch.owner, id) else { return null() };
        self.step(batch.len());
        match &node.kind {
            // As written: amounts of rows are converted after the whole expression, if at all.
            Kind::Constant(value) => Vector::Same(value.clone()),
            Kind::Column(path) => self.gather(batch.source, path, batch.rows),
            Kind::PerRow(inner) => self.per_row(batch, *inner),
            Kind::Outer(inner) => self.outer(batch, *inner),
            Kind::Shared(inner) => self.rows(batch, *inner),
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => self.row_chain(batch, id),
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
                let operand = self.rows(batch, *operand).truths(batch.len());
                Vector::Truth(operand.into_iter().map(|truth| !truth).collect())
            }
            Kind::IsNull(operand) => {
                let operand = self.rows(batch, *operand);
                Vector::Truth((0..batch.len()).map(|index| operand.is_missing(index)).collect())
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
    pub(super) fn gather(&mut self, source: SourceId, path: &Path, rows: &[u32]) -> Vector {
        if let Some(given) = self.stand_in.as_ref().and_then(|it| it.gather(source, path, rows)) {
            return given;
        }
        let Some(data) = self.data() else { return null() };
        let mut at = source;
        let mut reached = None;
        for link in &path.links {
            let Some(leads) = data.link(at, *link) else { return null() };
            let before: &[u32] = reached.as_deref().unwrap_or(rows);
            let follow = |row: &u32| {
                usize::try_from(*row).ok().and_then(|row| leads.get(row).copied()).unwrap_or(NO_ROW)
            };
            reached = Some(before.iter().map(follow).collect::<Vec<u32>>());
            let next = self.schema().source_at(at).and_then(|table| table.links.get(link.0));
            at = next.map_or(at, |link| link.target);
        }
        let rows = reached.as_deref().unwrap_or(rows);
        let column = data.table(at).and_then(|table| table.columns.get(path.field.0)?.as_ref());
        column.map_or_else(null, |column| pick(column, rows))
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
    fn row_chain(&mut self, batch: &Batch<'_>, id: NodeId) -> Vector {
        let (chain, first) = self.left_chain(batch.owner, id);
        let mut left = self.rows(batch, first);
        for id in chain.into_iter().rev() {
            let Some(node) = self.node(batch.owner, id) else { return null() };
            left = match &node.kind {
                Kind::And(_, right) => {
                    let right = self.rows(batch, *right);
                    let (one, two) = (left.truths(batch.len()), right.truths(batch.len()));
                    Vector::Truth(one.into_iter().zip(two).map(|(a, b)| a && b).collect())
                }
                Kind::Or(_, right) => {
                    let right = self.rows(batch, *right);
                    let (one, two) = (left.truths(batch.len()), right.truths(batch.len()));
                    Vector::Truth(one.into_iter().zip(two).map(|(a, b)| a || b).collect())
                }
                Kind::Arithmetic(op, _, right) => {
                    let right = self.rows(batch, *right);
                    let quick = fast::arithmetic(*op, &left, &right, batch.len());
                    let env = self.environment();
                    quick.unwrap_or_else(|| {
                        each(batch, |index| {
                            operators::arithmetic(
                                *op,
                                &left.value(index),
                                &right.value(index),
                                &env,
                            )
                        })
                    })
                }
                Kind::Concat(_, right) => {
                    let right = self.rows(batch, *right);
                    each(batch, |index| operators::concat(&left.value(index), &right.value(index)))
                }
                Kind::Default(_, right) => {
                    let right = self.rows(batch, *right);
                    each(batch, |index| {
                        if left.is_missing(index) { right.value(index) } else { left.value(index) }
                    })
                }
                _ => left,
            };
        }
        left
    }
}

pub(super) fn null() -> Vector {
    Vector::Same(Value::missing(Reason::NullValue))
}

pub(super) fn each(batch: &Batch<'_>, value: impl Fn(usize) -> Value) -> Vector {
    Vector::Values((0..batch.len()).map(value).collect())
}

/// The rows of a column, in order.
fn pick(column: &Column, rows: &[u32]) -> Vector {
    fn from<T: Copy>(values: &[T], rows: &[u32], null: T) -> Vec<T> {
        let at = |row: &u32| usize::try_from(*row).ok().and_then(|row| values.get(row).copied());
        rows.iter().map(|row| at(row).unwrap_or(null)).collect()
    }
    match column {
        Column::Scaled { values, scale } => {
            Vector::Scaled { values: from(values, rows, NULL), scale: *scale }
        }
        Column::Text { codes, entries } => {
            Vector::Codes { codes: from(codes, rows, NO_CODE), entries: Arc::clone(entries) }
        }
        Column::Instant(values) => Vector::Instants(from(values, rows, NULL)),
        Column::Exact(_) | Column::Bool(_) | Column::Date(_) => {
            let value = |row: &u32| column.value(usize::try_from(*row).unwrap_or(usize::MAX));
            Vector::Values(rows.iter().map(value).collect())
        }
    }
}
