//! Bytes as a formula over inputs and as the columns that give them.

use std::sync::LazyLock;

use quotient::columns::{Batch, Column};
use quotient::schema::{Input, Schema};
use quotient::types::{Reason, Type, Unit, Value};
use quotient::{Engine, Request};
use rust_decimal::Decimal;

use super::choices::Choices;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let input = |name: &str, ty| Input { name: name.to_owned(), description: None, ty };
    // Counts have no decimal places, but `d` may contain some that do.
    let count = Type::Quantity(Unit::count("things"));
    let numbers = [("x", Type::NUMBER), ("y", count.clone()), ("z", Type::NUMBER), ("d", count)];
    let numbers = numbers.map(|(name, ty)| input(name, ty));
    let inputs = numbers.into_iter().chain([input("f", Type::Bool), input("t", Type::Text)]);
    Engine::new(Schema { inputs: inputs.collect(), ..Schema::default() })
});

/// The numbers of rows of a batch; the larger ones cross the edge of a block of 1,024.
const LENGTHS: [usize; 6] = [1, 2, 5, 17, 1_023, 1_030];

/// Every row of a batch has the value that scalar evaluation has for it.
pub(super) fn columns_against_scalar(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let text = number(&mut choices, 4);
    let batch = batch(&mut choices);
    // A few forms do not check, such as a comparison with a constant null.
    let Ok(formula) = ENGINE.compile(&text) else { return };
    let Ok(plan) = ENGINE.plan(&[&formula]) else { return };
    let Ok(columns) = ENGINE.columns(&plan, &batch, &Request::default()) else { return };
    let Some(column) = columns.first() else { panic!("`{text}` has no column") };
    let Ok(mut runner) = ENGINE.runner(&plan, &Request::default()) else { return };
    assert_eq!(column.len(), batch.rows(), "`{text}`");
    for row in 0..batch.rows() {
        let given: Vec<Value> = plan
            .slots()
            .iter()
            .map(|slot| batch.column(slot.name().unwrap_or_default()))
            .map(|column| column.map_or(Value::missing(Reason::MissingInput), |own| own.value(row)))
            .collect();
        runner.fill(&given);
        runner.run();
        let wanted = runner.value(0);
        let wanted =
            wanted.as_missing().map_or(wanted.clone(), |missing| Value::missing(missing.reason));
        assert_eq!(column.value(row), wanted, "`{text}` in row {row} of {given:?}");
    }
}

/// A numeric expression.
fn number(choices: &mut Choices<'_>, depth: u8) -> String {
    let forms = if depth == 0 { 6 } else { 16 };
    let below = |choices: &mut Choices<'_>| number(choices, depth.saturating_sub(1));
    match choices.below(forms) {
        0 => "x".to_owned(),
        1 => "y".to_owned(),
        2 => "z".to_owned(),
        3 => "d".to_owned(),
        4 => choices.byte().to_string(),
        5 => format!("{}.{:02}", choices.byte(), choices.below(100)),
        6 => format!("({} + {})", below(choices), below(choices)),
        7 => format!("({} - {})", below(choices), below(choices)),
        8 => format!("({} * {})", below(choices), below(choices)),
        9 => format!("({} / {})", below(choices), below(choices)),
        10 => format!("(-{})", below(choices)),
        11 => {
            let modes = ["", ", mode: half_even", ", mode: floor", ", mode: ceiling"];
            let mode = modes.get(usize::from(choices.byte() % 4)).copied().unwrap_or_default();
            let digits = choices.below(7);
            format!("round({} / {}, {digits}{mode})", below(choices), below(choices))
        }
        12 => format!("if({}, {}, {})", condition(choices, depth), below(choices), below(choices)),
        13 => format!("({} default {})", below(choices), below(choices)),
        14 => format!("max({}, abs({}))", below(choices), below(choices)),
        _ => format!("case when {} then {} end", condition(choices, depth), below(choices)),
    }
}

fn condition(choices: &mut Choices<'_>, depth: u8) -> String {
    let below = |choices: &mut Choices<'_>| number(choices, depth.saturating_sub(1));
    match choices.below(10) {
        0 => "f".to_owned(),
        1 => "not f".to_owned(),
        2 => "t = 'a'".to_owned(),
        3 => format!("{} is null", below(choices)),
        4 => format!("is_error({})", below(choices)),
        5 => format!("{} in ({}, 0)", below(choices), below(choices)),
        6 => format!("{} = {}", below(choices), below(choices)),
        7 => format!("{} < {}", below(choices), below(choices)),
        8 => format!("({} >= {} and f)", below(choices), below(choices)),
        _ => format!("({} != {} or f)", below(choices), below(choices)),
    }
}

fn batch(choices: &mut Choices<'_>) -> Batch {
    let index = usize::from(choices.byte()).checked_rem(LENGTHS.len()).unwrap_or(0);
    let rows = LENGTHS.get(index).copied().unwrap_or(1);
    let scaled = |choices: &mut Choices<'_>, scale| {
        let (values, nulls) = (0..rows).map(|_| integer(choices)).unzip::<_, _, Vec<_>, Vec<_>>();
        Column::scaled(values, scale).with_nulls(&nulls)
    };
    let decimal = |choices: &mut Choices<'_>| {
        let scale = u32::from(choices.byte() % 5);
        let (value, is_null) = integer(choices);
        (!is_null).then(|| Decimal::new(value, scale))
    };
    let truth = |choices: &mut Choices<'_>| match choices.byte() % 3 {
        0 => Some(true),
        1 => Some(false),
        _ => None,
    };
    let text = |choices: &mut Choices<'_>| match choices.byte() % 3 {
        0 => Value::text("a"),
        1 => Value::text("bc"),
        _ => Value::missing(Reason::NoRate),
    };
    Batch::new(rows)
        .with("x", scaled(choices, 2))
        .with("y", scaled(choices, 0))
        .with("z", scaled(choices, 4))
        .with("d", Column::decimals((0..rows).map(|_| decimal(choices)).collect::<Vec<_>>()))
        .with("f", Column::bools((0..rows).map(|_| truth(choices)).collect::<Vec<_>>()))
        .with("t", (0..rows).map(|_| text(choices)).collect())
}

/// A value and whether it is null: mostly small, sometimes at an edge of 64 bits.
fn integer(choices: &mut Choices<'_>) -> (i64, bool) {
    let byte = choices.byte();
    let value = match byte {
        0..=199 => i64::from(byte).wrapping_sub(100),
        200..=229 => i64::from(byte).wrapping_mul(1_000_003),
        230..=239 => i64::from(byte).wrapping_mul(-4_611_686_018_427),
        240 => i64::MAX,
        241 => i64::MIN,
        242 => i64::MIN.wrapping_add(1),
        243..=255 => return (0, true),
    };
    (value, false)
}
