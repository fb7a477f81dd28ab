//! Aggregates the selected rows, with their values and groups, for each bucket.

use std::rc::Rc;

use rust_decimal::Decimal;

use super::currency::totals_by_currency;
use super::dated_rows::PositionRange;
use super::prefix_sums;
use super::sample::blocks;
use super::selection::Selection;
use super::totals::{ArrayView, totals};
use super::vector::Vector;
use crate::check::{AggregateFunction, Atom};
use crate::evaluate::amount_currency::Currencies;
use crate::evaluate::context::Context;
use crate::evaluate::frames::GroupValue;
use crate::evaluate::log::EvaluationLog;
use crate::schema::SourceKind;
use crate::types::{Missing, Reason, Value};

/// The input of an aggregate: its rows, values and groups.
pub(crate) struct AggregateScan<'s, 'a> {
    pub(crate) context: &'s Context<'a>,
    pub(crate) atom: &'s Atom,
    /// The fraction of a percentile.
    pub(crate) fraction: Option<Decimal>,
    pub(crate) group_count: usize,
    pub(crate) rows: Rc<Selection>,
    pub(crate) value: Option<Rc<Vector>>,
    pub(crate) groups: Option<Rc<Vec<u32>>>,
    /// The currency of each amount, if amounts in several currencies stay unconverted.
    pub(crate) currencies: Option<Currencies>,
    /// The rows that count as work already and are still to be added up. Those of overlapping periods are added up, and
    /// count, several times.
    pub(crate) counted_rows: usize,
    pub(crate) log: &'s mut EvaluationLog<'a>,
}

impl AggregateScan<'_, '_> {
    /// One value for each range and group; `None` marks a range without coverage.
    pub(crate) fn answers(&mut self, ranges: &[Option<PositionRange>]) -> Vec<Value> {
        if let Some(answers) = self.overlapping(ranges) {
            return answers;
        }
        let mut answers = Vec::with_capacity(ranges.len().saturating_mul(self.group_count));
        // Undated rows give every bucket the same answer.
        let mut last: Option<(PositionRange, Vec<Value>)> = None;
        for range in ranges {
            let Some(range) = *range else {
                answers.extend(no_coverage(self.group_count));
                continue;
            };
            let answer = match last.take() {
                Some((same, answer)) if same == range => answer,
                _ => self.answer(range),
            };
            answers.extend(answer.iter().cloned());
            last = Some((range, answer));
        }
        answers
    }

    /// The answers for overlapping periods, if prefix sums take less work.
    fn overlapping(&self, ranges: &[Option<PositionRange>]) -> Option<Vec<Value>> {
        if self.source_kind()? == SourceKind::Snapshot || self.currencies.is_some() {
            return None;
        }
        let selected: Vec<Option<PositionRange>> =
            ranges.iter().map(|range| range.map(|range| self.selected(range))).collect();
        let whole = self.view(PositionRange { from: 0, to: self.rows.len() });
        prefix_sums::answers(&whole, &selected, self.atom.function)
    }

    /// One value for each group, over the rows at these positions.
    pub(crate) fn answer(&mut self, range: PositionRange) -> Vec<Value> {
        let is_empty = range.from == range.to;
        if is_empty && self.source_kind() == Some(SourceKind::Snapshot) {
            return vec![Value::missing(Reason::NoRows); self.group_count];
        }
        let selected = self.selected(range);
        let count = selected.to.saturating_sub(selected.from);
        if count > self.counted_rows {
            self.log.step(count.saturating_sub(self.counted_rows));
            if self.log.is_exhausted() {
                return vec![Value::missing(Reason::Overflow); self.group_count];
            }
        }
        self.counted_rows = self.counted_rows.saturating_sub(count);
        let rows = self.view(selected);
        let total = |rows: &ArrayView<'_>| match self.atom.function {
            AggregateFunction::First | AggregateFunction::Last => self.at_the_end(rows),
            function => totals(rows, function, self.fraction),
        };
        match &self.currencies {
            Some(currencies) => {
                let policy = self.context.schema.store.mixed_currency;
                totals_by_currency(&rows, currencies, policy, total)
            }
            None => total(&rows),
        }
    }

    fn source_kind(&self) -> Option<SourceKind> {
        self.context.schema.source_at(self.atom.source).map(|source| source.kind)
    }

    /// The selected rows at these positions of the source's order.
    fn selected(&self, range: PositionRange) -> PositionRange {
        PositionRange { from: self.rows.before(range.from), to: self.rows.before(range.to) }
    }

    fn view(&self, selected: PositionRange) -> ArrayView<'_> {
        ArrayView {
            value: self.value.as_deref(),
            groups: self.groups.as_deref().map(Vec::as_slice),
            groups_from: 0,
            from: selected.from,
            to: selected.to,
            group_count: self.group_count,
        }
    }

    /// The first or last value that is not null; ties in time are broken by key. A null that must not
    /// be skipped is the answer, because it could be the first or the last.
    fn at_the_end(&self, rows: &ArrayView<'_>) -> Vec<Value> {
        let last = self.atom.function == AggregateFunction::Last;
        let dated = &self.rows.dated;
        let source = self.atom.source;
        let table = self.context.data.and_then(|data| data.table(source));
        let key = self.context.schema.source_at(source).and_then(|source| source.key);
        let keys = key.and_then(|key| table?.columns.get(key.0)?.as_ref());
        let rank = |index: usize| {
            let position = self.rows.position(index).unwrap_or(0);
            let at = dated.at().and_then(|at| at.get(position).copied()).unwrap_or(0);
            let row = self.rows.rows().get(index).copied();
            let row = row.and_then(|row| usize::try_from(row).ok()).unwrap_or(0);
            let key = keys.map(|keys| GroupValue::of(&keys.value(row)));
            (at, key, row)
        };
        let none = Value::missing(Reason::NoRows);
        let Some(value) = rows.value else { return vec![none; self.group_count] };
        let mut best: Vec<Option<usize>> = vec![None; self.group_count];
        let mut blocked: Vec<Option<Missing>> = vec![None; self.group_count];
        for index in rows.positions() {
            let Some(group) = rows.group(index) else { continue };
            if value.is_missing(index) {
                let null = value.value(index).as_missing();
                let null = null.filter(|missing| blocks(missing.reason));
                blocked.get_mut(group).into_iter().for_each(|first| *first = first.or(null));
                continue;
            }
            let Some(slot) = best.get_mut(group) else { continue };
            let better = match *slot {
                None => true,
                Some(before) if last => rank(index) > rank(before),
                Some(before) => rank(index) < rank(before),
            };
            if better {
                *slot = Some(index);
            }
        }
        let answer = |(best, blocked): (Option<usize>, Option<Missing>)| match blocked {
            Some(missing) => Value::Missing(missing),
            None => best.map_or(none.clone(), |index| value.value(index)),
        };
        best.into_iter().zip(blocked).map(answer).collect()
    }
}

/// The answer for a bucket that the source does not cover.
pub(crate) fn no_coverage(group_count: usize) -> Vec<Value> {
    vec![Value::missing(Reason::NoCoverage); group_count]
}
