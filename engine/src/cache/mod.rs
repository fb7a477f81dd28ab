//! A cache of atom answers between evaluations: the answer of an atom for a closed period is computed
//! once and found by a key of everything it depends on.
//!
//! A key holds the meaning of the atom, the period, the zone and calendar, the currency, the filters
//! and groups around it, and the version of the rows it reads. A write neither overwrites entries nor
//! searches for stale ones: the key of a stale answer is never looked up again, and the entry is
//! evicted when room is needed. Start at [`Cache`]; `protocol` decides which thread computes and which
//! waits.

mod answer_cache;
mod locks;
mod protocol;
mod store;
#[cfg(test)]
mod tests;

pub use answer_cache::{Cache, CacheStatistics, Change};
