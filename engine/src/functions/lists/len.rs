//! The number of items.

use rust_decimal::Decimal;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::Value;

pub(crate) const LEN: FunctionSpec = FunctionSpec {
    name: "len",
    aliases: &[],
    family: Family::Lists,
    signature: "len(list)",
    summary: "The number of items of a list, including nulls.",
    details: "The length of an empty list is 0. For the number of characters of a text, use \
        `length(text)`.",
    parameters: &[Parameter::required("list", ParameterKind::List)],
    examples: &[
        Example { formula: "len(list(1, 2, 3))", result: "3" },
        Example { formula: "len(list(null, 2))", result: "2" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::List(items)] = arguments else { return UNFIT };
    Value::Number(Decimal::from(items.len()))
}

#[cfg(test)]
mod tests {
    use super::LEN;
    use crate::functions::testing::{missing, number, shown};
    use crate::types::Value;

    #[test]
    fn nulls_are_items() {
        for (arguments, expected) in [
            (vec![Value::List([number("1"), missing()].into())], "2"),
            (vec![Value::List([].into())], "0"),
        ] {
            assert_eq!(shown(&LEN, &arguments), expected, "{arguments:?}");
        }
    }
}
