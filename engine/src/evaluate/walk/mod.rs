//! The walk over checked formulas, node by node, each in a frame.
//!
//! [`Evaluator`] owns the state of an evaluation and has the one `match` over kinds of nodes; the
//! other files hold what a kind needs. They call each other as nodes stand in each other:
//!
//! * `operations`: operators, choices and functions, value by value.
//! * `windows`, `per`, `group_totals`: operands in other frames, and what is made of them.
//! * `aggregates`: an atom, answered by the cache, a data source, or a scan; `row_scan` puts a scan
//!   together, `group_discovery` finds the groups that rows have.
//! * `record`: names that a context record gives.
//!
//! `slots`, `observed_rows` and `computed_columns` are entrances for plans, rollups and loaded data.

mod aggregates;
mod computed_columns;
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
