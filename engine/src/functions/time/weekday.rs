//! The day of the week.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const WEEKDAY: FunctionSpec = FunctionSpec {
    name: "weekday",
    aliases: &[],
    family: Family::Time,
    signature: "weekday(d)",
    summary: "The day of the week, 1 for Monday to 7 for Sunday.",
    details: "Instants are read in the time zone of the store. Numbered as in ISO 8601; \
        spreadsheets start with Sunday by default.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[
        Example { formula: "weekday(@2026-02-17)", result: "2" },
        Example { formula: "weekday(@2026-02-22)", result: "7" },
    ],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::Weekday, env)),
};

#[cfg(test)]
mod tests {
    use super::WEEKDAY;
    use crate::functions::testing::{on, shown};

    #[test]
    fn monday_is_the_first_day() {
        for (arguments, expected) in [(vec![on("2026-02-16")], "1"), (vec![on("2026-02-22")], "7")]
        {
            assert_eq!(shown(&WEEKDAY, &arguments), expected, "{arguments:?}");
        }
    }
}
