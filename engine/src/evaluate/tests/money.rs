//! Amounts in several currencies: converted row by row, listed, or refused.

use super::shop::{Shop, TestRequest, check_all, rates};
use crate::calendar::TimeUnit;
use crate::engine::{BreakdownRequest, Inputs, Request, SortBy, SortKey};
use crate::format::exact;

fn file(policy: &str) -> String {
    format!(
        "
store
    currency USD
    mixed_currency {policy}

source orders event
    key id text
    date at datetime
    field currency text
    field rate number
    field paid money by currency at rate
    field tip money by currency
    field fixed money
    field fee money(EUR)
    field country text
"
    )
}

const ROWS: &str = "
id, at, currency, rate, paid, tip, fixed, fee, country
o1, 2026-01-01 12:00:00, USD, , 10, 1, 4, 2, US
o2, 2026-01-02 12:00:00, EUR, 1.5, 10, 1, 4, 2, DE
o3, 2026-01-03 12:00:00, EUR, , 10, 1, 4, 2, DE
";

fn shop(policy: &str) -> Shop {
    let rates = rates(&[("2026-01-01", "EUR", "1.10"), ("2026-01-03", "EUR", "1.25")]);
    Shop::with_rates(&file(policy), &[("orders", ROWS)], rates)
}

#[test]
fn each_row_is_converted_at_its_own_rate() {
    let shop = shop("convert");
    check_all(
        &[
            // 10 + 10 · 1.5 as stamped + 10 · 1.25 of the day.
            ("sum(orders.paid)", "37.5"),
            ("avg(orders.paid)", "12.5"),
            ("max(orders.paid)", "15"),
            ("sum(orders.tip)", "3.35"),
            ("sum(orders.paid * 2)", "75"),
            ("count(orders.paid)", "3"),
            ("sum(orders.fee)", "6"),
            // 2 · 1.10 twice, 2 · 1.25 once.
            ("convert(sum(orders.fee), to: USD)", "6.9"),
            // 4 / 1.10 twice, 4 / 1.25 once.
            ("round(convert(sum(orders.fixed), to: EUR), 4)", "10.4727"),
            ("convert(sum(orders.fixed where fixed > 3 USD), to: USD)", "12"),
            ("round(convert(sum(orders.fixed where fixed > 3 USD), to: EUR), 4)", "10.4727"),
            ("convert(sum(orders.fixed), to: GBP)", "null(no_rate)"),
            ("convert(sum(orders.paid), to: USD)", "37.5"),
            ("sum(orders.paid where currency = 'EUR')", "20"),
            ("convert(sum(orders.paid where currency = 'EUR'), to: USD)", "27.5"),
            ("convert(sum(orders.fee) / count(orders), to: USD)", "2.3"),
        ],
        |formula| shop.always(formula),
    );
    // At the rate of the last day of the period.
    assert_eq!(
        shop.over("convert(5 EUR + sum(orders.fee), to: USD)", "2026-01-01", "2026-01-02"),
        "9.9"
    );
    let in_euro = TestRequest { currency: Some("EUR"), ..TestRequest::default() };
    assert_eq!(shop.ask("sum(orders.fee)", &in_euro).text(), "6");
}

#[test]
fn without_a_rate_there_is_no_sum() {
    let early = rates(&[("2026-01-03", "EUR", "1.25")]);
    let shop = Shop::with_rates(&file("convert"), &[("orders", ROWS)], early);
    assert_eq!(shop.always("sum(orders.tip)"), "null(no_rate)");
    assert_eq!(shop.over("sum(orders.tip)", "2026-01-03", "2026-01-03"), "1.25");
    assert_eq!(shop.always("sum(orders.paid)"), "37.5");
    assert_eq!(shop.always("count(orders.tip)"), "3");
}

#[test]
fn a_store_may_list_or_refuse_instead() {
    let (split, refuse) = (shop("split"), shop("refuse"));
    assert_eq!(split.always("sum(orders.paid)"), "[20.00 EUR 10.00 USD]");
    assert_eq!(refuse.always("sum(orders.paid)"), "null(mixed_currency)");
    assert_eq!(refuse.over("sum(orders.paid)", "2026-01-02", "2026-01-03"), "20");
    let by_country = TestRequest { group_by: vec!["country"], ..TestRequest::default() };
    assert_eq!(refuse.ask("sum(orders.paid)", &by_country).grouped(), "DE=20 US=10");
    assert_eq!(
        split.ask("max(orders.paid)", &by_country).grouped(),
        "DE=[10.00 EUR] US=[10.00 USD]"
    );
    assert_eq!(refuse.always("convert(sum(orders.paid), to: USD)"), "37.5");
}

