//! The day of the month.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const DAY: FunctionSpec = FunctionSpec {
    name: "day",
    aliases: &[],
    family: Family::Time,
    signature: "day(d)",
    summary: "The day of the month, 1 to 31.",
    details: "Instants are read in the time zone of the store. Like `EXTRACT` in SQL.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[Example { formula: "day(@2026-02-17)", result: "17" }],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::Day, env)),
};

#[cfg(test)]
mod tests {
    use super::DAY;
    use crate::functions::testing::{at, on, shown};

    #[test]
    fn days_count_from_one() {
        for (arguments, expected) in
            [(vec![on("2026-02-28")], "28"), (vec![at("2026-03-01T00:00:00Z")], "1")]
        {
            assert_eq!(shown(&DAY, &arguments), expected, "{arguments:?}");
        }
    }
}
