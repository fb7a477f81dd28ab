//! The walk over checked formulas, node by node, each in a frame.
//!
//! [`Evaluator`] owns the state of an evaluation and has the one `match` over kinds of nodes. The
//! other files implement the kinds and call each other for nested nodes:
//!
//! * `operations`: operators, choices and functions, value by value.
//! * `windows`, `per`, `group_totals`: operands in other frames, and their results combined.
//! * `buckets`: values compared across the buckets of a frame.
//! * `aggregates`: an atom, answered by the cache, a data source, or a scan; `row_scan` sets up a
//!   scan, `group_discovery` finds the groups that occur in the rows.
//! * `record`: values from a context record.
//! * `currencies`: null for values computed from amounts in several currencies.
//!
//! `slots`, `observed_rows` and `computed_columns` are the entry points for plans, rollups and loaded
//! data.

mod aggregates;
mod buckets;
mod computed_columns;
mod currencies;
mod data_sources;
mod evaluator;
mod group_discovery;
mod group_totals;
mod null_origins;
mod observed_rows;
mod operations;
mod per;
mod record;
mod row_scan;
mod slots;
mod windows;

pub(crate) use computed_columns::{ComputedColumn, FillError, fill_computed};
pub(crate) use evaluator::{Evaluator, NodeInFrame, Sources};
pub(crate) use observed_rows::{ColumnValues, ObservedMeasure};
