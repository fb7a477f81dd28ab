//! `/admin/metrics-registry/placeholders` and `/admin/metrics/placeholders`.

use axum::http::StatusCode;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::definition::{DefinitionReader, DefinitionWriter};
use crate::clock::Timestamp;
use crate::database::Word as _;
use crate::http::{Answer, HttpError, Json, ListRequest, Page, Resource, Text, ToSchema, request};
use crate::ids::PlaceholderId;
use crate::registry::queries::placeholders::{self as queries, PLACEHOLDERS, PlaceholderRow};
use crate::registry::schema::NewPlaceholder;
use crate::registry::vocabulary::{Aggregation, DataSource, DataType};
use crate::routes::alias::{alias, tagged};
use crate::state::AppState;

/// A name for a field of a source, or for an input that only a context provides.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "placeholder", list = PLACEHOLDERS)]
#[schema(example = json!({
    "id": "ph_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "refunded", "display_name": "Refunded", "description": null,
    "data_source": "refunds", "source_field": "amount", "data_type": "currency", "default_aggregation": "sum",
    "category": null, "created_by": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "created_at": "2026-11-21T10:00:00.000Z",
    "updated_at": "2026-11-21T10:00:00.000Z"
}))]
pub(super) struct PlaceholderView {
    id: PlaceholderId,
    /// The name in formulas.
    key: String,
    display_name: String,
    /// The meaning of the placeholder.
    description: Option<String>,
    /// The source of the field, or `input`.
    data_source: String,
    /// The field, optionally through links: `order.country`.
    source_field: String,
    /// The type of the values.
    data_type: &'static str,
    /// The aggregation applied when it is used alone.
    default_aggregation: Option<String>,
    /// The category in lists.
    category: Option<String>,
    created_by: Option<String>,
    /// When the placeholder was added.
    created_at: Timestamp,
    /// When the placeholder was last changed.
    updated_at: Timestamp,
}

impl From<PlaceholderRow> for PlaceholderView {
    fn from(row: PlaceholderRow) -> Self {
        let PlaceholderRow { id, what, created_by, created_at, updated_at } = row;
        Self {
            id,
            key: what.key,
            display_name: what.display_name,
            description: what.description,
            data_source: what.data_source,
            source_field: what.source_field,
            data_type: what.data_type.name(),
            default_aggregation: what.default_aggregation,
            category: what.category,
            created_by,
            created_at,
            updated_at,
        }
    }
}

type PlaceholderPage = Page<PlaceholderView>;

/// A placeholder.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlaceholderResponse {
    placeholder: PlaceholderView,
}

/// A new placeholder.
#[request]
#[schema(example = json!({
    "key": "refunded", "display_name": "Refunded", "data_source": "refunds", "source_field": "amount",
    "data_type": "currency", "default_aggregation": "sum"
}))]
pub(super) struct CreatePlaceholderRequest {
    /// The name in formulas, case-insensitive and unique.
    key: Text<64>,
    display_name: Text<120>,
    /// The meaning of the placeholder.
    description: Option<Text<2000>>,
    /// The source of the field, or `input` for a value that only a context provides.
    data_source: DataSource,
    /// The field, optionally through links: `order.country`.
    source_field: Text<120>,
    /// The type of the values.
    data_type: DataType,
    /// The aggregation applied when it is used alone; none if absent.
    default_aggregation: Option<Aggregation>,
    /// The category in lists.
    category: Option<Text<60>>,
}

impl From<CreatePlaceholderRequest> for NewPlaceholder {
    fn from(request: CreatePlaceholderRequest) -> Self {
        Self {
            key: request.key.into(),
            display_name: request.display_name.into(),
            description: request.description.map(String::from),
            data_source: request.data_source.as_str().to_owned(),
            source_field: request.source_field.into(),
            data_type: request.data_type.into(),
            default_aggregation: request.default_aggregation.map(|word| word.as_str().to_owned()),
            category: request.category.map(String::from),
        }
    }
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().routes(routes!(list_placeholders, create_placeholder)).routes(
        alias(
            routes!(list_placeholders, create_placeholder),
            "/admin/metrics-registry/placeholders",
            &[
                ("list_placeholders", "list_registry_placeholders"),
                ("create_placeholder", "create_registry_placeholder"),
            ],
            tagged("Admin metrics registry"),
        ),
    )
}

/// Lists the added placeholders.
#[crate::http::operation(get, path = "/admin/metrics/placeholders", tag = "Admin metrics",
    params(ListRequest<PlaceholderView>),
    responses((status = 200, description = "A page", body = PlaceholderPage)))]
pub(super) async fn list_placeholders(
    reading: DefinitionReader,
    list: ListRequest<PlaceholderView>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) =
        reading.ask(move |tx, _snapshot, _viewer| Ok(queries::page(tx, &query)?)).await?;
    let rows: Vec<PlaceholderView> = rows.into_iter().map(Into::into).collect();
    list.answer(&rows, count)
}

/// Adds a placeholder. Formulas can use it at once.
#[crate::http::operation(post, path = "/admin/metrics/placeholders", tag = "Admin metrics",
    request_body = CreatePlaceholderRequest,
    responses((status = 201, description = "The placeholder", body = PlaceholderResponse),
        (status = 422, description = "The field has another type, or the aggregation does not apply to it")))]
pub(super) async fn create_placeholder(
    work: DefinitionWriter,
    Json(request): Json<CreatePlaceholderRequest>,
) -> Result<(StatusCode, Json<PlaceholderResponse>), HttpError> {
    let placeholder = work.add_placeholder(request.into()).await?.into();
    Ok((StatusCode::CREATED, Json(PlaceholderResponse { placeholder })))
}
