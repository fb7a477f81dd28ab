//! Replacement of substrings.

use std::sync::Arc;

use crate::functions::arguments::{MAX_TEXT_BYTES, UNFIT};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Reason, Type, Value};

pub(crate) const REPLACE: FunctionSpec = FunctionSpec {
    name: "replace",
    aliases: &[],
    family: Family::Texts,
    signature: "replace(text, old, new)",
    summary: "The text with every occurrence of one text replaced by another.",
    details: "Case-sensitive. Replacing the empty text changes nothing. A result over 64 KiB is \
        null (overflow). Like `REPLACE` in SQL and `SUBSTITUTE` in spreadsheets, whose `REPLACE` \
        works by position.",
    parameters: &[
        Parameter::required("text", ParameterKind::Text),
        Parameter::required("old", ParameterKind::Text),
        Parameter::required("new", ParameterKind::Text),
    ],
    examples: &[
        Example { formula: "replace('north-west', '-', ' ')", result: "north west" },
        Example { formula: "replace('banana', 'na', 'no')", result: "banono" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text), Value::Text(old), Value::Text(new)] = arguments else { return UNFIT };
    if old.is_empty() {
        return Value::Text(Arc::clone(text));
    }
    // Limit: the length is computed in advance, since the result may be as long as the product of
    // both lengths.
    let times = text.matches(&**old).count();
    let kept = text.len().saturating_sub(times.saturating_mul(old.len()));
    if kept.saturating_add(times.saturating_mul(new.len())) > MAX_TEXT_BYTES {
        return Value::missing(Reason::Overflow);
    }
    Value::text(text.replace(&**old, new))
}

#[cfg(test)]
mod tests {
    use super::REPLACE;
    use crate::functions::testing::{shown, word};

    #[test]
    fn a_result_has_a_limit() {
        for (arguments, expected) in [
            (vec![word("aXbX"), word("X"), word("-")], "a-b-"),
            (vec![word("ab"), word(""), word("-")], "ab"),
            (vec![word("aaa"), word("aa"), word("b")], "ba"),
            (
                vec![word(&"a".repeat(1_000)), word("a"), word(&"b".repeat(1_000))],
                "null (overflow)",
            ),
        ] {
            assert_eq!(shown(&REPLACE, &arguments), expected, "{arguments:?}");
        }
    }
}
