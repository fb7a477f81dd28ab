//! Dashboards: four sections, read together or separately.
//!
//! Each section is one read in one snapshot, of a [`ResolvedRange`]. Values are the standard formulas of
//! `metrics/templates.metrics`, regardless of administrators' changes to their metrics. [`dashboard()`] reads
//! all four concurrently; one that fails does not affect the others.

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

use crate::MetricError;
use crate::compute::Evaluator;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::database::Tx;
use crate::http::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Summary,
    SalesChannels,
    UnfulfilledOrders,
    UnfulfilledProducts,
}

/// A section of the dashboard.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum SectionView {
    Summary(SummarySection),
    SalesChannels(SalesChannelsSection),
    UnfulfilledOrders(UnfulfilledOrdersSection),
    UnfulfilledProducts(UnfulfilledProductsSection),
}

/// Reads a section in a transaction, in the same snapshot as other reads.
pub(crate) fn section(
    tx: &Tx<'_>,
    evaluator: &Evaluator,
    section: Section,
    (query, cards): &(RangeQuery, Cards),
) -> Result<SectionView, MetricError> {
    let range = ResolvedRange::of_dashboard(tx, evaluator, query)?;
    match section {
        Section::Summary => summary::read(tx, &range, cards).map(SectionView::Summary),
        Section::SalesChannels => channels::read(tx, &range).map(SectionView::SalesChannels),
        Section::UnfulfilledOrders => {
            unfulfilled::orders(tx, &range).map(SectionView::UnfulfilledOrders)
        }
        Section::UnfulfilledProducts => {
            unfulfilled::products(tx, &range).map(SectionView::UnfulfilledProducts)
        }
    }
}
