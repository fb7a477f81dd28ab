//! The formulas of real metrics check, and give the results of other programs.

#![expect(clippy::expect_used, reason = "a fixture that cannot be read fails the test")]

use crate::requests::request;
use crate::stores::{data, engine, fixtures};
use quotient::calendar::TimeUnit;
use quotient::check::Additivity;
use quotient::format::exact;
use quotient::{Answer, Inputs, Request};

fn table(path: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(fixtures().join(path)).expect(path);
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn the_sources_of_a_formula_are_also_those_aggregated_inside_rows() {
    let engine = engine("stores/corner/corner.metrics");
    for (text, expected) in [
        ("1", &[][..]),
        ("count(customers)", &["customers"]),
        ("count(customers where count(orders) >= 2)", &["customers", "orders"]),
        ("sum(orders.total) / count(customers)", &["customers", "orders"]),
        // Through a metric in rows, and through one above.
        ("count(customers where order_count >= 2)", &["customers", "orders"]),
        ("avg(sales per customer)", &["orders"]),
        ("let loyal = count(orders) >= 2; count(customers where loyal)", &["customers", "orders"]),
    ] {
        let formula = engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
        assert_eq!(formula.sources(), expected, "{text}");
    }
}

#[test]
fn parts_add_up_only_if_the_period_does_not_decide_what_counts() {
    let engine = engine("stores/corner/corner.metrics");
    for (text, expected) in [
        ("3 * 7", Additivity::Constant),
        ("sum(orders.total)", Additivity::Additive),
        ("sum(orders.total) / 7", Additivity::Additive),
        ("(sales where country = 'DE')", Additivity::Additive),
        ("count(orders where created_at in period)", Additivity::Additive),
        ("count(customers where first_order_at in period)", Additivity::Additive),
        ("count(customers)", Additivity::SemiAdditive),
        ("avg(sum(inventory.on_hand) per day)", Additivity::NonAdditive),
        ("closing(sum(inventory.on_hand))", Additivity::SemiAdditive),
        ("max(orders.total)", Additivity::Extremal),
        // A number of the period differs between its parts.
        ("sum(orders.total) / days_in(period)", Additivity::NonAdditive),
        ("sum(orders.total) * month(period_start)", Additivity::NonAdditive),
        // So do the rows that count by an end of the period.
        ("max(orders.total where created_at > period_start + 7 days)", Additivity::NonAdditive),
        ("(sales where created_at > period_start + 7 days)", Additivity::NonAdditive),
        ("sum(if(orders.created_at in period, orders.total, 0 USD))", Additivity::NonAdditive),
        ("count(customers where not (first_order_at in period))", Additivity::NonAdditive),
        ("count(customers where id = 'c1' or first_order_at in period)", Additivity::NonAdditive),
        // A written amount is converted at the rate of the last day.
        ("convert(5 EUR, to: USD)", Additivity::NonAdditive),
        ("count(orders) * convert(5 EUR, to: USD)", Additivity::NonAdditive),
        ("max(inventory.on_hand)", Additivity::Extremal),
        ("closing(max(inventory.on_hand))", Additivity::NonAdditive),
        (
            "count(customers where first_order_at in period and first_order_at in period)",
            Additivity::Additive,
        ),
        // Rows placed by two dates may lie in the period but in none of its parts.
        ("sum(orders.total where customer.first_order_at in period)", Additivity::SemiAdditive),
        ("max(orders.total where customer.first_order_at in period)", Additivity::NonAdditive),
        ("(sales where customer.first_order_at in period)", Additivity::SemiAdditive),
        // The date of the rows places them already.
        ("(sales where created_at in period)", Additivity::Additive),
        (
            "(sales + sum(orders.total dated by customer.first_order_at) where created_at in period)",
            Additivity::SemiAdditive,
        ),
    ] {
        let formula = engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
        assert_eq!(formula.additivity(), expected, "{text}");
    }
}

#[test]
fn each_of_the_77_metrics_has_its_type() {
    let engine = engine("stores/platform/kpis.metrics");
    let rows = table("stores/platform/types.tsv");
    assert_eq!(rows.len(), 77);
    for row in rows {
        let [key, ty] = row.as_slice() else { panic!("{row:?}") };
        let formula = engine.compile(key).unwrap_or_else(|found| panic!("{key}: {found:?}"));
        assert_eq!(formula.ty().to_string(), *ty, "{key}");
    }
}

#[test]
fn each_of_the_77_metrics_has_the_value_that_another_program_counts() {
    let engine = engine("stores/platform/kpis.metrics");
    let data = data(&engine);
    let request = request("2026-03-01", "2026-03-31", "2026-04-15T00:00:00Z");
    let rows = table("stores/platform/expected.tsv");
    let rows: Vec<_> = rows.iter().filter(|row| engine.metric(&row[0]).is_some()).collect();
    assert_eq!(rows.len(), 77);
    let formulas: Vec<_> =
        rows.iter().map(|row| engine.compile(&row[0]).expect("a formula")).collect();
    let formulas: Vec<_> = formulas.iter().collect();

    let answers = engine.evaluate(&formulas, Inputs::data(&data), &request).expect("answers");

    let given =
        |index| answers.get(index, 0, 0).map(|answer| exact(&answer.value)).unwrap_or_default();
    let wrong: Vec<_> = rows
        .iter()
        .enumerate()
        .filter(|(index, row)| given(*index) != row[1])
        .map(|(index, row)| format!("{}: {}, counted {}", row[0], given(index), row[1]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_formula_that_needs_no_rows_has_its_value() {
    let engine = engine("stores/platform/kpis.metrics");
    let rows = table("formulas/ok/values.tsv");
    let mut wrong = Vec::new();
    for row in rows.iter().skip(1) {
        let [file, expected] = row.as_slice() else { panic!("{row:?}") };
        let text = std::fs::read_to_string(fixtures().join("formulas/ok").join(file)).expect(file);
        let formula = engine.compile(&text).unwrap_or_else(|found| panic!("{file}: {found:#?}"));
        let answers =
            engine.evaluate(&[&formula], Inputs::default(), &Request::default()).expect(file);
        let given = shown(answers.first().expect("an answer"));
        if given != *expected {
            wrong.push(format!("{file}: {text}\n    {given}, expected {expected}"));
        }
    }
    assert!(rows.len() > 25);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn order_values_by_week_across_both_clock_changes_equal_the_hand_count() {
    let engine = engine("stores/clock-change/weeks.metrics");
    let data = data(&engine);
    let rows = table("stores/clock-change/expected.tsv");
    let (header, rows) = rows.split_first().expect("a header");
    let keys = header.get(1..).expect("metrics");
    let formulas: Vec<_> = keys.iter().map(|key| engine.compile(key).expect(key)).collect();
    let formulas: Vec<_> = formulas.iter().collect();
    for row in rows {
        let week: jiff::civil::Date = row[0].parse().expect("a date");
        let last = week.checked_add(jiff::Span::new().days(6)).expect("a date").to_string();
        let request = request(&row[0], &last, "2027-01-01T00:00:00Z");
        let request = Request { by: Some(TimeUnit::Week), ..request };

        let answers = engine.evaluate(&formulas, Inputs::data(&data), &request).expect("answers");

        assert_eq!(answers.buckets.len(), 1);
        for (index, key) in keys.iter().enumerate() {
            let answer = answers.get(index, 0, 0).expect("an answer");
            assert_eq!(shown(answer), row[index + 1], "{key} in the week of {week}");
        }
    }
}

/// The value as the expectations spell it.
fn shown(answer: &Answer) -> String {
    match answer.null_reason {
        Some(reason) => format!("null ({})", reason.name()),
        None => exact(&answer.value),
    }
}

#[test]
fn each_tricky_formula_checks_and_prints_back_to_itself() {
    let engine = engine("stores/platform/kpis.metrics");
    let mut count = 0;
    let folder = fixtures().join("formulas/ok");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "formula")) {
        let text = std::fs::read_to_string(path).expect("a file");
        let formula = engine.compile(&text).unwrap_or_else(|found| panic!("{path:?}: {found:#?}"));
        let again =
            engine.compile(formula.canonical()).unwrap_or_else(|f| panic!("{path:?}: {f:#?}"));
        assert_eq!(again.canonical(), formula.canonical(), "{path:?}");
        assert_eq!(again.ty(), formula.ty(), "{path:?}");
        count += 1;
    }
    assert!(count >= 40, "only {count} files");
}