#[test]
fn the_first_of_several_currencies_follows_the_policy_too() {
    let (split, refuse) = (shop("split"), shop("refuse"));
    assert_eq!(refuse.always("first(orders.paid)"), "null(mixed_currency)");
    assert_eq!(refuse.over("last(orders.paid)", "2026-01-02", "2026-01-03"), "10");
    assert_eq!(split.always("last(orders.paid)"), "[10.00 EUR 10.00 USD]");
}

#[test]
fn an_amount_without_a_rate_is_not_passed_over() {
    let early = rates(&[("2026-01-03", "EUR", "1.25")]);
    let shop = Shop::with_rates(&file("convert"), &[("orders", ROWS)], early);
    // The second order has no rate: it is the last of these days, and could be the largest.
    for formula in ["last(orders.tip)", "first(orders.tip)", "max(orders.tip)"] {
        assert_eq!(shop.over(formula, "2026-01-01", "2026-01-02"), "null(no_rate)", "{formula}");
    }
    assert_eq!(shop.over("last(orders.tip)", "2026-01-03", "2026-01-03"), "1.25");
}

#[test]
fn an_empty_amount_needs_no_rate() {
    let rows = "id, at, currency, rate, paid, tip, fixed, fee, country\n\
        o1, 2026-01-01 12:00:00, USD, , 10, 1, , , US\n\
        o2, 2026-01-03 12:00:00, USD, , 10, 1, 5, 2, US\n";
    let late = rates(&[("2026-01-03", "EUR", "1.25")]);
    let shop = Shop::with_rates(&file("convert"), &[("orders", rows)], late);
    check_all(
        &[
            ("convert(sum(orders.fee), to: USD)", "2.5"),
            ("convert(sum(orders.fixed), to: EUR)", "4"),
        ],
        |formula| shop.always(formula),
    );
}

const MIXED: &str = "null(mixed_currency)";

#[test]
fn computations_with_amounts_in_two_currencies_are_refused() {
    let shop = shop("refuse");
    let us = "sum(orders.paid where country = 'US')";
    let de = "sum(orders.paid where country = 'DE')";
    for (formula, expected) in [
        ("{us} + {de}", MIXED),
        ("{us} - 1 * {de}", MIXED),
        ("{us} / {de}", MIXED),
        ("max({us}, {de})", MIXED),
        ("abs({us}) + {de}", MIXED),
        ("{us} > {de}", "false"),
        ("{us} != {de}", "true"),
        ("{us} between 0 and {de}", "false"),
        // 10 USD are among 20 EUR and 10 USD, and not among amounts in euros.
        ("{us} in ({de}, {us})", "true"),
        ("{us} in ({de} / 2, {de})", "false"),
        ("not ({us} in ({de} / 2))", "true"),
        ("{us} in ({de}, 0)", "false"),
        ("{us} + {de} + {us}", MIXED),
        ("({us} + 0) / 2", "5"),
        ("-{de} + {de}", "0"),
        ("{de} / {us} * {us}", MIXED),
        // A choice is in the currency of the chosen value.
        ("if({de} > 0, {us}, {de})", "10"),
        ("if({de} > 0, {us}, {de}) + {de}", MIXED),
        ("if({de} > 0, {us}, {de}) + {us}", "20"),
        ("{us} default {de}", "10"),
        ("({us} default {de}) + {de}", MIXED),
        ("(sum(orders.paid) default {de}) + {de}", "40"),
        ("(sum(orders.paid) default {de}) + {us}", MIXED),
        // Nothing has no currency.
        ("{us} + sum(orders.paid where country = 'FR')", "10"),
    ] {
        let formula = formula.replace("{us}", us).replace("{de}", de);
        assert_eq!(shop.always(&formula), expected, "{formula}");
    }
    check_all(
        &[
            ("sum(sum(orders.paid) per day)", MIXED),
            ("max(sum(orders.paid) per country)", MIXED),
            ("stddev(-sum(orders.paid) per day)", MIXED),
            ("sum(sum(orders.paid where country = 'DE') per day)", "20"),
            ("count(sum(orders.paid) per day)", "3"),
            ("weighted_avg(sum(orders.paid), count(orders) per day)", MIXED),
            ("let x = sum(orders.paid where country = 'DE'); x + sum(orders.tip)", MIXED),
            (
                "(sum(orders.paid) where country = 'DE') + (sum(orders.tip) where country = 'US')",
                MIXED,
            ),
            (
                "(sum(orders.paid) where country = 'DE') + (sum(orders.tip) where country = 'DE')",
                "22",
            ),
            ("convert(sum(sum(orders.paid) per day), to: USD)", "37.5"),
        ],
        |formula| shop.always(formula),
    );
    let day = |formula, day| shop.over(formula, day, day);
    assert_eq!(day("change(sum(orders.paid), 1 day)", "2026-01-02"), MIXED);
    assert_eq!(day("growth(sum(orders.paid), 1 day)", "2026-01-02"), MIXED);
    assert_eq!(day("change(sum(orders.paid), 1 day)", "2026-01-03"), "0");
    assert_eq!(day("previous(sum(orders.paid))", "2026-01-02"), "10");
    assert_eq!(day("sum(orders.paid) + previous(sum(orders.paid))", "2026-01-02"), MIXED);
    assert_eq!(day("trailing(sum(sum(orders.paid) per day), 2 days)", "2026-01-03"), "20");
}

