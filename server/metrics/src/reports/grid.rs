//! Standard formulas by group, by period, or over a whole range.

use quotient::Answer;
use quotient::types::{Reason, Value};

use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::compute::question::Compare;
use crate::compute::range::ResolvedRange;
use crate::compute::standard_formulas::{StandardAnswers, key};
use crate::compute::view::ValueView;
use crate::database::Tx;

/// The values of the rows; one row over a whole range.
#[derive(Debug)]
pub(super) struct Grid {
    rows: StandardAnswers,
}

/// The indexes of a row's bucket and group.
pub(super) type GridRow = (usize, usize);

impl Grid {
    /// Computes formulas by period and by dimensions.
    pub(super) fn read(
        tx: &Tx<'_>,
        range: &ResolvedRange,
        formulas: &[&str],
        (granularity, group_by): (Granularity, &[&str]),
    ) -> Result<Self, MetricError> {
        let mut cut = range.question(granularity, Compare::None);
        cut.group_by = group_by.iter().map(|&name| name.to_owned()).collect();
        Ok(Self { rows: StandardAnswers::compute(tx, formulas, &cut, &range.caches)? })
    }

    /// Computes formulas over the whole range: the totals of what is cut by period or by dimensions.
    pub(super) fn whole(
        tx: &Tx<'_>,
        range: &ResolvedRange,
        formulas: &[&str],
    ) -> Result<Self, MetricError> {
        Self::read(tx, range, formulas, (Granularity::None, &[]))
    }

    /// Returns the rows: bucket by bucket, group by group.
    pub(super) fn places(&self) -> Vec<GridRow> {
        let groups = self.rows.groups().len();
        let buckets = 0..self.rows.buckets().len();
        buckets.flat_map(|bucket| (0..groups).map(move |group| (bucket, group))).collect()
    }

    pub(super) fn key(&self, (_, group): GridRow, index: usize) -> Option<&str> {
        key(self.rows.groups().get(group)?, index)
    }

    pub(super) fn start(&self, (bucket, _): GridRow) -> Option<Timestamp> {
        self.rows.buckets().get(bucket).map(|period| period.start.into())
    }

    /// Returns whether a row's period is not over.
    pub(super) fn is_partial(&self, (bucket, _): GridRow) -> bool {
        self.rows.buckets().get(bucket).is_some_and(|period| period.is_partial())
    }

    pub(super) fn value(&self, formula: usize, (bucket, group): GridRow) -> Value {
        exact(self.rows.at(formula, bucket, group))
    }

    /// Returns the view of a formula's value in a row.
    pub(super) fn view(&self, formula: usize, place: GridRow) -> ValueView {
        ValueView::of(&self.value(formula, place))
    }

    /// Returns the view of a formula's value over the whole range.
    pub(super) fn total(&self, formula: usize) -> ValueView {
        ValueView::of(&self.total_value(formula))
    }

    /// Returns a formula's value over the whole range.
    pub(super) fn total_value(&self, formula: usize) -> Value {
        self.value(formula, (0, 0))
    }

    /// Returns the rows in descending order of a formula's value; those without a value come last.
    pub(super) fn ranked(&self, formula: usize) -> Vec<GridRow> {
        let mut places = self.places();
        places.sort_by_cached_key(|place| {
            let value = match self.value(formula, *place) {
                Value::Number(number) => Some(number),
                Value::Missing(_)
                | Value::Text(_)
                | Value::Bool(_)
                | Value::Date(_)
                | Value::DateTime(_)
                | Value::Period(_)
                | Value::Span(_)
                | Value::List(_) => None,
            };
            (std::cmp::Reverse(value), self.key(*place, 0).map(str::to_owned))
        });
        places
    }
}

fn exact(answer: Option<&Answer>) -> Value {
    answer.map_or_else(|| Value::missing(Reason::NoRows), |answer| answer.value.clone())
}
