//! Values of metrics: over the store's rows, or over a context in the request.
//!
//! Both are the engine's evaluation of the same checked formulas. A [`request`] becomes a [`question`] with every default
//! filled in; [`store`] computes it over rollups and rows, with the answers in the [`cache`], and the sums of reports in
//! the [`sums_cache`]; [`records`] and [`view`] are the shapes of responses, which are cached as a whole in
//! [`whole_answers`]. [`cost`] rejects queries that would be too large. [`context`] takes values from a record instead.
//! [`standard_formulas`] are the formulas of dashboards and reports, over a [`range`].

mod cache;
pub(crate) mod context;
mod cost;
mod counted;
pub(crate) mod explanation;
mod queries;
pub(crate) mod question;
pub(crate) mod range;
pub(crate) mod records;
pub(crate) mod request;
pub(crate) mod routes;
pub(crate) mod standard_formulas;
pub(crate) mod stats;
pub(crate) mod store;
mod sums_cache;
#[cfg(test)]
mod tests;
pub(crate) mod usable;
pub(crate) mod view;
mod whole_answers;

pub use cache::Evaluator;
pub(crate) use cache::{Caches, SoldFigures};
pub(crate) use cost::{check_estimate, check_size};
pub(crate) use question::{Filters, Granularity, Question};
pub(crate) use sums_cache::{CachedSums, ReadFrom, Sums};
pub(crate) use view::{AnswerView, ValueView};
