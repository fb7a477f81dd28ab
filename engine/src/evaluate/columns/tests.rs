//! Columns against scalar evaluation, row by row.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::chunk::BLOCK_ROWS;
use super::{Batch, Column};
use crate::schema::{Input, Schema};
use crate::types::{Type, Value};
use crate::{Engine, Request, Runner};

/// Lengths around the edges of blocks.
const LENGTHS: [usize; 6] = [1, 7, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 1];

fn engine() -> Engine {
    let input = |name: &str, ty| Input { name: name.to_owned(), description: None, ty };
    let number = Type::NUMBER;
    let schema = Schema {
        inputs: vec![
            input("x", number.clone()),
            input("y", number.clone()),
            input("z", number.clone()),
            input("d", number),
            input("f", Type::Bool),
            input("t", Type::Text),
        ],
        ..Schema::default()
    };
    Engine::new(schema)
}

/// A column of integers with zeros, small numbers, extremes and nulls, and its values.
fn numbers(scale: u32, seeds: &[u64], with_extremes: bool) -> Column {
    let value = |seed: &u64| match seed % 16 {
        0 | 1 => 0,
        2 => 1,
        3 => -1,
        4 if with_extremes && seed % 4096 < 64 => i64::MAX,
        5 if with_extremes && seed % 4096 < 64 => i64::MIN,
        6 if with_extremes => i64::try_from(seed >> 12).unwrap_or(0),
        7 => i64::try_from(seed >> 40).unwrap_or(0),
        _ => i64::try_from(seed % 20_001).unwrap_or(0).wrapping_sub(10_000),
    };
    let nulls: Vec<bool> = seeds.iter().map(|seed| (seed >> 7) % 11 == 0).collect();
    Column::scaled(seeds.iter().map(value).collect(), scale).with_nulls(&nulls)
}

/// Seeds of a column from one, by splitmix.
fn seeds(mut state: u64, rows: usize) -> Vec<u64> {
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    (0..rows).map(|_| next()).collect()
}

fn batch(seed: u64, rows: usize, with_extremes: bool) -> Batch {
    let decimals = seeds(seed ^ 4, rows).into_iter().map(|seed| {
        let scale = u32::try_from(seed % 4).unwrap_or(0);
        (seed % 13 != 0).then(|| {
            Decimal::new(i64::try_from(seed >> 44).unwrap_or(0).wrapping_sub(500_000), scale)
        })
    });
    let truths = seeds(seed ^ 5, rows).into_iter().map(|seed| match seed % 5 {
        0 => None,
        other => Some(other > 2),
    });
    let texts = seeds(seed ^ 6, rows).into_iter().map(|seed| match seed % 4 {
        0 => Value::missing(crate::types::Reason::NoRate),
        1 => Value::text("a"),
        _ => Value::text("bc"),
    });
    Batch::new(rows)
        .with("x", numbers(2, &seeds(seed ^ 1, rows), with_extremes))
        .with("y", numbers(0, &seeds(seed ^ 2, rows), with_extremes))
        .with("z", numbers(4, &seeds(seed ^ 3, rows), with_extremes))
        .with("d", Column::decimals(decimals))
        .with("f", Column::bools(truths))
        .with("t", texts.collect())
}

/// Every row as the scalar program has it, on one thread and on three.
fn assert_same(engine: &Engine, text: &str, batch: &Batch) {
    let Ok(formula) = engine.compile(text) else { panic!("`{text}` does not check") };
    let plan = engine.plan(&[&formula]).expect("a small plan");
    let columns = engine.columns(&plan, batch, &Request::default()).expect("values alone");
    let threaded =
        engine.columns_on_threads(&plan, batch, &Request::default(), 3).expect("values alone");
    let (column, threaded) = (columns.first().expect("one"), threaded.first().expect("one"));
    assert_eq!(column.len(), batch.rows());
    let mut runner: Runner<'_> = engine.runner(&plan, &Request::default()).expect("a zone");
    let slots: Vec<Option<&Column>> =
        plan.slots().iter().map(|slot| batch.column(slot.name().unwrap_or_default())).collect();
    for row in 0..batch.rows() {
        let values: Vec<Value> = slots
            .iter()
            .map(|slot| {
                slot.map_or(Value::missing(crate::types::Reason::MissingInput), |column| {
                    column.value(row)
                })
            })
            .collect();
        runner.fill(&values);
        runner.run();
        let expected = without_origin(runner.value(0));
        assert_eq!(column.value(row), expected, "`{text}` in row {row} of {values:?}");
        assert_eq!(threaded.value(row), expected, "`{text}` in row {row} on threads");
    }
}

fn without_origin(value: Value) -> Value {
    value.as_missing().map_or(value, |missing| Value::missing(missing.reason))
}

