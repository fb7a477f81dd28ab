//! Tests of the store's values against an independent computation: the same formulas over the same rows in memory.

use std::collections::BTreeMap;

use jiff::civil::date;
use quotient::data::Rates;
use quotient::schema::{DataType, Field};
use quotient::types::{Currency, Value};
use quotient::{Answer, Answers, Engine, Inputs};
use rust_decimal::Decimal;

use super::question::Compare;
use super::store::database;
use super::{Caches, Filters, Granularity, Question};
use crate::clock::Timestamp;
use crate::database::{Db, Error, Tx};
use crate::registry::schema::{binding, schema};
use crate::registry::templates;
use crate::rollups::StoreRows;
use crate::rollups::queries::pending::pending_ids;
use crate::rollups::{self, StoredRollups};
use crate::testing;
use quotient_demo::{self as demo, DemoOptions, Extent};
use quotient_foundation::testing::rounds;

const NOW: &str = "2026-11-21T10:00:00Z";
/// An instant within the queried days.
const WITHIN: &str = "2010-12-02T11:07:12.345Z";

/// Returns the cell of a row as the data of a formula file has it.
fn cell(field: &Field, currency: Currency, value: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef;
    let number = match value {
        ValueRef::Null => return String::new(),
        ValueRef::Text(text) => return String::from_utf8_lossy(text).into_owned(),
        ValueRef::Integer(number) => number,
        ValueRef::Real(_) | ValueRef::Blob(_) => panic!("{}: no such cell", field.name),
    };
    let scaled = |digits: u32| Decimal::new(number, digits).to_string();
    match field.data_type {
        DataType::Money(_) | DataType::MoneyBy { .. } => scaled(currency.digits()),
        DataType::Ratio | DataType::Percent => scaled(6),
        DataType::Number | DataType::Count(_) | DataType::Duration => number.to_string(),
        DataType::Bool => (number == 1).to_string(),
        DataType::DateTime => Timestamp::from_millis(number).to_string(),
        DataType::Date => {
            let days = jiff::Span::new().days(number);
            date(1970, 1, 1).checked_add(days).expect("a day").to_string()
        }
        DataType::Text => panic!("{}: a number for a text", field.name),
    }
}

/// Reads every row of every source from the views.
fn rows(tx: &Tx<'_>, engine: &Engine) -> quotient::data::Data {
    let schema = engine.schema();
    let binding = binding(schema);
    let mut tables = Vec::new();
    for (index, source) in schema.sources.iter().enumerate() {
        let bound = binding.table(quotient::schema::SourceId(index)).expect("a view");
        let names: Vec<&str> = source.fields.iter().map(|field| field.name.as_str()).collect();
        let mut table = engine.table(&source.name, &names).expect("a table");
        let only = bound.only.as_ref().map(|(column, code)| format!(" where {column} = '{code}'"));
        let text =
            format!("select {} from {}{}", names.join(", "), bound.name, only.unwrap_or_default());
        let mut statement = tx.prepare(&text).expect("a statement");
        let mut found = statement.query([]).expect("rows");
        while let Some(row) = found.next().expect("a row") {
            let cells: Vec<String> = source
                .fields
                .iter()
                .enumerate()
                .map(|(at, field)| {
                    cell(field, schema.store.currency, row.get_ref(at).expect("a cell"))
                })
                .collect();
            table
                .push(&cells)
                .unwrap_or_else(|error| panic!("{}: {cells:?}: {error:?}", source.name));
        }
        tables.push(table.finish());
    }
    engine.data(tables, Rates::new()).expect("rows that fit")
}

/// Returns the engine with all templates, in a currency and a zone.
fn engine(currency: Currency, zone: &str) -> (Engine, Vec<String>) {
    let mut loaded = templates::loaded(currency);
    loaded.schema = schema(currency, zone).expect("a zone");
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(!findings.iter().any(|(_, finding)| finding.is_error()), "{findings:#?}");
    let keys = loaded.metrics.iter().map(|metric| metric.key.value.clone()).collect();
    (engine, keys)
}

