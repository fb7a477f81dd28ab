//! A metrics formula engine: formulas such as `net_sales / order_count` parsed, checked with their
//! units, computed exactly, and explained.
//!
//! ```text
//!   "(net_sales - refunds) / orders"
//!         │ syntax::parse           text to tree; every finding has a span and a suggested fix
//!         ▼
//!   syntax::Expr
//!         │ Engine::compile         names, levels, units, additivity, populations
//!         ▼
//!   Formula: money(USD), non-additive, reads orders and refunds
//!         │ Engine::evaluate        over a record of values, or over rows in memory
//!         ▼
//!   Answers: 41.50, "$41.50", exact, 2026-02-01 … 2026-02-28
//!         │ Engine::explain         the same, broken down part by part
//!         ▼
//!   Explanation
//! ```
//!
//! # A first example
//!
//! A formula file defines names, a table holds rows, and a formula is evaluated over them.
//!
//! ```
//! use quotient::data::Rates;
//! use quotient::{Engine, Inputs, Request, file};
//!
//! let text = "
//! source orders event
//!     date placed_at datetime
//!     field total money
//!     field country text
//!
//! metric revenue = sum(orders.total)
//! ";
//! let loaded = file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
//! let (engine, findings) = Engine::from_loaded(&loaded);
//! assert!(findings.is_empty());
//!
//! let mut orders = engine.table("orders", &["placed_at", "total", "country"])?;
//! orders.push(&["2026-02-03 09:30:00", "40.00", "DE"])?;
//! orders.push(&["2026-02-17 18:05:00", "25.50", "FR"])?;
//! let data = engine.data(vec![orders.finish()], Rates::new())?;
//!
//! let formula = engine.compile("revenue / count(orders)").expect("a formula that checks");
//! let answers = engine.evaluate(&[&formula], Inputs::data(&data), &Request::default());
//! assert_eq!(answers.expect("a value").first().expect("one").formatted, "$32.75");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Narrowing and grouping a request
//!
//! A [`Request`] has the period, the buckets, the groups and a [`Filter`] with parameters. A
//! [`Breakdown`](engine::Breakdown) also selects and sorts groups and adds totals, which are computed from the
//! rows.
//!
//! ```
//! # use quotient::data::Rates;
//! # use quotient::{Engine, file};
//! use quotient::engine::{BreakdownRequest, SortBy, SortKey};
//! use quotient::{Filter, Inputs, Request};
//!
//! # let text = "source orders event\n    date placed_at datetime\n    field total money\n    field country text\n";
//! # let (engine, _) = Engine::from_loaded(&file::load("shop.metrics", &mut |_| Ok(text.to_owned())));
//! # let mut orders = engine.table("orders", &["placed_at", "total", "country"])?;
//! # for (total, country) in [("40.00", "DE"), ("25.50", "FR"), ("9.00", "DE"), ("12.00", "IT")] {
//! #     orders.push(&["2026-02-03 09:30:00", total, country])?;
//! # }
//! # let data = engine.data(vec![orders.finish()], Rates::new())?;
//! // The country with the largest sum, the others as one row, and the total of all.
//! let query = BreakdownRequest {
//!     request: Request {
//!         group_by: vec!["orders.country".to_owned()],
//!         filter: Some(Filter::new("total > :least").with("least", "10 USD")),
//!         ..Request::default()
//!     },
//!     sort: vec![SortKey { by: SortBy::Formula(0), descending: true }],
//!     top: Some(1),
//!     others: true,
//!     totals: true,
//!     ..BreakdownRequest::default()
//! };
//! let sum = engine.compile("sum(orders.total)").expect("a formula that checks");
//! let breakdown = engine.breakdown(&[&sum], Inputs::data(&data), &query).expect("answers");
//! let shown = breakdown.answers.of(0).iter().map(|answer| answer.formatted.as_str());
//! assert_eq!(shown.collect::<Vec<_>>(), ["$40.00", "$37.50", "$77.50"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Findings as data
//!
//! A finding has a code, its place in bytes, a sentence, a help line and, where possible, the edits that
//! fix it.
//!
//! ```
//! use quotient::Engine;
//! use quotient::schema::Schema;
//!
//! let validation = Engine::new(Schema::default()).validate("10 % 3");
//! let finding = validation.diagnostics.first().expect("an error");
//! assert_eq!((finding.code.as_str(), finding.span.range()), ("E104", 3..4));
//! let fix = finding.suggestion.as_ref().expect("a fix");
//! assert_eq!(fix.apply("10 % 3"), "mod(10, 3)");
//! ```
//!
//! # What else there is
//!
//! | For | see |
//! |---|---|
//! | one formula over many values | [`Engine::plan`] with a [`Runner`], or [`Engine::columns`] |
//! | formulas that are texts, compiled once | [`Engine::compiled`] |
//! | a formula under a name of its own | [`Engine::define`] |
//! | functions of a program's own, beside those of the language | [`Engine::from_loaded_and`] |
//! | how an answer came about | [`Engine::explain`], [`Engine::decompose`], [`explain::diff()`] |
//! | rows in a database, and the SQL that runs there | [`sql::Database`], [`sql::Database::take_ran`] |
//! | answers from partial aggregates, or kept | [`rollup`], [`cache`] |
//! | metrics that change over time, and what depends on them | [`registry`], [`graph`] |
//!
//! # Guarantees
//!
//! Numbers are decimals of 28 digits and never floats. A missing value carries the reason why it is
//! missing. No input makes the engine panic, recurse without bound or run without limit
//! ([`syntax::Limits`]). The engine opens no file, reads no clock and keeps no global state; time,
//! rows and texts come in through its arguments.
//!
//! # Reading order
//!
//! [`source`] and [`diagnostics`] (spans and findings), [`types`] and [`number`] (values),
//! [`calendar`] (periods and windows), [`schema`] (what names mean), [`syntax`] (text and tree),
//! [`functions`] (every function as a row of data), [`check`] (everything known before evaluation),
//! [`data`] (rows in memory), [`file`](mod@file) (formula files), [`format`](mod@format) (values as
//! text), [`plan`] and [`columns`] (formulas as programs), [`sql`], [`rollup`] and [`cache`] (other
//! sources of answers), [`graph`] (dependencies), [`engine`] (the façade), [`explain`] (where a
//! number comes from), [`suggest`] (help with writing formulas), [`registry`] (metrics over time).
//!
//! # Features
//!
//! `json` (on by default) reads context records from JSON and runs the examples of formula files;
//! `render` (on by default) formats findings for a terminal.

pub mod cache;
pub mod calendar;
pub mod check;
pub mod data;
pub mod diagnostics;
pub mod engine;
mod evaluate;
pub mod explain;
pub mod file;
pub mod format;
pub mod functions;
pub mod graph;
pub mod number;
pub mod plan;
pub mod registry;
pub mod rollup;
pub mod schema;
pub mod source;
pub mod sql;
pub mod suggest;
pub mod syntax;
pub mod types;

pub use engine::{
    Answer, Answers, Comparison, Engine, Filter, Formula, Inputs, KeyedPart, Metric, Request,
    SlotValues, Validation,
};
pub use evaluate::{Runner, columns};
pub use plan::Plan;
