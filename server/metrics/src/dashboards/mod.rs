//! Dashboards: what a store's people look at every morning, in four sections, together or alone.
//!
//! Each section is one read in one snapshot: [`summary()`], [`sales_channels`], [`unfulfilled_orders`] and
//! [`unfulfilled_products`] take the database, the store's metrics (for its currency and its zone) and a
//! [`RangeQuery`]. Figures are the standard formulas of `metrics/templates.metrics`, computed by the engine whatever
//! administrators made of theirs. [`dashboard()`] reads all four side by side, and one that fails leaves the others
//! as they are.

mod channels;
mod dashboard;
pub(crate) mod queries;
pub(crate) mod routes;
mod summary;
mod unfulfilled;

pub(crate) use channels::SalesChannelsSection;
pub(crate) use dashboard::{DashboardView, dashboard};
pub(crate) use routes::router;
pub(crate) use summary::SummarySection;
pub(crate) use unfulfilled::{UnfulfilledOrdersSection, UnfulfilledProductsSection};

use serde::Serialize;
use utoipa::ToSchema;

use crate::MetricError;
use crate::compute::Evaluator;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::database::{Db, Tx};

/// The cards: sales, orders and customers of the range against the period before, each with its days.
///
/// # Errors
/// [`MetricError::Range`] for a range that cannot be; a database error.
pub(crate) async fn summary(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
) -> Result<SummarySection, MetricError> {
    read(db, evaluator, query, summary::read).await
}

/// Orders and revenue of every sales channel, whatever channel the query names.
pub(crate) async fn sales_channels(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
) -> Result<SalesChannelsSection, MetricError> {
    read(db, evaluator, query, channels::read).await
}

/// Paid orders that wait to be sent, by how long they have waited. They wait now, whatever range the query names.
pub(crate) async fn unfulfilled_orders(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
) -> Result<UnfulfilledOrdersSection, MetricError> {
    read(db, evaluator, query, unfulfilled::orders).await
}

/// What paid orders wait for, by variant, with what is in stock of it. They wait now, whatever range the query names.
pub(crate) async fn unfulfilled_products(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
) -> Result<UnfulfilledProductsSection, MetricError> {
    read(db, evaluator, query, unfulfilled::products).await
}

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
pub(crate) enum SectionView {
    /// The cards.
    Summary(SummarySection),
    /// The channels.
    SalesChannels(SalesChannelsSection),
    /// The orders that wait.
    UnfulfilledOrders(UnfulfilledOrdersSection),
    /// What they wait for.
    UnfulfilledProducts(UnfulfilledProductsSection),
}

/// A section as a transaction sees it, beside other questions to the same snapshot.
pub(crate) fn section(
    tx: &Tx<'_>,
    evaluator: &Evaluator,
    section: Section,
    query: &RangeQuery,
) -> Result<SectionView, MetricError> {
    let range = ResolvedRange::resolve(tx, evaluator, query)?;
    match section {
        Section::Summary => summary::read(tx, &range).map(SectionView::Summary),
        Section::SalesChannels => channels::read(tx, &range).map(SectionView::SalesChannels),
        Section::UnfulfilledOrders => {
            unfulfilled::orders(tx, &range).map(SectionView::UnfulfilledOrders)
        }
        Section::UnfulfilledProducts => {
            unfulfilled::products(tx, &range).map(SectionView::UnfulfilledProducts)
        }
    }
}

/// One section in a snapshot of its own.
async fn read<T: Send + 'static>(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
    section: fn(&Tx<'_>, &ResolvedRange) -> Result<T, MetricError>,
) -> Result<T, MetricError> {
    let evaluator = evaluator.clone();
    db.read(move |tx| section(tx, &ResolvedRange::resolve(tx, &evaluator, &query)?)).await
}
