//! Totals, shares and ranks among the groups of a frame.

use std::rc::Rc;

use super::evaluator::{Cells, Evaluator};
use super::frame::{Frame, GroupKey, Groups, Owner, Part};
use crate::check::{Arithmetic, Key, NodeId};
use crate::types::{Reason, Value};

impl Evaluator<'_> {
    /// The same with groups merged into those that differ in the kept keys only.
    pub(super) fn total(
        &mut self,
        owner: Owner,
        value: NodeId,
        keep: &[Key],
        frame: usize,
    ) -> Cells {
        let inner = self.total_frame(keep, frame);
        let totals = self.cells(owner, value, inner);
        self.spread(keep, (frame, inner), totals)
    }

    /// The frame whose groups differ in the kept keys only; the same one if nothing is grouped.
    pub(super) fn total_frame(&mut self, keep: &[Key], frame: usize) -> usize {
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        if outer.groups.keys.is_empty() {
            return frame;
        }
        let kept = kept_keys(&outer.groups, keep);
        let groups = if kept.is_empty() {
            self.whole_groups()
        } else {
            let keys =
                kept.iter().filter_map(|index| outer.groups.keys.get(*index).cloned()).collect();
            let narrow = |tuple: &Vec<Part>| narrowed(tuple, &kept);
            Rc::new(Groups::new(keys, outer.groups.tuples.iter().map(narrow).collect()))
        };
        self.intern(Frame { groups, ..outer })
    }

    /// The totals of an inner frame for each group of the outer one.
    pub(super) fn spread(
        &self,
        keep: &[Key],
        (frame, inner): (usize, usize),
        totals: Cells,
    ) -> Cells {
        let (Some(outer), Some(within)) = (self.frame(frame), self.frame(inner)) else {
            return totals;
        };
        if outer.groups.keys.is_empty() {
            return totals;
        }
        let kept = kept_keys(&outer.groups, keep);
        let count = within.groups.tuples.len();
        let place = |tuple: &Vec<Part>| within.groups.find(&narrowed(tuple, &kept));
        let places: Vec<Option<usize>> = outer.groups.tuples.iter().map(place).collect();
        let spread = (0..outer.buckets.len()).flat_map(|bucket| {
            let totals = &totals;
            places.iter().map(move |place| {
                let cell = place.map(|place| bucket.saturating_mul(count).saturating_add(place));
                let found = cell.and_then(|cell| totals.get(cell).cloned());
                found.unwrap_or(Value::missing(Reason::NoRows))
            })
        });
        Rc::new(spread.collect())
    }

    pub(super) fn share(&mut self, owner: Owner, value: NodeId, frame: usize) -> Cells {
        let parts = self.cells(owner, value, frame);
        let totals = self.total(owner, value, &[], frame);
        let env = self.environment();
        let shares = parts.iter().zip(totals.iter());
        Rc::new(
            shares
                .map(|(part, total)| {
                    super::operators::arithmetic(Arithmetic::Divide, part, total, &env)
                })
                .collect(),
        )
    }

    /// 1 for the largest; ties share a place. Groups compete that differ in `by` only.
    pub(super) fn rank(
        &mut self,
        owner: Owner,
        value: NodeId,
        by: Option<&Key>,
        frame: usize,
    ) -> Cells {
        let values = self.cells(owner, value, frame);
        let Some(place) = self.frame(frame) else { return values };
        let groups = Rc::clone(&place.groups);
        let count = groups.tuples.len().max(1);
        // A key that the request does not group by cannot part the rivals.
        let by = by.map(std::slice::from_ref);
        let by = by.filter(|by| groups.keys.iter().any(|key| is_kept(key, by)));
        let rivals = |tuple: &[Part]| -> Vec<Part> {
            let keys = groups.keys.iter().zip(tuple);
            let stays = |key: &GroupKey| by.is_some_and(|by| !is_kept(key, by));
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
        Rc::new(ranked)
    }
}

/// Which of the keys stay, by index.
fn kept_keys(groups: &Groups, keep: &[Key]) -> Vec<usize> {
    let keys = groups.keys.iter().enumerate();
    keys.filter(|(_, key)| is_kept(key, keep)).map(|(index, _)| index).collect()
}

fn narrowed(tuple: &[Part], kept: &[usize]) -> Vec<Part> {
    kept.iter().filter_map(|index| tuple.get(*index).cloned()).collect()
}

fn is_kept(key: &GroupKey, keep: &[Key]) -> bool {
    match key {
        GroupKey::Columns(own) => keep.iter().any(|kept| kept.name == own.name),
        GroupKey::RowOf(_) => true,
    }
}
