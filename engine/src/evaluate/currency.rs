//! Amounts of rows in one currency: stamped rates, daily rates, and the store's policy.

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::atoms::Placed;
use super::evaluator::Evaluator;
use super::rows::Batch;
use super::vector::Vector;
use crate::check::{Atom, Kind, NodeId, children};
use crate::number;
use crate::schema::{DataType, MixedCurrency, Path};
use crate::types::{Currency, CurrencyOf, Reason, Type, Value};

impl<'a> Evaluator<'a> {
    /// The amounts of a scan in the currency the frame asks for; anything else as it is.
    pub(super) fn in_one_currency(
        &mut self,
        batch: &Batch<'_>,
        (atom, value): (&Atom, NodeId),
        (placed, kept): (&Placed, &[usize]),
        vector: Vector,
    ) -> Vector {
        let Some(node) = self.node(batch.owner, value) else { return vector };
        let Type::Quantity(unit) = &node.ty else { return vector };
        let target = self.frame(batch.frame).and_then(|frame| frame.currency);
        let store = self.schema().store.currency;
        if unit.money != 1 || atom.function == crate::check::AggregateFunction::Count {
            return vector;
        }
        match (unit.currency, target) {
            (CurrencyOf::Fixed(_), None) => vector,
            (CurrencyOf::Fixed(own), Some(target)) if own == target => vector,
            (CurrencyOf::Fixed(own), Some(target)) => {
                let day = self.days_of(placed, kept);
                let rates = self.data().map(|data| &data.rates);
                let convert = |index: usize| {
                    let rates = rates.ok_or(Reason::NoRate)?;
                    let day = day(index);
                    let factor = (rates.rate(day, own, store)?, rates.rate(day, target, store)?);
                    converted(&vector.value(index), factor)
                };
                Vector::Values((0..kept.len()).map(|index| flat(convert(index))).collect())
            }
            (CurrencyOf::Mixed, target) => {
                let policy = self.schema().store.mixed_currency;
                self.mixed(batch, value, (placed, kept), (vector, target, policy))
            }
        }
    }

    fn mixed(
        &mut self,
        batch: &Batch<'_>,
        value: NodeId,
        (placed, kept): (&Placed, &[usize]),
        (vector, target, policy): (Vector, Option<Currency>, MixedCurrency),
    ) -> Vector {
        let Some((code_path, rate_path)) = self.currency_columns(batch, value) else { return vector };
        let codes = self.gather(batch.source, &code_path, batch.rows);
        let stamped = rate_path.map(|path| self.gather(batch.source, &path, batch.rows));
        let store = self.schema().store.currency;
        if policy != MixedCurrency::Convert && target.is_none() {
            return refused(&codes, vector, kept.len());
        }
        let target = target.unwrap_or(store);
        let day = self.days_of(placed, kept);
        let rates = self.data().map(|data| &data.rates);
        let convert = |index: usize| {
            let amount = vector.value(index);
            if amount.is_missing() {
                return Ok(amount);
            }
            let Value::Text(code) = codes.value(index) else { return Err(Reason::NoRate) };
            let own = Currency::from_code(&code.to_ascii_uppercase()).ok_or(Reason::NoRate)?;
            if own == target {
                return Ok(amount);
            }
            let stamp = stamped.as_ref().and_then(|stamped| stamped.value(index).as_number());
            let rates = rates.ok_or(Reason::NoRate)?;
            let to_store = match stamp {
                Some(rate) => rate,
                None => rates.rate(day(index), own, store)?,
            };
            converted(&amount, (to_store, rates.rate(day(index), target, store)?))
        };
        Vector::Values((0..kept.len()).map(|index| flat(convert(index))).collect())
    }

    /// The currency column, and the stamped rate's, of the first mixed amount in the expression.
    fn currency_columns(&self, batch: &Batch<'_>, value: NodeId) -> Option<(Path, Option<Path>)> {
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            let node = self.node(batch.owner, id)?;
            if let Kind::Column(path) = &node.kind
                && let Some((_, field)) = self.schema().field_at(batch.source, path)
                && let DataType::MoneyBy { currency, rate } = field.data_type
            {
                let beside = |field| Path { links: path.links.clone(), field };
                return Some((beside(currency), rate.map(beside)));
            }
            stack.extend(children(&node.kind));
        }
        None
    }

    /// The day of each kept row in the store's zone; undated rows count as of the present.
    fn days_of<'p>(&self, placed: &'p Placed, kept: &'p [usize]) -> impl Fn(usize) -> Date + use<'p, 'a> {
        let calendar = self.context.calendar;
        let now = self.context.now;
        move |index| {
            let position = kept.get(index).copied();
            let at = position.and_then(|position| placed.at.as_ref()?.get(position).copied());
            let at = at.and_then(|at| Timestamp::from_microsecond(at).ok()).unwrap_or(now);
            calendar.date_of(at)
        }
    }
}

/// Amounts under a policy that does not convert: usable only if all are in one currency.
fn refused(codes: &Vector, vector: Vector, count: usize) -> Vector {
    let mut present: Vec<Value> = Vec::new();
    for index in (0..count).filter(|index| !vector.is_missing(*index)) {
        let code = codes.value(index);
        if !present.contains(&code) {
            present.push(code);
        }
    }
    if present.len() <= 1 {
        return vector;
    }
    Vector::Values(vec![Value::missing(Reason::MixedCurrency); count])
}

fn flat(value: Result<Value, Reason>) -> Value {
    value.unwrap_or_else(Value::missing)
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
