//! Origins of nulls: the parts of the formulas, with their values in the program.
//!
//! Equal parts share a register, also across formulas, so the place of a null is found on demand:
//! from the part that is null down to the one where the null arose.

use super::program::Operand;
use crate::source::Span;

/// The index of a part in [`Origins::parts`].
pub(crate) type PartId = usize;

/// The parts of the formulas of a plan.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Origins {
    pub(crate) parts: Vec<Part>,
    /// The part that is the whole of each formula.
    pub(crate) results: Vec<PartId>,
}

/// One part: a place in a formula's text and where its value is.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Part {
    /// The metric whose text it is part of; `None` for a formula of the request.
    pub(crate) metric: Option<u32>,
    pub(crate) span: Span,
    /// Its value; `None` if the program does not need it.
    pub(crate) value: Option<Operand>,
    pub(crate) trace: Trace,
}

/// Where the null of a part comes from.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Trace {
    /// From the part itself, which does not pass on the nulls of these operands.
    Here(Vec<PartId>),
    /// From this part.
    From(PartId),
    /// From the first of its operands that is null, otherwise from the part itself.
    Operands(Vec<PartId>),
    /// Like `Operands`, for a division of the first by the second.
    Quotient(PartId, PartId),
    /// From the second, which is the default for the first.
    Otherwise(PartId, PartId),
    /// From the value of the first condition that holds, from the value otherwise, or from the part
    /// itself.
    Choice(Vec<(PartId, PartId)>, Option<PartId>),
}
