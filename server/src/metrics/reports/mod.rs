//! Reports: tables of figures over a range, by period, product, promotion or place.
//!
//! Sums and ratios are the engine's; a total is computed again over all rows and never added up from ratios. Those
//! about tax are added up from the tax lines of orders, and agree with the orders to the minor unit.

pub(in crate::metrics) mod cogs;
pub(in crate::metrics) mod csv;
pub(in crate::metrics) mod custom;
pub(in crate::metrics) mod fulfillment;
mod grid;
pub(in crate::metrics) mod products;
pub(in crate::metrics) mod promotions;
pub(crate) mod snapshots;
mod sold;
pub(in crate::metrics) mod stock;
pub(in crate::metrics) mod tax_export;
pub(in crate::metrics) mod taxes;

use super::boards::BoardQuery;
use super::boards::range::Board;
use super::{Library, MetricError};
use crate::database::{Db, Tx};

/// Reads a report in a snapshot of its own.
///
/// # Errors
/// [`MetricError::Range`] for a range that cannot be; what the report refuses; a database error.
pub(in crate::metrics) async fn read<T: Send + 'static>(
    db: &Db,
    library: &Library,
    query: BoardQuery,
    report: impl FnOnce(&Tx<'_>, &Board) -> Result<T, MetricError> + Send + 'static,
) -> Result<T, MetricError> {
    let library = library.clone();
    db.read(move |tx| report(tx, &Board::resolve(tx, &library, &query)?)).await
}
