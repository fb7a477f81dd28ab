//! The week.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const WEEK: FunctionSpec = FunctionSpec {
    name: "week",
    aliases: &[],
    family: Family::Time,
    signature: "week(d)",
    summary: "The week of ISO 8601, 1 to 53.",
    details: "Instants are read in the time zone of the store. The first week of a year is the one \
        with its first Thursday, so early January may belong to week 53. Like `ISOWEEKNUM` in \
        spreadsheets.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[
        Example { formula: "week(@2026-02-17)", result: "8" },
        Example { formula: "week(@2027-01-01)", result: "53" },
    ],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::Week, env)),
};

#[cfg(test)]
mod tests {
    use super::WEEK;
    use crate::functions::testing::{on, shown};

    #[test]
    fn weeks_are_those_of_iso_8601() {
        for (arguments, expected) in [
            (vec![on("2026-01-01")], "1"),
            (vec![on("2027-01-01")], "53"),
            (vec![on("2024-12-30")], "1"),
        ] {
            assert_eq!(shown(&WEEK, &arguments), expected, "{arguments:?}");
        }
    }
}
