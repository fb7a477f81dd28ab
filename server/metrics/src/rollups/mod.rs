//! Rollups of the store: partial aggregates by hour and day, updated with the rows, so that the cost of a dashboard
//! depends on the number of days, not of orders.
//!
//! The [`plan`] defines the rollups of a currency: each of its rollup tables has the partial aggregates of one source
//! by hour or day, for each sales channel and region or each product, in [`page`]s. Triggers (`metric_touched_…`)
//! record the orders that a group of writes touches. Before the group is committed, in the same transaction, [`maintenance`]
//! subtracts the old state of a changed order from its buckets and folds in the new one ([`fold()`]); a new order
//! becomes a [`pending`] delta, which readers add from its rows until it is flushed. If a set of keys cannot be
//! subtracted from, the bucket becomes dirty and is rebuilt from its rows ([`build`]). The [`reader`] answers formulas;
//! what it declines is answered from rows.
//!
//! Invariant: rollups give the same answer as the rows of the same snapshot, to the last digit.

mod apply;
mod build;
mod check;
mod error;
mod fold;
mod key_numbers;
pub(crate) mod maintenance;
mod page;
mod pages;
mod pending;
mod plan;
mod prefix_sums;
pub(crate) mod queries;
mod reader;
mod table;
#[cfg(test)]
mod tests;
mod versioned_cache;

#[cfg(test)]
pub(crate) use build::build_all;
pub use build::build_continuously;
pub use check::{are_comparable, differences};
pub use fold::fold;
pub use prefix_sums::{PrefixSumReader, PrefixSums};
pub(crate) use queries::store::StoreRows;
pub use queries::tables::{RollupBacklog, backlog};
pub use reader::StoredRollups;
pub(crate) use versioned_cache::VersionedCache;