#[test]
fn every_row_is_that_of_scalar_evaluation() {
    let engine = engine();
    for text in [
        "(x - z) / y",
        "round((x - z) / y, 2)",
        "round(x / y, 0)",
        "round(y / x, 3)",
        "round(x / z, 2, mode: half_even)",
        "round(x / z, 1, mode: floor)",
        "round(x / z, 1, mode: ceiling)",
        "round(x / z, 1, mode: truncate)",
        "x * y * z",
        "x + y * 1.5 - z / 3",
        "-x + abs(y)",
        "if(y > 0, round((x - z) / y, 2), 0)",
        "if(f, x, z) default -1",
        "if(not f and x > y, x / y, z)",
        "case when x > 100 then x when y > 10 then y end",
        "case when f then x / y when y is null then z else d end",
        "x default y default 0",
        "x / 0 default y",
        "is_error(x / y)",
        "x is null or y = z",
        "x != y",
        "x in (0, 1, -0.01)",
        "round(x, 1) + round(z, 1, mode: half_even)",
        "round(round(x / y, 2) * 1.19, 2)",
        "round(x / y, 2) / 3",
        "min(x, y) + max(y, z)",
        "d * 2 + x",
        "round(d / y, 2)",
        "round(x * 1.0001 / y, 4)",
        "if(t = 'a', x, y) * 2",
        "t & 'x'",
        "f",
        "null",
        "x * 123456789012345678901.5",
        "coalesce(x, y, 1)",
        "nullif(y, 0)",
        "floor(x / y)",
        "round(x * 0.19, 2)",
        "round(x * -0.35, 1)",
        "round(z, 0, mode: floor) + round(z, 2, mode: ceiling) + round(z, 3, mode: truncate)",
        "round(z * 0.125, 0, mode: half_even)",
        "round(x * 1234567890123456, 1)",
        "round(y / x, 17)",
        "x * 9223372036854775807",
        "if(x > z * 2, x - z, 0)",
        "if(x != z, x, y)",
        "if(d < x, x, y * -3)",
        "if(y > 10, round((x - z) * 0.81 / y, 2), 0)",
        "growth_of_nothing default 1",
        "x ^ 2",
        "1 + 1",
    ] {
        if engine.compile(text).is_err() {
            assert_eq!(text, "growth_of_nothing default 1");
            continue;
        }
        for rows in LENGTHS {
            assert_same(
                &engine,
                text,
                &batch(u64::try_from(rows).expect("small"), rows, rows > 1024),
            );
        }
    }
}

#[test]
fn an_overflow_in_the_middle_of_a_block_leaves_the_rows_around_it_right() {
    let engine = engine();
    let mut values = vec![12_345; BLOCK_ROWS + 10];
    values[BLOCK_ROWS / 2] = i64::MAX;
    values[BLOCK_ROWS + 3] = i64::MIN;
    let batch = Batch::new(values.len())
        .with("x", Column::scaled(values.clone(), 2))
        .with("y", Column::counts(values));
    for text in
        ["x + y", "x * 3", "-x", "x * y", "round(x / 7, 2)", "round(7 / x, 12)", "x - y / 9"]
    {
        assert_same(&engine, text, &batch);
    }
}

#[test]
fn quotients_to_28_digits_have_the_scale_of_scalar_evaluation() {
    let engine = engine();
    let batch = batch(7, 3_000, true);
    let formula = engine.compile("(x - z) / y").expect("it checks");
    let plan = engine.plan(&[&formula]).expect("small");
    let columns = engine.columns(&plan, &batch, &Request::default()).expect("values alone");
    let decimals = columns.first().and_then(Column::as_decimals).expect("a quotient");
    let mut runner = engine.runner(&plan, &Request::default()).expect("a zone");
    for (row, decimal) in decimals.iter().enumerate() {
        for (index, slot) in plan.slots().iter().enumerate() {
            let column = batch.column(slot.name().expect("an input")).expect("a column");
            runner.set(index, column.value(row));
        }
        runner.run();
        if let Value::Number(number) = runner.value(0) {
            assert_eq!(decimal.scale(), number.scale(), "row {row}");
        }
    }
}

#[test]
fn columns_that_are_short_or_absent_are_null_there() {
    let engine = engine();
    let batch = Batch::new(5)
        .with("X", Column::scaled(vec![1, 2], 0))
        .with("f", Column::bools([Some(true), None, Some(false)]));

    for text in ["x", "x + y", "if(f, x, 1)", "not f", "x default 0"] {
        assert_same(&engine, text, &batch);
    }
    assert_same(&engine, "x", &Batch::new(0));
}

#[test]
fn aggregates_over_a_list_are_those_of_scalar_evaluation() {
    let amounts = Type::List(std::sync::Arc::new(Type::NUMBER));
    let input = Input { name: "amounts".to_owned(), description: None, ty: amounts };
    let engine = Engine::new(Schema { inputs: vec![input], ..Schema::default() });
    let list = |numbers: &[i64]| {
        Value::List(numbers.iter().map(|number| Value::Number(Decimal::from(*number))).collect())
    };
    let lists = [list(&[3, 1, 8]), list(&[]), Value::missing(crate::types::Reason::NoRate)];
    let batch = Batch::new(lists.len()).with("amounts", lists.into_iter().collect());

    for text in ["sum(amounts)", "count(amounts)", "max(amounts) - min(amounts)", "avg(amounts)"] {
        assert_same(&engine, text, &batch);
    }
}

