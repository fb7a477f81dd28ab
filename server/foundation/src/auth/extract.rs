//! Extractors: a handler with one of these as an argument runs only for authorized callers.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::actor::{ActorType, AdminActor};
use super::clients::{Scope, is_client_token};
use super::credentials::{Credentials, Key, Token, TokenKind};
use super::presented::{self, Presented};
use super::secret::SecretDigest;
use crate::config::HttpSettings;
use crate::database;
use crate::http::HttpError;
use crate::ids::{ApiKeyId, CustomerId, IdentityId, PartnerId, SalesChannelId, UserId};
use crate::middleware::idempotency::IDEMPOTENCY_KEY;
use crate::middleware::{Bucket, Caller, FromPage, LimitedClient, UserAllowance};
use crate::state::Shared;

/// Any admin, whatever the role, or a program with a secret key.
#[derive(Debug, Clone)]
pub struct AdminReader(AdminActor);

/// An admin with the role `admin`, or a program with a secret key.
#[derive(Debug, Clone)]
pub struct AdminWriter(AdminActor);

/// An admin with the role `admin` or `analyst`, or a program with a secret key; may edit metrics.
#[derive(Debug, Clone)]
pub struct AdminAnalyst(AdminActor);

macro_rules! admin_accessors {
    ($name:ident) => {
        impl $name {
            /// Returns the actor's id: `user_…` or `apk_…`.
            pub fn actor_id(&self) -> &str {
                self.0.id()
            }

            /// Returns whether the actor may edit metrics and keep reports.
            pub fn may_edit_metrics(&self) -> bool {
                self.0.may_edit_metrics()
            }

            /// Returns the actor's type: `user` or `api-key`.
            pub fn actor_type(&self) -> &'static str {
                self.0.kind()
            }

            pub fn actor(&self) -> &AdminActor {
                &self.0
            }
        }
    };
}

admin_accessors!(AdminReader);
admin_accessors!(AdminWriter);
admin_accessors!(AdminAnalyst);

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for AdminReader {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        admin(parts, state.as_ref()).await.map(Self)
    }
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for AdminWriter {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let actor = admin(parts, state.as_ref()).await?;
        if actor.may_write() { Ok(Self(actor)) } else { Err(HttpError::forbidden()) }
    }
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for AdminAnalyst {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let actor = admin(parts, state.as_ref()).await?;
        if actor.may_edit_metrics() { Ok(Self(actor)) } else { Err(HttpError::forbidden()) }
    }
}

/// A storefront, identified by its publishable key, and its customer, if logged in.
#[derive(Debug, Clone)]
pub struct Shop {
    /// The publishable key.
    pub key_id: ApiKeyId,
    /// The enabled sales channels of the key, sorted by id; may be empty.
    pub sales_channel_ids: Vec<SalesChannelId>,
    /// The logged-in customer. An invalid token counts as none.
    pub customer_id: Option<CustomerId>,
}

impl Shop {
    /// Refuses a storefront that sells nothing, because its key has no sales channel that is enabled.
    ///
    /// # Errors
    /// 400.
    pub fn check_channel(&self) -> Result<(), HttpError> {
        if self.sales_channel_ids.is_empty() {
            let sentence = "Publishable key needs to have a sales channel configured";
            return Err(HttpError::invalid_data(sentence));
        }
        Ok(())
    }

    /// Returns whether a cart or an order of this sales channel belongs to the storefront.
    pub fn sells_in(&self, channel: Option<&SalesChannelId>) -> bool {
        channel.is_none_or(|channel| self.sales_channel_ids.contains(channel))
    }
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Shop {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let secret = presented::publishable_key(&parts.headers).ok_or_else(key_is_missing)?;
        let key = publishable_key(secret, state.as_ref()).await?.ok_or_else(key_is_wrong)?;
        let customer_id = token(parts, state.as_ref()).await?.and_then(|token| customer_id(&token));
        let sales_channel_ids = key.sales_channel_ids.clone();
        Ok(Self { key_id: key.id.clone(), sales_channel_ids, customer_id })
    }
}

async fn publishable_key(
    secret: &str,
    state: &Shared,
) -> Result<Option<Arc<Key>>, database::Error> {
    let Some(digest) = SecretDigest::of_presented(secret) else {
        return Ok(None);
    };
    Ok(state.credentials.key(digest).await?.filter(|key| !key.is_secret))
}

