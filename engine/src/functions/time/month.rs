//! The month.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const MONTH: FunctionSpec = FunctionSpec {
    name: "month",
    aliases: &[],
    family: Family::Time,
    signature: "month(d)",
    summary: "The month of the year, 1 to 12.",
    details: "Instants are read in the time zone of the store. Like `EXTRACT` in SQL, this is the \
        month that the date is written with, also in a retail calendar: the retail month begins \
        at `start_of(d, month)`.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[
        Example { formula: "month(@2026-02-17)", result: "2" },
        Example { formula: "sum(orders.total where month(created_at) = 2)", result: "$200.00" },
    ],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::Month, env)),
};

#[cfg(test)]
mod tests {
    use super::MONTH;
    use crate::functions::testing::{at, on, shown};

    #[test]
    fn months_count_from_one() {
        for (arguments, expected) in
            [(vec![on("2026-02-28")], "2"), (vec![at("2026-12-31T23:59:59Z")], "12")]
        {
            assert_eq!(shown(&MONTH, &arguments), expected, "{arguments:?}");
        }
    }
}
