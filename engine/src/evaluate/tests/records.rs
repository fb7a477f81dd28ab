//! Formulas over context records.

use super::shop::{Shop, check_all};
use crate::data::Record;
use crate::diagnostics::Code;
use crate::engine::{Answers, Inputs, Request};
use crate::types::Reason;

const FILE: &str = "
source customers entity
    key id text
    field country text

source orders event
    key id text
    date created_at datetime
    field customer_id text
    field status text
    field total money
    link customer to customers by customer_id

placeholder revenue = orders.total sum
placeholder paid = orders.total

input ad_spend money
input visits count
input tier text
input live bool
input since date
input scores number

metric net_sales = sum(orders.total where status != 'cancelled')
metric order_count = count(orders where status != 'cancelled')
metric aov \"Average order value\" = net_sales / order_count
metric roas = net_sales / ad_spend
";

fn shop() -> Shop {
    Shop::new(FILE, &[])
}

/// Checks (formula, record, expected).
fn check(cases: &[(&str, &str, &str)]) {
    let shop = shop();
    for (formula, record, expected) in cases {
        assert_eq!(shop.over_record(formula, record), *expected, "{formula} over {record}");
    }
}

#[test]
fn names_of_metrics_placeholders_and_inputs_take_the_records_values() {
    check(&[
        ("net_sales / order_count", r#"{"net_sales": 100, "order_count": 4}"#, "25"),
        ("aov", r#"{"net_sales": 100, "order_count": 4}"#, "25"),
        ("aov", r#"{"aov": 7, "net_sales": 100, "order_count": 4}"#, "7"),
        ("[Average order value]", r#"{"NET_SALES": "100.50", "Order_Count": "3"}"#, "33.5"),
        (
            "net_sales",
            r#"{"net_sales": 0.1000000000000000000000000001}"#,
            "0.1000000000000000000000000001",
        ),
        ("net_sales", r#"{"net_sales": {"amount": "12.50", "currency": "USD"}}"#, "12.5"),
        ("roas", r#"{"net_sales": 100, "ad_spend": 40}"#, "2.5"),
        ("visits * 2", r#"{"visits": 3}"#, "6"),
        ("if(live, tier, 'none')", r#"{"live": true, "tier": "gold"}"#, "gold"),
        ("since > @2026-01-01", r#"{"since": "2026-01-02"}"#, "true"),
        ("revenue + paid", r#"{"revenue": 2, "paid": 1}"#, "3"),
        ("sum(orders.total)", r#"{"orders.total": 5}"#, "5"),
        ("revenue", r#"{"orders.total": 5}"#, "5"),
    ]);
}

#[test]
fn all_missing_names_are_listed_at_once() {
    check(&[
        ("net_sales / ad_spend", "{}", "null(missing_input) missing ad_spend,orders.total"),
        ("visits + visits", "{}", "null(missing_input) missing visits"),
        ("visits default 0", "{}", "0 missing visits"),
        ("ad_spend default net_sales", r#"{"ad_spend": 1}"#, "1"),
        ("if(live, visits, 0)", r#"{"live": false}"#, "0"),
        (
            "case when live then visits when tier = 'a' then 1 end",
            r#"{"live": true, "visits": 2}"#,
            "2",
        ),
        ("visits is null", r#"{"visits": null}"#, "true missing visits"),
        ("is_error(visits)", "{}", "false missing visits"),
        ("length(period)", "{}", "null(missing_input) missing period"),
    ]);
}

#[test]
fn rows_and_columns_are_aggregated() {
    check(&[
        ("net_sales", r#"{"orders": [{"total": 1, "status": "a"}, {"total": "2.5"}]}"#, "3.5"),
        ("order_count", r#"{"orders": []}"#, "0"),
        ("sum(orders.total)", r#"{"orders": []}"#, "0"),
        ("avg(orders.total)", r#"{"orders.total": [1, 2, 6]}"#, "3"),
        ("avg(orders.total)", r#"{"orders.total": []}"#, "null(no_rows)"),
        ("sum(orders.total)", r#"{"orders": [{"total": 1}, {"total": null}, {}]}"#, "1"),
        ("count(orders where status = 'a')", r#"{"orders.status": ["a", "b", "a"]}"#, "2"),
        ("aov", r#"{"orders": [{"total": 9, "status": "a"}], "order_count": 3}"#, "3"),
        (
            "sum(orders.total where customer.country = 'DE')",
            r#"{"orders": [{"total": 1, "customer_id": "c"}, {"total": 4, "customer_id": "d"}],
                "customers": [{"id": "c", "country": "DE"}, {"id": "d", "country": "FR"}]}"#,
            "1",
        ),
        (
            "count(customers where count(orders) >= 2)",
            r#"{"orders": [{"customer_id": "c"}, {"customer_id": "c"}, {"customer_id": "d"}],
                "customers": [{"id": "c"}, {"id": "d"}]}"#,
            "1",
        ),
        ("sum(orders.total)", r#"{"orders": [{"total": {"amount": 5, "currency": "USD"}}]}"#, "5"),
    ]);
}

#[test]
fn columns_that_the_rows_lack_are_missing_and_not_zero() {
    check(&[
        ("net_sales", r#"{"orders.total": [1, 2]}"#, "null(missing_input) missing orders.status"),
        (
            "sum(orders.total)",
            r#"{"orders.status": ["a"]}"#,
            "null(missing_input) missing orders.total",
        ),
        (
            "sum(orders.total where customer.country = 'DE')",
            r#"{"orders": [{"total": 1, "customer_id": "c"}]}"#,
            "null(missing_input) missing customers.country",
        ),
    ]);
}

#[test]
fn other_periods_come_from_dated_rows_or_under_their_own_name() {
    let dated = r#"{"period": {"start": "2026-02-01", "end": "2026-02-28"}, "orders": [
        {"total": 1, "status": "a", "created_at": "2026-01-05"},
        {"total": 4, "status": "a", "created_at": "2026-02-05T10:00:00Z"}]}"#;
    check(&[
        ("net_sales", dated, "4"),
        ("previous(net_sales)", dated, "1"),
        ("growth(net_sales)", dated, "3"),
        ("lifetime(net_sales)", dated, "5"),
        ("length(period)", dated, "2419200"),
        (
            "net_sales",
            r#"{"period": {"start": "2026-02-01", "end": "2026-02-28"},
                "orders": [{"total": 3, "status": "a"}]}"#,
            "3",
        ),
        (
            "previous(sum(orders.total))",
            r#"{"period": {"start": "2026-02-01", "end": "2026-02-28"}, "orders.total": [3]}"#,
            "null(missing_input) missing orders.created_at",
        ),
        (
            "max(sum(orders.total) per day)",
            r#"{"period": {"start": "2026-02-01", "end": "2026-02-28"}, "orders.total": [3]}"#,
            "null(missing_input) missing orders.created_at",
        ),
        ("avg(net_sales per day)", dated, "0.1428571428571428571428571429"),
        (
            "avg(net_sales per day)",
            r#"{"period": {"start": "2026-02-01", "end": "2026-02-28"}, "net_sales": 280}"#,
            "null(missing_input) E501 at `avg(net_sales per day)`",
        ),
        (
            "2 * sum(net_sales per week)",
            r#"{"net_sales": 280}"#,
            "null(missing_input) E501 at `sum(net_sales per week)`",
        ),
        ("avg(net_sales per day)", r#"{"avg(net_sales per day)": 10, "net_sales": 280}"#, "10"),
        ("previous(net_sales)", r#"{"previous(net_sales)": 8, "net_sales": 1}"#, "8"),
        ("growth(net_sales)", r#"{"previous(net_sales)": 8, "net_sales": 10}"#, "0.25"),
        (
            "growth( net_sales, last_year )",
            r#"{"last_year(net_sales)": 8, "net_sales": 10}"#,
            "0.25",
        ),
        ("growth(net_sales)", r#"{"growth(net_sales)": 0.5}"#, "0.5"),
        ("Previous( net_sales )", r#"{"previous(net_sales)": 8}"#, "8"),
        (
            "1 + growth(net_sales)",
            r#"{"net_sales": 10}"#,
            "null(missing_input) E501 at `growth(net_sales)`",
        ),
        (
            "previous(net_sales)",
            r#"{"net_sales": 10}"#,
            "null(missing_input) E501 at `previous(net_sales)`",
        ),
    ]);
}

#[test]
fn invalid_values_are_refused() {
    check(&[
        (
            "sum(orders.total where status = 'a')",
            r#"{"orders.total": 5}"#,
            "null(missing_input) E503 at `sum(orders.total where status = 'a')`",
        ),
        (
            "avg(orders.total)",
            r#"{"orders.total": 5}"#,
            "null(missing_input) E503 at `avg(orders.total)`",
        ),
        ("visits", r#"{"visits": "many"}"#, "null(missing_input) E504 at `visits`"),
        ("live", r#"{"live": 1}"#, "null(missing_input) E504 at `live`"),
        (
            "net_sales",
            r#"{"net_sales": {"amount": 1, "currency": "EUR"}}"#,
            "null(missing_input) E504 at `net_sales`",
        ),
    ]);
}

#[test]
fn lists_have_aggregates_of_their_own() {
    let shop = shop();
    check_all(
        &[
            ("sum(list(1, 2, 3.5))", "6.5"),
            ("avg(list(1, 2))", "1.5"),
            ("max(list(1, 3, 2))", "3"),
            ("median(list(1, 3, 2, 10))", "2.5"),
            ("count(list(1, null, 2))", "2"),
            ("sum(list(null))", "0"),
        ],
        |formula| shop.over_record(formula, "{}"),
    );
}

#[test]
fn the_key_that_a_comparison_lacks_is_the_one_that_helps() {
    let shop = shop();
    for (formula, key, expected) in [
        ("growth(net_sales)", "previous(net_sales)", "0.5"),
        ("change(net_sales, last_month)", "last_month(net_sales)", "40"),
        ("growth(net_sales, last_year)", "last_year(net_sales)", "0.5"),
        ("change(net_sales, 52 weeks)", "shift(net_sales,-52weeks)", "40"),
    ] {
        let answer = shop.record(formula, r#"{"net_sales": 120, "previous(aov)": 1}"#);
        let help = answer.findings.first().and_then(|finding| finding.help.clone());
        let wanted = format!("add \"{key}\": … to the context, or compute over dated rows");
        assert_eq!(help, Some(wanted), "{formula}");

        let given = format!(r#"{{"net_sales": 120, "{key}": 80}}"#);
        assert_eq!(shop.over_record(formula, &given), expected, "{formula}");
    }
}

#[expect(clippy::unwrap_in_result, reason = "the formulas and the records of the tests are sound")]
fn evaluated(formula: &str, record: &str) -> Result<Answers, Vec<Code>> {
    let shop = shop();
    let formula = shop.engine.compile(formula).unwrap();
    let record = Record::from_json(record).unwrap();
    let request = Request { now: shop.now, ..Request::default() };
    let answers = shop.engine.evaluate(&[&formula], Inputs::record(&record), &request);
    answers.map_err(|found| found.iter().map(|finding| finding.code).collect())
}

#[test]
fn a_period_that_the_record_lacks_is_a_missing_input_also_at_a_given_present() {
    for formula in ["period_start", "length(period)", "visits / days(length(period))"] {
        let answers = evaluated(formula, r#"{"visits": 3}"#).unwrap();
        assert_eq!(answers.first().unwrap().null_reason, Some(Reason::MissingInput), "{formula}");
        assert_eq!(answers.missing_inputs, ["period"], "{formula}");
    }
    assert_eq!(evaluated("previous(visits)", r#"{"visits": 3}"#).unwrap_err(), [Code::E501]);
}

#[test]
fn a_period_that_cannot_be_read_is_refused() {
    for period in [
        r#""2026-02""#,
        r#"{"start": "2026-02-10", "end": "2026-02-01"}"#,
        r#"{"start": "2026-02-31", "end": "2026-03-31"}"#,
        r#"{"start": "2026-02-01"}"#,
        r#"{"from": "2026-02-01", "to": "2026-02-28"}"#,
    ] {
        let record = format!(r#"{{"visits": 3, "period": {period}}}"#);
        assert_eq!(evaluated("visits", &record).unwrap_err(), [Code::E504], "{period}");
    }
    assert!(evaluated("visits", r#"{"visits": 3, "period": null}"#).is_ok());
}

#[test]
fn one_object_in_the_place_of_rows_is_refused() {
    let found = evaluated("count(orders)", r#"{"orders": {"total": 5}}"#);
    assert_eq!(found.unwrap_err(), [Code::E504]);
    assert!(evaluated("count(orders)", r#"{"orders": [{"total": 5}]}"#).is_ok());
}

#[test]
fn a_value_of_the_wrong_kind_is_answered_with_the_right_one() {
    let help = |formula: &str, record: &str| {
        let answer = shop().record(formula, record);
        answer.findings.iter().filter_map(|finding| finding.help.clone()).collect::<String>()
    };
    for (formula, record, expected) in [
        ("visits", r#"{"visits": "15%"}"#, "it is text, give a number"),
        ("live", r#"{"live": "true"}"#, "it is text, give true or false without quotes"),
        ("since", r#"{"since": 3}"#, r#"it is a number, give a date such as "2026-01-31""#),
        ("tier", r#"{"tier": 5}"#, "it is a number, give a text in quotes"),
        ("count(orders)", r#"{"orders": 5}"#, r#"give rows: "orders": [{…}]"#),
    ] {
        assert_eq!(help(formula, record), expected, "{formula} over {record}");
    }
}

#[test]
fn days_and_times_of_rows_are_those_of_the_store_as_the_period_is() {
    let shop = Shop::new(&format!("store\n    timezone America/New_York\n{FILE}"), &[]);
    // February ends at five in the morning, in UTC.
    let record = r#"{"period": {"start": "2026-02-01", "end": "2026-02-28"}, "orders": [
        {"total": 1, "status": "a", "created_at": "2026-02-01"},
        {"total": 2, "status": "a", "created_at": "2026-02-28 23:30:00"},
        {"total": 4, "status": "a", "created_at": "2026-03-01T04:59:59Z"},
        {"total": 8, "status": "a", "created_at": "2026-03-01T05:00:00Z"}]}"#;
    assert_eq!(shop.over_record("net_sales", record), "7");
}
