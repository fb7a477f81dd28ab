//! The routes of registration, login, logout, sessions, and password resets.

mod password;
mod session;
mod tokens;

use crate::http::ToSchema;
use crate::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::actor::ActorType;
use crate::state::Shared;

/// Returns the routes of registration, login, logout, sessions, and password resets.
pub fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::<Shared>::new()
        .routes(routes!(tokens::register_identity))
        .routes(routes!(tokens::log_in))
        .routes(routes!(tokens::list_auth_providers))
        .routes(routes!(tokens::refresh_token))
        .routes(routes!(session::open_session, session::close_session))
        .routes(routes!(password::request_password_reset))
        .routes(routes!(password::update_password))
}

/// The type of actor that logs in with an e-mail address and a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum LoginActor {
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
pub(super) struct TokenResponse {
    /// The token. It is returned only once.
    token: String,
}

/// The result of a successful action.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true }))]
pub(super) struct SuccessResponse {
    /// Always true; failures are errors.
    success: bool,
}

impl SuccessResponse {
    const DONE: Self = Self { success: true };
}
