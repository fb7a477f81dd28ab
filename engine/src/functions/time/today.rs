//! The current day.

use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Special};

pub(crate) const TODAY: FunctionSpec = FunctionSpec {
    name: "today",
    aliases: &[],
    family: Family::Time,
    signature: "today()",
    summary: "The current day in the time zone of the store, constant within a request.",
    details: "The day of `now()`.",
    parameters: &[],
    examples: &[Example { formula: "today()", result: "2026-03-15" }],
    exact: true,
    behaviour: Behaviour::Special(Special::Today),
};