fn key_is_missing() -> HttpError {
    HttpError::unauthorized_because(
        "Publishable API key required in the request header: x-publishable-api-key",
    )
}

fn key_is_wrong() -> HttpError {
    HttpError::unauthorized_because("A valid publishable API key is required")
}

/// A logged-in customer in a storefront.
#[derive(Debug, Clone)]
pub struct Shopper {
    pub customer_id: CustomerId,
    /// The storefront.
    pub shop: Shop,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Shopper {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let shop = Shop::from_request_parts(parts, state).await?;
        let customer_id = shop.customer_id.clone().ok_or_else(HttpError::unauthorized)?;
        Ok(Self { customer_id, shop })
    }
}

/// A partner, who reads their own statement and nothing else.
#[derive(Debug, Clone)]
pub struct PartnerReader {
    pub partner_id: PartnerId,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for PartnerReader {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let state = state.as_ref();
        if let Presented::Key(secret) = Presented::of(&parts.headers) {
            let actor = key_actor(&state.credentials, &secret).await?;
            return Err(actor.map_or_else(HttpError::unauthorized, |_key| HttpError::forbidden()));
        }
        let token = token(parts, state).await?.ok_or_else(HttpError::unauthorized)?;
        if token.actor_type != ActorType::Partner {
            let is_caller = logs_in(token.kind);
            return Err(if is_caller { HttpError::forbidden() } else { HttpError::unauthorized() });
        }
        let id = token.actor_id.as_deref().and_then(|id| id.parse().ok());
        id.map(|partner_id| Self { partner_id }).ok_or_else(HttpError::unauthorized)
    }
}

/// A registered identity in a storefront, whether or not it is a customer yet.
#[derive(Debug, Clone)]
pub struct Registered {
    pub identity_id: IdentityId,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Registered {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let Shop { .. } = Shop::from_request_parts(parts, state).await?;
        let identity_id = identity_id(parts, state.as_ref(), ActorType::Customer).await?;
        Ok(Self { identity_id })
    }
}

/// An identity that was registered in order to accept an admin invitation.
#[derive(Debug, Clone)]
pub struct RegisteredUser {
    pub identity_id: IdentityId,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for RegisteredUser {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let identity_id = identity_id(parts, state.as_ref(), ActorType::User).await?;
        Ok(Self { identity_id })
    }
}

/// Returns the identity logged in as this type of actor, whether or not the actor exists yet.
async fn identity_id(
    parts: &Parts,
    state: &Shared,
    actor_type: ActorType,
) -> Result<IdentityId, HttpError> {
    let holder = find_holder(parts, state, logs_in).await?;
    let token = holder.map(|holder| holder.token).filter(|token| token.actor_type == actor_type);
    token.and_then(|token| token.identity_id.clone()).ok_or_else(HttpError::unauthorized)
}

/// A caller with a token that logs in, whatever the actor type.
#[derive(Debug, Clone)]
pub(super) struct Holder {
    pub(super) token: Arc<Token>,
    pub(super) digest: SecretDigest,
}

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for Holder {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        find_holder(parts, state.as_ref(), logs_in).await?.ok_or_else(HttpError::unauthorized)
    }
}

/// Like [`Holder`], but optional.
#[derive(Debug, Clone)]
pub(super) struct MaybeHolder(pub(super) Option<Holder>);

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for MaybeHolder {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        find_holder(parts, state.as_ref(), logs_in).await.map(Self)
    }
}

/// A caller with a password reset token.
#[derive(Debug, Clone)]
pub(super) struct ResetHolder(pub(super) Holder);

impl<S: AsRef<Shared> + Send + Sync> FromRequestParts<S> for ResetHolder {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let holder = find_holder(parts, state.as_ref(), |kind| kind == TokenKind::Reset).await?;
        holder.map(Self).ok_or_else(HttpError::unauthorized)
    }
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
        Err(_error) => Caller { is_admitted: true, is_valid: false },
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
        && let Some(secret) = presented::client_token(request.headers())
        // Without the database, the call is counted by its address.
        && let Ok(Some(token)) = state.credentials.client_token(&secret).await
        && token.counts_at(path)
    {
        request.extensions_mut().insert(LimitedClient(token.client_id.to_string()));
    }
    next.run(request).await
}

