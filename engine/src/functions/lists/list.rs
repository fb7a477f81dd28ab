//! A list of several values.

use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Nulls, Parameter, ParameterKind, Scalar,
};
use crate::functions::units;
use crate::types::{Type, Value};
use std::sync::Arc;

pub(crate) const LIST: FunctionSpec = FunctionSpec {
    name: "list",
    aliases: &[],
    family: Family::Lists,
    signature: "list(a, b, …)",
    summary: "A list of values with the same unit.",
    details: "Nulls stay in the list; aggregates over the list skip them. Context records can \
        contain lists too.",
    parameters: &[Parameter::repeated("item", ParameterKind::Any)],
    examples: &[
        Example { formula: "len(list(1, 2, 3))", result: "3" },
        Example { formula: "sum(list(1, 2, 3))", result: "6" },
        Example { formula: "avg(list(1 USD, 4 USD))", result: "$2.50" },
    ],
    exact: true,
    behaviour: Behaviour::Scalar(Scalar {
        result: |types| units::same_unit(types).map(|item| Type::List(Arc::new(item))),
        call,
        nulls: Nulls::Passed,
    }),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    Value::List(Arc::from(arguments))
}

#[cfg(test)]
mod tests {
    use super::LIST;
    use crate::functions::testing::{missing, number, shown};

    #[test]
    fn nulls_stay_in_the_list() {
        for (arguments, expected) in [
            (vec![number("1"), number("2")], "[1, 2]"),
            (vec![number("1"), missing()], "[1, null (null_value)]"),
        ] {
            assert_eq!(shown(&LIST, &arguments), expected, "{arguments:?}");
        }
    }
}
