//! Registration, login, and refreshing tokens.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use serde::Serialize;

use super::{LoginActor, TokenResponse};
use crate::auth::actor::ActorType;
use crate::auth::authenticate::Holder;
use crate::auth::credentials::{Credentials, TokenKind};
use crate::auth::{AuthError, Email, NewPassword, Password};
use crate::database::Word as _;
use crate::http::{HttpError, Json, Path, ToSchema, request};
use crate::middleware::{Client, RateLimits};

/// An e-mail address with a new password.
#[request]
#[schema(example = json!({ "email": "ada@example.com", "password": "correct horse battery" }))]
pub(crate) struct RegisterRequest {
    /// The e-mail address; case-insensitive.
    email: Email,
    /// At least eight characters.
    password: NewPassword,
}

/// An e-mail address with its password.
#[request]
#[schema(example = json!({ "email": "ada@example.com", "password": "correct horse battery" }))]
pub(crate) struct LoginRequest {
    /// The e-mail address; case-insensitive.
    email: Email,
    password: Password,
}

/// Register an e-mail address
///
/// Returns a token that creates the customer (`POST /store/customers`) or accepts an invitation (`POST
/// /admin/invites/accept`), and permits nothing else until then. An address that was registered but has no customer yet
/// can be registered again with the same password, to resume an interrupted registration.
#[crate::http::operation(post, path = "/auth/{actor_type}/emailpass/register", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Account type")), request_body = RegisterRequest,
    responses((status = 200, description = "The token", body = TokenResponse),
              (status = 401, description = "The address has an account", body = crate::http::ErrorBody)),
    security(()))]
pub(crate) async fn register_identity(
    State(credentials): State<Credentials>,
    Path(actor): Path<LoginActor>,
    Json(request): Json<RegisterRequest>,
) -> Result<Json<TokenResponse>, HttpError> {
    let secret = credentials.register(actor.into(), request.email, request.password).await?;
    Ok(Json(TokenResponse { token: secret.reveal().to_owned() }))
}

/// Log in
///
/// An unknown address and a wrong password get the same response after the same time.
#[crate::http::operation(post, path = "/auth/{actor_type}/emailpass", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Account type")), request_body = LoginRequest,
    responses((status = 200, description = "The token", body = TokenResponse),
              (status = 401, description = "Invalid email or password", body = crate::http::ErrorBody)),
    security(()))]
pub(crate) async fn log_in(
    State(credentials): State<Credentials>,
    State(rates): State<Arc<RateLimits>>,
    Extension(client): Extension<Client>,
    Path(actor): Path<LoginActor>,
    Json(request): Json<LoginRequest>,
) -> Result<Json<TokenResponse>, HttpError> {
    let (actor_type, address) = (ActorType::from(actor), client.address);
    let account = format!("{} {}", actor_type.as_str(), request.email);
    // Failures from elsewhere never lock out users who have logged in from this address before, and leave other
    // addresses a few attempts.
    let is_stranger = rates.is_attacked(&account)
        && !credentials.is_known(actor_type, request.email.clone(), address).await?;
    let most = if is_stranger { STRANGER_FAILURES } else { rates.max_failures() };
    rates.begin_login((&account, address), most)?;
    let login = (request.email, request.password);
    let outcome = credentials.log_in(actor_type, login, address).await;
    if !matches!(outcome, Err(AuthError::InvalidLogin)) {
        rates.remove_failure(&account, address);
    }
    Ok(Json(TokenResponse { token: outcome?.reveal().to_owned() }))
}

/// Limit: failures per minute of an attacked account from an address without an earlier log-in.
const STRANGER_FAILURES: u32 = 2;

/// Exchange a token for a new one
///
/// The new token is valid for the customer created with the old one. The old one stays valid until it expires.
#[crate::http::operation(post, path = "/auth/token/refresh", tag = "Auth",
    responses((status = 200, description = "A new token", body = TokenResponse)),
    security(("customer" = []), ("admin" = []), ("session" = [])))]
pub(crate) async fn refresh_token(
    State(credentials): State<Credentials>,
    holder: Holder,
) -> Result<Json<TokenResponse>, HttpError> {
    let secret = credentials.extend(&holder.token, TokenKind::Access).await?;
    Ok(Json(TokenResponse { token: secret.reveal().to_owned() }))
}

/// A login method.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AuthProvider {
    /// The method's id.
    id: &'static str,
    /// The name in the path.
    identifier: &'static str,
    display_name: &'static str,
    /// The kind of the method.
    flow: &'static str,
}

/// The login methods.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "providers": [{ "id": "emailpass", "identifier": "emailpass",
                                           "display_name": "Email and password", "flow": "credentials" }] }))]
pub(super) struct AuthProviderListResponse {
    /// All methods.
    providers: [AuthProvider; 1],
}

/// List login methods
#[crate::http::operation(get, path = "/auth/{actor_type}/providers", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Account type")),
    responses((status = 200, description = "The methods", body = AuthProviderListResponse)),
    security(()))]
pub(crate) async fn list_auth_providers(
    Path(_actor): Path<LoginActor>,
) -> Json<AuthProviderListResponse> {
    let display_name = "Email and password";
    let (id, flow) = ("emailpass", "credentials");
    Json(AuthProviderListResponse {
        providers: [AuthProvider { id, identifier: id, display_name, flow }],
    })
}