/// Returns everything in an answer as text; equal numbers have the same text.
fn text_of(answers: &Result<Answers, Vec<quotient::diagnostics::Diagnostic>>) -> String {
    let plain = |answer: &Answer| {
        let own = |value: &Value| {
            value.as_number().map_or(value.clone(), |number| Value::Number(number.normalize()))
        };
        let (previous, change) =
            (answer.previous.as_ref().map(own), answer.change.as_ref().map(own));
        Answer { value: own(&answer.value), previous, change, ..answer.clone() }
    };
    match answers {
        Ok(answers) => {
            let own: Vec<Answer> = answers.of(0).iter().map(plain).collect();
            format!("{:?} {:?} {own:?}", answers.buckets, answers.groups)
        }
        Err(findings) => format!("refused: {findings:?}"),
    }
}

async fn demo(invoices: usize) -> Db {
    let extent = Extent::Invoices(invoices);
    loaded(NOW, DemoOptions { extent, keep_dates: true, ..DemoOptions::default() }).await
}

async fn loaded(now: &str, options: DemoOptions) -> Db {
    let db = without_rollups(now, options).await;
    rollups::build_all(&db).await.expect("rollups");
    db
}

async fn without_rollups(now: &str, options: DemoOptions) -> Db {
    let (db, _clock) = testing::store(now.parse().expect("an instant"));
    demo::load(&db, &options).await.expect("a demo store");
    db
}

/// Makes some orders pending: they become drafts for a moment, so that they are added again.
async fn have_wait(db: &Db) {
    let were = db.write(|tx| {
        let mut statement = tx.prepare("select id, status from orders order by id limit 100")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let were = rows.collect::<Result<Vec<(String, String)>, _>>()?;
        for (id, _) in &were {
            tx.execute("update orders set status = 'draft' where id = ?1", [id])?;
        }
        Ok::<_, Error>(were)
    });
    let were = were.await.expect("drafts");
    let count = db.write(move |tx| {
        for (id, status) in &were {
            tx.execute("update orders set status = ?2 where id = ?1", [id, status])?;
        }
        Ok::<_, Error>(were.len())
    });
    let count = count.await.expect("orders");
    let pending = db.read(|tx| Ok::<_, Error>(pending_ids(tx)?.orders.len()));
    assert_eq!(pending.await.expect("a list"), count);
    assert!(count >= 100, "{count} orders");
}

fn gbp() -> Currency {
    Currency::from_code("GBP").expect("a currency")
}

fn question(zone: &str, granularity: Granularity, group_by: &[&str]) -> Question {
    Question {
        days: (date(2010, 11, 25), date(2010, 12, 20)),
        granularity,
        compare: Compare::PreviousPeriod,
        timezone: zone.to_owned(),
        currency: gbp(),
        filters: Filters::default(),
        group_by: group_by.iter().map(|name| (*name).to_owned()).collect(),
        now: NOW.parse().expect("an instant"),
    }
}

#[tokio::test]
async fn every_template_over_the_store_has_its_value_over_rows_in_memory() {
    let db = demo(300).await;
    let compared = assert_equal_templates(&db, &["UTC", "Europe/London", "America/New_York"]).await;
    assert!(compared.with_value > 500 / step(), "{compared:?}");
    assert!(compared.ranges > 100 / step(), "{compared:?}");
    assert!(compared.loads > 100 / step(), "{compared:?}");
    // More than for queries in other time zones: a partial day is composed of its hours.
    assert!(compared.stretches > 12 / step(), "{compared:?}");
}

#[tokio::test]
async fn every_template_is_the_same_while_orders_are_pending() {
    let db = demo(300).await;
    have_wait(&db).await;
    let compared = assert_equal_templates(&db, &["Europe/London"]).await;
    assert!(compared.with_value > 200 / step(), "{compared:?}");
    assert!(compared.loads > 30 / step(), "{compared:?}");
}

/// Counts of what was compared.
#[derive(Debug)]
struct Compared {
    /// Answers with a value.
    with_value: usize,
    /// Ranges in the prefix sums.
    ranges: usize,
    /// How often rollups were read.
    loads: usize,
    /// Stretches within an hour that were read from rows.
    stretches: usize,
}

