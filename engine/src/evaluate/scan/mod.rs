//! The row scan: rows of one source in, one value for each bucket and group out.
//!
//! In this order:
//!
//! 1. [`DatedRows`] sorts the rows by a date and determines the positions of each bucket.
//! 2. [`SelectionCache`] narrows them by one condition after another to a [`Selection`].
//! 3. [`RowExpressions`] computes conditions, values and columns for all rows of a [`RowBatch`] at once,
//!    as a [`Vector`]; `currency` converts amounts; `row_groups` gives each row its group.
//! 4. [`AggregateScan`] adds up the values of the rows in each bucket, group by group.
//!
//! A scan computes nothing outside its rows. The parts of a row's expression that depend on other
//! rows or on the period are computed before and passed in as [`OuterValues`].

mod aggregate_scan;
mod batch;
mod columns;
mod currency;
mod dated_rows;
mod distinct;
mod group_codes;
mod integer_aggregates;
mod mode;
mod outer_values;
mod prefix_sums;
mod row_currencies;
mod row_expressions;
mod row_groups;
mod row_operators;
mod sample;
mod selection;
mod selection_cache;
mod totals;
mod vector;
mod vector_operations;

pub(crate) use aggregate_scan::{AggregateScan, no_coverage};
pub(crate) use batch::{GivenColumns, RowBatch};
pub(crate) use columns::column;
pub(crate) use currency::{AmountConversion, Amounts, amount_in_bucket, given_in_bucket};
pub(crate) use dated_rows::{DatedRows, PositionRange, RowOrders, merged_ranges};
pub(crate) use outer_values::{OuterNode, OuterValue, OuterValues, outer_nodes};
pub(crate) use row_currencies::{RowCurrencies, may_mix_currencies};
pub(crate) use row_expressions::RowExpressions;
pub(crate) use row_groups::{group_of_each, tuples};
pub(crate) use sample::{Sample, finish, list};
pub(crate) use selection::Selection;
pub(crate) use selection_cache::SelectionCache;
pub(crate) use vector::Vector;
pub(crate) use vector_operations::MAX_PRODUCT_SCALE;
