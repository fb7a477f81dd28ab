//! Rollups of the store: partial aggregates of its hours and days, kept up with the rows, so that a dashboard costs the
//! days it shows and not the orders in them.
//!
//! The [`plan`] says what is kept of a currency: each of its rollup tables has the partial aggregates of one source by
//! hours or days, for each sales channel and region or each product, in [`page`]s. Triggers (`metric_touched_…`) note
//! which orders a group of writes touches. Before the group is committed, in the same transaction, [`upkeep`] retracts
//! an order that changed from its buckets as it was and folds it in as it is ([`fold()`]); a new order becomes a
//! [`pending`] delta, which readers add from its rows until it is flushed. Where a set of keys cannot be retracted
//! from, the bucket is dirty and rebuilt from its rows ([`build`]). The [`reader`] answers formulas; what it declines
//! the rows answer.
//!
//! Invariant: what rollups answer is what the rows of the same snapshot answer, to the last digit.

mod build;
mod check;
mod coverage;
mod fold;
mod key_numbers;
mod page;
mod pages;
mod pending;
mod plan;
mod prefix_sums;
pub(crate) mod queries;
mod reader;
mod source_data;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod upkeep;

#[cfg(test)]
pub(crate) use build::build_all;
pub use build::keep_building;
pub use check::differences;
pub use fold::{fold, list};
pub use prefix_sums::{PrefixSumReader, PrefixSums};
pub(crate) use queries::store::StoreRows;
pub use reader::StoredRollups;
