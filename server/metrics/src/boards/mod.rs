//! Dashboards: what a store's people look at every morning, in four sections that are asked for together or alone.
//!
//! Each section is one read in one snapshot: [`summary()`], [`sales_channels`], [`unfulfilled_orders`] and
//! [`unfulfilled_products`] take the database, the store's metrics (for its currency and its zone) and a [`BoardQuery`].
//! Figures are the standard formulas of `metrics/templates.metrics`, computed by the engine whatever administrators
//! made of theirs. [`combined()`] asks for all four side by side, and one that fails leaves the others as they are.

mod channels;
mod combined;
pub(crate) mod figures;
pub(crate) mod range;
mod summary;
mod unfulfilled;

pub(crate) use channels::SalesChannelsBoard;
pub(crate) use combined::{CombinedBoard, combined};
pub(crate) use range::{BoardQuery, RangeView};
pub(crate) use summary::SummaryBoard;
pub(crate) use unfulfilled::{UnfulfilledOrdersBoard, UnfulfilledProductsBoard};

use serde::Serialize;
use utoipa::ToSchema;

use range::Board;

use super::{Library, MetricError};
use crate::database::{Db, Tx};

/// The cards: sales, orders and customers of the range against the period before, each with its days.
///
/// # Errors
/// [`MetricError::Range`] for a range that cannot be; a database error.
pub(crate) async fn summary(
    db: &Db,
    library: &Library,
    query: BoardQuery,
) -> Result<SummaryBoard, MetricError> {
    read(db, library, query, summary::read).await
}

/// Orders and revenue of every sales channel, whatever channel the query names.
///
/// # Errors
/// As [`summary()`].
pub(crate) async fn sales_channels(
    db: &Db,
    library: &Library,
    query: BoardQuery,
) -> Result<SalesChannelsBoard, MetricError> {
    read(db, library, query, channels::read).await
}

/// Paid orders that wait to be sent, by how long they have waited. They wait now, whatever range the query names.
///
/// # Errors
/// As [`summary()`].
pub(crate) async fn unfulfilled_orders(
    db: &Db,
    library: &Library,
    query: BoardQuery,
) -> Result<UnfulfilledOrdersBoard, MetricError> {
    read(db, library, query, unfulfilled::orders).await
}

/// What paid orders wait for, by variant, with what is in stock of it. They wait now, whatever range the query names.
///
/// # Errors
/// As [`summary()`].
pub(crate) async fn unfulfilled_products(
    db: &Db,
    library: &Library,
    query: BoardQuery,
) -> Result<UnfulfilledProductsBoard, MetricError> {
    read(db, library, query, unfulfilled::products).await
}

/// Which section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// [`summary()`].
    Summary,
    /// [`sales_channels`].
    SalesChannels,
    /// [`unfulfilled_orders`].
    UnfulfilledOrders,
    /// [`unfulfilled_products`].
    UnfulfilledProducts,
}

/// A section that was read.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum SectionBoard {
    /// The cards.
    Summary(SummaryBoard),
    /// The channels.
    SalesChannels(SalesChannelsBoard),
    /// The orders that wait.
    UnfulfilledOrders(UnfulfilledOrdersBoard),
    /// What they wait for.
    UnfulfilledProducts(UnfulfilledProductsBoard),
}

/// A section as a transaction sees it, beside other questions to the same snapshot.
///
/// # Errors
/// As [`summary()`].
pub(crate) fn section(
    tx: &Tx<'_>,
    library: &Library,
    section: Section,
    query: &BoardQuery,
) -> Result<SectionBoard, MetricError> {
    let board = Board::resolve(tx, library, query)?;
    match section {
        Section::Summary => summary::read(tx, &board).map(SectionBoard::Summary),
        Section::SalesChannels => channels::read(tx, &board).map(SectionBoard::SalesChannels),
        Section::UnfulfilledOrders => {
            unfulfilled::orders(tx, &board).map(SectionBoard::UnfulfilledOrders)
        }
        Section::UnfulfilledProducts => {
            unfulfilled::products(tx, &board).map(SectionBoard::UnfulfilledProducts)
        }
    }
}

/// One section in a snapshot of its own.
async fn read<T: Send + 'static>(
    db: &Db,
    library: &Library,
    query: BoardQuery,
    section: fn(&Tx<'_>, &Board) -> Result<T, MetricError>,
) -> Result<T, MetricError> {
    let library = library.clone();
    db.read(move |tx| section(tx, &Board::resolve(tx, &library, &query)?)).await
}