fn number() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        Just("z".to_owned()),
        Just("d".to_owned()),
        (0..1000_i32).prop_map(|n| n.to_string()),
        (1..999_i32).prop_map(|n| format!("{n}.25")),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let cond = condition(inner.clone());
        prop_oneof![
            4 => (inner.clone(), prop_oneof![Just("+"), Just("-"), Just("*"), Just("/")], inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            1 => inner.clone().prop_map(|a| format!("(-{a})")),
            2 => (inner.clone(), inner.clone(), 0..6_u32)
                .prop_map(|(a, b, digits)| format!("round({a} / {b}, {digits})")),
            1 => (inner.clone(), -1..4_i32)
                .prop_map(|(a, digits)| format!("round({a}, {digits}, mode: half_even)")),
            1 => inner.clone().prop_map(|a| format!("abs({a})")),
            2 => (cond, inner.clone(), inner.clone()).prop_map(|(c, a, b)| format!("if({c}, {a}, {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} default {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a}, {b})")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("case when {a} > {b} then {a} end")),
        ]
    })
}

fn condition(number: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let op = prop_oneof![Just("="), Just("!="), Just("<"), Just("<="), Just(">"), Just(">=")];
    prop_oneof![
        4 => (number.clone(), op, number.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => number.clone().prop_map(|a| format!("{a} is null")),
        1 => number.clone().prop_map(|a| format!("not (f and is_error({a}))")),
        1 => (number.clone(), number).prop_map(|(a, b)| format!("({a} in ({b}, 0) or f)")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_formula_over_any_values_is_that_of_scalar_evaluation(
        text in number(),
        seed in any::<u64>(),
        length in 0..LENGTHS.len(),
        with_extremes in any::<bool>(),
    ) {
        let engine = engine();
        if engine.compile(&text).is_ok() {
            assert_same(&engine, &text, &batch(seed, LENGTHS[length], with_extremes));
        }
    }
}

/// An engine over one source with the fields of the batch.
fn store() -> Engine {
    let text = "source sales entity\n    key id text\n    field x number\n    \
                field y number\n    field z number\n    field f bool\n";
    let loaded = crate::file::load("store", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:?}");
    engine
}

#[test]
fn totals_of_a_batch_are_the_aggregates_over_its_rows() {
    let engine = store();
    for rows in LENGTHS {
        for with_extremes in [false, true] {
            let batch = batch(9, rows, with_extremes);
            let columns: Vec<&Column> =
                ["x", "y", "z", "f"].iter().filter_map(|name| batch.column(name)).collect();
            let mut table = engine.table("sales", &["id", "x", "y", "z", "f"]).expect("a source");
            for row in 0..rows {
                let cells: Vec<String> = columns
                    .iter()
                    .map(|column| match column.value(row) {
                        Value::Number(number) => number.to_string(),
                        Value::Bool(truth) => truth.to_string(),
                        _ => String::new(),
                    })
                    .collect();
                let id = row.to_string();
                let cells: Vec<&str> =
                    std::iter::once(id.as_str()).chain(cells.iter().map(String::as_str)).collect();
                table.push(&cells).expect("a row");
            }
            let data = engine.data(vec![table.finish()], crate::data::Rates::new()).expect("data");
            for text in [
                "sum(sales.x - sales.z) / sum(sales.y)",
                "sum(x where f) / count(sales)",
                "avg(x * 2) + count(sales.y)",
                "sum(x - y + z - -x)",
                "sum(x * y where x > y)",
                "count(sales where not f)",
                "max(sales.x) - min(sales.y)",
                "sum(round(x / y, 2))",
            ] {
                let text = text.replace("(x", "(sales.x").replace("avg(x", "avg(sales.x");
                let formula =
                    engine.compile(&text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
                let answers = engine
                    .evaluate(&[&formula], crate::Inputs::data(&data), &Request::default())
                    .expect("rows");
                let expected = without_origin(answers.first().expect("one").value.clone());

                let plan = engine.plan(&[&formula]).expect("small");
                let totals = engine.column_totals(&plan, &batch, &Request::default());

                let total = without_origin(totals.expect("totals").remove(0));
                assert_eq!(total, expected, "`{text}` over {rows} rows, extremes {with_extremes}");
            }
        }
    }
}

#[test]
fn formulas_that_need_more_than_values_are_refused_with_the_name() {
    let engine = store();
    let request = Request::default();
    let batch = batch(1, 3, false);
    for (text, of_rows) in
        [("sum(sales.x)", true), ("period_start", true), ("previous(sum(sales.x))", false)]
    {
        let formula = engine.compile(text).expect("it checks");
        let plan = engine.plan(&[&formula]).expect("small");
        let refused = if of_rows {
            engine.columns(&plan, &batch, &request).expect_err(text)
        } else {
            engine.column_totals(&plan, &batch, &request).expect_err(text)
        };
        assert_eq!(refused.first().map(|finding| finding.code.as_str()), Some("E706"), "{text}");
    }
}
