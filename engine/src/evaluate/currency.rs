//! Amounts of rows in one currency: stamped rates, daily rates, and the store's policy.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::accumulate::Slice;
use super::evaluator::Evaluator;
use super::rows::Batch;
use super::selection::Selection;
use super::vector::Vector;
use crate::check::{AggregateFunction, Atom, Kind, NodeId, children};
use crate::data::NO_ROW;
use crate::number;
use crate::schema::{DataType, MixedCurrency, Path};
use crate::types::{Currency, CurrencyOf, Reason, Type, Value};

impl<'a> Evaluator<'a> {
    /// The amounts of a scan in the currency the frame asks for; anything else as it is.
    pub(super) fn in_one_currency(
        &mut self,
        batch: &Batch<'_>,
        (atom, value): (&Atom, NodeId),
        selection: &Selection,
        vector: Rc<Vector>,
    ) -> (Rc<Vector>, Option<Rc<Vector>>) {
        let Some(node) = self.node(batch.owner, value) else { return (vector, None) };
        let Type::Quantity(unit) = &node.ty else { return (vector, None) };
        let target = self.frame(batch.frame).and_then(|frame| frame.currency);
        let store = self.schema().store.currency;
        let counts =
            matches!(atom.function, AggregateFunction::Count | AggregateFunction::CountDistinct);
        if unit.money != 1 || counts {
            return (vector, None);
        }
        match (unit.currency, target) {
            (CurrencyOf::Fixed(_), None) => (vector, None),
            (CurrencyOf::Fixed(own), Some(target)) if own == target => (vector, None),
            // Narrowed to one currency by its condition; the rows may still have stamped rates.
            (CurrencyOf::Fixed(_), Some(_)) if self.currency_columns(batch, value).is_some() => {
                let amounts = (vector, target, MixedCurrency::Convert);
                self.mixed(batch, value, selection, amounts)
            }
            (CurrencyOf::Fixed(own), Some(target)) => {
                let day = self.days_of(selection);
                let rates = self.rates();
                let convert = |index: usize| {
                    let rates = rates.ok_or(Reason::NoRate)?;
                    let day = day(index);
                    let factor = (rates.rate(day, own, store)?, rates.rate(day, target, store)?);
                    converted(&vector.value(index), factor)
                };
                (
                    Rc::new(Vector::Values(
                        (0..batch.len()).map(|index| flat(convert(index))).collect(),
                    )),
                    None,
                )
            }
            (CurrencyOf::Mixed, target) => {
                let policy = self.schema().store.mixed_currency;
                self.mixed(batch, value, selection, (vector, target, policy))
            }
        }
    }

    fn mixed(
        &mut self,
        batch: &Batch<'_>,
        value: NodeId,
        selection: &Selection,
        (vector, target, policy): (Rc<Vector>, Option<Currency>, MixedCurrency),
    ) -> (Rc<Vector>, Option<Rc<Vector>>) {
        let Some((code_path, rate_path)) = self.currency_columns(batch, value) else {
            return (vector, None);
        };
        let codes = Rc::new(self.gather(batch, &code_path));
        let stamped = rate_path.map(|path| self.gather(batch, &path));
        let store = self.schema().store.currency;
        if policy != MixedCurrency::Convert && target.is_none() {
            return (vector, Some(codes));
        }
        let target = target.unwrap_or(store);
        let day = self.days_of(selection);
        let rates = self.rates();
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
        (
            Rc::new(Vector::Values((0..batch.len()).map(|index| flat(convert(index))).collect())),
            None,
        )
    }

