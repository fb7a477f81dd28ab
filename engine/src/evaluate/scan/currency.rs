//! Converts the amounts of rows to one currency: stamped rates, daily rates, and the store's policy.

use std::collections::BTreeMap;
use std::rc::Rc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::batch::RowBatch;
use super::columns::column;
use super::row_currencies::RowCurrencies;
use super::selection::Selection;
use super::totals::ArrayView;
use super::vector::Vector;
use crate::calendar::Calendar;
use crate::check::{AggregateFunction, Atom, Kind, NodeId, TypedNode, descend_in_row};
use crate::data::NO_ROW;
use crate::evaluate::amount_currency::{AmountCurrency, Currencies, in_currencies};
use crate::evaluate::context::Context;
use crate::evaluate::frames::Frame;
use crate::number;
use crate::schema::{DataType, MixedCurrency, Path};
use crate::types::{Currency, CurrencyOf, Reason, Type, Value};

/// The conversion of a scan's amounts to one currency.
pub(crate) struct AmountConversion<'c, 'a> {
    pub(crate) context: &'c Context<'a>,
    pub(crate) batch: &'c RowBatch<'c>,
    pub(crate) selection: &'c Selection,
    /// The currency that the frame requests, if any.
    pub(crate) target: Option<Currency>,
}

/// Amounts after conversion.
pub(crate) struct Amounts {
    pub(crate) values: Rc<Vector>,
    /// The currency of each amount, if amounts in several currencies stay unconverted.
    pub(crate) currencies: Option<Currencies>,
}

impl Amounts {
    pub(crate) const fn unchanged(values: Rc<Vector>) -> Self {
        Self { values, currencies: None }
    }
}

impl AmountConversion<'_, '_> {
    /// The row values of an aggregate: amounts are converted, other values unchanged.
    pub(crate) fn apply(&self, atom: &Atom, value: NodeId, values: Rc<Vector>) -> Amounts {
        let Some(node) = self.context.node(self.batch.node(value)) else {
            return Amounts::unchanged(values);
        };
        let Type::Quantity(unit) = &node.ty else { return Amounts::unchanged(values) };
        let counts =
            matches!(atom.function, AggregateFunction::Count | AggregateFunction::CountDistinct);
        if unit.money != 1 || counts {
            return Amounts::unchanged(values);
        }
        match (unit.currency, self.target) {
            (CurrencyOf::Fixed(_), None) => Amounts::unchanged(values),
            (CurrencyOf::Fixed(own), Some(target)) if own == target => Amounts::unchanged(values),
            (CurrencyOf::Fixed(own), Some(target)) => match self.currency_columns(value) {
                // A condition narrows the amount to one currency; its rows may have stamped rates.
                Some(columns) => self.convert_mixed(&columns, (value, &values), target),
                None => self.convert_fixed(&values, own, target),
            },
            (CurrencyOf::Mixed, target) => {
                let store = &self.context.schema.store;
                if target.is_none() && !store.mixed_currency.converts() {
                    let currencies = RowCurrencies::default().of(self.context, self.batch, value);
                    return Amounts { values, currencies };
                }
                let target = target.unwrap_or(store.currency);
                match self.currency_columns(value) {
                    Some(columns) => self.convert_mixed(&columns, (value, &values), target),
                    // Values that rows take from other rows are in the store's currency if it
                    // converts.
                    None if !store.mixed_currency.converts() => self.convert_each(|index| {
                        let amount = values.value(index);
                        if amount.is_missing() { Ok(amount) } else { Err(Reason::NoRate) }
                    }),
                    None if target == store.currency => Amounts::unchanged(values),
                    None => self.convert_fixed(&values, store.currency, target),
                }
            }
        }
    }

    /// Converts amounts of one currency at the rates of each row's day.
    fn convert_fixed(&self, values: &Vector, own: Currency, target: Currency) -> Amounts {
        let store = self.context.schema.store.currency;
        self.convert_each(|index| {
            let amount = values.value(index);
            if amount.is_missing() {
                return Ok(amount);
            }
            let rates = self.context.rates.ok_or(Reason::NoRate)?;
            let day = self.day_of(index);
            let factors = (rates.rate(day, own, store)?, rates.rate(day, target, store)?);
            converted(&amount, factors)
        })
    }

