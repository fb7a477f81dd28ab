//! Formulas as programs: what they take from outside, and what is computed from it.
//!
//! A [`Plan`] is made of one or several checked formulas, with the metrics they use written out.
//!
//! * Its [`Slot`]s are what comes from outside: inputs by name, *atoms* (aggregates over one
//!   source) at their *place* (the chain of windows, filters, conversions and totals around
//!   them), what stays compound (`per`, ranks), and what the request knows (periods, the present).
//! * Its program is a straight run of instructions over slots and constants. Equal parts are one
//!   register, in whichever formula they stand; what only one branch of a choice needs is skipped
//!   by instructions that a runner over whole columns may ignore.
//! * Its scales say how many digits after the point a value has, where types and written numbers
//!   tell (`integers`); what is computed from such values alone is an operation on integers.
//! * Its origins say where in the formulas a null began.
//!
//! `Engine::plan` makes one; in the crate, `Planner` does, from `check::Typed`. Slots in
//! `Program::slots` are in the order of first use. An atom's conditions and value are programs
//! too (`rows::Rows`), whose slots are columns of a row. `Program::operations` gives the
//! instructions in an order in which everything is computed before it is read; `Display` lists
//! them.
//!
//! To run one: `evaluate::scalar` over values. To find what fills a slot over rows:
//! `Plan::sites`, where each has the node that the slot came from and the nodes around it
//! that change the place, outermost first.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of value, node and operation do not matter to one question"
)]

mod fold;
mod graph;
mod hash;
pub(crate) mod integers;
mod listing;
mod literals;
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
pub(crate) mod slot;
mod stored;

pub use hash::Hash;
pub(crate) use lower::Planner;
pub(crate) use lower_places::window_name;
pub use slot::{Slot, SlotKind};

use std::sync::Arc;

use crate::check::NodeId;
use crate::types::{Currency, Type};
use origins::Origins;
use program::Program;

/// Which formula a node belongs to: a metric, or one of those asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A metric of the engine, by index.
    Metric(usize),
    /// A formula of the request, by index.
    Asked(usize),
}

/// A node of one formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeRef {
    pub(crate) owner: Owner,
    pub(crate) id: NodeId,
}

/// Where a slot came from: its node, and the nodes around it that change the place.
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
    /// Where each slot came from, in the order of the slots; empty in a plan that was read back.
    #[serde(skip)]
    pub(crate) sites: Vec<Site>,
    /// The formulas, in the order of the results.
    pub(crate) formulas: Vec<Planned>,
    /// The currency of every amount, if the plan was made for one.
    pub(crate) currency: Option<Currency>,
    /// Plain names that the plan was told are given.
    pub(crate) given: Vec<String>,
    /// The names of the metrics written out, which nulls may begin in.
    pub(crate) metrics: Vec<(u32, Arc<str>)>,
}

/// A formula of a plan.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Planned {
    pub(crate) text: Arc<str>,
    pub(crate) ty: Type,
}

impl Plan {
    /// What it takes from outside.
    pub fn slots(&self) -> &[Slot] {
        &self.program.slots
    }

    /// The slots that a caller fills by name, with their indices.
    pub fn inputs(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.program.slots.iter().enumerate().filter(|(_, slot)| slot.kind() == SlotKind::Input)
    }

    /// The key of a metric in whose formula a null began, by [`Origin::metric`](crate::types::Origin).
    pub fn metric(&self, index: u32) -> Option<&str> {
        self.metrics.iter().find(|(known, _)| *known == index).map(|(_, key)| &**key)
    }

    /// The types of the results, in the order of the formulas.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.formulas.iter().map(|formula| &formula.ty)
    }
}

/// The slots, the instructions, and what each formula is.
impl std::fmt::Display for Plan {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.program.fmt(formatter)?;
        for (formula, operand) in self.formulas.iter().zip(&self.program.results) {
            writeln!(formatter, "result: {} = {}", formula.ty, self.program.short(*operand))?;
        }
        Ok(())
    }
}