/// The granularities and groupings of a template.
const FORMS: [(Granularity, &[&str]); 8] = [
    (Granularity::None, &[]),
    (Granularity::None, &["sales_channel"]),
    (Granularity::None, &["country"]),
    (Granularity::Day, &[]),
    (Granularity::Day, &["sales_channel"]),
    (Granularity::Day, &["country"]),
    (Granularity::Week, &[]),
    (Granularity::Month, &[]),
];

/// Only one in this many queries is asked. Every time zone, granularity and grouping still occurs, because their
/// number and this one have no common divisor.
fn step() -> usize {
    rounds(29, 1)
}

/// Asserts that every template is equal by rows, by rollups and in memory, in some zones.
async fn assert_equal_templates(db: &Db, zones: &'static [&'static str]) -> Compared {
    let compared = db.read::<_, Error>(move |tx| {
        let (engine, keys) = engine(gbp(), "UTC");
        assert_eq!(keys.len(), 133);
        let data = rows(tx, &engine);
        let store = StoreRows(tx);
        let binding = binding(engine.schema());
        let database = database(&store, &engine, &binding);
        let rollups = StoredRollups::read(tx, gbp(), None)?;
        let caches = Caches::default();
        let (versions, prefix_sums) = caches.versions(tx)?.expect("versions");
        let keeping = super::store::database(&store, &engine, &binding).with_versions(versions);
        let (mut wrong, mut with_value) = (Vec::new(), 0_usize);
        let questions = keys.iter().flat_map(|key| {
            zones.iter().flat_map(move |zone| FORMS.iter().map(move |form| (key, *zone, *form)))
        });
        for (key, zone, (granularity, group_by)) in questions.step_by(step()) {
            let formula = engine.compile(key).expect("a formula");
            let mut question = question(zone, granularity, group_by);
            // Incomplete days, and the time before them, end within an hour.
            if granularity == Granularity::None || group_by == ["sales_channel"] {
                question.now = WITHIN.parse().expect("an instant");
            }
            let request = question.request();
            let ask = |inputs| engine.evaluate(&[&formula], inputs, &request);
            let memory = text_of(&ask(Inputs::data(&data)));
            let found = ask(Inputs::store(&database));
            let is_value = found.as_ref().is_ok_and(|own| own.of(0).iter().any(|one| !one.value.is_missing()));
            with_value = with_value.saturating_add(is_value.into());
            let first = text_of(&ask(Inputs::store(&keeping).cached(&caches.cache)));
            let again = text_of(&ask(Inputs::store(&keeping).cached(&caches.cache)));
            let found = text_of(&found);
            let by_rollups = text_of(&rollups.before(&database, |inputs| engine.evaluate(&[&formula], inputs, &request)));
            // With the prefix sums of ranges from earlier questions.
            let shorter = StoredRollups::read(tx, gbp(), Some(prefix_sums))?;
            let shortly = text_of(&shorter.before(&database, |inputs| engine.evaluate(&[&formula], inputs, &request)));
            if [&memory, &first, &again, &by_rollups, &shortly].iter().any(|other| **other != found) {
                wrong.push(format!("{key} {zone} {granularity:?} {group_by:?}:\n{found}\n{memory}\n{first}\n{by_rollups}\n{shortly}"));
            }
        }
        let (ranges, loads, stretches) =
            (prefix_sums.len(), rollups.load_count(), rollups.counted_len());
        Ok((wrong, Compared { with_value, ranges, loads, stretches }))
    });
    let (wrong, compared) = compared.await.expect("rows");
    assert!(
        wrong.is_empty(),
        "{} differ; {}",
        wrong.len(),
        wrong.iter().take(3).cloned().collect::<String>()
    );
    compared
}

