//! StoredRollups of the store: what its hours and days add up to, kept up with the rows, so that a dashboard costs the days it
//! shows and not the orders in them.
//!
//! A sheet keeps the states of one source by hours or days, each for a sales channel and region or for a product.
//! Whatever touches an order notes it (triggers `metric_touched_…`). Before the group of writes is committed, in the same
//! transaction, an order that changed is taken out of its cells as it was and put in as it has become ([`fold()`]), and a
//! new one is put on the list of those that wait, which readers count beside the cells ([`waiting`]). Where a set of keys
//! cannot tell what to take out, the slot is marked and counted anew from its rows ([`build`]); until then, as where no
//! sheet keeps what is asked for, the rows answer.
//!
//! Invariant: what a sheet answers is what the rows of the same snapshot answer, to the last digit.

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
