//! Totals, shares and ranks among the groups of a frame.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::evaluator::Evaluator;
use crate::check::{Arithmetic, Key};
use crate::evaluate::amount_currency::AmountCurrency;
use crate::evaluate::frames::{FrameId, GroupKey, Part, Series};
use crate::plan::{NodeRef, operators};
use crate::types::{Reason, Value};

impl Evaluator<'_> {
    /// The total of a value: groups that differ only in other keys than the kept ones are merged.
    pub(super) fn total(&mut self, value: NodeRef, keep: &[Key], frame: FrameId) -> Series {
        let inner = self.frames.total(keep, frame);
        let totals = self.series(value, inner);
        let none = Value::missing(Reason::NoRows);
        self.frames.spread(totals, keep, (inner, frame), &none)
    }

    pub(super) fn share(&mut self, value: NodeRef, frame: FrameId) -> Series {
        let parts = self.series(value, frame);
        let totals = self.total(value, &[], frame);
        let env = self.context.environment();
        let shares = parts
            .iter()
            .zip(totals.iter())
            .map(|(part, total)| operators::arithmetic(Arithmetic::Divide, part, total, &env));
        Rc::new(shares.collect())
    }

    /// The rank within the groups that differ in `by` only. The largest value ranks 1; ties share a rank.
    pub(super) fn rank(
        &mut self,
        call: NodeRef,
        value: NodeRef,
        by: Option<&Key>,
        frame: FrameId,
    ) -> Series {
        let values = self.series(value, frame);
        let Some(place) = self.frames.get(frame) else { return values };
        let groups = Rc::clone(&place.groups);
        let count = groups.tuples.len().max(1);
        // A key that the request does not group by cannot separate groups.
        let by = by.map(std::slice::from_ref);
        let by = by.filter(|by| groups.keys.iter().any(|key| key.is_kept(by)));
        let rivals = |tuple: &[Part]| -> Vec<Part> {
            let keys = groups.keys.iter().zip(tuple);
            let stays = |key: &GroupKey| by.is_some_and(|by| !key.is_kept(by));
            keys.filter(|(key, _)| stays(key)).map(|(_, part)| part.clone()).collect()
        };
        let classes: Vec<Vec<Part>> = groups.tuples.iter().map(|tuple| rivals(tuple)).collect();
        let class = |index: usize| index.checked_rem(count).and_then(|group| classes.get(group));
        let bucket = |index: usize| index.checked_div(count);
        let mut order: Vec<usize> = (0..values.len()).collect();
        let number = |index: usize| values.get(index).and_then(Value::as_number);
        order.sort_by(|a, b| {
            let arena = (bucket(*a), class(*a)).cmp(&(bucket(*b), class(*b)));
            arena.then_with(|| number(*b).cmp(&number(*a)))
        });
        let mut ranked: Vec<Value> = values.to_vec();
        let mut start = 0_usize;
        let mut last: Option<(usize, usize)> = None;
        for (position, index) in order.iter().enumerate() {
            let same_arena = last.is_some_and(|(before, _)| {
                (bucket(before), class(before)) == (bucket(*index), class(*index))
            });
            if !same_arena {
                start = position;
            }
            let place = match last {
                Some((before, place)) if same_arena && number(before) == number(*index) => place,
                Some(_) | None => position.saturating_sub(start).saturating_add(1),
            };
            last = Some((*index, place));
            if number(*index).is_some()
                && let Some(slot) = ranked.get_mut(*index)
            {
                *slot = Value::Number(rust_decimal::Decimal::from(place));
            }
        }
        let Some(own) = self.currencies(value, frame) else { return Rc::new(ranked) };
        let arena = |index: usize| (bucket(index), class(index));
        let mut arenas: BTreeMap<_, AmountCurrency> = BTreeMap::new();
        for (index, currency) in own.iter().enumerate() {
            let all = arenas.entry(arena(index)).or_default();
            *all = all.with(currency);
        }
        let all = |index| arenas.get(&arena(index)).cloned().unwrap_or_default();
        let currencies: Vec<AmountCurrency> = (0..own.len()).map(all).collect();
        self.nulled(call, frame, Rc::new(ranked), &currencies)
    }
}
