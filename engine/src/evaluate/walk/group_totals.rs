//! Totals, shares and ranks among the groups of a frame.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::buckets;
use super::evaluator::Evaluator;
use crate::check::{Arithmetic, Key};
use crate::evaluate::amount_currency::AmountCurrency;
use crate::evaluate::frames::{FrameId, GroupKey, GroupValue, Series};
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
        let rivals = |tuple: &[GroupValue]| -> Vec<GroupValue> {
            let keys = groups.keys.iter().zip(tuple);
            let stays = |key: &GroupKey| by.is_some_and(|by| !key.is_kept(by));
            keys.filter(|(key, _)| stays(key)).map(|(_, part)| part.clone()).collect()
        };
        let classes: Vec<Vec<GroupValue>> =
            groups.tuples.iter().map(|tuple| rivals(tuple)).collect();
        let arena = |index: usize| {
            let class = index.checked_rem(count).and_then(|group| classes.get(group));
            (index.checked_div(count), class)
        };
        let mut arenas: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for index in 0..values.len() {
            arenas.entry(arena(index)).or_default().push(index);
        }
        let mut ranked: Vec<Value> = values.to_vec();
        for cells in arenas.values() {
            buckets::rank(&mut ranked, cells.iter().copied());
        }
        let Some(own) = self.currencies(value, frame) else { return Rc::new(ranked) };
        let mut currencies = vec![AmountCurrency::Any; own.len()];
        for cells in arenas.values() {
            let own = cells.iter().filter_map(|cell| own.get(*cell));
            let all = own.fold(AmountCurrency::Any, |all, currency| all.with(currency));
            for cell in cells {
                if let Some(slot) = currencies.get_mut(*cell) {
                    *slot = all.clone();
                }
            }
        }
        self.nulled(call, frame, Rc::new(ranked), &currencies)
    }
}
