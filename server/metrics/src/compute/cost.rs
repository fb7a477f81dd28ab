//! The cost of a question: estimated before it is computed, and bounded while it is.
//!
//! The estimate is the number of values of the answer: buckets, times groups, times metrics. [`LIMITS`](crate::registry::LIMITS) bounds the work
//! of the engine, [`QUESTION_TIMEOUT`] the time.

use std::time::Duration;

use quotient::Answers;

use super::queries::sizes::dimension_size;
use super::{Granularity, Question};
use crate::MetricError;
use crate::database::Tx;

/// Limit: time to compute a question.
pub(crate) const QUESTION_TIMEOUT: Duration = Duration::from_secs(10);

/// Limit: estimated values of an answer. The estimate is high, since not all groups occur.
const MAX_ESTIMATED_VALUES: usize = 50_000;

/// Limit: values of an answer; 25,000 take about 8 MiB as JSON.
const MAX_VALUES: usize = 25_000;

/// Refuses a question whose answer would probably be too large.
///
/// # Errors
/// [`MetricError::Costly`] with what would make it smaller; a database error.
pub(crate) fn check_estimate(
    tx: &Tx<'_>,
    question: &Question,
    metrics: usize,
) -> Result<(), MetricError> {
    let mut values = bucket_count(question).saturating_mul(metrics);
    let has_variant = question.group_by.iter().any(|dimension| dimension == "variant");
    for dimension in &question.group_by {
        // A variant determines its product.
        if dimension != "product" || !has_variant {
            values = values.saturating_mul(dimension_size(tx, dimension)?.max(1));
        }
    }
    check(values, MAX_ESTIMATED_VALUES)
}

/// Refuses an answer that is too large to send.
///
/// # Errors
/// [`MetricError::Costly`].
pub(crate) fn check_size(answers: &Answers, metrics: usize) -> Result<(), MetricError> {
    let cells = answers.buckets.len().saturating_mul(answers.groups.len());
    check(cells.saturating_mul(metrics), MAX_VALUES)
}

fn check(values: usize, limit: usize) -> Result<(), MetricError> {
    if values <= limit {
        return Ok(());
    }
    Err(MetricError::Costly(format!(
        "The answer would have up to {values} values, {limit} are allowed: ask for longer buckets, a shorter range, \
         fewer metrics or fewer dimensions"
    )))
}

/// Returns the number of buckets, rounded up.
fn bucket_count(question: &Question) -> usize {
    let (first, last) = question.days;
    let span = (last.duration_since(first).as_hours() / 24).saturating_add(1);
    let days = usize::try_from(span).unwrap_or(1);
    match question.granularity {
        Granularity::None => 1,
        Granularity::Hour => days.saturating_mul(24),
        Granularity::Day => days,
        Granularity::Week => days.div_ceil(7).saturating_add(1),
        Granularity::Month => days.div_ceil(28).saturating_add(1),
        Granularity::Quarter => days.div_ceil(90).saturating_add(1),
        Granularity::Year => days.div_ceil(365).saturating_add(1),
    }
}
