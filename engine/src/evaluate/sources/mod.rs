//! Answers to atoms without a scan: a cache of earlier answers, and data sources such as rollups and SQL
//! databases.
//!
//! A [`DataSource`] gets an [`AggregateRequest`] and may ask the [`Evaluation`] behind it for frames,
//! constants and the other [aggregates](Pushdown) of the formula, so that one statement
//! can answer several. An [`AnswerCache`] is asked by [`CellKey`]s, which hold everything an answer
//! depends on: `dependencies` lists the rows among that.

mod cache_keys;
mod data_source;
mod dependencies;
mod request;
mod required_aggregates;

pub(crate) use cache_keys::{
    AnswerCache, BucketAnswers, CacheAccess, CacheKeys, CacheQuestion, CellKey, RowVersion,
};
pub(crate) use data_source::{DataSource, Extent, SourceAnswer};
pub(crate) use request::{AggregateRequest, Evaluation};
pub(crate) use required_aggregates::Pushdown;
