//! The present.

use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Special};

pub(crate) const NOW: FunctionSpec = FunctionSpec {
    name: "now",
    aliases: &[],
    family: Family::Time,
    signature: "now()",
    summary: "The present instant, the same throughout a request.",
    details: "The caller gives the present, so a result can be computed again. Grouped by time, it \
        is still the present and not the end of a bucket; that is `period_end`.",
    parameters: &[],
    examples: &[Example { formula: "now()", result: "2026-03-15 00:00:00" }],
    exact: true,
    behaviour: Behaviour::Special(Special::Now),
};
