//! The currencies of the amounts in rows. A store that converts amounts does so after they are computed, so
//! it keeps those of one row apart as well.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::batch::RowBatch;
use super::columns::column;
use super::outer_values::OuterValue;
use super::vector::Vector;
use crate::check::{CurrencyOrigin, Kind, NodeId, children};
use crate::evaluate::amount_currency::{AmountCurrency, Currencies, joined, of_several};
use crate::evaluate::context::Context;
use crate::plan::{NodeRef, Owner};
use crate::types::Value;

/// Whether a row can have several currencies in values computed from all of these expressions.
pub(crate) fn may_mix_currencies(context: &Context<'_>, owner: Owner, roots: &[NodeId]) -> bool {
    let origins = roots.iter().map(|root| origin(context, NodeRef { owner, id: *root }));
    origins.fold(CurrencyOrigin::Nowhere, CurrencyOrigin::with) == CurrencyOrigin::Several
}

fn origin(context: &Context<'_>, node: NodeRef) -> CurrencyOrigin {
    let typed = context.typed(node.owner);
    typed.map_or(CurrencyOrigin::Nowhere, |typed| typed.currency_origin(node.id, context.schema))
}

/// The currencies of the expressions over one batch, row by row, each computed once.
#[derive(Debug, Default)]
pub(crate) struct RowCurrencies(BTreeMap<NodeId, Option<Currencies>>);

impl RowCurrencies {
    /// The currencies of an expression's values; `None` if it contains no amount of rows.
    pub(super) fn of(
        &mut self,
        context: &Context<'_>,
        batch: &RowBatch<'_>,
        root: NodeId,
    ) -> Option<Currencies> {
        let source = |id: NodeId| match origin(context, batch.node(id)) {
            CurrencyOrigin::Nowhere => None,
            CurrencyOrigin::Node(first) => Some((first, Vec::new())),
            CurrencyOrigin::Several => Some((id, children(context.kind(batch.node(id))?))),
        };
        let mut unknown = BTreeMap::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let Some((id, below)) = source(id) else { continue };
            if !self.0.contains_key(&id) && !unknown.contains_key(&id) {
                stack.extend(&below);
                unknown.insert(id, below);
            }
        }
        let known = |known: &Self, id| known.0.get(&source(id)?.0).cloned().flatten();
        // Children come before parents.
        for (id, below) in unknown {
            let own = if below.is_empty() {
                currencies_of(context, batch, id)
            } else {
                shared(&below.into_iter().filter_map(|id| known(self, id)).collect::<Vec<_>>())
            };
            self.0.insert(id, own);
        }
        known(self, root)
    }

    /// The currencies of values computed from all of these expressions; `None` unless some row has several.
    pub(super) fn several(
        &mut self,
        context: &Context<'_>,
        batch: &RowBatch<'_>,
        roots: &[NodeId],
    ) -> Option<Vec<AmountCurrency>> {
        if !may_mix_currencies(context, batch.owner, roots) {
            return None;
        }
        joined(roots.iter().map(|root| self.of(context, batch, *root)))
            .filter(|found| found.contains(&AmountCurrency::Several))
    }

    /// The values of an operation, with those replaced that are computed from amounts in several currencies.
    pub(super) fn null_where_mixed(
        &mut self,
        context: &Context<'_>,
        batch: &RowBatch<'_>,
        kind: &Kind,
        values: Rc<Vector>,
    ) -> Rc<Vector> {
        if !matches!(kind, Kind::Arithmetic(..) | Kind::Compare(..) | Kind::Call(..)) {
            return values;
        }
        let several = self.several(context, batch, &children(kind));
        replaced(several, values, || of_several(Some(kind)))
    }

    /// Whether rows have equal amounts on both sides, with false for amounts in two currencies.
    pub(super) fn equal_in_one_currency(
        &mut self,
        context: &Context<'_>,
        batch: &RowBatch<'_>,
        sides: [NodeId; 2],
        values: Rc<Vector>,
    ) -> Rc<Vector> {
        replaced(self.several(context, batch, &sides), values, || Value::Bool(false))
    }
}

/// Returns the currencies of an operation on these operands: those of an operand if they are the same, so that each
/// operation of a long chain does not hold currencies of its own.
fn shared(operands: &[Currencies]) -> Option<Currencies> {
    let all = joined(operands.iter().cloned().map(Some))?;
    let same = operands.iter().find(|own| ***own == all);
    Some(same.map_or_else(|| Rc::new(all), Rc::clone))
}

fn replaced(
    currencies: Option<Vec<AmountCurrency>>,
    values: Rc<Vector>,
    of_several: impl Fn() -> Value,
) -> Rc<Vector> {
    let Some(currencies) = currencies else { return values };
    let value = |(index, currency): (usize, &AmountCurrency)| match currency {
        AmountCurrency::Several if !values.is_missing(index) => of_several(),
        AmountCurrency::Any | AmountCurrency::One(_) | AmountCurrency::Several => {
            values.value(index)
        }
    };
    Rc::new(Vector::Values(currencies.iter().enumerate().map(value).collect()))
}

/// The currencies of a column, or of a value from outside the rows.
fn currencies_of(context: &Context<'_>, batch: &RowBatch<'_>, id: NodeId) -> Option<Currencies> {
    let Kind::Column(path) = context.kind(batch.node(id))? else {
        return outer_currencies(context, batch, id);
    };
    let codes = column(context, batch, &context.schema.currency_column(batch.source, path)?);
    // Where amounts are converted, one without a currency is usually absent.
    let converts = context.schema.store.mixed_currency.converts();
    let of_row = |index| match codes.value(index) {
        code if converts && code.is_missing() => AmountCurrency::Any,
        code => AmountCurrency::of_code(&code),
    };
    Some(Rc::new((0..batch.len()).map(of_row).collect()))
}

/// The currencies of an amount of other rows or of the period. Where amounts are converted, it is in the store's
/// currency; zero is in any.
fn outer_currencies(context: &Context<'_>, batch: &RowBatch<'_>, id: NodeId) -> Option<Currencies> {
    let store = &context.schema.store;
    let of_store = AmountCurrency::One(Arc::from(store.currency.code()));
    let currency = |value: Option<&Value>, own: Option<&AmountCurrency>| match value {
        Some(Value::Number(amount)) if store.mixed_currency.converts() && !amount.is_zero() => {
            of_store.clone()
        }
        _ => own.cloned().unwrap_or_default(),
    };
    Some(Rc::new(match batch.outer.get(&batch.node(id))? {
        OuterValue::Same(value, own) => vec![currency(Some(value), Some(own)); batch.len()],
        OuterValue::PerRow(values, own) => {
            let of_row = |row: &u32| {
                let row = usize::try_from(*row).ok()?;
                Some(currency(values.get(row), own.as_ref().and_then(|own| own.get(row))))
            };
            batch.rows.iter().map(|row| of_row(row).unwrap_or_default()).collect()
        }
    }))
}
