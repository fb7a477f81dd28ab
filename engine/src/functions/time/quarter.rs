//! The quarter.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const QUARTER: FunctionSpec = FunctionSpec {
    name: "quarter",
    aliases: &[],
    family: Family::Time,
    signature: "quarter(d)",
    summary: "The quarter of the year, 1 to 4.",
    details: "Instants are read in the time zone of the store. Quarters are fiscal if the calendar \
        is, as in a grouping by quarter. Like `EXTRACT` in SQL.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[Example { formula: "quarter(@2026-02-17)", result: "1" }],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::Quarter, env)),
};

#[cfg(test)]
mod tests {
    use super::QUARTER;
    use crate::functions::testing::{on, shown};

    #[test]
    fn quarters_are_three_months() {
        for (arguments, expected) in [
            (vec![on("2026-01-01")], "1"),
            (vec![on("2026-03-31")], "1"),
            (vec![on("2026-04-01")], "2"),
            (vec![on("2026-12-31")], "4"),
        ] {
            assert_eq!(shown(&QUARTER, &arguments), expected, "{arguments:?}");
        }
    }
}
