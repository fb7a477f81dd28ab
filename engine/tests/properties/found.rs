//! What the model once found, each as the smallest case of it.

use quotient::data::Rates;
use quotient::file::load;
use quotient::types::Value;
use quotient::{Engine, Inputs, Request};

fn days(first: &str, last: &str) -> Request {
    let day = |text: &str| text.parse().expect("a day");
    Request { period: Some((day(first), day(last))), ..Request::default() }
}

#[test]
fn a_formula_has_the_groups_of_what_it_knows_whatever_is_asked_beside_it() {
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
    // The first is known until 20 January, as the orders are.
    let (both, clicks) = (compiled("count(orders) + count(visits)"), compiled("count(clicks)"));
    let request =
        Request { group_by: vec!["country".to_owned()], ..days("2026-01-01", "2026-01-31") };
    let answers = engine.evaluate(&[&both, &clicks], Inputs::data(&data), &request);
    assert_eq!(answers.expect("answers").groups, [[Value::text("FR")]]);
}
