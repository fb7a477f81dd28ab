//! The start of a text.

use crate::functions::arguments::{UNFIT, bounded, natural};
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const LEFT: FunctionSpec = FunctionSpec {
    name: "left",
    aliases: &[],
    family: Family::Texts,
    signature: "left(text, count = 1)",
    summary: "The first characters of a text.",
    details: "A count beyond the length gives the whole text; a negative or fractional count is \
        null (domain). Characters are Unicode scalar values. Like `LEFT` in spreadsheets.",
    parameters: &[
        Parameter::required("text", ParameterKind::Text),
        Parameter::optional("count", ParameterKind::Number, DefaultValue::Number(1)),
    ],
    examples: &[
        Example { formula: "left('north', 2)", result: "no" },
        Example { formula: "left('north')", result: "n" },
        Example { formula: "left('north', -1)", result: "null (domain)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text), Value::Number(count)] = arguments else { return UNFIT };
    let Some(count) = natural(*count) else { return UNFIT };
    bounded(text.chars().take(count).collect())
}

#[cfg(test)]
mod tests {
    use super::LEFT;
    use crate::functions::testing::{number, shown, word};

    #[test]
    fn characters_count_and_not_bytes() {
        for (arguments, expected) in [
            (vec![word("naïve"), number("3")], "naï"),
            (vec![word("ab"), number("9")], "ab"),
            (vec![word("ab"), number("10000000000000000000")], "ab"),
            (vec![word("ab"), number("0")], ""),
            (vec![word("ab"), number("-1")], "null (domain)"),
            (vec![word("ab"), number("1.5")], "null (domain)"),
        ] {
            assert_eq!(shown(&LEFT, &arguments), expected, "{arguments:?}");
        }
    }
}
