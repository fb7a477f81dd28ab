//! Integer division.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Misfit, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::number;
use crate::types::{Flavour, Type, Value};

pub(crate) const DIV: FunctionSpec = FunctionSpec {
    name: "div",
    aliases: &[],
    family: Family::Numbers,
    signature: "div(a, b)",
    summary: "The integer quotient of two values, rounded down.",
    details: "Two values of the same unit give a plain number: `div(100 USD, 30 USD)` is 3. \
        Dividing by a plain number keeps the unit. Negative results round down, consistent with \
        `mod`; `QUOTIENT` in spreadsheets truncates instead, which is `trunc(a / b)`. A divisor of \
        zero makes the result null (division_by_zero).",
    parameters: &[
        Parameter::required("a", ParameterKind::Quantity),
        Parameter::required("b", ParameterKind::Quantity),
    ],
    examples: &[
        Example { formula: "div(7, 3)", result: "2" },
        Example { formula: "div(-7, 3)", result: "-3" },
        Example { formula: "div(100 USD, 30 USD)", result: "3" },
        Example { formula: "div(1, 0)", result: "null (division_by_zero)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(result, call),
};

fn result(types: &[Type]) -> Result<Type, Misfit> {
    if let [Type::Quantity(a), Type::Quantity(b)] = types
        && matches!(b.flavour, Flavour::Literal | Flavour::Number)
        && b.is_dimensionless()
        && !a.is_dimensionless()
    {
        return Ok(Type::Quantity(a.clone()));
    }
    units::same_unit(types).map(|_unit| Type::NUMBER)
}

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(a), Value::Number(b)] = arguments else { return UNFIT };
    number::quotient(*a, *b).into()
}

#[cfg(test)]
mod tests {
    use super::DIV;
    use crate::functions::testing::{number, result_type, shown};
    use crate::types::{Currency, CurrencyOf, Type, Unit};

    #[test]
    fn quotient_and_remainder_agree() {
        for (arguments, expected) in [
            (vec![number("7"), number("3")], "2"),
            (vec![number("-7"), number("3")], "-3"),
            (vec![number("5.5"), number("2")], "2"),
            (vec![number("1"), number("0")], "null (division_by_zero)"),
        ] {
            assert_eq!(shown(&DIV, &arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn a_plain_divisor_keeps_the_unit() {
        let money = Type::Quantity(Unit::money(CurrencyOf::Fixed(Currency::USD)));

        assert_eq!(result_type(&DIV, &[money.clone(), Type::LITERAL]), Ok(money.clone()));
        assert_eq!(result_type(&DIV, &[money.clone(), money.clone()]), Ok(Type::NUMBER));
        assert!(result_type(&DIV, &[Type::NUMBER, money]).is_err());
    }
}
