//! Reports: tables of values over a range, by period, product, promotion or location.
//!
//! The engine computes sums and ratios; totals are recomputed over all rows and never added up from ratios. Tax reports
//! add up the tax lines of orders and agree with the orders to the minor unit.

pub(crate) mod cogs;
pub(crate) mod csv;
pub(crate) mod custom;
pub(crate) mod fulfillment;
pub(crate) mod products;
pub(crate) mod promotions;
pub(crate) mod queries;
mod returned;
pub(crate) mod routes;
mod sales;
pub mod snapshots;
pub(crate) mod stock;
pub(crate) mod tax_export;
pub(crate) mod taxes;

use crate::MetricError;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::compute::{Evaluator, QUESTION_TIMEOUT};
use crate::database::{Db, Tx};
pub(crate) use routes::router;

/// Computes a report in its own snapshot.
///
/// # Errors
/// [`MetricError::Range`] for an invalid range; errors of the report; a database error.
pub async fn read<T: Send + 'static>(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
    report: impl FnOnce(&Tx<'_>, &ResolvedRange) -> Result<T, MetricError> + Send + 'static,
) -> Result<T, MetricError> {
    let evaluator = evaluator.clone();
    let work = move |tx: &Tx<'_>| report(tx, &ResolvedRange::resolve(tx, &evaluator, &query)?);
    db.read_within(QUESTION_TIMEOUT, work).await
}
