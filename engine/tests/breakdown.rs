//! Breakdowns: chosen and ordered groups, totals that are computed, and groups by expressions.
#![expect(clippy::expect_used, reason = "a request that cannot be made fails the test")]

use crate::requests::request;
use crate::stores::{data, engine};
use quotient::cache::Cache;
use quotient::data::Rates;
use quotient::engine::{Breakdown, BreakdownRequest, Comparison, RowKind, SortBy, SortKey};
use quotient::file::load;
use quotient::format::exact;
use quotient::types::Value;
use quotient::{Engine, Filter, Formula, Inputs, Request};

const FORMULAS: [&str; 3] = ["sum(orders.total)", "avg(orders.total)", "share(sum(orders.total))"];

fn by(group_by: &[&str]) -> Request {
    Request {
        group_by: group_by.iter().map(|name| (*name).to_owned()).collect(),
        ..request("2026-01-01", "2026-02-28", "2026-03-15T00:00:00Z")
    }
}

fn descending(formula: usize) -> SortKey {
    SortKey { by: SortBy::Formula(formula), descending: true }
}

fn compiled(engine: &Engine, texts: &[&str]) -> Vec<Formula> {
    texts.iter().map(|text| engine.compile(text).expect(text)).collect()
}

/// A line for each row: its kind, its group and the values of its last bucket.
fn lines(breakdown: &Breakdown) -> Vec<String> {
    let answers = &breakdown.answers;
    let rows = answers.groups.iter().zip(&breakdown.kinds).enumerate();
    rows.map(|(row, (group, kind))| {
        let mut words = Vec::new();
        if *kind != RowKind::Group {
            words.push(format!("{kind:?}"));
        }
        words.extend(group.iter().map(exact));
        let bucket = answers.buckets.len().saturating_sub(1);
        let value = |formula| answers.get(formula, bucket, row).map(|answer| exact(&answer.value));
        words.extend((0..FORMULAS.len()).map_while(value));
        words.join(" ")
    })
    .collect()
}

fn corner(query: &BreakdownRequest) -> Vec<String> {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let formulas = compiled(&engine, &FORMULAS);
    let formulas: Vec<&Formula> = formulas.iter().collect();
    let breakdown = engine.breakdown(&formulas, Inputs::data(&data), query).expect("answers");
    lines(&breakdown)
}

#[test]
fn others_and_the_total_are_computed_and_not_added() {
    let query = BreakdownRequest {
        request: by(&["orders.customer_id"]),
        sort: vec![descending(0)],
        top: Some(1),
        others: true,
        totals: true,
        ..BreakdownRequest::default()
    };

    // c1 has 40 + 100, c2 60 + 80, c3 20: c1 and c2 are equal, and stay in order of their names.
    assert_eq!(
        corner(&query),
        [
            "c1 140 70 0.4666666666666666666666666667",
            "Others 160 53.33333333333333333333333333 0.5333333333333333333333333333",
            "Total 300 60 1",
        ]
    );
}

#[test]
fn others_of_a_named_expression_are_the_rows_of_its_other_values() {
    let query = BreakdownRequest {
        request: by(&["orders.country = 'FR' or orders.status = 'cancelled' as near"]),
        sort: vec![descending(0)],
        top: Some(1),
        others: true,
        ..BreakdownRequest::default()
    };

    // 60 + 20 + 80, and 40 + 100.
    assert_eq!(
        corner(&query),
        [
            "true 160 53.33333333333333333333333333 0.5333333333333333333333333333",
            "Others 140 70 0.4666666666666666666666666667",
        ]
    );
}

#[test]
fn later_keys_decide_between_equals_and_nothing_is_left_for_others() {
    let name = SortKey { by: SortBy::Dimension(0), descending: true };
    let query = BreakdownRequest {
        request: by(&["orders.customer_id"]),
        sort: vec![descending(0), name],
        top: Some(3),
        others: true,
        ..BreakdownRequest::default()
    };

    let rows = corner(&query);
    let first: Vec<&str> = rows.iter().filter_map(|line| line.split(' ').next()).collect();

    assert_eq!(first, ["c2", "c1", "c3"]);
}

#[test]
fn groups_that_share_a_value_are_above_their_subtotal() {
    let query = BreakdownRequest {
        request: by(&["country", "orders.status"]),
        sort: vec![descending(0)],
        totals: true,
        ..BreakdownRequest::default()
    };

    let rows: Vec<String> = corner(&query)
        .iter()
        .map(|line| line.rsplit_once(' ').map_or("", |(row, _)| row).to_owned())
        .collect();

    assert_eq!(
        rows,
        [
            "DE completed 140 70",
            "DE cancelled 20 20",
            "Subtotal DE 160 53.33333333333333333333333333",
            "FR pending 80 80",
            "FR completed 60 60",
            "Subtotal FR 140 70",
            "Total 300 60",
        ]
    );
}