#[test]
fn buckets_and_groups_of_two_currencies_are_not_compared() {
    let shop = shop("refuse");
    let days = Some(("2026-01-01", "2026-01-03"));
    let by_day = TestRequest { days, by: Some(TimeUnit::Day), ..TestRequest::default() };
    check_all(
        &[
            ("moving_avg(sum(orders.paid), 2)", "10 null(mixed_currency) 10"),
            ("previous_bucket(sum(orders.paid))", "null(no_bucket) 10 10"),
            (
                "sum(orders.paid) - previous_bucket(sum(orders.paid))",
                "null(no_bucket) null(mixed_currency) 0",
            ),
            (
                "rank(sum(orders.paid), by: period)",
                "null(mixed_currency) null(mixed_currency) null(mixed_currency)",
            ),
            ("rank(sum(orders.paid where country = 'DE'), by: period)", "3 1 1"),
        ],
        |formula| shop.ask(formula, &by_day).text(),
    );
    let by_country = TestRequest { group_by: vec!["country"], ..TestRequest::default() };
    check_all(
        &[
            ("rank(sum(orders.paid))", "DE=null(mixed_currency) US=null(mixed_currency)"),
            ("share(sum(orders.paid))", "DE=null(mixed_currency) US=null(mixed_currency)"),
            ("share(sum(orders.paid where country = 'DE'))", "DE=1 US=0"),
            ("sum(sum(orders.paid) per day)", "DE=20 US=10"),
        ],
        |formula| shop.ask(formula, &by_country).grouped(),
    );
    let by_order = TestRequest { group_by: vec!["country", "id"], ..TestRequest::default() };
    let total = "total(sum(orders.paid), keep: country)";
    assert_eq!(shop.ask(total, &by_order).grouped(), "DE/o2=20 DE/o3=20 US/o1=10");
    assert_eq!(shop.ask(&format!("rank({total})"), &by_order).text(), [MIXED; 3].join(" "));
}

#[test]
fn a_list_of_amounts_is_shown_and_not_computed_with() {
    let shop = shop("split");
    check_all(
        &[
            ("sum(sum(orders.paid) per day)", MIXED),
            ("-sum(orders.paid)", MIXED),
            ("abs(sum(orders.paid))", MIXED),
            ("sum(orders.paid) > 0", "false"),
            ("sum(orders.paid) default 0", "[20.00 EUR 10.00 USD]"),
            ("count(sum(orders.paid) per day)", "3"),
        ],
        |formula| shop.always(formula),
    );
    assert_eq!(shop.over("growth(sum(orders.paid), 1 day)", "2026-01-02", "2026-01-03"), MIXED);
    assert_eq!(shop.over("previous(sum(orders.paid))", "2026-01-02", "2026-01-02"), "[10.00 USD]");
}

