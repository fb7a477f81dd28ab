//! The length of a period or duration.

use rust_decimal::Decimal;

use crate::calendar::Period;
use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Misfit, Parameter,
    ParameterKind,
};
use crate::number;
use crate::types::{Type, Value};

pub(crate) const LENGTH: FunctionSpec = FunctionSpec {
    name: "length",
    aliases: &[],
    family: Family::Time,
    signature: "length(x, full: false)",
    summary: "The duration of a period, or the number of characters of a text.",
    details: "For a period, the elapsed part, so that a rate per day is correct for an incomplete \
        period; `full: true` gives the whole length. A period without a beginning or an end has no \
        length: null (domain). Characters are Unicode scalar values, as `LENGTH` in SQL and `LEN` \
        in spreadsheets.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("full", ParameterKind::Bool, DefaultValue::Bool(false)),
    ],
    examples: &[
        Example { formula: "length(period)", result: "28d" },
        Example { formula: "length('north')", result: "5" },
        Example { formula: "days(length(period))", result: "28" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(result, call),
};

fn result(types: &[Type]) -> Result<Type, Misfit> {
    match types.first() {
        Some(Type::Text | Type::Null) => Ok(Type::NUMBER),
        Some(Type::List(_)) => Err(Misfit { argument: 0, message: "a list has `len`".to_owned() }),
        Some(ty @ (Type::Quantity(_) | Type::Bool | Type::Date | Type::DateTime | Type::Span)) => {
            Err(Misfit {
                argument: 0,
                message: format!("a period or a text has a length, not {ty}"),
            })
        }
        Some(Type::Period) | None => Ok(Type::DURATION),
    }
}

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    match arguments {
        [Value::Text(text), _] => Value::Number(Decimal::from(text.chars().count())),
        [Value::Period(period), Value::Bool(full)] => duration(**period, *full),
        _ => UNFIT,
    }
}

fn duration(period: Period, full: bool) -> Value {
    let length = if full { period.full_nanoseconds() } else { period.elapsed_nanoseconds() };
    // Durations are in seconds.
    length.map_or(UNFIT, |nanoseconds| number::from_scaled(nanoseconds, 9).into())
}

#[cfg(test)]
mod tests {
    use super::LENGTH;
    use crate::calendar::Period;
    use crate::functions::testing::{flag, period, shown, word};
    use crate::types::Value;

    #[test]
    fn a_running_period_is_as_long_as_it_has_run() {
        for (arguments, expected) in [
            (vec![period("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"), flag(false)], "2419200"),
            (vec![running(), flag(false)], "86400"),
            (vec![running(), flag(true)], "2419200"),
            (vec![Value::period(Period::ALWAYS), flag(true)], "null (domain)"),
            (vec![word("naïve"), flag(false)], "5"),
            (vec![word(""), flag(false)], "0"),
        ] {
            assert_eq!(shown(&LENGTH, &arguments), expected, "{arguments:?}");
        }
    }

    fn running() -> Value {
        let instant = |text: &str| text.parse().unwrap();
        let month = Period::new(instant("2026-02-01T00:00:00Z"), instant("2026-03-01T00:00:00Z"));
        Value::period(month.seen_at(instant("2026-02-02T00:00:00Z")))
    }
}
