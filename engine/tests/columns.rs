//! The platform's metrics over columns of values: each row as the runner computes it.

#![expect(
    clippy::expect_used,
    reason = "a store that does not load, or a formula that does not check, fails the test"
)]

use std::path::Path;

use quotient::columns::{Batch, Column};
use quotient::file::load;
use quotient::plan::SlotKind;
use quotient::types::{Reason, Type, Value};
use quotient::{Engine, Plan, Request};

const PLATFORM: &str = "stores/platform/kpis.metrics";
/// Two blocks and a bit.
const ROWS: usize = 2_100;

fn platform() -> Engine {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let loaded = load(PLATFORM, &mut |name| {
        std::fs::read_to_string(fixtures.join(name)).map_err(|error| error.to_string())
    });
    Engine::from_loaded(&loaded).0
}

/// The metrics that are computed from named values alone, with their plans.
fn plans(engine: &Engine) -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for metric in engine.metrics() {
        let formula = engine.compile(&metric.formula).expect("a metric of the platform");
        let names: Vec<&str> =
            formula.inputs().iter().chain(formula.metrics()).map(String::as_str).collect();
        let plan = engine.plan_given(&[&formula], &names, None).expect("a small plan");
        let by_name = plan.slots().iter().all(|slot| slot.kind() == SlotKind::Input);
        if by_name && !plan.slots().is_empty() {
            plans.push((metric.key.clone(), plan));
        }
    }
    plans
}

/// A column for a slot, of numbers with zeros, negatives and nulls.
fn column(ty: &Type, salt: usize) -> Column {
    let of = |row: usize| row.wrapping_mul(2_654_435_761).wrapping_add(salt.wrapping_mul(97));
    match ty {
        Type::Bool => {
            Column::bools((0..ROWS).map(|row| (of(row) % 7 != 0).then_some(of(row) % 2 == 0)))
        }
        Type::Text => {
            (0..ROWS).map(|row| Value::text(if of(row) % 2 == 0 { "a" } else { "" })).collect()
        }
        Type::Quantity(_)
        | Type::Date
        | Type::DateTime
        | Type::Period
        | Type::Span
        | Type::List(_)
        | Type::Null => {
            let scale = if salt.is_multiple_of(3) { 0 } else { 2 };
            let numbers = (0..ROWS).map(|row| match of(row) % 13 {
                0 => 0,
                1 => -5,
                other => i64::try_from((of(row) % 1_000_003).wrapping_add(other)).unwrap_or(0),
            });
            let nulls: Vec<bool> = (0..ROWS).map(|row| of(row) % 17 == 3).collect();
            Column::scaled(numbers.collect(), scale).with_nulls(&nulls)
        }
    }
}

#[test]
fn metrics_over_columns_are_those_over_records_in_every_row() {
    let engine = platform();
    let request = Request::default();
    let plans = plans(&engine);
    assert!(plans.len() >= 20, "only {} metrics take values alone", plans.len());
    for (key, plan) in plans {
        let mut batch = Batch::new(ROWS);
        for (salt, slot) in plan.slots().iter().enumerate() {
            batch = batch.with(slot.name().expect("an input"), column(slot.ty(), salt));
        }
        let columns = engine.columns_on_threads(&plan, &batch, &request, 2).expect("values alone");
        let answers = columns.first().expect("one formula");
        let mut runner = engine.runner(&plan, &request).expect("a zone");
        for row in 0..ROWS {
            for (index, slot) in plan.slots().iter().enumerate() {
                let given = batch.column(slot.name().expect("an input"));
                runner.set(
                    index,
                    given.map_or(Value::missing(Reason::MissingInput), |it| it.value(row)),
                );
            }
            runner.run();
            let expected = runner.value(0);
            let expected =
                expected.as_missing().map_or(expected, |missing| Value::missing(missing.reason));
            assert_eq!(answers.value(row), expected, "{key} in row {row}");
        }
    }
}
