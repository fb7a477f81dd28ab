//! Conversion to lower case.

use crate::functions::arguments::{UNFIT, bounded};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const LOWER: FunctionSpec = FunctionSpec {
    name: "lower",
    aliases: &[],
    family: Family::Texts,
    signature: "lower(text)",
    summary: "The text in lower case.",
    details: "Follows Unicode, independent of the locale. Like `LOWER` in spreadsheets and SQL. A \
        null argument makes the result null.",
    parameters: &[Parameter::required("text", ParameterKind::Text)],
    examples: &[Example { formula: "lower('North')", result: "north" }],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text)] = arguments else { return UNFIT };
    bounded(text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::LOWER;
    use crate::functions::testing::{shown, word};

    #[test]
    fn letters_beyond_ascii_have_case() {
        for (arguments, expected) in [(vec![word("ÀB")], "àb"), (vec![word("")], "")] {
            assert_eq!(shown(&LOWER, &arguments), expected, "{arguments:?}");
        }
    }
}
