//! Long chains, deep nesting, and work past the limits.

use std::fmt::Write;

use super::shop::{Shop, TestRequest, shown};
use crate::calendar::TimeUnit;

const ROWS: &str = "id,at,total\no1,2026-01-01 00:00:00,1.5\no2,2026-02-01 00:00:00,2";

const SOURCE: &str = "
source orders event
    key id text
    date at datetime
    field total money

metric m0 = sum(orders.total)
";

/// Runs on a stack as small as those of threads that serve requests.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn long_sums_are_walked_in_a_loop() {
    on_a_small_stack(|| {
        let mut shop = Shop::new(SOURCE, &[("orders", ROWS)]);
        shop.engine.limits.max_bytes = 1 << 20;
        shop.engine.limits.max_tokens = 1 << 20;
        shop.engine.limits.max_nodes = 1 << 20;
        let terms = vec!["m0"; 3_000].join(" + ");
        assert_eq!(shop.always(&terms), "10500");
        let conditions = vec!["total > 1 USD"; 1_000].join(" and ");
        assert_eq!(shop.always(&format!("count(orders where {conditions})")), "2");
        let texts = vec!["'a'"; 500].join(" & ");
        assert_eq!(shop.always(&format!("length({texts})")), "500");
    });
}

#[test]
fn nesting_up_to_the_limit_fits_the_stack() {
    on_a_small_stack(|| {
        let mut file = SOURCE.to_owned();
        for number in 1..=120 {
            let before = number - 1;
            writeln!(file, "metric m{number} = abs(m{before})").unwrap();
        }
        let shop = Shop::new(&file, &[("orders", ROWS)]);
        assert_eq!(shop.always("m120"), "3.5");
        let brackets = format!("{}orders.total{}", "abs(".repeat(60), ")".repeat(60));
        assert_eq!(shop.always(&format!("sum({brackets})")), "3.5");
        let windows = format!("{}m0{}", "previous(".repeat(60), ")".repeat(60));
        assert_eq!(shop.over(&windows, "2031-01-01", "2031-01-31"), "1.5");
        let cases = format!("{}m0{}", "if(m0 > 1 USD, ".repeat(60), ", 0 USD)".repeat(60));
        assert_eq!(shop.always(&cases), "3.5");
    });
}

#[test]
fn a_doubling_chain_of_metrics_is_linear() {
    let mut file = SOURCE.to_owned();
    for number in 1..=60 {
        let before = number - 1;
        writeln!(file, "metric m{number} = m{before} + m{before} - m{before}").unwrap();
    }
    let shop = Shop::new(&file, &[("orders", ROWS)]);
    assert_eq!(shop.always("m60"), "3.5");
    assert_eq!(shop.over("previous(m60)", "2026-02-01", "2026-02-28"), "1.5");
}

#[test]
fn a_doubling_chain_in_a_condition_is_linear() {
    let mut lines = "let x0 = 1 USD".to_owned();
    for number in 1..=60 {
        let before = number - 1;
        write!(lines, "; let x{number} = x{before} + x{before}").unwrap();
    }
    let formula = format!("{lines}; count(orders where total < x60)");
    let shop = Shop::new(SOURCE, &[("orders", ROWS)]);
    assert_eq!(shop.always(&formula), "2");
    let record = r#"{"orders": [{"id": "o1", "at": "2026-01-01T00:00:00Z", "total": 1.5}]}"#;
    assert_eq!(shop.over_record(&formula, record), "1");
}

#[test]
fn too_much_work_is_a_finding() {
    let mut shop = Shop::new(SOURCE, &[("orders", ROWS)]);
    let days = TestRequest {
        days: Some(("2026-01-01", "2026-12-31")),
        by: Some(TimeUnit::Day),
        ..TestRequest::default()
    };
    shop.engine.limits.max_cells = 100;
    let codes = |shop: &Shop| -> Vec<String> {
        shop.ask("sum(orders.total)", &days).findings.iter().map(|it| it.code.to_string()).collect()
    };
    assert_eq!(codes(&shop), ["E707"]);
    shop.engine.limits.max_cells = 1_000;
    shop.engine.limits.max_steps = 300;
    assert_eq!(codes(&shop), ["E706"]);
    shop.engine.limits.max_steps = 1_000_000;
    assert!(codes(&shop).is_empty());
}

