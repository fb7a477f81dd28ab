//! Evaluates row expressions for many rows at once.

use std::rc::Rc;

use super::batch::RowBatch;
use super::columns::column;
use super::outer_values::OuterValue;
use super::row_currencies::RowCurrencies;
use super::selection_cache::SelectionCache;
use super::vector::Vector;
use super::vector_operations;
use crate::check::{Comparison, Kind, NodeId};
use crate::evaluate::context::Context;
use crate::evaluate::log::EvaluationLog;
use crate::plan::operators;
use crate::types::{Reason, Value};

/// Evaluates row expressions over one batch; vectors over a selection are cached for later scans of it.
#[derive(Debug)]
pub(crate) struct RowExpressions<'s, 'a> {
    pub(crate) context: &'s Context<'a>,
    pub(crate) cache: &'s mut SelectionCache,
    pub(crate) log: &'s mut EvaluationLog<'a>,
    pub(crate) currencies: RowCurrencies,
}

impl<'a> RowExpressions<'_, 'a> {
    /// The values of an expression, cached if the batch is a selection.
    pub(crate) fn values(&mut self, batch: &RowBatch<'_>, id: NodeId) -> Rc<Vector> {
        let node = batch.node(id);
        let is_constant = self
            .context
            .kind(node)
            .is_none_or(|kind| matches!(kind, Kind::Constant(_) | Kind::Literal(_)));
        // Outer values exist already: a copy for each bucket takes more memory than it saves time.
        let is_given = is_constant || batch.outer.contains_key(&node);
        let key = batch.selection.filter(|_| !is_given).and_then(|selection| {
            Some((selection, SelectionCache::computation(self.context, node, batch.at)?))
        });
        let Some((selection, computation)) = key else {
            return self.uncached_values(batch, id);
        };
        if let Some(known) = self.cache.vector(selection, computation) {
            return known;
        }
        let vector = self.uncached_values(batch, id);
        self.cache.keep_vector(selection, computation, &vector);
        vector
    }

    /// The values of an expression that is not needed again.
    pub(crate) fn uncached_values(&mut self, batch: &RowBatch<'_>, id: NodeId) -> Rc<Vector> {
        let Some(kind) = self.context.kind(batch.node(id)) else { return Rc::new(Vector::null()) };
        match kind {
            Kind::Shared(inner) => self.values(batch, *inner),
            Kind::Arithmetic(..)
            | Kind::And(..)
            | Kind::Or(..)
            | Kind::Concat(..)
            | Kind::Default(..) => {
                self.log.step(batch.len());
                self.left_chain(batch, id)
            }
            kind => {
                let values = Rc::new(self.vector(batch, id, kind));
                self.currencies.null_where_mixed(self.context, batch, kind, values)
            }
        }
    }

    fn vector(&mut self, batch: &RowBatch<'_>, id: NodeId, kind: &'a Kind) -> Vector {
        self.log.step(batch.len());
        match kind {
            // Constants stay as written: row amounts are converted after the whole expression, if at all.
            Kind::Constant(value) => Vector::Same(value.clone()),
            Kind::Column(path) => column(self.context, batch, path),
            Kind::Compare(op, left, right) => {
                let (left, right) = (self.values(batch, *left), self.values(batch, *right));
                self.compared(batch, *op, &left, &right)
            }
            Kind::Not(operand) => {
                let operand = self.values(batch, *operand);
                Vector::Truth(operand.truths(batch.len()).iter().map(|truth| !truth).collect())
            }
            Kind::IsNull(operand) => {
                let operand = self.values(batch, *operand);
                Vector::Truth(operand.missing(batch.len()))
            }
            Kind::InList(operand, values) => self.in_list(batch, *operand, values),
            Kind::Like(operand, pattern) => self.like(batch, *operand, pattern),
            Kind::Case(branches, otherwise) => self.case(batch, branches, *otherwise),
            Kind::Call(spec, arguments) => self.call(batch, spec, arguments),
            Kind::Negate(operand) => {
                let operand = self.values(batch, *operand);
                each(batch, |index| operators::negate(&operand.value(index)))
            }
            Kind::IsError(operand) => {
                let operand = self.values(batch, *operand);
                let is_error = |index| {
                    let missing = operand.value(index).as_missing();
                    missing.is_some_and(|missing| !missing.reason.is_missing_data())
                };
                Vector::Truth((0..batch.len()).map(is_error).collect())
            }
            Kind::InPeriod(operand, period) => {
                let (operand, period) = (self.values(batch, *operand), self.values(batch, *period));
                let env = self.context.environment();
                let holds =
                    |index| operators::in_period(&operand.value(index), &period.value(index), &env);
                Vector::Truth((0..batch.len()).map(holds).collect())
            }
            _ => outer_vector(batch, id),
        }
    }

    /// Compares two vectors row by row.
    pub(super) fn compared(
        &self,
        batch: &RowBatch<'_>,
        op: Comparison,
        left: &Vector,
        right: &Vector,
    ) -> Vector {
        vector_operations::compare(op, left, right, batch.len()).unwrap_or_else(|| {
            let env = self.context.environment();
            let holds =
                |index| operators::compare(op, &left.value(index), &right.value(index), &env);
            Vector::Truth((0..batch.len()).map(holds).collect())
        })
    }

    /// Evaluates left-associative operators in a loop.
    fn left_chain(&mut self, batch: &RowBatch<'_>, id: NodeId) -> Rc<Vector> {
        let (chain, first) = self.context.left_chain(batch.node(id));
        let mut left = self.values(batch, first);
        for id in chain.into_iter().rev() {
            let Some(kind) = self.context.kind(batch.node(id)) else {
                return Rc::new(Vector::null());
            };
            let (Kind::Arithmetic(_, _, right)
            | Kind::And(_, right)
            | Kind::Or(_, right)
            | Kind::Concat(_, right)
            | Kind::Default(_, right)) = kind
            else {
                return left;
            };
            let right = self.values(batch, *right);
            let joined = Rc::new(self.joined(kind, batch, &left, &right));
            left = self.currencies.null_where_mixed(self.context, batch, kind, joined);
        }
        left
    }

    fn joined(&self, kind: &Kind, batch: &RowBatch<'_>, left: &Vector, right: &Vector) -> Vector {
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
            Kind::Arithmetic(op, ..) => vector_operations::arithmetic(*op, left, right, count)
                .unwrap_or_else(|| {
                    let env = self.context.environment();
                    let value = |index| {
                        operators::arithmetic(*op, &left.value(index), &right.value(index), &env)
                    };
                    each(batch, value)
                }),
            Kind::Concat(..) => {
                each(batch, |index| operators::concat(&left.value(index), &right.value(index)))
            }
            _ => each(batch, |index| {
                if left.is_missing(index) { right.value(index) } else { left.value(index) }
            }),
        }
    }
}

pub(super) fn each(batch: &RowBatch<'_>, value: impl Fn(usize) -> Value) -> Vector {
    Vector::Values((0..batch.len()).map(value).collect())
}

/// A part of the expression that was computed before the rows.
fn outer_vector(batch: &RowBatch<'_>, id: NodeId) -> Vector {
    let none = || Value::missing(Reason::NoRows);
    match batch.outer.get(&batch.node(id)) {
        Some(OuterValue::Same(value, _)) => Vector::Same(value.clone()),
        Some(OuterValue::PerRow(series, _)) => {
            let of = |row: &u32| usize::try_from(*row).ok().and_then(|row| series.get(row));
            Vector::Values(
                batch.rows.iter().map(|row| of(row).cloned().unwrap_or_else(none)).collect(),
            )
        }
        None => Vector::Same(none()),
    }
}
