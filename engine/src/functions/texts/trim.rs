//! Removal of leading and trailing blanks.

use crate::functions::arguments::{UNFIT, bounded};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const TRIM: FunctionSpec = FunctionSpec {
    name: "trim",
    aliases: &[],
    family: Family::Texts,
    signature: "trim(text)",
    summary: "The text without blanks at either end.",
    details: "Blanks between words are kept, as in SQL; `TRIM` in spreadsheets reduces them to \
        one. A null argument makes the result null.",
    parameters: &[Parameter::required("text", ParameterKind::Text)],
    examples: &[Example { formula: "trim('  north  west ')", result: "north  west" }],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text)] = arguments else { return UNFIT };
    bounded(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::TRIM;
    use crate::functions::testing::{shown, word};

    #[test]
    fn only_the_ends_are_cut() {
        for (arguments, expected) in
            [(vec![word(" a  b ")], "a  b"), (vec![word("\u{a0}x\t")], "x")]
        {
            assert_eq!(shown(&TRIM, &arguments), expected, "{arguments:?}");
        }
    }
}
