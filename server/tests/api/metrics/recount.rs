//! The average order value of the demo store, defined and queried through the API, and recomputed from the table rows
//! without the engine: separate days, sums and division.
#![expect(clippy::arithmetic_side_effects, reason = "a count that overflows fails the test")]

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use quotient_server::database::Error;
use serde_json::{Value, json};

use super::registry::definition;
use crate::harness::{Person, TestServer};

/// The significant digits of a quotient.
const DIGITS: usize = 28;

/// The first and the last day queried. Clocks go back in Europe on 26 October 2025 and in America on 2 November; orders
/// begin on 25 October.
const DAYS: (Date, Date) = (date(2025, 10, 20), date(2025, 11, 9));

/// Returns `top / bottom` in decimal by long division, to [`DIGITS`] significant digits, half to even.
fn quotient(top: i128, bottom: i128) -> String {
    let (mut rest, below) = (top.unsigned_abs(), bottom.unsigned_abs());
    let is_negative = (top < 0) != (bottom < 0) && top != 0;
    let mut digits: Vec<u8> =
        (rest / below).to_string().bytes().map(|digit| digit - b'0').collect();
    let whole_len = digits.len();
    rest %= below;
    let is_zero = |digits: &[u8]| digits.iter().all(|digit| *digit == 0);
    let mut significant = if is_zero(&digits) { 0 } else { digits.len() };
    while rest != 0 && significant < DIGITS {
        rest *= 10;
        let digit = u8::try_from(rest / below).expect("a digit");
        rest %= below;
        significant += usize::from(significant > 0 || digit > 0);
        digits.push(digit);
    }
    let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
    let twice = rest * 2;
    let mut carries = twice > below || (twice == below && is_odd);
    for digit in digits.iter_mut().rev() {
        if !carries {
            break;
        }
        carries = *digit == 9;
        *digit = if carries { 0 } else { *digit + 1 };
    }
    let mut text: String = if carries { "1".to_owned() } else { String::new() };
    for (index, digit) in digits.iter().enumerate() {
        if index == whole_len {
            text.push('.');
        }
        text.push(char::from(b'0' + digit));
    }
    if text.contains('.') {
        let len = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(len);
    }
    if is_negative { format!("-{text}") } else { text }
}

#[test]
fn long_division_rounds_the_last_digit_half_to_even() {
    assert_eq!(quotient(1, 4), "0.25");
    assert_eq!(quotient(-10, 3), "-3.333333333333333333333333333");
    assert_eq!(quotient(2, 3), "0.6666666666666666666666666667");
    assert_eq!(quotient(0, 7), "0");
    assert_eq!(quotient(1_200, 100), "12");
    // 28 nines and a half: rounds to the even neighbour, with a carry over all places.
    assert_eq!(quotient(19_999_999_999_999_999_999_999_999_999, 2 * 10_i128.pow(27)), "10");
}

/// A row that counts: time, pence, and whether it is an order.
struct Row {
    at: Timestamp,
    minor: i64,
    is_order: bool,
}

/// Returns all table rows that the value depends on.
async fn rows(server: &TestServer) -> Vec<Row> {
    let other = server.other_process();
    let found = other.read::<_, Error>(|tx| {
        let mut rows = Vec::new();
        let mut standing = BTreeMap::new();
        let mut orders = tx.prepare("select id, placed_at, status, currency from orders")?;
        let mut cursor = orders.query([])?;
        while let Some(row) = cursor.next()? {
            let (id, at, status): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            assert_eq!(row.get::<_, String>(3)?, "gbp");
            let at = Timestamp::from_millisecond(at).expect("an instant");
            if status != "draft" && status != "canceled" {
                rows.push(Row { at, minor: 0, is_order: true });
                standing.insert(id, at);
            }
        }
        let mut lines =
            tx.prepare("select order_id, subtotal_minor, discount_subtotal_minor from order_line")?;
        let mut cursor = lines.query([])?;
        while let Some(row) = cursor.next()? {
            let (order, subtotal, discount): (String, i64, i64) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            if let Some(at) = standing.get(&order) {
                rows.push(Row { at: *at, minor: subtotal - discount, is_order: false });
            }
        }
        let mut moved = tx.prepare(
            "select order_id, created_at, amount_minor, tax_minor, shipping_minor from order_transaction",
        )?;
        let mut cursor = moved.query([])?;
        while let Some(row) = cursor.next()? {
            let (order, at, amount): (String, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let tax = row.get::<_, Option<i64>>(3)?.unwrap_or(0);
            let shipping = row.get::<_, Option<i64>>(4)?.unwrap_or(0);
            if amount < 0 && standing.contains_key(&order) {
                let at = Timestamp::from_millisecond(at).expect("an instant");
                // Tax and shipping have the sign of the amount; the remainder is items.
                let minor = amount - tax - shipping;
                assert!(minor <= 0 && minor >= amount, "{amount} {tax} {shipping}");
                rows.push(Row { at, minor, is_order: false });
            }
        }
        Ok(rows)
    });
    found.await.expect("rows")
}

/// Returns the first day of the bucket of a day.
fn start_of(granularity: &str, day: Date) -> Date {
    match granularity {
        "day" => day,
        "week" => {
            let since = i64::from(day.weekday().to_monday_zero_offset());
            day.checked_sub(Span::new().days(since)).expect("a Monday")
        }
        "month" => day.first_of_month(),
        other => panic!("{other}"),
    }
}

/// Computes the value of each bucket with orders, counting only the queried days.
fn counted(rows: &[Row], zone: &TimeZone, granularity: &str) -> BTreeMap<Date, Option<String>> {
    let mut sums: BTreeMap<Date, (i128, i128)> = BTreeMap::new();
    let mut day = DAYS.0;
    while day <= DAYS.1 {
        sums.entry(start_of(granularity, day)).or_default();
        day = day.tomorrow().expect("a day");
    }
    for row in rows {
        let day = row.at.to_zoned(zone.clone()).date();
        if day < DAYS.0 || day > DAYS.1 {
            continue;
        }
        let sum = sums.entry(start_of(granularity, day)).or_default();
        sum.0 += i128::from(row.minor);
        sum.1 += i128::from(row.is_order);
    }
    let worth =
        |(minor, orders): (i128, i128)| (orders != 0).then(|| quotient(minor, orders * 100));
    sums.into_iter().map(|(day, sum)| (day, worth(sum))).collect()
}

async fn define(server: &TestServer) {
    let admin = Person::admin();
    let path = "/admin/metrics-registry/definitions";
    let net = "sum(items.subtotal where order.status != 'canceled')
        - sum(items.discount where order.status != 'canceled')
        - sum(refunds.subtotal where order.status != 'canceled')";
    for (name, formula, kind) in [
        ("Net sales", net, "currency"),
        ("Order count", "count(orders where status != 'canceled')", "integer"),
        ("AOV", "net_sales / order_count", "currency"),
    ] {
        let made = server.post(&admin, path, definition(name, formula, kind)).await.ok();
        let id = made["metric"]["id"].as_str().expect("an id");
        let path = format!("{path}/{id}/lifecycle");
        server.post(&admin, &path, json!({"state": "active"})).await.ok();
    }
}

/// Returns the text of an exact value, which is a number or a string.
fn exact(value: &Value) -> Option<String> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    (!value.is_null()).then_some(text)
}

