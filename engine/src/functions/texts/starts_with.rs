//! A test for a prefix.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const STARTS_WITH: FunctionSpec = FunctionSpec {
    name: "starts_with",
    aliases: &[],
    family: Family::Texts,
    signature: "starts_with(text, part)",
    summary: "Whether a text starts with another.",
    details: "Case-sensitive. The empty text always matches. Null on either side makes the result \
        null, which does not hold in a condition.",
    parameters: &[
        Parameter::required("text", ParameterKind::Text),
        Parameter::required("part", ParameterKind::Text),
    ],
    examples: &[
        Example { formula: "starts_with('north', 'no')", result: "true" },
        Example { formula: "starts_with('north', 'NO')", result: "false" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Bool), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text), Value::Text(part)] = arguments else { return UNFIT };
    Value::Bool(text.starts_with(&**part))
}

#[cfg(test)]
mod tests {
    use super::STARTS_WITH;
    use crate::functions::testing::{shown, word};

    #[test]
    fn the_empty_text_is_everywhere() {
        for (arguments, expected) in [
            (vec![word("north"), word("no")], "true"),
            (vec![word("north"), word("")], "true"),
            (vec![word("no"), word("north")], "false"),
        ] {
            assert_eq!(shown(&STARTS_WITH, &arguments), expected, "{arguments:?}");
        }
    }
}