    /// Converts amounts of several currencies, at stamped rates if rows have them.
    fn convert_mixed(
        &self,
        columns: &CurrencyColumns,
        (value, values): (NodeId, &Vector),
        target: Currency,
    ) -> Amounts {
        let several = RowCurrencies::default().several(self.context, self.batch, &[value]);
        let codes = column(self.context, self.batch, &columns.code);
        let stamped = columns.rate.as_ref().map(|path| column(self.context, self.batch, path));
        let store = self.context.schema.store.currency;
        self.convert_each(|index| {
            let amount = values.value(index);
            if amount.is_missing() {
                return Ok(amount);
            }
            let currency = several.as_ref().and_then(|several| several.get(index));
            if currency == Some(&AmountCurrency::Several) {
                return Err(Reason::MixedCurrency);
            }
            let Value::Text(code) = codes.value(index) else { return Err(Reason::NoRate) };
            let own = Currency::from_code(&code.to_ascii_uppercase()).ok_or(Reason::NoRate)?;
            if own == target {
                return Ok(amount);
            }
            let stamp = stamped.as_ref().and_then(|stamped| stamped.value(index).as_number());
            let rates = self.context.rates.ok_or(Reason::NoRate)?;
            let day = self.day_of(index);
            let to_store = match stamp {
                Some(rate) => rate,
                None => rates.rate(day, own, store)?,
            };
            converted(&amount, (to_store, rates.rate(day, target, store)?))
        })
    }

    fn convert_each(&self, convert: impl Fn(usize) -> Result<Value, Reason>) -> Amounts {
        let value = |index| convert(index).unwrap_or_else(Value::missing);
        let values = (0..self.batch.len()).map(value).collect();
        Amounts::unchanged(Rc::new(Vector::Values(values)))
    }

    /// The day of a row in the request's zone; undated rows use the present.
    fn day_of(&self, index: usize) -> Date {
        let position = self.selection.position(index);
        let at = position.and_then(|position| self.selection.dated.at()?.get(position).copied());
        let at = at.and_then(|at| Timestamp::from_microsecond(at).ok());
        self.context.calendar.date_of(at.unwrap_or(self.context.now))
    }

    /// The currency column, and the stamped rate's, of the first mixed amount in the expression.
    fn currency_columns(&self, value: NodeId) -> Option<CurrencyColumns> {
        let columns = |node: &TypedNode| {
            let Kind::Column(path) = &node.kind else { return None };
            let (_, field) = self.context.schema.field_at(self.batch.source, path)?;
            let DataType::MoneyBy { currency, rate } = field.data_type else { return None };
            let beside = |field| Path { links: path.links.clone(), field };
            Some(CurrencyColumns { code: beside(currency), rate: rate.map(beside) })
        };
        // A value that a row takes from other rows is in their currency.
        descend_in_row(&self.context.typed(self.batch.owner)?.nodes, value).find_map(columns)
    }
}

/// The columns that hold the currency of an amount.
struct CurrencyColumns {
    code: Path,
    /// The rate to the store's currency that was stamped on the row.
    rate: Option<Path>,
}

/// An amount written in a formula or given in a record, in the currency of the frame: converted at
/// the rate of the bucket's last elapsed day.
pub(crate) fn amount_in_bucket(
    context: &Context<'_>,
    amount: &Value,
    ty: &Type,
    (frame, bucket): (&Frame, usize),
) -> Value {
    let store = &context.schema.store;
    let Some(unit) = ty.unit().filter(|unit| unit.is_money()) else { return amount.clone() };
    let (own, target) = match (unit.currency, frame.currency) {
        (CurrencyOf::Fixed(own), Some(target)) => (own, target),
        // A plain number from a record is in the currency that such amounts are displayed in.
        (CurrencyOf::Mixed, Some(target)) if store.mixed_currency.converts() => {
            (store.currency, target)
        }
        (CurrencyOf::Mixed, Some(_)) if !amount.is_missing() => {
            return Value::missing(Reason::NoRate);
        }
        (CurrencyOf::Fixed(_) | CurrencyOf::Mixed, _) => return amount.clone(),
    };
    convert_in_bucket(context, amount, (own, target), (frame, bucket))
}

/// Converts an amount with a currency, from a record, to the currency of the frame, or to the store's currency if
/// amounts in several currencies are converted.
pub(crate) fn given_in_bucket(
    context: &Context<'_>,
    amount: &Value,
    (own, of_type): (Currency, CurrencyOf),
    (frame, bucket): (&Frame, usize),
) -> Value {
    let store = &context.schema.store;
    let converts = of_type == CurrencyOf::Mixed && store.mixed_currency.converts();
    match frame.currency.or_else(|| converts.then_some(store.currency)) {
        Some(target) => convert_in_bucket(context, amount, (own, target), (frame, bucket)),
        None => amount.clone(),
    }
}

