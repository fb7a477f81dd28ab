//! Where a null began: the parts of the formulas over the values of a program.
//!
//! Equal parts share a register, whichever formula they stand in, so that the place of a null is
//! found only when somebody asks: from the part that is null down to the one that was first.

use super::program::Operand;
use crate::source::Span;

/// A part of a formula by its index in [`Origins::parts`].
pub(crate) type PartId = usize;

/// The parts of the formulas of a plan.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Origins {
    pub(crate) parts: Vec<Part>,
    /// The whole of each formula.
    pub(crate) results: Vec<PartId>,
}

/// One part: a place in a formula's text and where its value is.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Part {
    /// The metric in whose text; none for a formula that was asked for.
    pub(crate) metric: Option<u32>,
    pub(crate) span: Span,
    /// Where its value is; none if the program does without it.
    pub(crate) value: Option<Operand>,
    pub(crate) trace: Trace,
}

/// Where a part's null came from.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Trace {
    /// From itself; null or not, it takes these.
    Here(Vec<PartId>),
    /// From that part.
    From(PartId),
    /// From the first of its operands that is null, or else from itself.
    Operands(Vec<PartId>),
    /// As `Operands`; it divides the first by the second.
    Quotient(PartId, PartId),
    /// From the second, which is a default for the first.
    Otherwise(PartId, PartId),
    /// From the value of the first condition that holds, from the value otherwise, or from itself.
    Choice(Vec<(PartId, PartId)>, Option<PartId>),
}
