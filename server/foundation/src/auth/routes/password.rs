//! Password resets by a token that is sent to the e-mail address.

use axum::extract::State;
use axum::http::StatusCode;

use super::{LoginActor, SuccessResponse};
use crate::auth::actor::ActorType;
use crate::auth::credentials::Credentials;
use crate::auth::extract::ResetHolder;
use crate::auth::{Email, NewPassword};
use crate::http::{HttpError, Json, Path, request};
use crate::metadata::MetadataPatch;

/// The account whose password is to be reset.
#[request]
#[schema(example = json!({ "identifier": "ada@example.com" }))]
pub(crate) struct ResetRequest {
    /// The e-mail address.
    identifier: Email,
    /// Passed on with the event, for example the page to return to; at most 16 KiB.
    metadata: Option<MetadataPatch>,
}

/// A new password.
#[request]
#[schema(example = json!({ "password": "correct horse battery" }))]
pub(crate) struct UpdatePasswordRequest {
    /// The account's e-mail address, as confirmation.
    email: Option<Email>,
    /// At least eight characters.
    password: NewPassword,
}

/// Request a password reset
///
/// The response does not reveal whether the address has an account. If it has, and the shop has a mail server, an e-mail is
/// sent, at most one a minute, and the event `auth.password_reset` (`entity_id`, `actor_type`, `metadata`) is recorded. The
/// token in the e-mail sets a new password within 15 minutes.
#[crate::http::operation(post, path = "/auth/{actor_type}/emailpass/reset-password", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Account type")), request_body = ResetRequest,
    responses((status = 201, description = "Accepted", body = String, content_type = "text/plain", example = "Created")),
    security(()))]
pub(crate) async fn request_password_reset(
    State(credentials): State<Credentials>,
    Path(actor): Path<LoginActor>,
    Json(request): Json<ResetRequest>,
) -> Result<(StatusCode, &'static str), HttpError> {
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
/// Send the token from the e-mail as a bearer token. All tokens issued for the old password are revoked.
#[crate::http::operation(post, path = "/auth/{actor_type}/emailpass/update", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Account type")), request_body = UpdatePasswordRequest,
    responses((status = 200, description = "The password is set", body = SuccessResponse)),
    security(("customer" = []), ("admin" = [])))]
pub(crate) async fn update_password(
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
