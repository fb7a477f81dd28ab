//! The cost of a question: estimated before it is computed, and bounded while it is.
//!
//! The estimate is the number of values of the answer: buckets, times groups, times metrics. A part of a formula that is
//! computed for each key, such as `count(orders) per customer_id`, has its own estimate: no rollup answers it, so its
//! rows are read. [`LIMITS`] bounds the work of the engine, [`QUESTION_TIMEOUT`](crate::registry::QUESTION_TIMEOUT) the time.

use quotient::calendar::TimeUnit;
use quotient::schema::Schema;
use quotient::{Answers, Engine, Formula, KeyedPart};

use super::Question;
use super::queries::{dimension_size, row_count};
use crate::MetricError;
use crate::database::Tx;
use crate::registry::LIMITS;

/// Limit: estimated values of an answer. The estimate is high, since not all groups occur.
const MAX_ESTIMATED_VALUES: usize = 50_000;

/// Limit: values of a part of a formula that is computed for each key, in total over the whole, the buckets, the groups,
/// and the groups of each bucket, each of which is evaluated. The engine never holds more at a time, but it would find out
/// only after reading the rows.
const MAX_KEYED_VALUES: usize = LIMITS.max_cells;

/// Limit: values of an answer; 25,000 take about 8 MiB as JSON.
const MAX_VALUES: usize = 25_000;

/// Rejects a query whose answer would probably be too large.
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

/// Rejects an answer that is too large to send.
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

/// Rejects a formula that would be computed for too many keys.
pub(super) fn check_keys(
    tx: &Tx<'_>,
    engine: &Engine,
    formula: &Formula,
    question: &Question,
) -> Result<(), MetricError> {
    let parts = engine.keyed_parts(formula);
    let schema = engine.schema();
    parts.iter().try_for_each(|part| check_part(tx, (part, schema), question, MAX_KEYED_VALUES))
}

fn check_part(
    tx: &Tx<'_>,
    (part, schema): (&KeyedPart, &Schema),
    question: &Question,
    limit: usize,
) -> Result<(), MetricError> {
    let evaluations = match (question.granularity.unit(), question.group_by.is_empty()) {
        (None, true) => 1,
        (None, false) | (Some(_), true) => 2,
        (Some(_), false) => 4,
    };
    let fitting = limit.div_euclid(evaluations);
    let cut = buckets_of(question, part.unit);
    let mut values = cut.max(bucket_count(question));
    for key in part.keys.iter().chain(&question.group_by) {
        values = values.saturating_mul(dimension_size(tx, key)?.max(1));
    }
    if values <= fitting {
        return Ok(());
    }
    // However many keys exist, only those with a row count.
    let mut rows = 0_usize;
    for source in part.sources.iter().filter_map(|name| schema.source_at(schema.source(name)?)) {
        let room = fitting.saturating_sub(rows).saturating_add(1);
        rows = rows.saturating_add(row_count(tx, source, question, room)?);
    }
    if rows <= fitting {
        return Ok(());
    }
    Err(MetricError::Costly(format!(
        "More than {limit} values would be computed per {}: ask for a shorter range, or for the range without buckets \
         and groups",
        part.keys.join(", ")
    )))
}

/// Returns the number of buckets, rounded up.
fn bucket_count(question: &Question) -> usize {
    buckets_of(question, question.granularity.unit())
}