/// Returns the average order value by bucket, counted in Rust from the rows of the tables themselves: goods after
/// discounts and refunds, of orders that are neither drafts nor cancelled.
fn recounted(
    tx: &Tx<'_>,
    zone: &str,
    start_of: fn(jiff::civil::Date) -> jiff::civil::Date,
) -> BTreeMap<jiff::civil::Date, Decimal> {
    let zone = jiff::tz::TimeZone::get(zone).expect("a zone");
    let bucket = |at_ms: i64| {
        let at = jiff::Timestamp::from_millisecond(at_ms).expect("an instant");
        start_of(at.to_zoned(zone.clone()).date())
    };
    let mut sums: BTreeMap<jiff::civil::Date, (i64, i64)> = BTreeMap::new();
    let text = "select o.placed_at, 1,
            coalesce((select sum(l.subtotal_minor - l.discount_subtotal_minor) from order_line l where l.order_id = o.id), 0)
        from orders o where o.status not in ('draft', 'canceled') and o.currency = 'gbp'
        union all
        select t.created_at, 0, t.amount_minor - coalesce(t.tax_minor, 0) - coalesce(t.shipping_minor, 0)
        from order_transaction t join orders o on o.id = t.order_id
        where t.amount_minor < 0 and o.status not in ('draft', 'canceled') and o.currency = 'gbp'";
    let mut statement = tx.prepare(text).expect("a statement");
    let mut rows = statement.query([]).expect("rows");
    while let Some(row) = rows.next().expect("a row") {
        let at = row.get(0).expect("an instant");
        let sum = sums.entry(bucket(at)).or_default();
        sum.0 = sum.0.saturating_add(row.get(1).expect("a count"));
        sum.1 = sum.1.saturating_add(row.get(2).expect("an amount"));
    }
    let worth = |(day, (orders, minor)): (jiff::civil::Date, (i64, i64))| {
        let value = Decimal::new(minor, 2).checked_div(Decimal::from(orders));
        value.map(|value| (day, value.round_dp(PLACES).normalize()))
    };
    sums.into_iter().filter_map(worth).collect()
}

/// Decimal places in which two divisions of the same numbers agree, whatever their trailing zeros.
const PLACES: u32 = 20;

/// Returns the first day of the bucket of a day.
type BucketStart = fn(jiff::civil::Date) -> jiff::civil::Date;

#[tokio::test]
async fn the_average_order_value_is_what_a_recount_gives_on_both_sides_of_a_clock_change() {
    // The orders of December come 98 days later, in March 2011: the first two thousand reach over both clock changes.
    let extent = Extent::Invoices(rounds(2_000, 9_000));
    let options = DemoOptions { extent, ..DemoOptions::default() };
    let db = without_rollups("2012-03-17T10:00:00Z", options).await;
    let compared = db.read::<_, Error>(|tx| {
        let mut compared = Vec::new();
        for zone in ["Europe/London", "America/New_York"] {
            let (engine, _) = engine(gbp(), zone);
            let formula = engine.compile("aov").expect("a formula");
            let store = StoreRows(tx);
            let binding = binding(engine.schema());
            let database = database(&store, &engine, &binding);
            let starts: [(Granularity, BucketStart); 3] = [
                (Granularity::Day, |day| day),
                (Granularity::Week, |day| {
                    let since = i64::from(day.weekday().to_monday_zero_offset());
                    day.checked_sub(jiff::Span::new().days(since)).expect("a Monday")
                }),
                (Granularity::Month, jiff::civil::Date::first_of_month),
            ];
            for (granularity, start_of) in starts {
                // Whole weeks and months around both clock changes of March 2011.
                let days = if granularity == Granularity::Month {
                    (date(2011, 3, 1), date(2011, 5, 31))
                } else {
                    (date(2011, 3, 7), date(2011, 4, 17))
                };
                let own =
                    Question { days, compare: Compare::None, ..question(zone, granularity, &[]) };
                let answers =
                    engine.evaluate(&[&formula], Inputs::store(&database), &own.request());
                let answers = answers.expect("answers");
                let recounted = recounted(tx, zone, start_of);
                for (answer, period) in answers.of(0).iter().zip(&answers.buckets) {
                    let zone = jiff::tz::TimeZone::get(zone).expect("a zone");
                    let day = period.start.to_zoned(zone).date();
                    let found =
                        answer.value.as_number().map(|number| number.round_dp(PLACES).normalize());
                    assert_eq!(found, recounted.get(&day).copied(), "{granularity:?} {day}");
                    compared.extend(found.map(|_| day));
                }
            }
        }
        Ok(compared)
    });
    let compared = compared.await.expect("rows");
    assert!(compared.len() > rounds(40, 60), "{compared:?}");
    assert!(compared.iter().max() > Some(&date(2011, 3, 27)), "{compared:?}");
}
