//! Clicks on partner links.
//!
//! Invariants: a link leads only where its offer says; robots, prefetches and invalid codes leave no row; a shopper is
//! redirected within a second, even while the database is busy; a click that could not be written is counted as lost.

mod browser;
mod click;
mod memory;
pub(crate) mod queries;
mod routes;
mod visit;

pub use click::Click;
pub use memory::Clicks;
pub(crate) use routes::PartnerMessage;
pub(crate) use routes::router;

use crate::clock::DAY_MS;
use crate::database::{self, Tx};

/// Deletes clicks older than this number of days. Conversions stay.
pub fn prune(tx: &Tx<'_>, days: u32) -> Result<usize, database::Error> {
    queries::prune(tx, tx.now().minus_ms(i64::from(days).saturating_mul(DAY_MS)))
}
