//! Checked formulas to values, from a context record, from rows, or from both.
//!
//! A [`Frame`](frame) says where an expression is computed: in which periods, for which groups, under
//! which filters. Windows, `per`, and aggregates inside rows compute their operand in another frame.
//! What needs rows is an atom: one scan over a source, shared by every formula that asks for it.
//! Start at [`Evaluator::cells`](evaluator).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of value and node do not matter to one operation"
)]

mod accumulate;
mod among;
mod atoms;
mod cached;
pub mod columns;
mod compact;
mod computed;
mod currency;
mod distinct;
mod evaluator;
mod fast;
mod footprint;
mod frame;
mod groups;
mod inputs;
mod mixed;
mod narrow;
mod observed;
mod operations;
mod overlaps;
mod per;
mod placed;
mod row_forms;
mod rows;
mod sample;
mod scalar;
mod selection;
mod slots;
mod supply;
mod supplying;
#[cfg(test)]
mod tests;
mod vector;
mod wanted;
mod windows;

pub(crate) use cached::{Cached, CellKey, Keeper, Row, Seen};
pub(crate) use computed::{ComputedColumn, FillError, fill_computed};
pub(crate) use currency::amount as amount_text;
pub(crate) use evaluator::{Context, Evaluator};
pub(crate) use frame::{End, Frame, GroupKey, Groups, Owner, Part};
pub(crate) use observed::{Gathered, Measured};
pub(crate) use operators::arithmetic;
pub(crate) use sample::interpolate;
pub use scalar::Runner;
pub(crate) use supply::{Asking, Extent, Supplied, Supply};

use crate::plan::operators;