#[test]
fn a_condition_on_metrics_hides_groups_and_others_have_their_rows() {
    let query = BreakdownRequest {
        request: by(&["orders.customer_id"]),
        having: Some(Filter::new("avg(orders.total) > :least").with("least", "50 USD")),
        others: true,
        ..BreakdownRequest::default()
    };

    let rows = corner(&query);

    assert!(rows.last().is_some_and(|row| row.starts_with("Others 20 20 ")), "{rows:?}");
    assert_eq!(rows.len(), 3);
}

#[test]
fn rows_are_grouped_by_what_they_hold() {
    for (group_by, expected) in [
        (
            &["if(orders.total >= 60 USD, 'large', 'small') as size"][..],
            &["large 240 80 0.8", "small 60 30 0.2"][..],
        ),
        (
            &["month(orders.created_at)"],
            &[
                "1 100 50 0.3333333333333333333333333333",
                "2 200 66.66666666666666666666666667 0.6666666666666666666666666667",
            ],
        ),
        (&["country = 'DE' as home"], &["false 140 70", "true 160 53"]),
        (
            &["start_of(orders.created_at, month) as month"],
            &["2026-01-01T00:00:00Z 100 50", "2026-02-01T00:00:00Z 200 66"],
        ),
    ] {
        let rows = corner(&BreakdownRequest { request: by(group_by), ..Default::default() });
        assert_eq!(rows.len(), expected.len(), "{group_by:?}");
        for (row, expected) in rows.iter().zip(expected) {
            assert!(row.starts_with(expected), "{group_by:?}: {row}");
        }
    }
}

#[test]
fn an_expression_that_is_nothing_to_group_by_is_refused() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let sum = engine.compile("sum(orders.total)").expect("a formula");
    let refusal = |group_by: &str| {
        let refused = engine.evaluate(&[&sum], Inputs::data(&data), &by(&[group_by]));
        let refused = refused.expect_err(group_by);
        refused.first().map(|finding| finding.message.clone()).unwrap_or_default()
    };

    assert_eq!(
        refusal("period_start < created_at"),
        "rows are grouped by what they hold themselves"
    );
    assert_eq!(refusal("if(device = 'phone', 1, 2)"), "`device` is not a dimension of orders");
    assert!(refusal("country = ").contains("value is missing"));
}

/// Checks the value of a formula over the corner shop under each condition.
fn assert_filtered(formula: &str, cases: &[(&str, &str)]) {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let formula = engine.compile(formula).expect("a formula");
    for (condition, expected) in cases {
        let request = Request { filter: Some(Filter::new(*condition)), ..by(&[]) };
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), &request).expect(condition);
        let value = answers.first().map(|answer| exact(&answer.value));
        assert_eq!(value.as_deref(), Some(*expected), "{condition}");
    }
}

/// `month` is an argument of the function here, not a name of the rows.
#[test]
fn a_word_of_a_function_in_a_filter_is_not_a_dimension() {
    assert_filtered(
        "count(orders)",
        &[
            ("start_of(created_at, month) = @2026-02-01", "3"),
            ("start_of(created_at, unit: month) = @2026-02-01", "3"),
            ("round(total / 7 USD, digits: 0, mode: floor) = 5", "1"),
        ],
    );
}

#[test]
fn a_narrowed_aggregate_in_a_filter_has_the_names_of_its_own_rows() {
    assert_filtered(
        "count(customers)",
        &[
            ("count(orders where status = 'completed') >= 1", "2"),
            ("(count(orders) where status = 'completed') >= 1", "2"),
            ("(count(orders) where status = 'completed') >= 2", "1"),
        ],
    );
}

#[test]
fn a_value_of_a_parameter_is_never_read_as_a_formula() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let count = engine.compile("let one = 1; count(orders) * one // all").expect("a formula");
    let answer = |value: &str| {
        let filter = Filter::new("total > :least and country = 'DE' // here").with("least", value);
        let request = Request { filter: Some(filter), ..by(&[]) };
        let answers = engine.evaluate(&[&count], Inputs::data(&data), &request).ok()?;
        Some(exact(&answers.first()?.value))
    };

    for value in ["30 USD", " 30 USD ", "30 USD // or", "30 USD /* or */", "-30 USD"] {
        let expected = if value.starts_with('-') { "3" } else { "2" };
        assert_eq!(answer(value).as_deref(), Some(expected), "{value}");
    }
    for value in ["", "total", "0 USD) or (true", "0 USD or true", "let a = 0 USD; a", "null", "?"]
    {
        assert_eq!(answer(value), None, "{value}");
    }
}

#[test]
fn cached_answers_of_one_expression_are_not_those_of_another() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let sum = engine.compile("sum(orders.total)").expect("a formula");
    let cache = Cache::new(1_000_000);
    let query = |group_by: &str| {
        let request = by(&[group_by]);
        let cached = Inputs::data(&data).cached(&cache);
        let [fresh, kept] = [Inputs::data(&data), cached]
            .map(|inputs| engine.evaluate(&[&sum], inputs, &request).expect(group_by));
        let values = |answers: &quotient::Answers| -> Vec<Value> {
            answers.of(0).iter().map(|answer| answer.value.clone()).collect()
        };
        assert_eq!(values(&fresh), values(&kept), "{group_by}");
    };

    for bound in ["30", "50", "70", "30"] {
        query(&format!("total > {bound} USD as large"));
    }
}

