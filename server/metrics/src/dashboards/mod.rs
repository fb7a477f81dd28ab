//! Dashboards: four sections, read together or separately.
//!
//! Each section is one read in one snapshot: [`summary()`], [`sales_channels`], [`unfulfilled_orders`] and
//! [`unfulfilled_products`] take the database, the store's metrics (for its currency and time zone) and a
//! [`RangeQuery`]. Values are the standard formulas of `metrics/templates.metrics`, whatever administrators changed in
//! their metrics. [`dashboard()`] reads all four concurrently; one that fails does not affect the others.

mod channels;
mod dashboard;
pub(crate) mod queries;
pub(crate) mod routes;
mod summary;
mod unfulfilled;

pub(crate) use channels::SalesChannelsSection;
pub(crate) use dashboard::{DashboardView, dashboard};
pub(crate) use routes::router;
pub(crate) use summary::{Cards, SummarySection};
pub(crate) use unfulfilled::{UnfulfilledOrdersSection, UnfulfilledProductsSection};

use serde::Serialize;
use utoipa::ToSchema;

use crate::MetricError;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::compute::{Evaluator, QUESTION_TIMEOUT};
use crate::database::{Db, Tx};

/// Reads cards: sales, orders and customers of the range with the previous period, each with its days.
///
/// # Errors
/// [`MetricError::Range`] for an invalid range; a database error.
pub(crate) async fn summary(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
    cards: Cards,
) -> Result<SummarySection, MetricError> {
    read(db, evaluator, query, move |tx, range| summary::read_cards(tx, range, &cards)).await
}

/// Reads the orders and revenue of every sales channel; the query's filter by channel is ignored.
pub(crate) async fn sales_channels(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
) -> Result<SalesChannelsSection, MetricError> {
    read(db, evaluator, query, channels::read).await
}

/// Reads the paid orders that are unfulfilled now, by age; the days of the query are ignored.
pub(crate) async fn unfulfilled_orders(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
) -> Result<UnfulfilledOrdersSection, MetricError> {
    read(db, evaluator, query, unfulfilled::orders).await
}

/// Reads the unfulfilled variants of paid orders, with their stock; the days of the query are ignored.
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

/// A section of the dashboard.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum SectionView {
    /// The cards.
    Summary(SummarySection),
    /// The sales channels.
    SalesChannels(SalesChannelsSection),
    /// The unfulfilled orders.
    UnfulfilledOrders(UnfulfilledOrdersSection),
    /// The unfulfilled products.
    UnfulfilledProducts(UnfulfilledProductsSection),
}

/// Reads a section in a transaction, in the same snapshot as other reads.
pub(crate) fn section(
    tx: &Tx<'_>,
    evaluator: &Evaluator,
    section: Section,
    query: &RangeQuery,
) -> Result<SectionView, MetricError> {
    let range = ResolvedRange::of_dashboard(tx, evaluator, query)?;
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

/// Reads a section in its own snapshot.
async fn read<T: Send + 'static>(
    db: &Db,
    evaluator: &Evaluator,
    query: RangeQuery,
    section: impl FnOnce(&Tx<'_>, &ResolvedRange) -> Result<T, MetricError> + Send + 'static,
) -> Result<T, MetricError> {
    let evaluator = evaluator.clone();
    let work =
        move |tx: &Tx<'_>| section(tx, &ResolvedRange::of_dashboard(tx, &evaluator, &query)?);
    db.read_within(QUESTION_TIMEOUT, work).await
}
