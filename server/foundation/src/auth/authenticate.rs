//! Finds out who makes a request, by its credential.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::actor::{ActorType, AdminActor};
use super::clients::{Scope, is_client_token};
use super::credentials::{Credentials, Key, Token, TokenKind};
use super::request_credential::{self, RequestCredential};
use super::secret::SecretDigest;
use crate::config::HttpSettings;
use crate::database;
use crate::http::HttpError;
use crate::ids::{CustomerId, IdentityId, UserId};
use crate::middleware::idempotency::IDEMPOTENCY_KEY;
use crate::middleware::{Bucket, Caller, FromPage, LimitedClient, UserAllowance};
use crate::state::Shared;

/// A caller with a token that logs in, whatever the actor type.
#[derive(Debug, Clone)]
pub(super) struct Holder {
    pub(super) token: Arc<Token>,
    pub(super) digest: SecretDigest,
}

pub(super) async fn publishable_key(
    secret: &str,
    state: &Shared,
) -> Result<Option<Arc<Key>>, database::Error> {
    Ok(state.credentials.key(secret).await?.filter(|key| !key.is_secret))
}

/// Returns the identity logged in as this type of actor, whether or not the actor exists yet.
pub(super) async fn identity_id(
    parts: &Parts,
    state: &Shared,
    actor_type: ActorType,
) -> Result<IdentityId, HttpError> {
    let holder = find_holder(parts, state, logs_in).await?;
    let token = holder.map(|holder| holder.token).filter(|token| token.actor_type == actor_type);
    token.and_then(|token| token.identity_id.clone()).ok_or_else(HttpError::unauthorized)
}

/// Adds a [`Caller`] to requests that may have a body, before the body is read.
pub async fn look_up_caller(State(state): State<Shared>, request: Request, next: Next) -> Response {
    // Webhook senders have signatures instead of credentials.
    let is_signed = request.uri().path().starts_with("/webhooks/");
    if is_signed || [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method()) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let caller = match caller(&parts, &state).await {
        Ok(caller) => caller,
        // It must not run as if it had no key.
        Err(error) if parts.headers.contains_key(IDEMPOTENCY_KEY) => return error.into_response(),
        // The route looks up the credentials again, and responds with its own errors.
        Err(_error) => Caller { is_admitted: true, id: None },
    };
    parts.extensions.insert(caller);
    next.run(Request::from_parts(parts, body)).await
}

/// Adds a [`LimitedClient`] to store calls with a client token, so that they are counted per client: a shop that
/// renders its pages on a server has one address for all shoppers.
pub async fn look_up_client(
    State(state): State<Shared>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    if path.starts_with("/store/")
        && let Some(secret) = request_credential::client_token(request.headers())
        // Without the database, the call is counted by its address.
        && let Ok(Some(token)) = state.credentials.client_token(&secret).await
        && token.counts_at(path)
    {
        request.extensions_mut().insert(LimitedClient(token.client_id.to_string()));
    }
    next.run(request).await
}

async fn caller(parts: &Parts, state: &Shared) -> Result<Caller, HttpError> {
    let id = match RequestCredential::of(&parts.headers) {
        RequestCredential::Nothing | RequestCredential::Malformed => None,
        RequestCredential::Key(secret) => {
            key_actor(&state.credentials, &secret).await?.map(|actor| actor.id().to_owned())
        }
        RequestCredential::Token(secret) if is_client_token(&secret) => {
            let token = state.credentials.client_token(&secret).await?;
            token.map(|token| token.client_id.to_string())
        }
        RequestCredential::Token(_) | RequestCredential::Cookie(_) => {
            token(parts, state).await?.and_then(|token| holder_id(&token))
        }
    };
    let path = parts.uri.path();
    if path.starts_with("/admin/") {
        return Ok(Caller { is_admitted: id.is_some(), id });
    }
    let is_admitted = !path.starts_with("/store/")
        || match request_credential::publishable_key(&parts.headers) {
            Some(secret) => publishable_key(secret, state).await?.is_some(),
            None => false,
        };
    Ok(Caller { is_admitted, id })
}

/// Returns the id of the identity of a token, which stays the same when it becomes a customer; partners have none.
fn holder_id(token: &Token) -> Option<String> {
    token.identity_id.as_ref().map(ToString::to_string).or_else(|| token.actor_id.clone())
}

/// Returns the calling admin, counting the request against the rate limit.
pub(super) async fn admin(parts: &Parts, state: &Shared) -> Result<AdminActor, HttpError> {
    let actor = match RequestCredential::of(&parts.headers) {
        RequestCredential::Key(secret) => key_actor(&state.credentials, &secret).await?,
        RequestCredential::Token(secret) if is_client_token(&secret) => {
            client_actor(parts, &secret, state).await?
        }
        RequestCredential::Token(_)
        | RequestCredential::Cookie(_)
        | RequestCredential::Nothing
        | RequestCredential::Malformed => match token(parts, state).await? {
            Some(token) => user_actor(&token)?,
            None => None,
        },
    };
    let actor = actor.ok_or_else(HttpError::unauthorized)?;
    let is_page = parts.extensions.get::<FromPage>().is_some();
    let bucket = if is_page { Bucket::Page } else { Bucket::Admin };
    let allowance = state.rates.check(bucket, actor.id())?;
    if let Some(user) = parts.extensions.get::<UserAllowance>() {
        user.set(allowance);
    }
    Ok(actor)
}

