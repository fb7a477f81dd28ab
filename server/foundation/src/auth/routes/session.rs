//! Sessions: a token in a cookie, for storefronts in browsers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use cookie::{Cookie, SameSite};
use serde::Serialize;

use super::SuccessResponse;
use crate::auth::actor::ActorType;
use crate::auth::authenticate::Holder;
use crate::auth::credentials::{Credentials, Token, TokenKind};
use crate::auth::extract::MaybeHolder;
use crate::auth::request_credential::COOKIE_NAME;
use crate::config::{AuthSettings, Settings};
use crate::http::{HttpError, Json, ToSchema};
use crate::ids::IdentityId;

/// The actor of a session.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionUser {
    /// The id of the customer or the user.
    actor_id: String,
    actor_type: ActorType,
    auth_identity_id: Option<IdentityId>,
    /// The actor's id under the name of its type.
    app_metadata: AppMetadata,
}

/// The actor's id under the name of its type.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AppMetadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
}

/// A session.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "user": {
    "actor_id": "cus_01K9AVJ7W3S4T5X6Y7Z8A9B0C1", "actor_type": "customer",
    "auth_identity_id": "authid_01K9AVJ7W3S4T5X6Y7Z8A9B0C1",
    "app_metadata": { "customer_id": "cus_01K9AVJ7W3S4T5X6Y7Z8A9B0C1" } } }))]
pub(super) struct SessionResponse {
    /// The actor.
    user: SessionUser,
}

/// Open a session
///
/// Sets the cookie `connect.sid` for the holder of a token.
#[crate::http::operation(post, path = "/auth/session", tag = "Auth",
    responses((status = 200, description = "The session is open", body = SessionResponse,
               headers(("set-cookie" = String, description = "`connect.sid`, HttpOnly, SameSite=Lax")))),
    security(("customer" = []), ("admin" = []), ("session" = [])))]
pub(super) async fn open_session(
    State(credentials): State<Credentials>,
    State(settings): State<Arc<Settings>>,
    headers: HeaderMap,
    holder: Holder,
) -> Result<([(HeaderName, HeaderValue); 1], Json<SessionResponse>), HttpError> {
    let user = session_user(&holder.token).ok_or_else(HttpError::unauthorized)?;
    let secret = credentials.extend(&holder.token, TokenKind::Session).await?;
    let max_age = cookie::time::Duration::hours(i64::from(settings.auth.session_hours));
    let cookie =
        cookie_of(secret.reveal().to_owned(), max_age, is_secure(&headers, &settings.auth))?;
    Ok(([(SET_COOKIE, cookie)], Json(SessionResponse { user })))
}

/// Close a session
///
/// Revokes the session's token, or the request's bearer token, immediately. Without either it does nothing.
#[crate::http::operation(delete, path = "/auth/session", tag = "Auth",
    responses((status = 200, description = "The session is closed", body = SuccessResponse)), security(()))]
pub(super) async fn close_session(
    State(credentials): State<Credentials>,
    State(settings): State<Arc<Settings>>,
    headers: HeaderMap,
    MaybeHolder(holder): MaybeHolder,
) -> Result<([(HeaderName, HeaderValue); 1], Json<SuccessResponse>), HttpError> {
    if let Some(holder) = holder {
        credentials.log_out(holder.digest).await?;
    }
    let is_secure = is_secure(&headers, &settings.auth);
    let cookie = cookie_of(String::new(), cookie::time::Duration::ZERO, is_secure)?;
    Ok(([(SET_COOKIE, cookie)], Json(SuccessResponse::DONE)))
}

fn session_user(token: &Token) -> Option<SessionUser> {
    let actor_id = token.actor_id.clone()?;
    let id_of = |kind| (token.actor_type == kind).then(|| actor_id.clone());
    let app_metadata =
        AppMetadata { customer_id: id_of(ActorType::Customer), user_id: id_of(ActorType::User) };
    let auth_identity_id = token.identity_id.clone();
    Some(SessionUser { actor_type: token.actor_type, auth_identity_id, app_metadata, actor_id })
}

/// Returns whether cookies are secure, because of the setting or because a proxy reports https: a false report only
/// costs the caller their own cookie.
fn is_secure(headers: &HeaderMap, settings: &AuthSettings) -> bool {
    let is_https = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"https");
    settings.secure_cookies || headers.get("x-forwarded-proto").is_some_and(is_https)
}

fn cookie_of(
    secret: String,
    max_age: cookie::time::Duration,
    is_secure: bool,
) -> Result<HeaderValue, HttpError> {
    let cookie = Cookie::build((COOKIE_NAME, secret))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(is_secure)
        .max_age(max_age);
    cookie.build().to_string().parse().map_err(HttpError::unexpected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_secure_by_the_setting_or_behind_https() {
        let plain = HeaderMap::new();
        let proxied = |scheme: &str| {
            HeaderMap::from_iter([(
                HeaderName::from_static("x-forwarded-proto"),
                scheme.parse().unwrap(),
            )])
        };
        let settings =
            |secure_cookies| AuthSettings { token_hours: 1, session_hours: 1, secure_cookies };
        assert!(is_secure(&plain, &settings(true)) && !is_secure(&plain, &settings(false)));
        assert!(is_secure(&proxied("HTTPS"), &settings(false)));
        assert!(!is_secure(&proxied("http"), &settings(false)));
    }

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_foreign_pages() {
        let day = cookie::time::Duration::hours(10);
        let cookie = cookie_of("tok_1".to_owned(), day, true).unwrap();

        let text = cookie.to_str().unwrap();
        for part in
            ["connect.sid=tok_1", "HttpOnly", "SameSite=Lax", "Secure", "Path=/", "Max-Age=36000"]
        {
            assert!(text.contains(part), "{text}");
        }
        assert!(
            !cookie_of(String::new(), day, false).unwrap().to_str().unwrap().contains("Secure")
        );
    }
}
