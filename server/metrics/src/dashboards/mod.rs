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
use crate::compute::range::ResolvedRange;
use crate::database::Tx;
use crate::http::ToSchema;

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
type ReadSection = fn(&Tx<'_>, &ResolvedRange, &Cards) -> Result<SectionView, MetricError>;

/// Returns how the section with a name is read, if there is one.
pub(crate) fn section(name: &str) -> Option<ReadSection> {
    let read: ReadSection = match name {
        "summary" => |tx, range, cards| summary::read(tx, range, cards).map(SectionView::Summary),
        "sales_channels" => {
            |tx, range, _cards| channels::read(tx, range).map(SectionView::SalesChannels)
        }
        "unfulfilled_orders" => {
            |tx, range, _cards| unfulfilled::orders(tx, range).map(SectionView::UnfulfilledOrders)
        }
        "unfulfilled_products" => |tx, range, _cards| {
            unfulfilled::products(tx, range).map(SectionView::UnfulfilledProducts)
        },
        _other => return None,
    };
    Some(read)
}
