//! Folds rows into rollups, with the expressions and the row selection of the evaluator.

use super::bucket::{Grain, day_number};
use super::definition::AggregateKind;
use super::dictionary::KeyNumbers;
use super::partial::AggregateInput;
use super::scalar::ScalarValue;
use super::schema::RollupSchema;
use super::store::Rollups;
use super::strategy::{Measure, RollupPlan};
use super::table::DimensionKey;
use crate::calendar::{Calendar, Period};
use crate::check::Typed;
use crate::diagnostics::Diagnostic;
use crate::evaluate::{ColumnValues, Context, Evaluator, ObservedMeasure, Sources};
use crate::schema::Path;
use crate::types::{Reason, Value};

impl RollupSchema {
    /// Folds all rows of the data into rollups.
    ///
    /// For a changed order, the data is that order before or after the change, with the rows it links to.
    pub(crate) fn fold(
        &self,
        context: Context<'_>,
        numbers: &mut dyn KeyNumbers,
    ) -> Result<Rollups, Vec<Diagnostic>> {
        let formulas: Vec<&Typed> = self.formulas.iter().collect();
        let mut rollups = Rollups::new();
        for (plan, _) in self.plans.values() {
            // The limit on steps applies to each definition.
            let context = Context { formulas: &formulas, ..context };
            let mut evaluator = Evaluator::new(context, Sources::default());
            evaluator.frames.request(vec![Period::ALWAYS], Period::ALWAYS, plan.target);
            fold_plan(plan, &mut evaluator, numbers, &mut rollups);
            let findings = evaluator.into_findings();
            if !findings.is_empty() {
                return Err(findings);
            }
        }
        Ok(rollups)
    }
}

/// The columns that rows are folded from.
struct RowColumns {
    event_time: Vec<ColumnValues>,
    dimensions: Vec<ColumnValues>,
    currency: Option<ColumnValues>,
    /// For first and last: decides between rows of one instant.
    key: Option<ColumnValues>,
}

fn fold_plan(
    plan: &RollupPlan,
    evaluator: &mut Evaluator<'_>,
    numbers: &mut dyn KeyNumbers,
    rollups: &mut Rollups,
) {
    let definition = &plan.definition;
    let rollup = rollups.rollup_mut(definition);
    let date = plan.event_time.paths().next();
    let measure = match &plan.measure {
        Measure::Rows | Measure::Column(_) => ObservedMeasure::Rows,
        Measure::Value(node) => ObservedMeasure::Value(*node),
        Measure::Truth(node) => ObservedMeasure::Truth(*node),
    };
    let rows = evaluator.observed_rows(plan.source, date, &plan.conditions, measure);
    let gather = |path: &Path| evaluator.column(plan.source, path, &rows.rows);
    let mut measured = rows.value;
    if let Measure::Column(path) = &plan.measure {
        measured = Some(gather(path));
    }
    let columns = RowColumns {
        event_time: plan.event_time.paths().map(&gather).collect(),
        dimensions: plan.dimensions.iter().map(&gather).collect(),
        currency: plan.currency.as_ref().map(&gather),
        key: matches!(definition.kind, AggregateKind::First | AggregateKind::Last)
            .then(|| rows.key.as_ref().map(&gather))
            .flatten(),
    };
    let scale = measured.as_ref().and_then(ColumnValues::scale);
    rollup.raise_scale(scale.unwrap_or(0));
    // A scan of rows rounds numbers of mixed scales on the way, which sums of squares cannot reproduce.
    let is_lost = definition.kind == AggregateKind::Moments && scale.is_none();
    let calendar = evaluator.context.calendar;
    for index in 0..rows.rows.len() {
        let Some((bucket, at)) = columns.bucket(definition.grain, index, calendar) else {
            continue;
        };
        let value = measured.as_ref().map(|measured| measured.value(index));
        let value = if is_lost { Some(Value::missing(Reason::Overflow)) } else { value };
        let scalar = value.as_ref().map(ScalarValue::from).filter(|own| *own != ScalarValue::Null);
        let keys_of = definition.keys_of.as_ref();
        let key_number = keys_of.zip(scalar).and_then(|(of, key)| numbers.number(of, &key));
        // A row of an entity that lacks its own key counts as keyless, not as a missing value.
        let is_own = keys_of == Some(&definition.source);
        let is_blank =
            is_own && key_number.is_none() && definition.kind == AggregateKind::DistinctSet;
        let key = columns.key.as_ref().map(|key| ScalarValue::from(&key.value(index)));
        let value = value.filter(|_| !is_blank);
        let row = AggregateInput { value, key_number, position: at.zip(key) };
        rollup.fold(bucket, &columns.dimension_key(index), &row);
        if let Some(at) = at {
            rollup.extend_extent(at);
        }
    }
}

impl RowColumns {
    /// Returns the bucket of a row, and its instant if there is one; `None` for a row without its
    /// date.
    fn bucket(
        &self,
        grain: Grain,
        index: usize,
        calendar: &Calendar,
    ) -> Option<(i32, Option<i64>)> {
        let mut found: Option<(i32, Option<i64>)> = None;
        for date in &self.event_time {
            let next = match date.value(index) {
                Value::DateTime(at) => (grain.bucket(at, calendar)?, Some(at.as_microsecond())),
                Value::Date(day) => (day_number(day), None),
                _ => return None,
            };
            let is_later = found.is_none_or(|(bucket, at)| (next.1, next.0) > (at, bucket));
            found = if is_later { Some(next) } else { found };
        }
        if self.event_time.is_empty() { Some((0, None)) } else { found }
    }

    fn dimension_key(&self, index: usize) -> DimensionKey {
        let dimensions = self.dimensions.iter();
        let values = dimensions.map(|column| ScalarValue::from(&column.value(index)));
        let currency = self.currency.as_ref().map(|codes| match codes.value(index) {
            Value::Text(code) => ScalarValue::Text(code.to_ascii_uppercase().into()),
            _ => ScalarValue::Null,
        });
        values.chain(currency).collect()
    }
}
