//! An instant from text.

use jiff::Timestamp;
use jiff::civil::DateTime;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const DATETIME: FunctionSpec = FunctionSpec {
    name: "datetime",
    aliases: &[],
    family: Family::Time,
    signature: "datetime(text)",
    summary: "The instant given by a text in ISO 8601 format.",
    details: "Without an offset the text is local time in the zone of the store; a day alone is \
        its first moment. Day and time are separated by a blank or a `T`. Anything else is null \
        (domain).",
    parameters: &[Parameter::required("text", ParameterKind::Text)],
    examples: &[
        Example { formula: "datetime('2026-02-17 18:30')", result: "2026-02-17 18:30:00" },
        Example { formula: "datetime('2026-02-17T18:30:00+02:00')", result: "2026-02-17 16:30:00" },
        Example { formula: "datetime('soon')", result: "null (domain)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::DateTime), call),
};

fn call(arguments: &[Value], environment: &Environment<'_>) -> Value {
    let [Value::Text(text)] = arguments else { return UNFIT };
    instant_of(text, environment).map_or(UNFIT, Value::DateTime)
}

fn instant_of(text: &str, environment: &Environment<'_>) -> Option<Timestamp> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant);
    }
    // The parser would ignore a zone in brackets, though the text is then not in the store's local
    // time.
    let local = if text.contains('[') { None } else { text.parse::<DateTime>().ok() }?;
    environment.calendar.instant_of(local)
}

#[cfg(test)]
mod tests {
    use super::DATETIME;
    use crate::functions::testing::{shown, word};

    #[test]
    fn text_without_an_offset_is_local() {
        for (arguments, expected) in [
            (vec![word("2026-02-17")], "2026-02-17T00:00:00Z"),
            (vec![word("2026-02-17 18:30")], "2026-02-17T18:30:00Z"),
            (vec![word("2026-02-17T18:30:00+02:00")], "2026-02-17T16:30:00Z"),
            (vec![word("2026-02-30")], "null (domain)"),
            (vec![word("2026-02-17 18:30[Europe/London]")], "null (domain)"),
            (vec![word("")], "null (domain)"),
        ] {
            assert_eq!(shown(&DATETIME, &arguments), expected, "{arguments:?}");
        }
    }
}
