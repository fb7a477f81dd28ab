//! Rollups: aggregates stored by time bucket and dimensions, which answer formulas without their rows.
//!
//! The aggregates of a formula become *rollup definitions*: sums and counts, distinct sets, extremes of
//! some rows. The rows of one bucket (a day or an hour) with equal dimension values fold into one
//! *partial aggregate*. Partial aggregates merge into those of longer periods and fewer dimensions, those of
//! some rows can be subtracted, and a merged partial finishes as the answer that the rows would give, to the last
//! digit. So the cost of a dashboard depends on its buckets, however many orders there are.
//!
//! ```
//! use quotient::data::Rates;
//! use quotient::rollup::{Dictionary, Granularity, RollupOptions, RollupReader};
//! use quotient::{Engine, Inputs, Request, file};
//!
//! let text = "
//! source orders event
//!     key id text
//!     date placed_at datetime
//!     field total money
//!     field country text
//! dimension country
//!     orders country
//! metric revenue = sum(orders.total)
//! ";
//! let loaded = file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
//! let (engine, _) = Engine::from_loaded(&loaded);
//! let mean = engine.compile("revenue / count(orders)").expect("a formula that checks");
//!
//! // The rollups that the formula needs, by day and country.
//! let options = RollupOptions::new(Granularity::Day).by("country");
//! let schema = engine.rollup_schema(&[&mean], &options).expect("a dimension");
//! assert!(schema.gaps().is_empty(), "no rows are needed");
//!
//! // Each order folds into its day's bucket; a corrected one is subtracted and folded again.
//! let mut dictionary = Dictionary::new();
//! let mut delta = |rows: &[[&str; 4]]| -> Result<_, Box<dyn std::error::Error>> {
//!     let mut orders = engine.table("orders", &["id", "placed_at", "total", "country"])?;
//!     for row in rows {
//!         orders.push(row)?;
//!     }
//!     let data = engine.data(vec![orders.finish()], Rates::new())?;
//!     Ok(engine.fold_rollups(&schema, &data, &mut dictionary).expect("within limits"))
//! };
//! let mut rollups = delta(&[["1", "2026-02-03 09:30:00", "40.00", "DE"]])?;
//! rollups.merge(&delta(&[["2", "2026-02-17 18:05:00", "25.50", "FR"]])?);
//! rollups.subtract(&delta(&[["1", "2026-02-03 09:30:00", "40.00", "DE"]])?);
//! rollups.merge(&delta(&[["1", "2026-02-03 09:30:00", "30.00", "DE"]])?);
//!
//! let reader = RollupReader::new(&schema, &rollups);
//! let answers = engine.evaluate(&[&mean], Inputs::rollups(&reader), &Request::default());
//! assert_eq!(answers.expect("a value").first().expect("one").formatted, "$27.75");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This is data and arithmetic: the program decides where rollups are stored. A rollup is stored under
//! [`RollupDefinition::hash`], [`Rollup::partials`] lists its contents, and [`cover`] says which buckets
//! and blocks of buckets a period needs. Where a period begins or ends within a bucket,
//! [`RollupStore::boundary`] may give the part of the bucket that lies in the period.
//!
//! Start at [`RollupSchema`] and [`Rollups`]; the arithmetic is in `aggregates` ([`SumCount`],
//! [`DistinctSet`] and so on), the answering in [`RollupReader`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node do not matter to one question about a formula"
)]

mod aggregates;
mod answers;
mod bucket;
mod conditions;
mod count_condition;
mod data_source;
mod definition;
mod dictionary;
mod fold;
mod groups;
mod partial;
mod partial_map;
mod period;
mod plan;
mod reader;
mod scalar;
mod schema;
mod store;
mod strategy;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use aggregates::{
    DistinctSet, Extreme, FirstOrLast, Frequencies, Moments, QuantileSketch, RepeatSet, Retraction,
    SumCount,
};
pub use bucket::{BlockRange, Grain, Granularity, cover, cover_by};
pub use definition::{AggregateKind, EventTime, RollupDefinition};
pub use dictionary::{Dictionary, KeyNumbers};
pub use partial::{AggregateInput, PartialAggregate};
pub use reader::RollupReader;
pub use scalar::ScalarValue;
pub use schema::{Gap, RollupOptions, RollupSchema};
pub use store::{RollupStore, Rollups};
pub(crate) use strategy::RollupLayout;
pub use table::{DimensionKey, Rollup};
