//! The currencies of the amounts in rows. A store that converts amounts does so after they are computed, so
//! it keeps those of one row apart as well.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::batch::Batch;
use super::columns::column;
use super::outer_values::OuterValue;
use super::vector::Vector;
use crate::check::{Kind, NodeId, children, is_operation};
use crate::evaluate::amount_currency::{AmountCurrency, Currencies, joined, of_several};
use crate::evaluate::context::Context;
use crate::plan::{NodeRef, Owner};
use crate::schema::{DataType, Path, SourceId};
use crate::types::Value;

/// Where rows have the currency of an amount from.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// A column with codes.
    Code(Path),
    /// An amount of other rows or of the period.
    Outer(NodeId),
}

/// The currencies of values computed from expressions over rows, row by row; `None` if they contain no
/// amount of rows.
pub(super) fn row_currencies(
    context: &Context<'_>,
    batch: &Batch<'_>,
    roots: &[NodeId],
) -> Option<Vec<AmountCurrency>> {
    of_origins(context, batch, &origins(context, (batch.owner, batch.source), roots))
}

/// The currencies of values computed from all of these expressions, row by row; `None` unless some row has
/// several.
pub(super) fn several_currencies(
    context: &Context<'_>,
    batch: &Batch<'_>,
    roots: &[NodeId],
) -> Option<Vec<AmountCurrency>> {
    let origins = origins(context, (batch.owner, batch.source), roots);
    if origins.len() < 2 {
        return None;
    }
    of_origins(context, batch, &origins).filter(|found| found.contains(&AmountCurrency::Several))
}

/// Whether a row can have several currencies in values computed from all of these expressions.
pub(crate) fn may_mix_currencies(
    context: &Context<'_>,
    place: (Owner, SourceId),
    roots: &[NodeId],
) -> bool {
    origins(context, place, roots).len() > 1
}

/// The values of an operation, with those replaced that are computed from amounts in several
/// currencies.
pub(super) fn kept_apart(
    context: &Context<'_>,
    batch: &Batch<'_>,
    kind: &Kind,
    values: Rc<Vector>,
) -> Rc<Vector> {
    if !matches!(kind, Kind::Arithmetic(..) | Kind::Compare(..) | Kind::Call(..)) {
        return values;
    }
    apart(context, batch, &children(kind), values, || of_several(Some(kind)))
}

/// Whether rows have equal amounts on both sides, with false for amounts in two currencies.
pub(super) fn equal_apart(
    context: &Context<'_>,
    batch: &Batch<'_>,
    sides: [NodeId; 2],
    values: Rc<Vector>,
) -> Rc<Vector> {
    apart(context, batch, &sides, values, || Value::Bool(false))
}

fn apart(
    context: &Context<'_>,
    batch: &Batch<'_>,
    operands: &[NodeId],
    values: Rc<Vector>,
    of_several: impl Fn() -> Value,
) -> Rc<Vector> {
    let Some(currencies) = several_currencies(context, batch, operands) else { return values };
    let value = |(index, currency): (usize, &AmountCurrency)| match currency {
        AmountCurrency::Several if !values.is_missing(index) => of_several(),
        AmountCurrency::Any | AmountCurrency::One(_) | AmountCurrency::Several => {
            values.value(index)
        }
    };
    Rc::new(Vector::Values(currencies.iter().enumerate().map(value).collect()))
}

fn origins(
    context: &Context<'_>,
    (owner, source): (Owner, SourceId),
    roots: &[NodeId],
) -> Vec<Origin> {
    let mut found = Vec::new();
    let mut add = |origin: Origin| {
        if !found.contains(&origin) {
            found.push(origin);
        }
    };
    let mut seen = BTreeSet::new();
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        let node = context.node(NodeRef { owner, id });
        let node = node.filter(|node| node.ty.is_in_currencies_of_rows() && seen.insert(id));
        match node.map(|node| &node.kind) {
            None => {}
            Some(Kind::Column(path)) => {
                if let Some((_, field)) = context.schema.field_at(source, path)
                    && let DataType::MoneyBy { currency, .. } = field.data_type
                {
                    let path = Path { links: path.links.clone(), field: currency };
                    add(Origin::Code(path));
                }
            }
            Some(Kind::Shared(inner)) => stack.push(*inner),
            Some(kind) if is_operation(kind) => stack.extend(children(kind)),
            Some(_) => add(Origin::Outer(id)),
        }
    }
    found
}

fn of_origins(
    context: &Context<'_>,
    batch: &Batch<'_>,
    origins: &[Origin],
) -> Option<Vec<AmountCurrency>> {
    let currencies = |origin: &Origin| match origin {
        Origin::Code(path) => {
            let codes = column(context, batch, path);
            // Where amounts are converted, one without a currency is usually absent.
            let converts = context.schema.store.mixed_currency.converts();
            let of_row = |index| match codes.value(index) {
                code if converts && code.is_missing() => AmountCurrency::Any,
                code => AmountCurrency::of_code(&code),
            };
            Some(Rc::new((0..batch.len()).map(of_row).collect()))
        }
        Origin::Outer(id) => outer_currencies(context, batch, *id),
    };
    joined(origins.iter().map(currencies))
}

/// The currencies of an amount of other rows or of the period. Where amounts are converted, it is in the store's
/// currency; zero is in any.
fn outer_currencies(context: &Context<'_>, batch: &Batch<'_>, id: NodeId) -> Option<Currencies> {
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
