//! The hour.

use crate::calendar::DatePart;
use crate::functions::arguments::date_part;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const HOUR: FunctionSpec = FunctionSpec {
    name: "hour",
    aliases: &[],
    family: Family::Time,
    signature: "hour(d)",
    summary: "The hour of an instant, 0 to 23.",
    details: "Instants are read in the time zone of the store. A day starts at hour 0. Like \
        `EXTRACT` in SQL.",
    parameters: &[Parameter::required("d", ParameterKind::Date)],
    examples: &[
        Example { formula: "hour(datetime('2026-02-17 18:30'))", result: "18" },
        Example { formula: "hour(@2026-02-17)", result: "0" },
    ],
    exact: true,
    behaviour: Behaviour::number(|given, env| date_part(given, DatePart::Hour, env)),
};

#[cfg(test)]
mod tests {
    use super::HOUR;
    use crate::functions::testing::{at, on, shown};

    #[test]
    fn a_day_starts_at_hour_zero() {
        for (arguments, expected) in
            [(vec![at("2026-02-17T18:59:59Z")], "18"), (vec![on("2026-02-17")], "0")]
        {
            assert_eq!(shown(&HOUR, &arguments), expected, "{arguments:?}");
        }
    }
}
