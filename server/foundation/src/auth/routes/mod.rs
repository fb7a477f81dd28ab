//! The routes of registering, logging in and out, and new passwords.

mod password;
mod session;
mod tokens;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::actor::ActorType;
use crate::state::Shared;

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::<Shared>::new()
        .routes(routes!(tokens::register_identity))
        .routes(routes!(tokens::log_in))
        .routes(routes!(tokens::list_auth_providers))
        .routes(routes!(tokens::refresh_token))
        .routes(routes!(session::open_session, session::close_session))
        .routes(routes!(password::request_password_reset))
        .routes(routes!(password::update_password))
}

/// Who logs in with an address and a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum LoginActor {
    /// Who buys.
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

/// A token, to be sent as a bearer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "token": "tok_9f2c4e…" }))]
pub(super) struct TokenResponse {
    /// The token. It is shown once.
    token: String,
}

/// That it is done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true }))]
pub(super) struct SuccessResponse {
    /// Always true; what fails is an error.
    success: bool,
}

impl SuccessResponse {
    const DONE: Self = Self { success: true };
}
