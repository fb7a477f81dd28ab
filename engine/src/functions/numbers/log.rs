//! The logarithm to a given base.

use rust_decimal::Decimal;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::number::{self, Rounding};
use crate::types::{Reason, Value};

pub(crate) const LOG: FunctionSpec = FunctionSpec {
    name: "log",
    aliases: &[],
    family: Family::Numbers,
    signature: "log(base, x)",
    summary: "The logarithm of a plain number to a base.",
    details: "The base is the first argument, as in PostgreSQL; in spreadsheets and SQL Server it \
        is the last. A base that is not positive, a base of 1, and a number that is not positive \
        make the result null (domain). Integer powers of the base have exact integer logarithms; \
        other results are inexact.",
    parameters: &[
        Parameter::required("base", ParameterKind::Number),
        Parameter::required("x", ParameterKind::Number),
    ],
    examples: &[
        Example { formula: "log(10, 1000)", result: "3" },
        Example { formula: "log(2, 8)", result: "3" },
        Example { formula: "log(1, 5)", result: "null (domain)" },
    ],
    exact: false,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(base), Value::Number(x)] = arguments else { return UNFIT };
    logarithm(*base, *x).into()
}

fn logarithm(base: Decimal, x: Decimal) -> Result<Decimal, Reason> {
    if base == Decimal::ONE {
        return Err(Reason::Domain);
    }
    let inexact = number::divide(number::ln(x)?, number::ln(base)?)?;
    // The quotient of two rounded logarithms can miss an integer result in its last digits.
    let nearest = number::round(inexact, 0, Rounding::HalfEven)?;
    Ok(if number::power(base, nearest) == Ok(x) { nearest } else { inexact })
}

#[cfg(test)]
mod tests {
    use super::LOG;
    use crate::functions::testing::{number, shown};

    #[test]
    fn whole_powers_have_whole_logarithms() {
        for (arguments, expected) in [
            (vec![number("10"), number("1000")], "3"),
            (vec![number("10"), number("0.001")], "-3"),
            (vec![number("2"), number("1024")], "10"),
            (vec![number("1"), number("5")], "null (domain)"),
            (vec![number("-2"), number("4")], "null (domain)"),
            (vec![number("2"), number("0")], "null (domain)"),
        ] {
            assert_eq!(shown(&LOG, &arguments), expected, "{arguments:?}");
        }
    }
}
