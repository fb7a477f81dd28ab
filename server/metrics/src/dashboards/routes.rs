//! `/admin/metrics/dashboard` and its sections.

use quotient_foundation::routes;
use serde::Deserialize;
use serde::de::IgnoredAny;
use utoipa_axum::router::OpenApiRouter;

use super::summary;
use super::{
    Cards, DashboardView, SalesChannelsSection, SummarySection, UnfulfilledOrdersSection,
    UnfulfilledProductsSection, channels, dashboard, unfulfilled,
};
use crate::MetricError;
use crate::compute::question::Compare;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::compute::routes::range_query::ranged;
use crate::compute::routes::range_reader::RangeReader;
use crate::database::Tx;
use crate::http::{HttpError, Json, Query};
use crate::registry::QUESTION_TIMEOUT;
use crate::routes::failures::{self, DashboardFailure};
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    let whole = OpenApiRouter::new()
        .routes(routes!(show_dashboard))
        .layer(axum::middleware::from_fn(failures::of_dashboard));
    whole
        .routes(routes!(show_dashboard_summary))
        .routes(routes!(show_dashboard_sales_channels))
        .routes(routes!(show_dashboard_unfulfilled_orders))
        .routes(routes!(show_dashboard_unfulfilled_products))
}

ranged! {
    paged
    /// The range and filters of a dashboard. A range has 366 days at most.
    DashboardQuery {
        /// What the figures are compared with; defaults to the preceding period of the same length.
        #[param(nullable = false)]
        compare: Option<Compare>,
        /// Accepted and ignored; `sales_channel_id` filters by channel.
        #[expect(dead_code, reason = "accepted and ignored")]
        #[param(nullable = false, value_type = Option<String>)]
        sales_channel: Option<IgnoredAny>,
        /// The keys of the cards of the summary, separated by commas; defaults to all. The other sections have none.
        #[param(nullable = false, example = "net_sales,orders")]
        cards: Option<String>,
    }
}

impl DashboardQuery {
    pub(crate) fn parts(&self) -> Result<(RangeQuery, Cards), MetricError> {
        let mut range = self.page()?;
        range.question.compare = self.compare.unwrap_or(Compare::PreviousPeriod);
        let cards = self.cards.as_deref().map(Cards::named).transpose()?.unwrap_or_default();
        Ok((range, cards))
    }
}

/// Reads a section in its own snapshot.
async fn read<T: Send + 'static>(
    RangeReader { db, evaluator }: RangeReader,
    query: &DashboardQuery,
    section: impl FnOnce(&Tx<'_>, &ResolvedRange, &Cards) -> Result<T, MetricError> + Send + 'static,
) -> Result<Json<T>, HttpError> {
    let (range, cards) = query.parts()?;
    let work = move |tx: &Tx<'_>| {
        section(tx, &ResolvedRange::of_dashboard(tx, &evaluator, &range)?, &cards)
    };
    Ok(Json(db.read_within(QUESTION_TIMEOUT, work).await?))
}

/// Show the dashboard
///
/// The sections are read concurrently; one that fails is null and has an entry in `section_errors`.
#[crate::http::operation(get, path = "/admin/metrics/dashboard", tag = "Admin dashboards", params(DashboardQuery),
    responses((status = 200, description = "The dashboard", body = DashboardView),
        (status = 500, description = "The whole dashboard failed", body = DashboardFailure)))]
pub(crate) async fn show_dashboard(
    reader: RangeReader,
    Query(query): Query<DashboardQuery>,
) -> Result<Json<DashboardView>, HttpError> {
    Ok(Json(dashboard(&reader.db, &reader.evaluator, query.parts()?).await?))
}

/// Show the cards of the dashboard
///
/// Each with its days and the previous period.
#[crate::http::operation(get, path = "/admin/metrics/dashboard/summary", tag = "Admin dashboards", params(DashboardQuery),
    responses((status = 200, description = "The cards", body = SummarySection)))]
pub(crate) async fn show_dashboard_summary(
    reader: RangeReader,
    Query(query): Query<DashboardQuery>,
) -> Result<Json<SummarySection>, HttpError> {
    read(reader, &query, summary::read).await
}

/// Show the sales channels of the dashboard
///
/// Includes channels without orders.
#[crate::http::operation(get, path = "/admin/metrics/dashboard/sales-channels", tag = "Admin dashboards",
    params(DashboardQuery),
    responses((status = 200, description = "The channels", body = SalesChannelsSection)))]
pub(crate) async fn show_dashboard_sales_channels(
    reader: RangeReader,
    Query(query): Query<DashboardQuery>,
) -> Result<Json<SalesChannelsSection>, HttpError> {
    read(reader, &query, |tx, range, _cards| channels::read(tx, range)).await
}

/// List unfulfilled orders
///
/// Paid orders that are unfulfilled now, by age since payment, and a page of them: the days of the range are checked and
/// returned, but do not select orders.
#[crate::http::operation(get, path = "/admin/metrics/dashboard/unfulfilled-orders", tag = "Admin dashboards",
    params(DashboardQuery),
    responses((status = 200, description = "The orders", body = UnfulfilledOrdersSection)))]
pub(crate) async fn show_dashboard_unfulfilled_orders(
    reader: RangeReader,
    Query(query): Query<DashboardQuery>,
) -> Result<Json<UnfulfilledOrdersSection>, HttpError> {
    read(reader, &query, |tx, range, _cards| unfulfilled::orders(tx, range)).await
}

/// List unfulfilled products
///
/// The unfulfilled variants of paid orders now, with their stock: the days of the range are checked and returned, but do
/// not select orders.
#[crate::http::operation(get, path = "/admin/metrics/dashboard/unfulfilled-products", tag = "Admin dashboards",
    params(DashboardQuery),
    responses((status = 200, description = "The products", body = UnfulfilledProductsSection)))]
pub(crate) async fn show_dashboard_unfulfilled_products(
    reader: RangeReader,
    Query(query): Query<DashboardQuery>,
) -> Result<Json<UnfulfilledProductsSection>, HttpError> {
    read(reader, &query, |tx, range, _cards| unfulfilled::products(tx, range)).await
}
