//! Answers of atoms kept between evaluations: what an atom gave for one closed period is computed
//! once and found again by everything it depends on.
//!
//! A key holds the meaning of the atom, the period, the zone and calendar, the currency, the filters
//! and groups around it, and the version of the rows it reads. Nothing is ever overwritten or
//! searched for: an answer that is out of date has a key that is not asked for again, and is evicted
//! when room is needed. Start at [`Cache`]; `protocol` decides which thread computes and which waits.

mod answer_cache;
mod locks;
mod protocol;
mod store;
#[cfg(test)]
mod tests;

pub use answer_cache::{Cache, CacheStatistics, Change};
