//! The year.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const YEAR: FunctionSpec = FunctionSpec {
    name: "year",
    aliases: &[],
    family: Family::Time,
    signature: "year(d)",
    summary: "The year of a day or an instant.",
    details: "Instants are read in the time zone of the store. Years are fiscal if the calendar is, \
        as in a grouping by year. Like `EXTRACT` in SQL.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[Example { formula: "year(@2026-02-17) = 2026", result: "true" }],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::FiscalYear, env)),
};

#[cfg(test)]
mod tests {
    use super::YEAR;
    use crate::functions::testing::{at, on, shown};

    #[test]
    fn the_year_ends_at_midnight() {
        for (arguments, expected) in
            [(vec![at("2025-12-31T23:59:59Z")], "2025"), (vec![on("2026-01-01")], "2026")]
        {
            assert_eq!(shown(&YEAR, &arguments), expected, "{arguments:?}");
        }
    }
}
