//! `/admin/api-keys`.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use super::ApiKeyError;
use super::key::{self, ApiKey, KeyKind, NewKey};
use crate::auth::AdminWriter;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, One, Text, request};
use crate::ids::{ApiKeyId, SalesChannelId};
use crate::resource::AdminRoutes;
use crate::routes;
use crate::state::Shared;

pub fn router() -> OpenApiRouter<Shared> {
    AdminRoutes::<ApiKey, _>::at("/admin/api-keys", "Admin API keys")
        .list()
        .show()
        .update_by(|request: UpdateApiKeyRequest, tx, id, by| {
            key::rename(tx, id, request.title.as_str(), by)
        })
        .change_credentials()
        .delete_by(key::delete)
        .note("The key must be revoked.")
        .update_part_by("/revoke", "revoke_api_key", "Revoke an API key", RevokeApiKeyRequest::apply)
        .note(
            "The key is refused from then on, like an unknown one. A revoked key cannot be restored.",
        )
        .update_part_by(
            "/sales-channels",
            "change_api_key_channels",
            "Link a publishable key to sales channels",
            ChangeChannelsRequest::apply,
        )
        .router()
        .routes(routes!(create_api_key))
}

type ApiKeyResponse = One<ApiKey>;

/// A new key.
#[request]
#[schema(example = json!({ "title": "Web shop", "type": "publishable" }))]
struct CreateApiKeyRequest {
    title: Text,
    r#type: KeyKind,
}

/// The fields of a key to change.
#[request]
#[schema(example = json!({ "title": "Web shop" }))]
struct UpdateApiKeyRequest {
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

impl RevokeApiKeyRequest {
    fn apply(self, tx: &Tx<'_>, id: &ApiKeyId, by: &str) -> Result<(), ApiKeyError> {
        let wait_ms = i64::from(self.revoke_in.unwrap_or(0)).saturating_mul(1000);
        key::revoke(tx, id, by, tx.now().plus_ms(wait_ms)).map(|_key| ())
    }
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

impl ChangeChannelsRequest {
    fn apply(self, tx: &Tx<'_>, id: &ApiKeyId, by: &str) -> Result<(), ApiKeyError> {
        key::change_channels(tx, id, &self.add, &self.remove, by).map(|_key| ())
    }
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
