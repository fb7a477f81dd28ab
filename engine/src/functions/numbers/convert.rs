//! Currency conversion.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const CONVERT: FunctionSpec = FunctionSpec {
    name: "convert",
    aliases: &[],
    family: Family::Numbers,
    signature: "convert(x, to: currency, rate: order_day)",
    summary: "An amount in another currency, with each row converted at the rate of its own day.",
    details: "A rate stored in the row takes precedence over the table of rates. A row without a \
        rate makes the result null (no_rate), so no sum lacks rows. An amount that is already in \
        the currency is unchanged.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::required("to", ParameterKind::Currency),
        Parameter::optional(
            "rate",
            ParameterKind::Word(&["order_day"]),
            DefaultValue::Word("order_day"),
        ),
    ],
    examples: &[
        Example { formula: "convert(sum(orders.total), to: USD)", result: "$200.00" },
        Example { formula: "convert(sum(orders.total), to: EUR)", result: "null (no_rate)" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::Convert),
};