/// Customers with a credit of 5 in the currency of a country, and their orders: `d` has none.
fn shop_of_customers(policy: &str) -> Shop {
    let file = format!(
        "
store
    currency USD
    mixed_currency {policy}

source customers entity
    key id text
    field code text
    field credit money by code

source orders event
    key id text
    date at datetime
    field currency text
    field paid money by currency
    field customer_id text
    link customer to customers by customer_id
"
    );
    let customers = "id, code, credit\na, EUR, 5\nb, USD, 5\nc, GBP, 5\nd, EUR, 5\n";
    let orders = "id, at, currency, paid, customer_id\n\
        1, 2026-01-01 12:00:00, EUR, 10, a\n\
        2, 2026-01-01 12:00:00, USD, 20, b\n\
        3, 2026-01-01 12:00:00, EUR, 30, c\n";
    let rates = rates(&[("2026-01-01", "EUR", "1.10")]);
    Shop::with_rates(&file, &[("customers", customers), ("orders", orders)], rates)
}

#[test]
fn amounts_of_a_row_and_of_rows_linked_to_it_keep_their_currencies() {
    let shop = shop_of_customers("refuse");
    check_all(
        &[
            ("count(customers where sum(orders.paid) > 0)", "3"),
            ("count(customers where credit < sum(orders.paid))", "2"),
            ("count(customers where credit != sum(orders.paid))", "4"),
            // Each has a credit of 5; the credit of `c` is in another currency than its orders: 5, 20 and 30.
            ("count(customers where credit in (sum(orders.paid) / 2, sum(orders.paid) / 6))", "1"),
            ("count(customers where credit in (credit * 2, sum(orders.paid), credit))", "4"),
            ("sum(customers.credit + sum(orders.paid) where id = 'a')", "15"),
            ("sum(customers.credit + sum(orders.paid) where id = 'c')", MIXED),
            ("sum(customers.credit + sum(orders.paid) where id != 'c')", MIXED),
            ("max(count(orders) * sum(orders.paid) + 0 * customers.credit where id = 'b')", "20"),
        ],
        |formula| shop.always(formula),
    );
}

#[test]
fn aggregates_below_rows_are_converted_and_the_rows_own_amounts_are_not() {
    let shop = shop_of_customers("convert");
    check_all(
        &[
            // In dollars the orders are worth 11, 20 and 33; only the credit of `b` is in dollars.
            ("count(customers where sum(orders.paid) > 0)", "3"),
            ("count(customers where credit < sum(orders.paid))", "1"),
            ("count(customers where credit in (sum(orders.paid) / 4))", "1"),
            ("let paid = sum(orders.paid); count(customers where credit < paid)", "1"),
            // Without orders, the sum is zero in any currency.
            ("count(customers where credit > sum(orders.paid))", "1"),
            ("sum(customers.credit + sum(orders.paid) where id = 'b')", "25"),
            ("sum(customers.credit + sum(orders.paid) where id = 'a')", MIXED),
            (
                "sum(if(customers.credit > 0, customers.credit, sum(orders.paid)) where id = 'a')",
                MIXED,
            ),
        ],
        |formula| shop.always(formula),
    );
    let in_dollars = "convert(sum(if(customers.credit < 0, customers.credit, sum(orders.paid)) where id = 'c'), to: USD)";
    assert_eq!(shop_of_customers("refuse").always(in_dollars), MIXED);
}

