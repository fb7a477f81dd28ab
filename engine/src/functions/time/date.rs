//! A day from its parts.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::functions::arguments::{UNFIT, whole};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const DATE: FunctionSpec = FunctionSpec {
    name: "date",
    aliases: &[],
    family: Family::Time,
    signature: "date(year, month, day)",
    summary: "The date with the given year, month and day of the month.",
    details: "A day that does not exist is null (domain), whereas `DATE` in spreadsheets continues \
        into the next month. The literal `@2026-01-31` is shorter for a fixed day.",
    parameters: &[
        Parameter::required("year", ParameterKind::Number),
        Parameter::required("month", ParameterKind::Number),
        Parameter::required("day", ParameterKind::Number),
    ],
    examples: &[
        Example { formula: "date(2026, 2, 28)", result: "2026-02-28" },
        Example { formula: "date(2026, 2, 29)", result: "null (domain)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::Date), call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(year), Value::Number(month), Value::Number(day)] = arguments else {
        return UNFIT;
    };
    date_of(*year, *month, *day).map_or(UNFIT, Value::Date)
}

fn date_of(year: Decimal, month: Decimal, day: Decimal) -> Option<Date> {
    let year = i16::try_from(whole(year)?).ok()?;
    let month = i8::try_from(whole(month)?).ok()?;
    let day = i8::try_from(whole(day)?).ok()?;
    Date::new(year, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::DATE;
    use crate::functions::testing::{number, shown};

    #[test]
    fn a_day_that_does_not_exist_is_null() {
        for (arguments, expected) in [
            (vec![number("2024"), number("2"), number("29")], "2024-02-29"),
            (vec![number("2026"), number("2"), number("29")], "null (domain)"),
            (vec![number("2026"), number("13"), number("1")], "null (domain)"),
            (vec![number("2026.5"), number("1"), number("1")], "null (domain)"),
        ] {
            assert_eq!(shown(&DATE, &arguments), expected, "{arguments:?}");
        }
    }
}