/// Returns the number of periods of a length in the range, rounded up.
fn buckets_of(question: &Question, unit: Option<TimeUnit>) -> usize {
    let (first, last) = question.days;
    let span = (last.duration_since(first).as_hours() / 24).saturating_add(1);
    let days = usize::try_from(span).unwrap_or(1);
    match unit {
        None | Some(TimeUnit::Period) => 1,
        Some(TimeUnit::Second) => days.saturating_mul(24 * 60 * 60),
        Some(TimeUnit::Minute) => days.saturating_mul(24 * 60),
        Some(TimeUnit::Hour) => days.saturating_mul(24),
        Some(TimeUnit::Day) => days,
        Some(TimeUnit::Week) => days.div_ceil(7).saturating_add(1),
        Some(TimeUnit::Month) => days.div_ceil(28).saturating_add(1),
        Some(TimeUnit::Quarter) => days.div_ceil(90).saturating_add(1),
        Some(TimeUnit::Year) => days.div_ceil(365).saturating_add(1),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::MetricRegistry;
    use crate::RegistrySnapshot;
    use crate::compute::question::Compare;
    use crate::compute::store::{ComputeItem, compute};
    use crate::compute::{Filters, Granularity};
    use crate::database::{Db, Error};
    use crate::testing::{self, NOON as NOW};

    /// Creates a store that reports a million customers, and a number of carts of today, each of a different customer.
    async fn store(carts: u32) -> Db {
        let (db, _clock) = testing::store(NOW);
        let made = db.write::<_, Error>(move |tx| {
            tx.execute(
                "insert into customer (rowid, id, email, has_account, created_at, updated_at)
                 values (1000000, 'cus_1', 'ada@example.com', 0, 0, 0)",
                [],
            )?;
            Ok(tx.execute_batch(&format!(
                "drop view metric_carts;
                 create view metric_carts as
                 with recursive n (i) as (select 1 union all select i + 1 from n where i < {carts})
                 select 'cart_' || i as id, {NOW} - i as created_at, 'usd' as currency_code, 'cus_' || i as customer_id,
                     null as sales_channel_id, null as sales_channel, null as region_id, null as region,
                     null as session_id, null as completed_at
                 from n",
                NOW = NOW.as_millis()
            ))?)
        });
        made.await.expect("carts");
        db
    }

    /// Queries the first three weeks of the month.
    fn question(snapshot: &RegistrySnapshot, granularity: Granularity) -> Question {
        Question {
            days: (date(2026, 11, 1), date(2026, 11, 21)),
            granularity,
            compare: Compare::None,
            timezone: "UTC".to_owned(),
            currency: snapshot.currency(),
            filters: Filters::default(),
            group_by: Vec::new(),
            now: NOW,
        }
    }

    /// Computes two formulas per customer, one over each cart and one over all; returns the rejections.
    async fn refusals(carts: u32, granularity: Granularity) -> Vec<Option<String>> {
        let db = store(carts).await;
        let computed = db.read::<_, MetricError>(move |tx| {
            let snapshot = MetricRegistry::default().snapshot(tx)?;
            let question = question(&snapshot, granularity);
            let item = |key: &str, text: &str| ComputeItem::Formula {
                key: key.to_owned(),
                text: text.to_owned(),
            };
            let items = [
                item("most", "max(count(carts) per customer_id)"),
                item("twice", "most * 2"),
                item("each", "max(count(carts) per id)"),
                item("all", "count(carts)"),
            ];
            let outcomes = compute(tx, &snapshot, &items, (&question, &question), None)?;
            let outcomes = outcomes.outcomes.into_iter();
            let refused = outcomes.map(|outcome| outcome.err().map(|error| error.to_string()));
            Ok(refused.collect())
        });
        computed.await.expect("outcomes")
    }

    #[tokio::test]
    async fn a_formula_for_each_of_too_many_keys_is_refused_before_its_rows_are_grouped() {
        let refused = refusals(600_000, Granularity::Day).await;

        for (refusal, key) in refused.iter().zip(["customer_id", "customer_id", "id"]) {
            let message = refusal.as_ref().expect("a refusal");
            let expected = format!("500000 values would be computed per {key}:");
            assert!(message.contains(&expected), "{message}");
        }
        assert_eq!(refused.last(), Some(&None), "the others are answered");
    }

    #[tokio::test]
    async fn buckets_and_groups_each_halve_the_number_of_keys() {
        let db = store(100).await;
        let fits = db.read::<_, MetricError>(|tx| {
            let snapshot = MetricRegistry::default().snapshot(tx)?;
            let engine = &snapshot.engine_for(snapshot.currency()).engine;
            let formula = engine.compile("max(count(carts) per customer_id)").expect("a formula");
            let part = &engine.keyed_parts(&formula)[0];
            let mut fits = Vec::new();
            for granularity in [Granularity::None, Granularity::Day] {
                for group_by in [Vec::new(), vec!["region".to_owned()]] {
                    let question = Question { group_by, ..question(&snapshot, granularity) };
                    let at =
                        |limit| check_part(tx, (part, engine.schema()), &question, limit).is_ok();
                    fits.push([100, 200, 400].map(at));
                }
            }
            Ok(fits)
        });
        let fits = fits.await.expect("a reading");

        assert_eq!(fits[0], [true, true, true]);
        assert_eq!((fits[1], fits[2]), ([false, true, true], [false, true, true]));
        assert_eq!(fits[3], [false, false, true]);
    }

    #[tokio::test]
    async fn the_rows_of_every_source_with_an_instant_count() {
        let (db, _clock) = testing::store(NOW);
        let counted = db.write::<_, MetricError>(|tx| {
            let sql = "insert into visit_event (name, created_at, received_at)
                       select 'seen', ?1, ?1 from (values (1), (2), (3))";
            tx.execute(sql, [NOW]).map_err(Error::from)?;
            let snapshot = MetricRegistry::default().snapshot(tx)?;
            let question = question(&snapshot, Granularity::None);
            for source in &snapshot.schema().sources {
                row_count(tx, source, &question, 1)?;
            }
            let engine = &snapshot.engine_for(snapshot.currency()).engine;
            let formula = engine.compile("max(count(events) per id)").expect("a formula");
            let part = (&engine.keyed_parts(&formula)[0], engine.schema());
            Ok([2, 3].map(|limit| check_part(tx, part, &question, limit).is_ok()))
        });

        assert_eq!(counted.await.expect("counts"), [false, true]);
    }

    #[tokio::test]
    async fn keys_without_rows_cost_nothing() {
        for granularity in [Granularity::None, Granularity::Hour] {
            assert_eq!(refusals(3, granularity).await, [const { None }; 4]);
        }
    }
}
