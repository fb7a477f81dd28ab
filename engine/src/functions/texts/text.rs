//! Conversion of a value to text.

use jiff::tz::TimeZone;

use crate::format::{self, FormatRules};
use crate::functions::arguments::{UNFIT, bounded};
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Misfit, Parameter,
    ParameterKind,
};
use crate::number;
use crate::types::{Type, Value};

pub(crate) const TEXT: FunctionSpec = FunctionSpec {
    name: "text",
    aliases: &[],
    family: Family::Texts,
    signature: "text(x, pattern)",
    summary: "A value as text, optionally formatted with a pattern.",
    details: "Patterns are the same as in spreadsheets: `#,##0.00`, `0.0%`, `yyyy-mm-dd`. Without \
        a pattern, a number has all its digits without currency and thousands separators, and a \
        day is in ISO 8601 format. A pattern that does not fit the value is an error; a computed \
        one makes the result null (domain). Instants are formatted in the time zone of the store.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("pattern", ParameterKind::Text, DefaultValue::Word("")),
    ],
    examples: &[
        Example { formula: "text(1234.5, '#,##0.00')", result: "1,234.50" },
        Example { formula: "text(0.256, '0.0%')", result: "25.6%" },
        Example { formula: "text(@2026-02-17, 'yyyy-mm-dd')", result: "2026-02-17" },
        Example { formula: "text(2.50)", result: "2.5" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(result, call),
};

fn result(types: &[Type]) -> Result<Type, Misfit> {
    match types.first() {
        Some(Type::Quantity(unit)) if unit.is_duration() => Err(Misfit {
            argument: 0,
            message: "a duration has no one text; say its unit: text(days(x))".to_owned(),
        }),
        Some(ty @ (Type::Period | Type::Span | Type::List(_))) => {
            Err(Misfit { argument: 0, message: format!("{ty} cannot be written as text") })
        }
        Some(
            Type::Quantity(_) | Type::Text | Type::Bool | Type::Date | Type::DateTime | Type::Null,
        )
        | None => Ok(Type::Text),
    }
}

fn call(arguments: &[Value], environment: &Environment<'_>) -> Value {
    let [value, Value::Text(pattern)] = arguments else { return UNFIT };
    let zone = environment.calendar.zone();
    let text = if pattern.is_empty() {
        plain(value, zone)
    } else {
        format::pattern(pattern, value, zone).ok()
    };
    text.map_or(UNFIT, bounded)
}

fn plain(value: &Value, zone: &TimeZone) -> Option<String> {
    Some(match value {
        Value::Number(number) => number::to_plain(*number),
        Value::Text(_) | Value::Bool(_) | Value::Date(_) | Value::DateTime(_) => {
            format::value(value, &Type::Text, &FormatRules::default(), zone)
        }
        Value::Missing(_) | Value::Period(_) | Value::Span(_) | Value::List(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::TEXT;
    use crate::functions::testing::{at, flag, number, on, shown, word};

    #[test]
    fn without_a_pattern_nothing_is_lost() {
        for (arguments, expected) in [
            (vec![number("2.50"), word("")], "2.5"),
            (vec![on("2026-02-17"), word("")], "2026-02-17"),
            (vec![at("2026-02-17T18:30:00Z"), word("")], "2026-02-17 18:30:00"),
            (vec![flag(true), word("")], "true"),
            (vec![word("x"), word("")], "x"),
            (vec![number("1234.5"), word("#,##0.00")], "1,234.50"),
        ] {
            assert_eq!(shown(&TEXT, &arguments), expected, "{arguments:?}");
        }
    }
}
