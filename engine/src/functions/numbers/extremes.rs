//! `min` and `max` of several arguments, with which the checker replaces the aggregates when they
//! have more than one.

use std::cmp::Ordering;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Misfit, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::types::{Type, Value};

/// `min(a, b, …)`: the smallest argument.
pub(crate) const LEAST: FunctionSpec = FunctionSpec {
    name: "min",
    aliases: &[],
    family: Family::Numbers,
    signature: "min(a, b, …)",
    summary: "The smallest of several values.",
    details: "A null argument makes the result null. All have one unit.",
    parameters: PARAMETERS,
    examples: &[Example { formula: "min(4, 2, 3)", result: "2" }],
    exact: true,
    behaviour: Behaviour::scalar(result, |arguments, _| extreme(arguments, Ordering::Less)),
};

/// `max(a, b, …)`: the largest argument.
pub(crate) const GREATEST: FunctionSpec = FunctionSpec {
    name: "max",
    aliases: &[],
    family: Family::Numbers,
    signature: "max(a, b, …)",
    summary: "The largest of several values.",
    details: "A null argument makes the result null. All have one unit.",
    parameters: PARAMETERS,
    examples: &[Example { formula: "max(4, 2, 3)", result: "4" }],
    exact: true,
    behaviour: Behaviour::scalar(result, |arguments, _| extreme(arguments, Ordering::Greater)),
};

const PARAMETERS: &[Parameter] =
    &[Parameter::required("a", ParameterKind::Any), Parameter::repeated("b", ParameterKind::Any)];

fn result(types: &[Type]) -> Result<Type, Misfit> {
    for (argument, ty) in types.iter().enumerate() {
        if let Type::Bool | Type::Period | Type::Span | Type::List(_) = ty {
            return Err(Misfit { argument, message: format!("{ty} has no order") });
        }
    }
    units::same_unit(types)
}

/// Returns the argument on the wanted side of all others; the first among equals.
fn extreme(arguments: &[Value], wanted: Ordering) -> Value {
    let Some((first, rest)) = arguments.split_first() else { return UNFIT };
    let mut best = first;
    for value in rest {
        match compared(value, best) {
            Some(ordering) if ordering == wanted => best = value,
            Some(_) => {}
            None => return UNFIT,
        }
    }
    best.clone()
}

fn compared(a: &Value, b: &Value) -> Option<Ordering> {
    Some(match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Date(a), Value::Date(b)) => a.cmp(b),
        (Value::DateTime(a), Value::DateTime(b)) => a.cmp(b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{GREATEST, LEAST};
    use crate::functions::testing::{number, on, result_type, shown, word};
    use crate::types::Type;

    #[test]
    fn anything_with_an_order_has_extremes() {
        for (arguments, least, greatest) in [
            (vec![number("4"), number("-2"), number("3")], "-2", "4"),
            (vec![number("1.0"), number("1")], "1", "1"),
            (vec![word("b"), word("a")], "a", "b"),
            (vec![on("2026-02-01"), on("2025-12-31")], "2025-12-31", "2026-02-01"),
            (vec![number("1"), word("a")], "null (domain)", "null (domain)"),
        ] {
            assert_eq!(shown(&LEAST, &arguments), least, "{arguments:?}");
            assert_eq!(shown(&GREATEST, &arguments), greatest, "{arguments:?}");
        }
    }

    #[test]
    fn conditions_have_no_order() {
        assert!(result_type(&LEAST, &[Type::Bool, Type::Bool]).is_err());
        assert!(result_type(&GREATEST, &[Type::NUMBER, Type::Text]).is_err());
    }
}
