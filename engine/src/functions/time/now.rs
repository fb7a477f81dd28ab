//! The present.

use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Special};

pub(crate) const NOW: FunctionSpec = FunctionSpec {
    name: "now",
    aliases: &[],
    family: Family::Time,
    signature: "now()",
    summary: "The present instant, constant within a request.",
    details: "The caller supplies the present, so results are reproducible. In a series it is \
        still the present; for the end of a bucket use `period_end`.",
    parameters: &[],
    examples: &[Example { formula: "now()", result: "2026-03-15 00:00:00" }],
    exact: true,
    behaviour: Behaviour::Special(Special::Now),
};
