//! The routes of admins: `/admin/users`, `/admin/invites`.

mod invites;
mod users;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::Shared;

pub(super) fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::<Shared>::new()
        .routes(routes!(users::list_users))
        .routes(routes!(users::show_own_user))
        .routes(routes!(users::show_user, users::update_user, users::delete_user))
        .routes(routes!(invites::list_invites, invites::create_invite))
        .routes(routes!(invites::accept_invite))
        .routes(routes!(invites::show_invite, invites::delete_invite))
        .routes(routes!(invites::resend_invite))
}

/// That something is gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UserDeletedResponse,
         example = json!({ "id": "user_01K9AVJ7W3S4T5X6Y7Z8A9B0C1", "object": "user", "deleted": true }))]
pub(super) struct DeletedResponse {
    /// What it was.
    id: String,
    /// Its kind.
    object: &'static str,
    /// Always true; what fails is an error.
    deleted: bool,
}

impl DeletedResponse {
    fn of(object: &'static str, id: &impl ToString) -> Self {
        Self { id: id.to_string(), object, deleted: true }
    }
}