#[test]
fn a_group_of_the_earlier_period_alone_is_compared() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let formulas = compiled(&engine, &["sum(orders.total)"]);
    let formulas: Vec<&Formula> = formulas.iter().collect();
    let query = Request {
        group_by: vec!["country".to_owned()],
        compare: Some(Comparison::Previous),
        ..request("2026-03-01", "2026-03-31", "2026-04-15T00:00:00Z")
    };

    // February has 120 in Germany and 80 in France, March has nothing.
    let answers = engine.evaluate(&formulas, Inputs::data(&data), &query).expect("answers");
    let lines = answers.groups.iter().enumerate().map(|(group, names)| {
        let answer = answers.get(0, 0, group).expect("an answer");
        let change = answer.change.as_ref().map(exact);
        let values = (exact(&answer.value), answer.previous.as_ref().map(exact), change);
        (names.iter().map(exact).collect::<String>(), values)
    });
    let values =
        |previous: &str| ("0".to_owned(), Some(previous.to_owned()), Some("-1".to_owned()));
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [("DE".to_owned(), values("120")), ("FR".to_owned(), values("80"))]
    );
}

#[test]
fn the_change_of_an_answer_is_the_growth_of_its_formula() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let query = Request {
        compare: Some(Comparison::Previous),
        ..request("2026-03-01", "2026-03-31", "2026-04-15T00:00:00Z")
    };
    let shown = |value: &Value| match value.as_missing() {
        Some(missing) => missing.reason.name().to_owned(),
        None => exact(value),
    };
    // February has orders, March has none.
    for (text, expected, has_growth) in [
        ("sum(orders.total)", "-1", true),
        ("count(orders) - 100", "not_comparable", true),
        ("-1 / count(orders)", "division_by_zero", true),
        ("count(orders where total < 0 USD)", "division_by_zero", true),
        ("max(orders.created_at)", "no_rows", false),
    ] {
        let formula = engine.compile(text).expect(text);
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), &query).expect(text);
        let answer = answers.first().expect("one");
        assert_eq!(answer.change.as_ref().map(shown).as_deref(), Some(expected), "{text}");
        let growth = engine.compile(&format!("growth({text})"));
        assert_eq!(growth.is_ok(), has_growth, "growth({text})");
        if let Ok(growth) = growth {
            let answers = engine.evaluate(&[&growth], Inputs::data(&data), &query).expect(text);
            assert_eq!(shown(&answers.first().expect("one").value), expected, "growth({text})");
        }
    }
}

#[test]
fn the_others_of_groups_by_amounts_instants_and_durations_are_distinct_from_them() {
    for (key, first, shown, others) in [
        // Totals are 20, 40, 60, 80 and 100.
        ("orders.total", "100", "100", "200"),
        ("total * -1", "-20", "20", "280"),
        ("start_of(created_at, month)", "2026-02-01T00:00:00Z", "200", "100"),
        ("customer.first_order_at", "2026-02-10T15:00:00Z", "20", "280"),
        ("created_at - @2026-02-21", "66600", "80", "220"),
    ] {
        let query = BreakdownRequest {
            request: by(&[key]),
            sort: vec![SortKey { by: SortBy::Dimension(0), descending: true }],
            top: Some(1),
            others: true,
            ..BreakdownRequest::default()
        };
        let lines = corner(&query);
        assert_eq!(lines.len(), 2, "{key}: {lines:?}");
        for (line, start) in
            lines.iter().zip([format!("{first} {shown} "), format!("Others {others} ")])
        {
            assert!(line.starts_with(&start), "{key}: {line} is to start with {start}");
        }
    }
}

#[test]
fn the_others_of_hundreds_of_groups_and_of_keys_with_comments_are_computed() {
    let file = "source lines event\n    date at datetime\n    field customer text\n    field total money\n";
    let loaded = load("shop", &mut |_| Ok(file.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let mut table = engine.table("lines", &["at", "customer", "total"]).expect("a source");
    for customer in 1..=2_000 {
        let total = customer.to_string();
        table.push(&["2026-01-05 12:00:00", &format!("c{customer}"), &total]).expect("a row");
    }
    let data = engine.data(vec![table.finish()], Rates::new()).expect("rows");
    let formulas = compiled(&engine, &["sum(lines.total)"]);
    let formulas: Vec<&Formula> = formulas.iter().collect();
    for (key, shown, others) in [
        // 1 to 2000 are 2001000.
        ("customer", 300, "Others 1445850"),
        ("customer", 1_500, "Others 125250"),
        ("total > 1999 USD // large", 1, "Others 2000"),
    ] {
        let query = BreakdownRequest {
            request: by(&[key]),
            sort: vec![descending(0)],
            top: Some(shown),
            others: true,
            ..BreakdownRequest::default()
        };
        let breakdown = engine.breakdown(&formulas, Inputs::data(&data), &query).expect("answers");
        let lines = lines(&breakdown);
        assert_eq!(lines.len(), shown + 1, "{key}");
        assert_eq!(lines.last().map(String::as_str), Some(others), "{key}");
    }
}
