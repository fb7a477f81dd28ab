//! Differences that the model has found, each reduced to its smallest case.

use quotient::data::Rates;
use quotient::file::load;
use quotient::rollup::{Dictionary, Granularity, RollupOptions, RollupReader};
use quotient::types::Value;
use quotient::{Engine, Filter, Inputs, Request};

const ORDERS: &str = "
source orders event
    key id text
    date at datetime
    field total money
    field country text
dimension country
    orders country
";

fn days(first: &str, last: &str) -> Request {
    let day = |text: &str| text.parse().expect("a day");
    Request { period: Some((day(first), day(last))), ..Request::default() }
}

#[test]
fn a_formula_has_its_own_groups_whatever_other_formulas_are_requested() {
    let file = "
source orders event
    key id text
    date at datetime
    covers @2026-01-01 to @2026-01-20
    field country text
source visits event
    key id text
    date at datetime
    field country text
source clicks event
    key id text
    date at datetime
    field country text
dimension country
    orders country
    visits country
    clicks country
";
    let (engine, _) = Engine::from_loaded(&load("shop", &mut |_| Ok(file.to_owned())));
    let table = |name: &str, row: [&str; 3]| {
        let mut table = engine.table(name, &["id", "at", "country"]).expect("a source");
        table.push(&row).expect("a row");
        table.finish()
    };
    let tables = vec![
        table("visits", ["v", "2026-01-25 12:00:00", "DE"]),
        table("clicks", ["c", "2026-01-05 12:00:00", "FR"]),
    ];
    let data = engine.data(tables, Rates::new()).expect("rows");
    let compiled = |text: &str| engine.compile(text).expect(text);
    // The first is known until 20 January, like the orders.
    let (both, clicks) = (compiled("count(orders) + count(visits)"), compiled("count(clicks)"));
    let request =
        Request { group_by: vec!["country".to_owned()], ..days("2026-01-01", "2026-01-31") };
    let answers = engine.evaluate(&[&both, &clicks], Inputs::data(&data), &request);
    assert_eq!(answers.expect("answers").groups, [[Value::text("FR")]]);
}

#[test]
fn rollups_have_no_groups_in_a_period_that_has_not_begun() {
    let (engine, _) = Engine::from_loaded(&load("shop", &mut |_| Ok(ORDERS.to_owned())));
    let mut orders = engine.table("orders", &["id", "at", "total", "country"]).expect("a source");
    orders.push(&["o", "2026-01-05 21:30:00", "5.00", "FR"]).expect("a row");
    let data = engine.data(vec![orders.finish()], Rates::new()).expect("rows");
    let sum = engine.compile("sum(orders.total where at < period_start)").expect("a formula");
    let options = RollupOptions::new(Granularity::Hour).by("country");
    let schema = engine.rollup_schema(&[&sum], &options).expect("a dimension");
    let cells = engine.fold_rollups(&schema, &data, &mut Dictionary::new()).expect("few");
    let reader = RollupReader::new(&schema, &cells);
    let request = Request {
        group_by: vec!["country".to_owned()],
        now: "2026-01-05T21:59:59Z".parse().expect("an instant"),
        ..days("2026-01-09", "2026-01-09")
    };
    let rows = Inputs::data(&data);
    for inputs in [rows, rows.with_rollups(&reader)] {
        let answers = engine.evaluate(&[&sum], inputs, &request).expect("answers");
        assert!(answers.groups.is_empty(), "{:?}", answers.groups);
    }
}

#[test]
fn a_plan_does_not_leave_out_a_filter_unsaid() {
    let (engine, _) = Engine::from_loaded(&load("shop", &mut |_| Ok(ORDERS.to_owned())));
    let data = engine.data(Vec::new(), Rates::new()).expect("no rows");
    let sum = engine.compile("sum(orders.total)").expect("a formula");
    let filter = Filter::new("country = 'DE'");
    let request = Request { filter: Some(filter.clone()), ..days("2026-01-01", "2026-01-31") };
    let plan = engine.plan(&[&sum]).expect("a small plan");
    let refused = engine.slot_values(&plan, &[&sum], Inputs::data(&data), &request);
    assert_eq!(refused.expect_err("a filter").len(), 1);
    let narrowed = engine.narrowed(&sum, &filter).expect("a condition of orders");
    let plan = engine.plan(&[&narrowed]).expect("a small plan");
    let request = Request { filter: None, ..request };
    let values = engine.slot_values(&plan, &[&narrowed], Inputs::data(&data), &request);
    assert!(values.is_ok(), "{values:?}");
}

#[test]
fn a_state_that_begins_where_its_coverage_ends_is_not_known() {
    let file = "
source stock snapshot
    key id text
    date day date
    covers @2026-02-01 to @2026-03-31
    field on_hand count
";
    let (engine, _) = Engine::from_loaded(&load("shop", &mut |_| Ok(file.to_owned())));
    let mut stock = engine.table("stock", &["id", "day", "on_hand"]).expect("a source");
    stock.push(&["s", "2026-03-28", "21"]).expect("a row");
    let data = engine.data(vec![stock.finish()], Rates::new()).expect("rows");
    let compiled = |text: &str| engine.compile(text).expect(text);
    let closing = compiled("closing(sum(stock.on_hand))");
    let of_quarter = compiled("qtd(closing(sum(stock.on_hand)))");
    let at_start = compiled("opening(sum(stock.on_hand))");
    let formulas = [&closing, &of_quarter, &at_start];
    let request = days("2026-04-01", "2026-04-04");
    let answers = engine.evaluate(&formulas, Inputs::data(&data), &request).expect("answers");
    let number = |index| answers.get(index, 0, 0).expect("an answer").value.as_number();
    let values: Vec<_> = (0..formulas.len()).map(number).collect();
    assert_eq!(values, [None, None, Some(21.into())]);
}