    /// An amount that is not of rows, in the currency the frame asks for: at the rate of the last
    /// elapsed day of each bucket.
    pub(super) fn amount_in_frame(
        &self,
        amount: &Value,
        ty: &Type,
        frame: usize,
        bucket: usize,
    ) -> Value {
        let Some(unit) = ty.unit().filter(|unit| unit.is_money()) else { return amount.clone() };
        let Some(place) = self.frame(frame) else { return amount.clone() };
        let (CurrencyOf::Fixed(own), Some(target)) = (unit.currency, place.currency) else {
            return amount.clone();
        };
        if own == target || amount.is_missing() {
            return amount.clone();
        }
        let store = self.schema().store.currency;
        let convert = || {
            let rates = self.rates().ok_or(Reason::NoRate)?;
            let as_of = place.buckets.get(bucket).map_or(self.context.now, |bucket| bucket.as_of);
            let as_of = as_of.min(self.context.now);
            let last = crate::calendar::Calendar::add_nanoseconds(as_of, -1).unwrap_or(as_of);
            let day = self.context.calendar.date_of(last);
            converted(amount, (rates.rate(day, own, store)?, rates.rate(day, target, store)?))
        };
        flat(convert())
    }

    /// The currency column, and the stamped rate's, of the first mixed amount in the expression.
    fn currency_columns(&self, batch: &Batch<'_>, value: NodeId) -> Option<(Path, Option<Path>)> {
        let mut seen = BTreeSet::new();
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            let node = self.node(batch.owner, id)?;
            if !seen.insert(id) {
                continue;
            }
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
    fn days_of<'p>(&self, selection: &'p Selection) -> impl Fn(usize) -> Date + use<'p, 'a> {
        let calendar = self.context.calendar;
        let now = self.context.now;
        move |index| {
            let position = selection.position(index);
            let at = position.and_then(|position| selection.placed.at()?.get(position).copied());
            let at = at.and_then(|at| Timestamp::from_microsecond(at).ok()).unwrap_or(now);
            calendar.date_of(at)
        }
    }
}

/// Answers over amounts of several currencies under a policy that does not convert: a list with
/// one amount for each, or none where there are several.
pub(super) fn by_currency(
    slice: &Slice<'_>,
    codes: &Vector,
    policy: MixedCurrency,
    (function, fraction): (AggregateFunction, Option<Decimal>),
) -> Vec<Value> {
    let mut rows_of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut present: Vec<BTreeSet<String>> = vec![BTreeSet::new(); slice.group_count];
    for position in slice.from..slice.to {
        let Some(group) = slice.group(position) else { continue };
        if slice.value.is_none_or(|value| value.is_missing(position)) {
            continue;
        }
        let code = match codes.value(position) {
            Value::Text(code) => code.to_ascii_uppercase(),
            _ => String::new(),
        };
        let own = rows_of.entry(code.clone()).or_insert_with(|| vec![NO_ROW; slice.to]);
        if let (Some(slot), Ok(group)) = (own.get_mut(position), u32::try_from(group)) {
            *slot = group;
        }
        if let Some(present) = present.get_mut(group) {
            present.insert(code);
        }
    }
    let answers: BTreeMap<&String, Vec<Value>> = rows_of
        .iter()
        .map(|(code, groups)| {
            let own = Slice { groups: Some(groups), ..*slice };
            (code, own.answer(function, fraction))
        })
        .collect();
    let none = slice.answer(function, fraction);
    let answer = |(group, present): (usize, &BTreeSet<String>)| {
        let of = |code: &String| answers.get(code).and_then(|answer| answer.get(group));
        match policy {
            _ if present.contains("") => Value::missing(Reason::NoRate),
            MixedCurrency::Split => Value::List(
                present.iter().filter_map(|code| Some(amount(of(code)?, code))).collect(),
            ),
            MixedCurrency::Convert | MixedCurrency::Refuse if present.len() > 1 => {
                Value::missing(Reason::MixedCurrency)
            }
            MixedCurrency::Convert | MixedCurrency::Refuse => {
                none.get(group).cloned().unwrap_or(Value::missing(Reason::NoRows))
            }
        }
    };
    present.iter().enumerate().map(answer).collect()
}

/// `12.30 EUR`
pub(crate) fn amount(value: &Value, code: &str) -> Value {
    let Some(mut number) = value.as_number().map(|number| number.normalize()) else {
        return value.clone();
    };
    let digits = Currency::from_code(code).map_or(0, Currency::digits);
    if number.scale() < digits {
        number.rescale(digits);
    }
    Value::text(format!("{number} {code}"))
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
