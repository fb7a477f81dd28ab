//! `/admin/metrics-registry/placeholders` and `/admin/metrics/placeholders`.

use axum::extract::State;
use axum::http::StatusCode;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::definition::DefinitionWriter;
use crate::auth::AdminReader;
use crate::database::{Db, Error, Listable as _, Tx, Word as _};
use crate::http::{Answer, HttpError, Json, ListRequest, Page, Text, ToSchema, request};
use crate::ids::PlaceholderId;
use crate::registry::edit;
use crate::registry::queries::placeholders::PlaceholderRow;
use crate::registry::vocabulary::{Aggregation, DataSource, DataType};
use crate::routes::alias::{alias, tagged};
use crate::state::AppState;

type PlaceholderPage = Page<PlaceholderRow>;

/// A placeholder.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlaceholderResponse {
    placeholder: PlaceholderRow,
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

impl CreatePlaceholderRequest {
    /// Returns the placeholder to add. Its key is in lower case.
    fn placeholder(self, tx: &Tx<'_>, by: &str) -> PlaceholderRow {
        PlaceholderRow {
            id: PlaceholderId::new(),
            key: self.key.as_str().to_ascii_lowercase(),
            display_name: self.display_name.into(),
            description: self.description.map(String::from),
            data_source: self.data_source.as_str().to_owned(),
            source_field: self.source_field.into(),
            data_type: self.data_type,
            default_aggregation: self.default_aggregation.map(|word| word.as_str().to_owned()),
            category: self.category.map(String::from),
            created_by: Some(by.to_owned()),
            created_at: tx.now(),
            updated_at: tx.now(),
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
    params(ListRequest<PlaceholderRow>),
    responses((status = 200, description = "A page", body = PlaceholderPage)))]
pub(super) async fn list_placeholders(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<PlaceholderRow>,
) -> Result<Answer, HttpError> {
    list.read::<_, Error>(db, |tx, query, _| PlaceholderRow::page(tx, query)).await
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
    let added = work.make(move |tx, registry, editor| {
        edit::add_placeholder(tx, registry, request.placeholder(tx, &editor.id))
    });
    let placeholder = added.await?;
    Ok((StatusCode::CREATED, Json(PlaceholderResponse { placeholder })))
}
