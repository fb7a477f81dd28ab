//! `/admin/metrics/uses`: who uses which metric.

use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::definition::DefinitionReader;
use crate::http::{Answer, HttpError, Json, ListRequest, Page, Path, ToSchema};
use crate::registry::queries::metrics;
use crate::registry::uses::{MetricUsersView, MetricUsesView, UseIndex};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_metric_uses))
        .routes(routes!(show_metric_users))
}

type MetricUsesPage = Page<MetricUsesView>;

/// Who uses a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MetricUsersResponse {
    /// The users visible to the caller.
    uses: MetricUsersView,
}

/// Counts the users of each metric, with the filters and the order of the list of metrics.
#[crate::http::operation(get, path = "/admin/metrics/uses", tag = "Admin metrics", params(ListRequest<MetricUsesView>),
    responses((status = 200, description = "A page", body = MetricUsesPage)))]
pub(super) async fn list_metric_uses(
    reading: DefinitionReader,
    list: ListRequest<MetricUsesView>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let uses = reading.ask(move |tx, snapshot, viewer| {
        let (rows, count) = metrics::page(tx, query, viewer)?;
        let users = UseIndex::read(tx, snapshot, viewer)?;
        Ok((rows.iter().map(|metric| users.counts(metric)).collect::<Vec<_>>(), count))
    });
    let (rows, count) = uses.await?;
    list.answer(&rows, count)
}

/// Lists the users of a metric: metrics, boards and alerts.
#[crate::http::operation(get, path = "/admin/metrics/definitions/{id}/uses", tag = "Admin metrics",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "Who uses it", body = MetricUsersResponse)))]
pub(super) async fn show_metric_users(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<MetricUsersResponse>, HttpError> {
    let users = reading.of(id, |tx, snapshot, metric, viewer| {
        Ok(UseIndex::read(tx, snapshot, viewer)?.names(metric))
    });
    Ok(Json(MetricUsersResponse { uses: users.await? }))
}
