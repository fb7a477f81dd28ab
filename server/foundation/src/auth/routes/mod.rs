//! The routes of registration, login, logout, sessions, and password resets.

mod session;

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::actor::ActorType;
use super::authenticate::Holder;
use super::credentials::{Credentials, TokenKind};
use super::extract::ResetHolder;
use super::{AuthError, Email, NewPassword, Password};
use crate::database::Word as _;
use crate::http::{HttpError, Json, Path, ToSchema, request};
use crate::metadata::MetadataPatch;
use crate::middleware::{Client, RateLimits};
use crate::routes;
use crate::state::Shared;

/// Returns the routes of registration, login, logout, sessions, and password resets.
pub fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::<Shared>::new()
        .routes(routes!(register_identity))
        .routes(routes!(log_in))
        .routes(routes!(list_auth_providers))
        .routes(routes!(refresh_token))
        .routes(routes!(session::open_session, session::close_session))
        .routes(routes!(request_password_reset))
        .routes(routes!(update_password))
}

/// The type of actor that logs in with an e-mail address and a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum LoginActor {
    /// A customer.
    Customer,
    /// An admin.
    User,
}

impl From<LoginActor> for ActorType {
    fn from(actor: LoginActor) -> Self {
        match actor {
            LoginActor::Customer => Self::Customer,
            LoginActor::User => Self::User,
        }
    }
}

/// An access token, to be sent as a bearer token.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "token": "tok_9f2c4e…" }))]
struct TokenResponse {
    /// The token. It is returned only once.
    token: String,
}

/// The result of a successful action.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true }))]
struct SuccessResponse {
    /// Always true; failures are errors.
    success: bool,
}

impl SuccessResponse {
    const DONE: Self = Self { success: true };
}

/// An e-mail address with a new password.
#[request]
#[schema(example = json!({ "email": "ada@example.com", "password": "correct horse battery" }))]
struct RegisterRequest {
    /// The e-mail address; case-insensitive.
    email: Email,
    /// At least eight characters.
    password: NewPassword,
}

/// An e-mail address with its password.
#[request]
#[schema(example = json!({ "email": "ada@example.com", "password": "correct horse battery" }))]
struct LoginRequest {
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
async fn register_identity(
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
async fn log_in(
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
async fn refresh_token(
    State(credentials): State<Credentials>,
    holder: Holder,
) -> Result<Json<TokenResponse>, HttpError> {
    let secret = credentials.extend(&holder.token, TokenKind::Access).await?;
    Ok(Json(TokenResponse { token: secret.reveal().to_owned() }))
}

/// A login method.
#[derive(Debug, Serialize, ToSchema)]
struct AuthProvider {
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
struct AuthProviderListResponse {
    /// All methods.
    providers: [AuthProvider; 1],
}

/// List login methods
#[crate::http::operation(get, path = "/auth/{actor_type}/providers", tag = "Auth",
    params(("actor_type" = inline(LoginActor), Path, description = "Account type")),
    responses((status = 200, description = "The methods", body = AuthProviderListResponse)),
    security(()))]
async fn list_auth_providers(Path(_actor): Path<LoginActor>) -> Json<AuthProviderListResponse> {
    let display_name = "Email and password";
    let (id, flow) = ("emailpass", "credentials");
    Json(AuthProviderListResponse {
        providers: [AuthProvider { id, identifier: id, display_name, flow }],
    })
}

/// The account whose password is to be reset.
#[request]
#[schema(example = json!({ "identifier": "ada@example.com" }))]
struct ResetRequest {
    /// The e-mail address.
    identifier: Email,
    /// Passed on with the event, for example the page to return to; at most 16 KiB.
    metadata: Option<MetadataPatch>,
}

/// A new password.
#[request]
#[schema(example = json!({ "password": "correct horse battery" }))]
struct UpdatePasswordRequest {
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
async fn request_password_reset(
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
async fn update_password(
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
