//! `/admin/metrics/audit`: lists and exports the audit log.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use jiff::tz::TimeZone;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::audit_log::{self, AuditEntry, ExportFilter, ExportFormat, Page};
use crate::auth::AdminWriter;
use crate::database::{self, Db, Tx};
use crate::http::{Answer, HttpError, Json, ListRequest, ToSchema, request, streaming};
use crate::ids::MetricId;
use crate::registry::queries::stamp;
use crate::routes::alias::{alias, described};
use crate::routes::day::{self, Day};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_audit, export_audit))
        .routes(alias(
            routes!(list_audit),
            "/admin/metrics/audit/recent",
            &[("list_audit", "list_recent_audit")],
            described("List recent changes", "Same as `/admin/metrics/audit`."),
        ))
        .routes(alias(
            routes!(export_audit),
            "/admin/metrics/audit/export",
            &[("export_audit", "export_audit_file")],
            described("Export changes to a file", "Same as `/admin/metrics/audit`."),
        ))
}

/// A page of changes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditChangeListResponse)]
struct ChangeListResponse {
    /// The page, the newest first.
    changes: Vec<AuditEntry>,
    /// The number of changes on all pages.
    count: u64,
    /// The number of changes before the page.
    offset: u32,
    /// The maximum number of changes on the page.
    limit: u32,
}

/// The head of the hash chain.
#[derive(Debug, ToSchema)]
#[schema(as = AuditChainHead)]
#[expect(dead_code, reason = "only its schema is used; the response is streamed")]
struct ChainHead {
    /// The total number of entries.
    entries: u64,
    /// The hash of the last entry.
    hash: String,
}

/// The JSON export.
#[derive(Debug, ToSchema)]
#[schema(as = AuditFile)]
#[expect(dead_code, reason = "only its schema is used; the response is streamed")]
struct ChangeFile {
    /// The entries, the oldest first.
    changes: Vec<AuditEntry>,
    /// The number of entries.
    count: u64,
    /// The head of the hash chain.
    chain_head: ChainHead,
}

/// The format and filters of an export.
#[request]
#[schema(example = json!({ "format": "csv", "start_date": "2026-11-01", "end_date": "2026-11-30" }))]
struct ExportAuditRequest {
    /// The file format.
    #[serde(default)]
    format: ExportFormat,
    /// The first day, in the store's time zone.
    start_date: Option<Day>,
    /// The last day, inclusive, in the store's time zone.
    end_date: Option<Day>,
    /// Only changes of this metric.
    metric_id: Option<MetricId>,
}

/// List changes
///
/// Changes of metrics, placeholders, alerts, store credit, API keys and admins, and changes refused because of a lock
/// or a use.
#[crate::http::operation(get, path = "/admin/metrics/audit", tag = "Admin metrics: audit", params(ListRequest<AuditEntry>),
    responses((status = 200, description = "A page", body = ChangeListResponse)))]
async fn list_audit(
    State(db): State<Db>,
    _admin: AdminWriter,
    list: ListRequest<AuditEntry>,
) -> Result<Answer, HttpError> {
    list.read::<_, database::Error>(db, move |tx, query, _| audit_log::listed(tx, &query)).await
}

/// Export changes
///
/// The file has the entries in order and ends with the head of the hash chain.
#[crate::http::operation(post, path = "/admin/metrics/audit", tag = "Admin metrics: audit", request_body = ExportAuditRequest,
    responses((status = 200, description = "The file", content((ChangeFile = "application/json"),
        (String = "application/x-ndjson"), (String = "text/csv")))))]
async fn export_audit(
    State(db): State<Db>,
    _admin: AdminWriter,
    Json(request): Json<ExportAuditRequest>,
) -> Result<Response, HttpError> {
    let ExportAuditRequest { format, start_date, end_date, metric_id } = request;
    if let (Some(Day(start)), Some(Day(end))) = (start_date, end_date)
        && end < start
    {
        let message = format!("end_date {end} is before start_date {start}");
        return Err(HttpError::invalid_data(message));
    }
    let begin =
        |tx: &Tx<'_>| Ok::<_, database::Error>((audit_log::head(tx)?, stamp::read(tx)?.zone));
    let (head, zone) = db.read(begin).await?;
    let zone = TimeZone::get(&zone).unwrap_or(TimeZone::UTC);
    let filter = ExportFilter {
        from: start_date.and_then(|Day(day)| day::start(day, &zone)),
        until: end_date.and_then(|Day(day)| day::start(day.tomorrow().ok()?, &zone)),
        entity_id: metric_id.map(|id| id.to_string()),
    };
    let name = format!("attachment; filename=\"audit.{}\"", format.extension());
    let begin = (filter, format, Page::begin(head));
    let part = |tx: &Tx<'_>, (filter, format, page): (_, _, _)| {
        let part = audit_log::page(tx, (&filter, format), page)?;
        Ok(part.map(|(text, page)| (text, (filter, format, page))))
    };
    let body = streaming::body(db, begin, part, None).await?;
    let headers = [(CONTENT_TYPE, format.content_type().to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, body).into_response())
}
