//! The end of a text.

use crate::functions::arguments::{UNFIT, bounded, natural};
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const RIGHT: FunctionSpec = FunctionSpec {
    name: "right",
    aliases: &[],
    family: Family::Texts,
    signature: "right(text, count = 1)",
    summary: "The last characters of a text.",
    details: "A count beyond the length gives the whole text; a negative or fractional count is \
        null (domain). Characters are Unicode scalar values. Like `RIGHT` in spreadsheets.",
    parameters: &[
        Parameter::required("text", ParameterKind::Text),
        Parameter::optional("count", ParameterKind::Number, DefaultValue::Number(1)),
    ],
    examples: &[
        Example { formula: "right('north', 2)", result: "th" },
        Example { formula: "right('north')", result: "h" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text), Value::Number(count)] = arguments else { return UNFIT };
    let Some(count) = natural(*count) else { return UNFIT };
    bounded(text.chars().skip(text.chars().count().saturating_sub(count)).collect())
}

#[cfg(test)]
mod tests {
    use super::RIGHT;
    use crate::functions::testing::{number, shown, word};

    #[test]
    fn characters_count_and_not_bytes() {
        for (arguments, expected) in [
            (vec![word("naïve"), number("3")], "ïve"),
            (vec![word("ab"), number("9")], "ab"),
            (vec![word("ab"), number("0")], ""),
            (vec![word("ab"), number("10000000000000000000")], "ab"),
            (vec![word("ab"), number("-1")], "null (domain)"),
        ] {
            assert_eq!(shown(&RIGHT, &arguments), expected, "{arguments:?}");
        }
    }
}
