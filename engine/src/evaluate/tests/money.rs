//! Amounts in several currencies: converted row by row, listed, or refused.

use super::shop::{Ask, Shop, check_all, rates};

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
    let in_euro = Ask { currency: Some("EUR"), ..Ask::default() };
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
    let by_country = Ask { group_by: vec!["country"], ..Ask::default() };
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
