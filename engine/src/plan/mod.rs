//! Formulas as programs: their inputs, and the operations on them.
//!
//! A [`Plan`] is made of one or several checked formulas, with the metrics they use expanded.
//!
//! * Its [`Slot`]s are its inputs: values by name, *atoms* (aggregates over one source) at their
//!   *place* (the chain of windows, filters, conversions and totals around them), compounds (`per`,
//!   ranks), and values of the request (periods, the present).
//! * Its program is a linear sequence of instructions over slots and constants. Equal parts share a
//!   register, also across formulas. Skips jump over what only one branch of a choice needs; a runner
//!   over whole columns may ignore them.
//! * Its scales are the digits after the point of values, where types and literals determine them
//!   (`integers`); operations on such values alone run on integers.
//! * Its origins tell where in the formulas a null arose.
//!
//! `Engine::plan` makes one; in the crate, `Planner` does, from `check::Typed`. Slots in
//! `Program::slots` are in the order of first use. An atom's conditions and value are programs
//! too (`rows::Rows`), whose slots are columns of a row. `Program::operations` returns the
//! operations in an order in which every value is computed before it is read; `Display` lists
//! the instructions.
//!
//! `evaluate::scalar` runs a plan over values. `Plan::sites` tells what fills each slot over rows:
//! the node that the slot came from, and the nodes around it that change the place, outermost first.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of value, node and operation do not matter to one question"
)]

mod graph;
mod hash;
pub(crate) mod integers;
mod listing;
mod lower;
mod lower_places;
mod lower_rows;
mod lower_values;
pub(crate) mod operators;
pub(crate) mod origins;
pub(crate) mod place;
pub(crate) mod program;
pub(crate) mod rows;
mod schedule;
mod serialized;
pub(crate) mod slot;

pub use hash::Hash;
pub(crate) use lower::Planner;
pub(crate) use lower_places::window_name;
pub use slot::{Slot, SlotKind};

use std::sync::Arc;

use crate::check::NodeId;
use crate::types::{Currency, Type};
use origins::Origins;
use program::Program;

/// The formula that a node belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A metric of the engine, by index.
    Metric(usize),
    /// A formula of the request, by index.
    Formula(usize),
}

/// A node of one formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeRef {
    pub(crate) owner: Owner,
    pub(crate) id: NodeId,
}

/// The origin of a slot: its node, and the nodes around it that change the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) node: NodeRef,
    /// Windows, filters, conversions and totals, outermost first.
    pub(crate) around: Vec<NodeRef>,
}

/// One or several formulas as a program.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Plan {
    pub(crate) program: Program,
    pub(crate) origins: Origins,
    /// The origin of each slot, in the order of the slots; empty in a deserialized plan.
    #[serde(skip)]
    pub(crate) sites: Vec<Site>,
    /// The formulas, in the order of the results.
    pub(crate) formulas: Vec<Planned>,
    /// The currency of every amount, if the plan was created for one.
    pub(crate) currency: Option<Currency>,
    /// Normalized names whose values the caller provides.
    pub(crate) given: Vec<String>,
    /// The index and key of each expanded metric, in which nulls may arise.
    pub(crate) metrics: Vec<(u32, Arc<str>)>,
}

/// A formula of a plan.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Planned {
    pub(crate) text: Arc<str>,
    pub(crate) ty: Type,
}

impl Plan {
    /// Returns the inputs of the plan.
    pub fn slots(&self) -> &[Slot] {
        &self.program.slots
    }

    /// Returns the slots that a caller fills by name, with their indices.
    pub fn inputs(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.program.slots.iter().enumerate().filter(|(_, slot)| slot.kind() == SlotKind::Input)
    }

    /// Returns the key of the metric in whose formula a null arose, by its
    /// [`Origin::metric`](crate::types::Origin).
    pub fn metric(&self, index: u32) -> Option<&str> {
        self.metrics.iter().find(|(known, _)| *known == index).map(|(_, key)| &**key)
    }

    /// Returns the types of the results, in the order of the formulas.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.formulas.iter().map(|formula| &formula.ty)
    }
}

/// Lists the slots, the instructions, and the result of each formula.
impl std::fmt::Display for Plan {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.program.fmt(formatter)?;
        for (formula, operand) in self.formulas.iter().zip(&self.program.results) {
            writeln!(formatter, "result: {} = {}", formula.ty, self.program.short(*operand))?;
        }
        Ok(())
    }
}
