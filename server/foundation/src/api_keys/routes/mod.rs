//! `/admin/api-keys`.

use crate::routes;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::api_keys::ApiKeyError;
use crate::api_keys::key::{self, ApiKey, KeyKind, NewKey};
use crate::auth::{AdminWriter, Credentials};
use crate::database::{Db, Tx};
use crate::http::{Answer, Deleted, Fields, HttpError, Json, One, Path, Text, request};
use crate::ids::{ApiKeyId, SalesChannelId};
use crate::resource::AdminRoutes;
use crate::state::Shared;

/// Returns the routes of API keys.
pub fn router() -> OpenApiRouter<Shared> {
    AdminRoutes::<ApiKey, _>::at("/admin/api-keys", "Admin API keys")
        .list()
        .show()
        .update_by(|request: UpdateApiKeyRequest, tx, id, by| {
            key::rename(tx, id, request.title.as_str(), by)
        })
        .router()
        .routes(routes!(create_api_key))
        .routes(routes!(delete_api_key))
        .routes(routes!(revoke_api_key))
        .routes(routes!(change_api_key_channels))
}

type ApiKeyResponse = One<ApiKey>;
type ApiKeyDeletedResponse = Deleted<ApiKey>;

/// A new key.
#[request]
#[schema(example = json!({ "title": "Web shop", "type": "publishable" }))]
struct CreateApiKeyRequest {
    /// The title.
    title: Text,
    /// The type.
    r#type: KeyKind,
}

/// The fields of a key to change.
#[request]
#[schema(example = json!({ "title": "Web shop" }))]
struct UpdateApiKeyRequest {
    /// The title.
    title: Text,
}

/// When to revoke a key.
#[request]
#[schema(example = json!({ "revoke_in": 3600 }))]
struct RevokeApiKeyRequest {
    /// The delay in seconds; absent to revoke at once.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    revoke_in: Option<u32>,
}

/// The channels to link and unlink.
#[request]
#[schema(example = json!({ "add": ["sc_01K9AVJ7W3S4T5X6Y7Z8A9B0C1"] }))]
struct ChangeChannelsRequest {
    /// The channels to link.
    #[serde(default)]
    add: Vec<SalesChannelId>,
    /// The channels to unlink.
    #[serde(default)]
    remove: Vec<SalesChannelId>,
}

/// Create an API key
///
/// A secret key is returned in this response only.
#[crate::http::operation(post, path = "/admin/api-keys", tag = "Admin API keys", params(Fields<ApiKey>),
    request_body = CreateApiKeyRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn create_api_key(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<ApiKey>,
    Json(request): Json<CreateApiKeyRequest>,
) -> Result<Answer, HttpError> {
    let new = NewKey {
        title: request.title.into(),
        kind: request.r#type,
        created_by: admin.actor_id().to_owned(),
        sales_channel_ids: Vec::new(),
    };
    let key = db.write(move |tx| key::create(tx, new)).await?;
    let response = fields.answer(&key)?;
    Ok(response.once(fields.answer(&key.redact())?))
}

/// Delete a revoked API key
#[crate::http::operation(delete, path = "/admin/api-keys/{id}", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key")),
    responses((status = 200, description = "Deleted", body = ApiKeyDeletedResponse),
              (status = 400, description = "The key is not revoked", body = crate::http::ErrorBody)))]
async fn delete_api_key(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
) -> Result<Json<ApiKeyDeletedResponse>, HttpError> {
    let deleted = id.clone();
    credentials.change(move |tx| key::delete(tx, &id, admin.actor_id())).await?;
    Ok(Json(Deleted::new(deleted)))
}

/// Revoke an API key
///
/// The key is refused from then on, like an unknown one. A revoked key cannot be restored.
#[crate::http::operation(post, path = "/admin/api-keys/{id}/revoke", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key"), Fields<ApiKey>),
    request_body = RevokeApiKeyRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn revoke_api_key(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
    fields: Fields<ApiKey>,
    Json(request): Json<RevokeApiKeyRequest>,
) -> Result<Answer, HttpError> {
    let wait_ms = i64::from(request.revoke_in.unwrap_or(0)).saturating_mul(1000);
    let key = credentials
        .change::<_, ApiKeyError>(move |tx| {
            key::revoke(tx, &id, admin.actor_id(), tx.now().plus_ms(wait_ms))
        })
        .await?;
    fields.answer(&key)
}

/// Link a publishable key to sales channels
#[crate::http::operation(post, path = "/admin/api-keys/{id}/sales-channels", tag = "Admin API keys",
    params(("id" = ApiKeyId, Path, description = "The key"), Fields<ApiKey>),
    request_body = ChangeChannelsRequest,
    responses((status = 200, description = "The key", body = ApiKeyResponse)))]
async fn change_api_key_channels(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<ApiKeyId>,
    fields: Fields<ApiKey>,
    Json(request): Json<ChangeChannelsRequest>,
) -> Result<Answer, HttpError> {
    let ChangeChannelsRequest { add, remove } = request;
    let change = move |tx: &Tx<'_>| key::change_channels(tx, &id, &add, &remove, admin.actor_id());
    let key = credentials.change(change).await?;
    fields.answer(&key)
}