fn convert_in_bucket(
    context: &Context<'_>,
    amount: &Value,
    (own, target): (Currency, Currency),
    (frame, bucket): (&Frame, usize),
) -> Value {
    if own == target || amount.is_missing() {
        return amount.clone();
    }
    let store = context.schema.store.currency;
    let convert = || {
        let rates = context.rates.ok_or(Reason::NoRate)?;
        let as_of = frame.buckets.get(bucket).map_or(context.now, |bucket| bucket.as_of);
        let as_of = as_of.min(context.now);
        let last = Calendar::add_nanoseconds(as_of, -1).unwrap_or(as_of);
        let day = context.calendar.date_of(last);
        converted(amount, (rates.rate(day, own, store)?, rates.rate(day, target, store)?))
    };
    convert().unwrap_or_else(Value::missing)
}

/// Answers over amounts in several currencies under a policy that does not convert.
pub(super) fn totals_by_currency(
    rows: &ArrayView<'_>,
    currencies: &[AmountCurrency],
    policy: MixedCurrency,
    total: impl Fn(&ArrayView<'_>) -> Vec<Value>,
) -> Vec<Value> {
    // For each currency, the groups of its rows in the range, and whether each group has any.
    let range_len = rows.to.saturating_sub(rows.from);
    let mut by_currency: BTreeMap<&AmountCurrency, (Vec<u32>, Vec<bool>)> = BTreeMap::new();
    for (place, position) in rows.positions().enumerate() {
        let Some(group) = rows.group(position) else { continue };
        let Some(currency) = currencies.get(position) else { continue };
        let is_missing = rows.value.is_none_or(|value| value.is_missing(position));
        if is_missing || *currency == AmountCurrency::Any {
            continue;
        }
        let (groups, present) = by_currency
            .entry(currency)
            .or_insert_with(|| (vec![NO_ROW; range_len], vec![false; rows.group_count]));
        if let Some(present) = present.get_mut(group) {
            *present = true;
        }
        if let (Some(slot), Ok(group)) = (groups.get_mut(place), u32::try_from(group)) {
            *slot = group;
        }
    }
    let answers: Vec<(&AmountCurrency, &[bool], Vec<Value>)> = by_currency
        .iter()
        .map(|(currency, (groups, present))| {
            let own = ArrayView { groups: Some(groups), groups_from: rows.from, ..*rows };
            (*currency, present.as_slice(), total(&own))
        })
        .collect();
    let answer = |(group, whole): (usize, Value)| {
        let own = answers.iter().filter(|(_, present, _)| present.get(group) == Some(&true));
        let own = own.filter_map(|(currency, _, of_groups)| {
            Some(((*currency).clone(), of_groups.get(group)?.clone()))
        });
        in_currencies(&own.collect::<Vec<_>>(), &whole, policy)
    };
    total(rows).into_iter().enumerate().map(answer).collect()
}

/// An amount times the store's currency per unit, over that of the target.
fn converted(amount: &Value, (to_store, target): (Decimal, Decimal)) -> Result<Value, Reason> {
    let Some(number) = amount.as_number() else { return Ok(amount.clone()) };
    let in_store = number::multiply(number, to_store)?;
    if target == Decimal::ONE {
        return Ok(Value::Number(in_store));
    }
    number::divide(in_store, target).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::evaluate::scan::totals::totals;

    #[test]
    fn work_for_a_few_late_rows_does_not_depend_on_the_rows_before_them() {
        let count = 1_000;
        let currencies: Vec<AmountCurrency> = ["EUR", "GBP"]
            .map(|code| AmountCurrency::of_code(&Value::Text(code.into())))
            .into_iter()
            .cycle()
            .take(count)
            .collect();
        let value = Vector::Scaled { values: vec![5; count], scale: 0 };
        let rows = ArrayView {
            value: Some(&value),
            groups: None,
            groups_from: 0,
            from: count - 2,
            to: count,
            group_count: 1,
        };
        let group_counts = RefCell::new(Vec::new());
        let total = |rows: &ArrayView<'_>| {
            group_counts.borrow_mut().extend(rows.groups.map(<[u32]>::len));
            totals(rows, AggregateFunction::Sum, None)
        };
        let found = totals_by_currency(&rows, &currencies, MixedCurrency::Split, total);
        assert_eq!(found.len(), 1);
        assert_eq!(group_counts.into_inner(), [2, 2], "for each currency, groups of the two rows");
    }
}