async fn caller(parts: &Parts, state: &Shared) -> Result<Caller, HttpError> {
    let is_valid = match Presented::of(&parts.headers) {
        Presented::Nothing => None,
        Presented::Malformed => Some(false),
        Presented::Key(secret) => Some(key_actor(&state.credentials, &secret).await?.is_some()),
        Presented::Token(secret) if is_client_token(&secret) => {
            Some(state.credentials.client_token(&secret).await?.is_some())
        }
        Presented::Token(_) | Presented::Cookie(_) => Some(token(parts, state).await?.is_some()),
    };
    let path = parts.uri.path();
    if path.starts_with("/admin/") {
        let is_admitted = is_valid == Some(true);
        return Ok(Caller { is_admitted, is_valid: is_admitted });
    }
    let is_admitted = !path.starts_with("/store/")
        || match presented::publishable_key(&parts.headers) {
            Some(secret) => publishable_key(secret, state).await?.is_some(),
            None => false,
        };
    Ok(Caller { is_admitted, is_valid: is_admitted && is_valid != Some(false) })
}

/// Returns the calling admin, counting the request against the rate limit.
async fn admin(parts: &Parts, state: &Shared) -> Result<AdminActor, HttpError> {
    let actor = match Presented::of(&parts.headers) {
        Presented::Key(secret) => key_actor(&state.credentials, &secret).await?,
        Presented::Token(secret) if is_client_token(&secret) => {
            client_actor(parts.uri.path(), &secret, state).await?
        }
        Presented::Token(_) | Presented::Cookie(_) | Presented::Nothing | Presented::Malformed => {
            match token(parts, state).await? {
                Some(token) => user_actor(&token)?,
                None => None,
            }
        }
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
    path: &str,
    secret: &str,
    state: &Shared,
) -> Result<Option<AdminActor>, HttpError> {
    let Some(token) = state.credentials.client_token(secret).await? else { return Ok(None) };
    let is_metrics = path.starts_with("/admin/metrics/") || path == "/admin/metrics";
    if is_metrics && token.allows(Scope::MetricsRead) {
        Ok(Some(AdminActor::Client(token.client_id)))
    } else {
        Err(HttpError::forbidden())
    }
}

async fn key_actor(
    credentials: &Credentials,
    secret: &str,
) -> Result<Option<AdminActor>, database::Error> {
    let Some(digest) = SecretDigest::of_presented(secret) else {
        return Ok(None);
    };
    let key = credentials.key(digest).await?.filter(|key| key.is_secret);
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

fn customer_id(token: &Token) -> Option<CustomerId> {
    if token.actor_type != ActorType::Customer || !logs_in(token.kind) {
        return None;
    }
    token.actor_id.as_deref()?.parse().ok()
}

const fn logs_in(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Access | TokenKind::Session)
}

/// Returns the token of a request, if it is valid.
async fn token(parts: &Parts, state: &Shared) -> Result<Option<Arc<Token>>, HttpError> {
    Ok(find_holder(parts, state, |_any| true).await?.map(|holder| holder.token))
}

/// Returns the token of a request and its digest, if it is valid and of a suitable kind.
async fn find_holder(
    parts: &Parts,
    state: &Shared,
    fits: impl Fn(TokenKind) -> bool,
) -> Result<Option<Holder>, HttpError> {
    let (secret, is_cookie) = match Presented::of(&parts.headers) {
        Presented::Token(secret) => (secret, false),
        Presented::Cookie(secret) if is_from_own_page(parts, &state.settings.http) => {
            (secret, true)
        }
        Presented::Cookie(_) | Presented::Nothing | Presented::Malformed | Presented::Key(_) => {
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

/// Returns whether a cookie counts: browsers send it automatically, so a page of another origin must not use it to
/// write.
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

    #[test]
    fn a_storefront_sells_in_its_channels_and_in_none() {
        let (own, other) = (SalesChannelId::new(), SalesChannelId::new());
        let shop = Shop {
            key_id: ApiKeyId::new(),
            sales_channel_ids: vec![own.clone()],
            customer_id: None,
        };
        assert!(shop.sells_in(None) && shop.sells_in(Some(&own)) && !shop.sells_in(Some(&other)));
    }
}
