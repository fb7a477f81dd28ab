//! Conversion to upper case.

use crate::functions::arguments::{UNFIT, bounded};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const UPPER: FunctionSpec = FunctionSpec {
    name: "upper",
    aliases: &[],
    family: Family::Texts,
    signature: "upper(text)",
    summary: "The text in upper case.",
    details: "Follows Unicode, independent of the locale; one letter may become two. Like `UPPER` \
        in spreadsheets and SQL. A null argument makes the result null.",
    parameters: &[Parameter::required("text", ParameterKind::Text)],
    examples: &[Example { formula: "upper('North')", result: "NORTH" }],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text)] = arguments else { return UNFIT };
    bounded(text.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::UPPER;
    use crate::functions::testing::{shown, word};

    #[test]
    fn one_letter_may_become_two() {
        for (arguments, expected) in [(vec![word("straße")], "STRASSE"), (vec![word("")], "")] {
            assert_eq!(shown(&UPPER, &arguments), expected, "{arguments:?}");
        }
    }
}
