//! A test for a suffix.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const ENDS_WITH: FunctionSpec = FunctionSpec {
    name: "ends_with",
    aliases: &[],
    family: Family::Texts,
    signature: "ends_with(text, part)",
    summary: "Whether a text ends with another.",
    details: "Case-sensitive. The empty text always matches. Null on either side makes the result \
        null, which does not hold in a condition.",
    parameters: &[
        Parameter::required("text", ParameterKind::Text),
        Parameter::required("part", ParameterKind::Text),
    ],
    examples: &[
        Example { formula: "ends_with('north', 'th')", result: "true" },
        Example { formula: "ends_with('north', 'no')", result: "false" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Bool), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text), Value::Text(part)] = arguments else { return UNFIT };
    Value::Bool(text.ends_with(&**part))
}

#[cfg(test)]
mod tests {
    use super::ENDS_WITH;
    use crate::functions::testing::{shown, word};

    #[test]
    fn the_empty_text_is_everywhere() {
        for (arguments, expected) in [
            (vec![word("north"), word("th")], "true"),
            (vec![word("north"), word("")], "true"),
            (vec![word("th"), word("north")], "false"),
        ] {
            assert_eq!(shown(&ENDS_WITH, &arguments), expected, "{arguments:?}");
        }
    }
}
