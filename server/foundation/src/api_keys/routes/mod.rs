//! `/admin/api-keys`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api_keys::key::{self, ApiKey, KeyKind, NewKey};
use crate::api_keys::{ApiKeyError, queries};
use crate::auth::{AdminReader, AdminWriter, Credentials};
use crate::database::listing::Listing;
use crate::database::{self, Db, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Path, Relation, Resource, Shape, Text,
};
use crate::ids::{ApiKeyId, SalesChannelId};
use crate::state::Shared;

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::<Shared>::new()
        .routes(routes!(list_api_keys, create_api_key))
        .routes(routes!(show_api_key, update_api_key, delete_api_key))
        .routes(routes!(revoke_api_key))
        .routes(routes!(change_api_key_channels))
}

static CHANNEL: Shape = Shape {
    name: "sales channel",
    defaults: &["id", "name"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static API_KEY: Shape = Shape {
    name: "API key",
    defaults: &[
        "id",
        "title",
        "token",
        "redacted",
        "type",
        "last_used_at",
        "created_by",
        "revoked_by",
        "revoked_at",
        "created_at",
        "updated_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("sales_channels", &CHANNEL)],
};

/// API keys.
#[derive(Debug)]
struct ApiKeys;

impl Resource for ApiKeys {
    const SHAPE: &'static Shape = &API_KEY;
}

impl Listed for ApiKeys {
    const LISTING: &'static Listing = &queries::API_KEYS;
}

/// An API key.
#[derive(Debug, Serialize, ToSchema)]
struct ApiKeyResponse {
    /// The key.
    api_key: ApiKey,
}

/// A page of API keys.
#[derive(Debug, Serialize, ToSchema)]
struct ApiKeyListResponse {
    /// The page.
    api_keys: Vec<ApiKey>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a key is gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "apk_01K9AVJ7W3S4T5X6Y7Z8A9B0C1", "object": "api_key", "deleted": true }))]
struct ApiKeyDeletedResponse {
    /// The key.
    id: ApiKeyId,
    /// Always `api_key`.
    object: &'static str,
    /// Always true; what fails is an error.
    deleted: bool,
}

/// A new key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Web shop", "type": "publishable" }))]
struct CreateApiKeyRequest {
    /// What it is for.
    title: Text,
    /// What it may do.
    r#type: KeyKind,
}

/// What is to be changed of a key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Web shop" }))]
struct UpdateApiKeyRequest {
    /// What it is for.
    title: Text,
}

/// When a key becomes worthless.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revoke_in": 3600 }))]
struct RevokeApiKeyRequest {
    /// In so many seconds; at once when it is absent.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    revoke_in: Option<u32>,
}

/// The channels that a key gains and loses.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["sc_01K9AVJ7W3S4T5X6Y7Z8A9B0C1"] }))]
struct ChangeChannelsRequest {
    /// What it gains.
    #[serde(default)]
    add: Vec<SalesChannelId>,
    /// What it loses.
    #[serde(default)]
    remove: Vec<SalesChannelId>,
}

/// List API keys
#[utoipa::path(get, path = "/admin/api-keys", tag = "Admin API keys", params(ListRequest<ApiKeys>),
    responses((status = 200, description = "A page", body = ApiKeyListResponse)))]
async fn list_api_keys(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<ApiKeys>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db
        .read::<(Vec<ApiKey>, u64), database::Error>(move |tx| {
            let (mut rows, count) = queries::page(tx, query)?;
            queries::attach_channels(tx, &mut rows)?;
            Ok((rows, count))
        })
        .await?;
    list.answer(&rows, count)
}

/// Create an API key
///
/// A secret key is shown in this answer and never again.
#[utoipa::path(post, path = "/admin/api-keys", tag = "Admin API keys", params(Fields<ApiKeys>),
    request_body = CreateApiKeyRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn create_api_key(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<ApiKeys>,
    Json(request): Json<CreateApiKeyRequest>,
) -> Result<Answer, HttpError> {
    let new = NewKey {
        title: request.title.into(),
        kind: request.r#type,
        created_by: admin.actor_id().to_owned(),
        sales_channel_ids: Vec::new(),
    };
    let key = db.write(move |tx| key::create(tx, new)).await?;
    let shown = fields.selection.answer("api_key", &key)?;
    Ok(shown.once(fields.selection.answer("api_key", &key.afterwards())?))
}

/// Show an API key
#[utoipa::path(get, path = "/admin/api-keys/{id}", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key"), Fields<ApiKeys>),
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn show_api_key(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<ApiKeyId>,
    fields: Fields<ApiKeys>,
) -> Result<Answer, HttpError> {
    let key = db.read(move |tx| key::find(tx, &id)).await?;
    fields.selection.answer("api_key", &key)
}

/// Rename an API key
#[utoipa::path(post, path = "/admin/api-keys/{id}", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key"), Fields<ApiKeys>),
    request_body = UpdateApiKeyRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn update_api_key(
    State(db): State<Db>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
    fields: Fields<ApiKeys>,
    Json(request): Json<UpdateApiKeyRequest>,
) -> Result<Answer, HttpError> {
    let key =
        db.write(move |tx| key::rename(tx, &id, request.title.as_str(), admin.actor_id())).await?;
    fields.selection.answer("api_key", &key)
}

/// Delete a revoked API key
#[utoipa::path(delete, path = "/admin/api-keys/{id}", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key")),
    responses((status = 200, description = "Deleted", body = ApiKeyDeletedResponse),
              (status = 400, description = "The key still holds", body = crate::http::ErrorBody)))]
async fn delete_api_key(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
) -> Result<Json<ApiKeyDeletedResponse>, HttpError> {
    let deleted = id.clone();
    credentials.change(move |tx| key::delete(tx, &id, admin.actor_id())).await?;
    Ok(Json(ApiKeyDeletedResponse { id: deleted, object: "api_key", deleted: true }))
}

/// Revoke an API key
///
/// From then on it is answered like one that never was. A revoked key stays revoked.
#[utoipa::path(post, path = "/admin/api-keys/{id}/revoke", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key"), Fields<ApiKeys>),
    request_body = RevokeApiKeyRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn revoke_api_key(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
    fields: Fields<ApiKeys>,
    Json(request): Json<RevokeApiKeyRequest>,
) -> Result<Answer, HttpError> {
    let wait_ms = i64::from(request.revoke_in.unwrap_or(0)).saturating_mul(1000);
    let key = credentials
        .change::<_, ApiKeyError>(move |tx| {
            key::revoke(tx, &id, admin.actor_id(), tx.now().plus_ms(wait_ms))
        })
        .await?;
    fields.selection.answer("api_key", &key)
}

/// Link a publishable key to sales channels
#[utoipa::path(post, path = "/admin/api-keys/{id}/sales-channels", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key"), Fields<ApiKeys>),
    request_body = ChangeChannelsRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn change_api_key_channels(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
    fields: Fields<ApiKeys>,
    Json(request): Json<ChangeChannelsRequest>,
) -> Result<Answer, HttpError> {
    let ChangeChannelsRequest { add, remove } = request;
    let change = move |tx: &Tx<'_>| key::change_channels(tx, &id, &add, &remove, admin.actor_id());
    let key = credentials.change(change).await?;
    fields.selection.answer("api_key", &key)
}