#[test]
fn a_number_that_does_not_fit_is_missing() {
    let shop = Shop::new(SOURCE, &[("orders", ROWS)]);
    assert_eq!(shop.always("10 ^ 27 * 10"), "null(overflow)");
    let large = "id,at,total\no1,2026-01-01 00:00:00,9999999999999999999999999999\no2,2026-01-02 00:00:00,1";
    let shop = Shop::new(SOURCE, &[("orders", large)]);
    assert_eq!(shop.always("sum(orders.total)"), "null(overflow)");
    assert_eq!(shop.always("sum(orders.total * 10 / 10)"), "null(overflow)");
    assert_eq!(
        shop.always("sum(orders.total - 9999999999999999999999999999 USD)"),
        "-9999999999999999999999999998"
    );
}

#[test]
fn rows_of_overlapping_periods_count_as_work_each_time() {
    let mut rows = "id,at,total".to_owned();
    for number in 0..2_016 {
        let (month, day) = (number % 12 + 1, number / 12 % 28 + 1);
        write!(rows, "\no{number},2026-{month:02}-{day:02} 00:00:00,{number}").unwrap();
    }
    let mut shop = Shop::new(SOURCE, &[("orders", &rows)]);
    shop.engine.limits.max_steps = 100_000;
    let days = TestRequest {
        days: Some(("2026-01-01", "2026-12-31")),
        by: Some(TimeUnit::Day),
        ..TestRequest::default()
    };
    for (formula, code) in [
        ("median(orders.total)", None),
        ("running(sum(orders.total))", None),
        ("running(median(orders.total))", Some("E706")),
    ] {
        let findings = shop.ask(formula, &days).findings;
        assert_eq!(findings.first().map(|found| found.code.as_str()), code, "{formula}");
    }
}

/// Many customers of whom one orders each day, paying in euros and tipping in dollars; each order has a line.
fn shop_of_two_currencies(customers: usize) -> Shop {
    let file = "
store
    currency USD
    mixed_currency refuse

source customers entity
    key id text

source orders event
    key id text
    date at datetime
    field paid_in text
    field tipped_in text
    field paid money by paid_in
    field tip money by tipped_in
    field customer_id text
    link customer to customers by customer_id

source lines entity
    key id text
    field order_id text
    link order to orders by order_id

metric both = sum(orders.paid) + sum(sum(orders.tip where count(lines) > 0) per day)
";
    let mut ids = "id".to_owned();
    for number in 0..customers {
        write!(ids, "\nc{number}").unwrap();
    }
    let mut orders = "id,at,paid_in,tipped_in,paid,tip,customer_id".to_owned();
    let mut lines = "id,order_id".to_owned();
    for (month, day) in (1..=12).flat_map(|month| (1..=28).map(move |day| (month, day))) {
        let (id, customer) = (format!("o{month}-{day}"), if day < 15 { "c0" } else { "c1" });
        let at = format!("2026-{month:02}-{day:02} 12:00:00");
        write!(orders, "\n{id},{at},EUR,USD,10,1,{customer}").unwrap();
        write!(lines, "\nl{id},{id}").unwrap();
    }
    Shop::new(file, &[("customers", &ids), ("orders", &orders), ("lines", &lines)])
}

#[test]
fn the_currencies_of_single_rows_are_dropped_with_their_values() {
    let days = TestRequest {
        days: Some(("2026-01-01", "2026-12-31")),
        by: Some(TimeUnit::Day),
        ..TestRequest::default()
    };

    let answer =
        shop_of_two_currencies(600).ask("count(customers where sum(orders.paid) > 0)", &days);

    assert_eq!(answer.values.iter().filter(|value| shown(value) == "1").count(), 336);
    // A year has twice as many: one of each value and one of its atom, for 600 rows on 365 days.
    assert!(answer.currencies <= 200_000, "{}", answer.currencies);
}

#[test]
fn an_operand_inside_a_row_keeps_its_currencies_while_those_of_rows_below_are_many() {
    let shop = shop_of_two_currencies(2);
    let over = |formula| shop.over(formula, "2026-01-01", "2026-12-31");

    assert_eq!(over("count(customers where both > 0)"), "0");
    assert_eq!(over("count(customers where both is null)"), "2");
}
