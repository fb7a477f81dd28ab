//! Pushdown to SQL: a database filters, counts and adds; the engine computes everything above.
//!
//! A statement is small and nearly the same in every dialect: one table with its links joined,
//! conditions that are never NULL, GROUP BY, and SUM, COUNT, MIN and MAX over integers. The bounds
//! of periods are computed by the engine and sent as values, so no database needs a calendar. The
//! database never divides, rounds or averages, so answers equal those over rows in memory to the
//! last digit. Rows are streamed into memory for what a database cannot compute this way. Start at
//! [`Database`].
//!
//! ```
//! use quotient::sql::{Database, Dialect, EachRow, Query, SqlValue, Store, StoreError};
//! use quotient::{Engine, Inputs, Request, file};
//!
//! /// Stands for a connection: runs a statement and gives its rows.
//! #[derive(Debug)]
//! struct Connection;
//!
//! impl Store for Connection {
//!     fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
//!         assert_eq!(query.text, "SELECT coalesce(sum(t.\"total\"), 0),\n    count(t.\"total\")\nFROM \"orders\" AS t");
//!         each(&[SqlValue::Integer(6550), SqlValue::Integer(2)])
//!     }
//! }
//!
//! let text = "
//! source orders entity
//!     field total money
//! ";
//! let loaded = file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
//! let (engine, _) = Engine::from_loaded(&loaded);
//! let formula = engine.compile("sum(orders.total)").expect("a formula that checks");
//!
//! let database = Database::new(&Connection, Dialect::Sqlite, engine.schema());
//! let answers = engine.evaluate(&[&formula], Inputs::store(&database), &Request::default());
//! assert_eq!(answers.expect("a value").first().expect("one").formatted, "$65.50");
//! ```

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node have no counterpart in SQL"
)]

mod binding;
mod compile;
mod condition;
mod counted;
mod database;
mod dialect;
mod measure;
mod nested;
mod place;
mod query;
mod ranges;
mod ranked;
mod read;
mod select;
mod source;
mod statement;
mod stream;
mod term;

pub use binding::{Binding, ColumnBinding, InstantUnit, Storage, TableBinding};
pub use counted::RowsPage;
pub(crate) use counted::{ReadRows, RowCells, rows};
pub use database::{Database, Execution};
pub use dialect::Dialect;
pub use query::{BoundValue, EachRow, Query, SqlValue, Store, StoreError};

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

/// The finding for an error of a database.
fn finding(message: &str) -> Diagnostic {
    Diagnostic::new(Code::E505, Span::default(), message)
        .help("the tables and columns are those that the binding names")
}