/// Returns the client of a token, which may only read metrics.
async fn client_actor(
    parts: &Parts,
    secret: &str,
    state: &Shared,
) -> Result<Option<AdminActor>, HttpError> {
    let Some(token) = state.credentials.client_token(secret).await? else { return Ok(None) };
    let path = parts.uri.path();
    let is_metrics = path.starts_with("/admin/metrics/") || path == "/admin/metrics";
    // Questions may be posted.
    let is_read = matches!(parts.method, Method::GET | Method::HEAD | Method::POST);
    if is_metrics && is_read && token.allows(Scope::MetricsRead) {
        Ok(Some(AdminActor::Client(token.client_id)))
    } else {
        Err(HttpError::forbidden())
    }
}

pub(super) async fn key_actor(
    credentials: &Credentials,
    secret: &str,
) -> Result<Option<AdminActor>, database::Error> {
    let key = credentials.key(secret).await?.filter(|key| key.is_secret);
    Ok(key.map(|key| AdminActor::Key(key.id.clone())))
}

/// Returns the admin of a token. Partners and customers are authenticated but forbidden.
fn user_actor(token: &Token) -> Result<Option<AdminActor>, HttpError> {
    match token.actor_type {
        ActorType::Partner => Err(HttpError::forbidden()),
        _ if !logs_in(token.kind) => Ok(None),
        ActorType::Customer => Err(HttpError::forbidden()),
        ActorType::User => {
            let id = token.actor_id.as_deref().and_then(|id| id.parse::<UserId>().ok());
            Ok(id.zip(token.role).map(|(id, role)| AdminActor::User(id, role)))
        }
    }
}

pub(super) fn customer_id(token: &Token) -> Option<CustomerId> {
    if token.actor_type != ActorType::Customer || !logs_in(token.kind) {
        return None;
    }
    token.actor_id.as_deref()?.parse().ok()
}

pub(super) const fn logs_in(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Access | TokenKind::Session)
}

/// Returns the token of a request, if it is valid.
pub(super) async fn token(parts: &Parts, state: &Shared) -> Result<Option<Arc<Token>>, HttpError> {
    Ok(find_holder(parts, state, |_any| true).await?.map(|holder| holder.token))
}

/// Returns the token of a request and its digest, if it is valid and of a suitable kind.
pub(super) async fn find_holder(
    parts: &Parts,
    state: &Shared,
    fits: impl Fn(TokenKind) -> bool,
) -> Result<Option<Holder>, HttpError> {
    let (secret, is_cookie) = match RequestCredential::of(&parts.headers) {
        RequestCredential::Token(secret) => (secret, false),
        RequestCredential::Cookie(secret) if is_from_own_page(parts, &state.settings.http) => {
            (secret, true)
        }
        RequestCredential::Cookie(_)
        | RequestCredential::Nothing
        | RequestCredential::Malformed
        | RequestCredential::Key(_) => {
            return Ok(None);
        }
    };
    let Some(digest) = SecretDigest::of_presented(&secret) else {
        return Ok(None);
    };
    let token = state.credentials.token(digest).await?;
    // Invariant: a session token is accepted only in a cookie, and other tokens only in a bearer header.
    let token =
        token.filter(|token| fits(token.kind) && (token.kind == TokenKind::Session) == is_cookie);
    Ok(token.map(|token| Holder { token, digest }))
}

/// Returns whether a cookie counts: browsers send it automatically, so a page of another origin must not use it to write.
fn is_from_own_page(parts: &Parts, settings: &HttpSettings) -> bool {
    let is_safe = parts.method == Method::GET || parts.method == Method::HEAD;
    is_safe || is_own_origin(&parts.headers, &settings.allowed_origins)
}

fn is_own_origin(headers: &HeaderMap, allowed_origins: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    if allowed_origins.iter().any(|allowed| allowed == origin) {
        return true;
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let origin_host = origin.split_once("://").map(|(_, host)| host);
    origin_host.is_some() && origin_host == host
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::auth::Role;
    use crate::clock::Timestamp;
    use crate::config::CommandLine;

    #[test]
    fn a_foreign_page_does_not_use_the_cookie() {
        let allowed = ["https://shop.example".to_owned()];
        for (origin, expected) in [
            (None, true),
            (Some("https://shop.example"), true),
            (Some("http://api.example:9000"), true),
            (Some("https://evil-shop.example"), false),
            (Some("https://shop.example.evil.example"), false),
            (Some("null"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "api.example:9000".parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            assert_eq!(is_own_origin(&headers, &allowed), expected, "{origin:?}");
        }
    }

    #[test]
    fn a_cookie_reads_from_anywhere_and_writes_from_its_own_pages() {
        let settings = CommandLine::parse_from(["quotient-server"]).settings.http;
        for (method, expected) in
            [("GET", true), ("HEAD", true), ("POST", false), ("DELETE", false)]
        {
            let request = Request::builder().method(method).header(ORIGIN, "https://evil.example");
            let (parts, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(is_from_own_page(&parts, &settings), expected, "{method}");
        }
    }

    #[test]
    fn only_the_login_of_a_user_makes_an_admin() {
        let token = |kind, actor_type| Token {
            kind,
            actor_type,
            actor_id: Some(UserId::new().to_string()),
            identity_id: None,
            role: Some(Role::Admin),
            expires_at: Timestamp::from_millis(0),
        };
        for kind in [TokenKind::Access, TokenKind::Session] {
            assert!(matches!(user_actor(&token(kind, ActorType::User)), Ok(Some(_))));
            assert!(user_actor(&token(kind, ActorType::Customer)).is_err());
        }
        assert!(matches!(user_actor(&token(TokenKind::Reset, ActorType::User)), Ok(None)));
        assert!(matches!(user_actor(&token(TokenKind::Reset, ActorType::Customer)), Ok(None)));
        assert!(user_actor(&token(TokenKind::Partner, ActorType::Partner)).is_err());
    }
}
