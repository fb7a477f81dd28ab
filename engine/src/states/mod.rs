//! States that answer formulas without their rows.
//!
//! A formula's aggregates become *definitions*: tallies, sets of keys, extremes of some rows. The
//! rows of a day or an hour, with equal dimensions, fold into one *cell* of a definition. Cells
//! merge into those of longer periods and fewer dimensions, rows can be taken out of them again,
//! and a merged cell finishes as the answer that the rows would give, to the last digit. So a
//! dashboard costs what its cells cost, however many orders there are.
//!
//! ```
//! use quotient::data::Rates;
//! use quotient::states::{Dictionary, Granularity, Reading, StateOptions};
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
//! // What is kept, for which dimensions.
//! let options = StateOptions::new(Granularity::Day).by("country");
//! let definitions = engine.states(&[&mean], &options).expect("a dimension");
//! assert!(definitions.gaps().is_empty(), "no rows are needed");
//!
//! // Each order folds into its day's cells; a corrected one is taken out and folded again.
//! let mut dictionary = Dictionary::new();
//! let mut delta = |rows: &[[&str; 4]]| -> Result<_, Box<dyn std::error::Error>> {
//!     let mut orders = engine.table("orders", &["id", "placed_at", "total", "country"])?;
//!     for row in rows {
//!         orders.push(row)?;
//!     }
//!     let data = engine.data(vec![orders.finish()], Rates::new())?;
//!     Ok(engine.fold_states(&definitions, &data, &mut dictionary).expect("within limits"))
//! };
//! let mut cells = delta(&[["1", "2026-02-03 09:30:00", "40.00", "DE"]])?;
//! cells.merge(&delta(&[["2", "2026-02-17 18:05:00", "25.50", "FR"]])?);
//! cells.take_out(&delta(&[["1", "2026-02-03 09:30:00", "40.00", "DE"]])?);
//! cells.merge(&delta(&[["1", "2026-02-03 09:30:00", "30.00", "DE"]])?);
//!
//! let reading = Reading::new(&definitions, &cells);
//! let answers = engine.evaluate(&[&mean], Inputs::states(&reading), &Request::default());
//! assert_eq!(answers.expect("a value").first().expect("one").formatted, "$27.75");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This is data and arithmetic: who keeps cells, and in which database, is the program's affair.
//! [`StateDefinition::hash`] names what a cell is a state of, [`Grid::cells`] lists what changed,
//! [`cover`] says which cells and blocks a period needs. Where a period begins or ends within a cell,
//! [`CellStore::edge`] may give what it takes of that cell.
//!
//! Start at [`Definitions`] and [`Cells`]; the arithmetic is in the kinds ([`Tally`], [`Keys`] and
//! so on), the reading in [`Reading`].

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node do not matter to one question about a formula"
)]

mod answers;
mod cells;
mod conditions;
mod data_source;
mod definition;
mod derive;
mod dictionary;
mod drafts;
mod fold;
mod grid;
mod kinds;
mod level;
mod options;
mod part;
mod range;
mod reading;
mod shape;
mod slot;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod tree;

pub use cells::{CellStore, Cells};
pub use definition::{Dating, StateDefinition, StateKind};
pub use derive::{Definitions, Gap};
pub use dictionary::{Dictionary, KeyNumbers};
pub use grid::{Grid, Tuple};
pub use kinds::{Edge, Extreme, Keys, Repeats, Sketch, Spread, Tally, Undone};
pub use options::StateOptions;
pub use part::Part;
pub use reading::Reading;
pub(crate) use shape::Keying;
pub use slot::{Grain, Granularity, Piece, cover, cover_by};
pub use state::{Contribution, State};
