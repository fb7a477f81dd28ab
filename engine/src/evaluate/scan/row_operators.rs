//! Sets, patterns, choices and function calls, for many rows at once.

use std::rc::Rc;
use std::sync::Arc;

use super::batch::RowBatch;
use super::row_expressions::{RowExpressions, each};
use super::vector::Vector;
use super::vector_operations;
use crate::check::{Comparison, NodeId};
use crate::functions::FunctionSpec;
use crate::plan::operators;
use crate::types::{Reason, Value};

impl RowExpressions<'_, '_> {
    pub(super) fn in_list(
        &mut self,
        batch: &RowBatch<'_>,
        operand: NodeId,
        list: &[NodeId],
    ) -> Vector {
        let own = self.values(batch, operand);
        let values: Vec<Rc<Vector>> = list.iter().map(|value| self.values(batch, *value)).collect();
        if let Vector::Codes { codes, entries } = &*own
            && let Some(texts) = values.iter().map(|value| text(value)).collect::<Option<Vec<_>>>()
        {
            let holds = |entry: &str| texts.contains(&entry);
            return vector_operations::by_text((codes, entries), false, holds);
        }
        let mut truth = vec![false; batch.len()];
        for (id, value) in list.iter().zip(values) {
            let found = self.compared(batch, Comparison::Equal, &own, &value);
            let found = self.currencies.equal_in_one_currency(
                self.context,
                batch,
                [operand, *id],
                Rc::new(found),
            );
            for (slot, found) in truth.iter_mut().zip(found.truths(batch.len()).iter()) {
                *slot |= found;
            }
        }
        Vector::Truth(truth)
    }

    pub(super) fn like(
        &mut self,
        batch: &RowBatch<'_>,
        operand: NodeId,
        pattern: &Arc<str>,
    ) -> Vector {
        let operand = self.values(batch, operand);
        if let Vector::Codes { codes, entries } = &*operand {
            let holds = |text: &str| operators::like(text, pattern);
            return vector_operations::by_text((codes, entries), false, holds);
        }
        let holds = |index| matches!(operand.value(index), Value::Text(text) if operators::like(&text, pattern));
        Vector::Truth((0..batch.len()).map(holds).collect())
    }

    pub(super) fn case(
        &mut self,
        batch: &RowBatch<'_>,
        branches: &[(NodeId, NodeId)],
        otherwise: Option<NodeId>,
    ) -> Vector {
        let mut chosen: Vec<Option<Value>> = vec![None; batch.len()];
        for (when, then) in branches {
            let (when, then) = (self.values(batch, *when), self.values(batch, *then));
            for (index, slot) in chosen.iter_mut().enumerate() {
                if slot.is_none() && when.is_true(index) {
                    *slot = Some(then.value(index));
                }
            }
        }
        let otherwise = otherwise.map(|value| self.values(batch, value));
        let rest = |index| match &otherwise {
            Some(value) => value.value(index),
            None => Value::missing(Reason::NoBranch),
        };
        let values = chosen.into_iter().enumerate();
        Vector::Values(values.map(|(index, value)| value.unwrap_or_else(|| rest(index))).collect())
    }

    /// Calls a function; one of a single text column is called once for each distinct text.
    pub(super) fn call(
        &mut self,
        batch: &RowBatch<'_>,
        spec: &'static FunctionSpec,
        arguments: &[NodeId],
    ) -> Vector {
        let vectors: Vec<Rc<Vector>> =
            arguments.iter().map(|argument| self.values(batch, *argument)).collect();
        let env = self.context.environment();
        let mut varying =
            vectors.iter().enumerate().filter(|(_, v)| !matches!(***v, Vector::Same(_)));
        let (first, second) = (varying.next(), varying.next());
        if let (Some((place, varying)), None) = (first, second)
            && let Vector::Codes { codes, entries } = &**varying
            && entries.len() <= batch.len().saturating_mul(2)
        {
            let call_with = |value: Value| {
                let given: Vec<Value> = vectors
                    .iter()
                    .enumerate()
                    .map(
                        |(index, vector)| {
                            if index == place { value.clone() } else { vector.value(0) }
                        },
                    )
                    .collect();
                operators::call(spec, &given, &env)
            };
            let results: Vec<Value> =
                entries.iter().map(|text| call_with(Value::Text(Arc::clone(text)))).collect();
            return vector_operations::spread(
                codes,
                &results,
                &call_with(Value::missing(Reason::NullValue)),
            );
        }
        each(batch, |index| {
            let given: Vec<Value> = vectors.iter().map(|vector| vector.value(index)).collect();
            operators::call(spec, &given, &env)
        })
    }
}

/// The text, if it is the same in every row.
fn text(vector: &Vector) -> Option<&str> {
    match vector {
        Vector::Same(Value::Text(text)) => Some(text),
        _ => None,
    }
}
