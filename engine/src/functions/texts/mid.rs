//! A substring.

use crate::functions::arguments::{UNFIT, bounded, natural};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const MID: FunctionSpec = FunctionSpec {
    name: "mid",
    aliases: &[],
    family: Family::Texts,
    signature: "mid(text, start, count)",
    summary: "A number of characters of a text, from a position that starts at 1.",
    details: "Beyond the end of the text the result is shorter or empty. A position below 1 and a \
        negative or fractional count are null (domain). Characters are Unicode scalar values. Like \
        `MID` in spreadsheets and `SUBSTRING` in SQL.",
    parameters: &[
        Parameter::required("text", ParameterKind::Text),
        Parameter::required("start", ParameterKind::Number),
        Parameter::required("count", ParameterKind::Number),
    ],
    examples: &[
        Example { formula: "mid('north', 2, 3)", result: "ort" },
        Example { formula: "mid('north', 4, 9)", result: "th" },
        Example { formula: "mid('north', 0, 1)", result: "null (domain)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Text), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Text(text), Value::Number(start), Value::Number(count)] = arguments else {
        return UNFIT;
    };
    let before = natural(*start).and_then(|start| start.checked_sub(1));
    let (Some(before), Some(count)) = (before, natural(*count)) else { return UNFIT };
    bounded(text.chars().skip(before).take(count).collect())
}

#[cfg(test)]
mod tests {
    use super::MID;
    use crate::functions::testing::{number, shown, word};

    #[test]
    fn places_count_from_one() {
        for (arguments, expected) in [
            (vec![word("naïve"), number("3"), number("2")], "ïv"),
            (vec![word("ab"), number("2"), number("9")], "b"),
            (vec![word("ab"), number("2"), number("10000000000000000000")], "b"),
            (vec![word("ab"), number("3"), number("1")], ""),
            (vec![word("ab"), number("10000000000000000000"), number("1")], ""),
            (vec![word("ab"), number("0"), number("1")], "null (domain)"),
            (vec![word("ab"), number("1"), number("-1")], "null (domain)"),
        ] {
            assert_eq!(shown(&MID, &arguments), expected, "{arguments:?}");
        }
    }
}