/// Returns the value of each bucket in the API's response.
fn api_values(record: &Value, zone: &TimeZone) -> BTreeMap<Date, Option<String>> {
    let buckets = record["series"].as_array().expect("a series");
    let api_values = buckets.iter().map(|bucket| {
        let start: Timestamp =
            bucket["period"]["start"].as_str().and_then(|text| text.parse().ok()).expect("a start");
        let value = exact(&bucket["value"]);
        let reason = if value.is_none() { json!("division_by_zero") } else { Value::Null };
        assert_eq!(bucket["null_reason"], reason, "{bucket}");
        (start.to_zoned(zone.clone()).date(), value)
    });
    api_values.collect()
}

#[tokio::test]
async fn the_average_order_value_equals_a_recount_to_the_last_digit_across_two_clock_changes() {
    // In this time zone shops are open while days end in London and in New York.
    let loaded = "2026-11-03T00:00:00Z".parse().expect("an instant");
    let server = TestServer::with_demo_in(1_200, "Asia/Tokyo", loaded).await;
    define(&server).await;
    let rows = rows(&server).await;
    let (mut seen, mut long, mut empty) = (0, BTreeSet::new(), 0);
    for name in ["Europe/London", "America/New_York"] {
        let zone = TimeZone::get(name).expect("a zone");
        let changed: Vec<_> = zone
            .following("2025-10-20T00:00:00Z".parse().expect("an instant"))
            .take(1)
            .map(|change| change.timestamp().to_zoned(zone.clone()).date())
            .collect();
        assert!(changed[0] > DAYS.0 && changed[0] < DAYS.1, "{name}: {changed:?}");
        // Some orders would be in another day if days had the wrong length.
        let fixed = zone.to_offset(Timestamp::from_second(1_760_918_400).expect("an instant"));
        let by_wrong = counted(&rows, &TimeZone::fixed(fixed), "day");
        assert_ne!(by_wrong, counted(&rows, &zone, "day"), "{name}");

        for granularity in ["day", "week", "month"] {
            let by_query = format!(
                "/admin/metrics?metrics=aov&start_date={}&end_date={}&granularity={granularity}&timezone={name}",
                DAYS.0, DAYS.1
            );
            let by_query = server.get(&Person::viewer(), &by_query).await.ok();
            let body = json!({"metrics": ["aov"], "start_date": DAYS.0, "end_date": DAYS.1,
                "granularity": granularity, "timezone": name});
            let computed =
                server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok();

            let own = counted(&rows, &zone, granularity);
            for answer in [&by_query, &computed] {
                let mut found = api_values(&answer["metrics"]["aov"], &zone);
                // A bucket that begins before the range is reported from the range's first day on.
                if let Some(value) = found.remove(&DAYS.0) {
                    found.insert(start_of(granularity, DAYS.0), value);
                }
                assert_eq!(found, own, "{name} {granularity}");
            }
            let values = own.values().flatten();
            long.extend(values.clone().filter(|text| text.len() == DIGITS + 1).cloned());
            seen += values.count();
            empty += own.values().filter(|value| value.is_none()).count();
        }
    }
    // The comparison is meaningful: many buckets, non-terminating numbers, and days without orders.
    assert!(seen > 30 && long.len() > 20 && empty > 6, "{seen} {} {empty}", long.len());
}
