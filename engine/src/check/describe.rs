//! Types in the words of a sentence.

use crate::types::{Flavour, Type, Unit};

/// The help line for values that are no numbers, outside of rows.
pub(super) const TAKE_ANY_VALUE: &str = "`count`, `count_distinct` and `mode` take any value";

/// The type with its article: "money (USD)", "a count of orders", "text".
pub(super) fn describe(ty: &Type) -> String {
    match ty {
        Type::Quantity(unit) => describe_unit(unit),
        Type::Text => "text".to_owned(),
        Type::Bool => "a condition".to_owned(),
        Type::Date => "a date".to_owned(),
        Type::DateTime => "a date and time".to_owned(),
        Type::Period => "a period".to_owned(),
        Type::Span => "a span of time".to_owned(),
        Type::List(item) => format!("a list of {item}"),
        Type::Null => "null".to_owned(),
    }
}

fn describe_unit(unit: &Unit) -> String {
    match (unit.money, unit.time, &unit.flavour) {
        (0, 0, Flavour::Literal | Flavour::Number) => "a plain number".to_owned(),
        (0, 0, Flavour::Count(Some(entity))) => format!("a count of {entity}"),
        (0, 0, Flavour::Count(None)) => "a count".to_owned(),
        (0, 0, Flavour::Ratio) => "a ratio".to_owned(),
        (0, 0, Flavour::Percent) => "a percentage".to_owned(),
        (0, 1, _) => "a duration".to_owned(),
        (1, 0, _) => format!("money ({})", unit.currency),
        _ => unit.to_string(),
    }
}

/// The kind in one word, for branches that must agree.
pub(super) fn word(ty: &Type) -> String {
    match ty.unit() {
        Some(unit) if unit.is_money() => format!("money ({})", unit.currency),
        Some(unit) if unit.is_duration() => "duration".to_owned(),
        Some(unit) if unit.is_dimensionless() => "number".to_owned(),
        Some(_) | None => ty.to_string(),
    }
}

/// Joins names in the usual way: `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// How many arguments a function takes, and how many it was given.
pub(super) fn takes(name: &str, wanted: usize, given: usize) -> String {
    let arguments = if wanted == 1 { "argument" } else { "arguments" };
    let are = if given == 1 { "is" } else { "are" };
    format!("`{name}` takes {wanted} {arguments}, {given} {are} given")
}
