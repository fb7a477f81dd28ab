//! Conversion of text to a number.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::number;
use crate::types::Value;

pub(crate) const NUMBER: FunctionSpec = FunctionSpec {
    name: "number",
    aliases: &[],
    family: Family::Texts,
    signature: "number(text)",
    summary: "The number in a text.",
    details: "Accepts an optional sign, digits, and at most one point. Blanks, thousands \
        separators, currencies, percent signs, exponents and more than 28 digits make the result \
        null (domain). Stricter than `VALUE` in spreadsheets, so that nothing is guessed.",
    parameters: &[Parameter::required("text", ParameterKind::Text)],
    examples: &[
        Example { formula: "number('12.50')", result: "12.5" },
        Example { formula: "number('1,000')", result: "null (domain)" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text)] = arguments else { return UNFIT };
    number::parse(text).map_or(UNFIT, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::NUMBER;
    use crate::functions::testing::{shown, word};

    #[test]
    fn only_plain_numbers_are_read() {
        for (arguments, expected) in [
            (vec![word("12.50")], "12.5"),
            (vec![word("-3")], "-3"),
            (vec![word("1,000")], "null (domain)"),
            (vec![word("1e3")], "null (domain)"),
            (vec![word(" 1")], "null (domain)"),
            (vec![word("")], "null (domain)"),
            (vec![word("12%")], "null (domain)"),
        ] {
            assert_eq!(shown(&NUMBER, &arguments), expected, "{arguments:?}");
        }
    }
}
