//! Metrics computed: over a context that gives values, or over the store's rows.
//!
//! Both are the engine's evaluation of the same checked formulas; here are the questions that people ask, the rows that
//! answer them, and the shapes of answers. [`context`] takes values from a record, [`store`] asks the database.

pub(crate) mod asked;
mod cache;
pub(crate) mod context;
pub(crate) mod data;
pub(crate) mod explained;
pub(crate) mod question;
pub(crate) mod records;
pub(crate) mod shown;
pub(crate) mod store;
#[cfg(test)]
mod tests;

pub(crate) use cache::Caches;

pub(crate) use question::{Filters, Granularity, Question};
pub(crate) use shown::{AnswerView, ValueView};
