//! New passwords, by a token that is sent to the address.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::tokens::count;
use super::{LoginActor, SuccessResponse};
use crate::auth::actor::ActorType;
use crate::auth::credentials::Credentials;
use crate::auth::extract::ResetHolder;
use crate::auth::{Email, NewPassword};
use crate::http::{HttpError, Json, Path};
use crate::metadata::MetadataPatch;
use crate::middleware::RateLimits;

/// Whose password is forgotten.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "identifier": "ada@example.com" }))]
pub(in crate::auth) struct ResetRequest {
    /// The address.
    identifier: Email,
    /// Handed on with the event, as the page to come back to; 16 KiB at most.
    metadata: Option<MetadataPatch>,
}

/// A password to be set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "password": "correct horse battery" }))]
pub(in crate::auth) struct UpdatePasswordRequest {
    /// The account's address, once more.
    email: Option<Email>,
    /// Eight characters at least.
    password: NewPassword,
}

/// Ask for a new password
///
/// The answer is the same whether the address has an account or not. If it has, the event `auth.password_reset`
/// (`entity_id`, `actor_type`, `token`, `metadata`) carries a token that sets a new password within 15 minutes.
#[utoipa::path(post, path = "/auth/{actor_type}/emailpass/reset-password", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Who asks")), request_body = ResetRequest,
    responses((status = 201, description = "Asked for", body = String, content_type = "text/plain", example = "Created")),
    security(()))]
pub(in crate::auth) async fn request_password_reset(
    State(credentials): State<Credentials>,
    State(rates): State<Arc<RateLimits>>,
    Path(actor): Path<LoginActor>,
    Json(request): Json<ResetRequest>,
) -> Result<(StatusCode, &'static str), HttpError> {
    count(&rates, actor, &request.identifier)?;
    let metadata = request
        .metadata
        .unwrap_or_default()
        .create()
        .map_err(|error| HttpError::invalid_data(error.to_string()))?;
    credentials.request_reset(actor.into(), request.identifier, metadata).await?;
    Ok((StatusCode::CREATED, "Created"))
}

/// Set a new password
///
/// With the token of `auth.password_reset` as the bearer. Every token of the account ends with its old password.
#[utoipa::path(post, path = "/auth/{actor_type}/emailpass/update", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Who asks")), request_body = UpdatePasswordRequest,
    responses((status = 200, description = "Set", body = SuccessResponse)),
    security(("customer" = []), ("admin" = [])))]
pub(in crate::auth) async fn update_password(
    State(credentials): State<Credentials>,
    Path(actor): Path<LoginActor>,
    ResetHolder(holder): ResetHolder,
    Json(request): Json<UpdatePasswordRequest>,
) -> Result<Json<SuccessResponse>, HttpError> {
    if holder.token.actor_type != ActorType::from(actor) {
        return Err(HttpError::unauthorized());
    }
    credentials.set_password(holder.token, request.email, request.password).await?;
    Ok(Json(SuccessResponse::DONE))
}