#[test]
fn an_amount_of_a_record_keeps_or_converts_its_currency() {
    let names = "
placeholder revenue = orders.paid sum
metric refunded = sum(orders.tip)
metric paid_total = sum(orders.paid)
";
    let of = |policy: &str| {
        let rates = rates(&[("2026-01-01", "EUR", "1.10"), ("2026-01-03", "EUR", "1.25")]);
        Shop::with_rates(&format!("{}{names}", file(policy)), &[], rates)
    };
    let eur = |amount: u32| format!(r#"{{"amount": {amount}, "currency": "EUR"}}"#);
    let usd = |amount: u32| format!(r#"{{"amount": {amount}, "currency": "USD"}}"#);
    let refuse = of("refuse");
    let two = format!(r#"{{"paid_total": {}, "refunded": {}}}"#, eur(10), usd(5));
    let one = format!(r#"{{"paid_total": {}, "refunded": {}}}"#, eur(10), eur(5));
    let plain = format!(r#"{{"paid_total": {}, "refunded": 5}}"#, eur(10));
    let field = format!(r#"{{"orders.paid": {}, "refunded": {}}}"#, eur(10), usd(5));
    let before = format!(r#"{{"paid_total": {}, "previous(paid_total)": {}}}"#, eur(10), usd(5));
    let three =
        format!(r#"{{"paid_total": {}, "refunded": {}, "revenue": {}}}"#, eur(5), usd(5), eur(5));
    for (formula, record, expected) in [
        ("paid_total", &two, "10"),
        ("paid_total + refunded", &two, MIXED),
        ("paid_total + refunded", &one, "15"),
        ("paid_total + refunded", &plain, "15"),
        ("refunded / paid_total", &two, MIXED),
        ("refunded / paid_total", &one, "0.5"),
        ("paid_total > refunded", &two, "false"),
        ("paid_total > refunded", &one, "true"),
        ("sum(orders.paid) + refunded", &field, MIXED),
        ("revenue + refunded", &field, MIXED),
        ("change(paid_total)", &before, MIXED),
        ("growth(paid_total)", &before, MIXED),
        ("previous(paid_total)", &before, "5"),
        ("previous(paid_total) + paid_total", &before, MIXED),
        ("paid_total in (refunded)", &three, "false"),
        ("paid_total in (refunded, revenue)", &three, "true"),
    ] {
        assert_eq!(refuse.over_record(formula, record), expected, "{formula} over {record}");
    }
    let convert = of("convert");
    // 10 euros at 1.25, the last known rate.
    assert_eq!(convert.over_record("paid_total", &one), "12.5");
    assert_eq!(convert.over_record("paid_total + refunded", &two), "17.5");
    assert_eq!(convert.over_record("paid_total", r#"{"paid_total": 10}"#), "10");
    assert_eq!(convert.over_record("convert(paid_total, to: EUR)", &one), "10");
    assert_eq!(convert.over_record("convert(paid_total, to: GBP)", &one), "null(no_rate)");
}

/// The groups in order of a formula, the largest first.
fn ranked(shop: &Shop, formula: &str, group_by: &str, top: Option<usize>) -> String {
    let formula = shop.engine.compile(formula).unwrap();
    let query = BreakdownRequest {
        request: Request {
            group_by: vec![group_by.to_owned()],
            now: shop.now,
            ..Request::default()
        },
        sort: vec![SortKey { by: SortBy::Formula(0), descending: true }],
        top,
        ..BreakdownRequest::default()
    };
    match shop.engine.breakdown(&[&formula], Inputs::data(&shop.data), &query) {
        Ok(found) => {
            let names = found.answers.groups.iter().flatten().map(exact);
            names.collect::<Vec<_>>().join(" ")
        }
        Err(found) => found.iter().map(|found| found.code.as_str()).collect(),
    }
}

#[test]
fn groups_in_order_of_amounts_stay_within_their_currency() {
    let rows = "
id, at, currency, rate, paid, tip, fixed, fee, country
o1, 2026-01-01 12:00:00, USD, , 90, 1, 4, 2, US
o2, 2026-01-02 12:00:00, EUR, , 9, 1, 4, 2, DE
o3, 2026-01-03 12:00:00, EUR, , 100, 1, 4, 2, FR
o4, 2026-01-03 12:00:00, USD, , 200, 1, 4, 2, CA
o5, 2026-01-03 12:00:00, EUR, , 5, 1, 4, 2, XX
o6, 2026-01-03 12:00:00, USD, , 5, 1, 4, 2, XX
";
    let of = |policy| Shop::new(&file(policy), &[("orders", rows)]);
    let sum = "sum(orders.paid)";
    let refuse = of("refuse");
    // Euros, then dollars, and last the group whose sum is null.
    assert_eq!(ranked(&refuse, sum, "orders.country", None), "FR DE CA US XX");
    assert_eq!(ranked(&refuse, sum, "orders.country", Some(5)), "FR DE CA US XX");
    assert_eq!(ranked(&refuse, sum, "orders.country", Some(2)), "E310");
    let euros = "sum(orders.paid where country in ('DE', 'FR'))";
    assert_eq!(ranked(&refuse, euros, "orders.country", Some(2)), "FR DE");
    // By number and not by text, where 9 is greater than 100.
    let split = of("split");
    assert_eq!(ranked(&split, euros, "orders.country", Some(2)), "FR DE");
    assert_eq!(ranked(&split, sum, "orders.country", None), "FR DE CA US XX");
    assert_eq!(ranked(&split, sum, "orders.country", Some(1)), "E310");
}
