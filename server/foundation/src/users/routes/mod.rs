//! The routes of admins: `/admin/users`, `/admin/invites`.

mod invites;
mod users;

use utoipa_axum::router::OpenApiRouter;

use crate::state::Shared;

/// Returns the routes of admins and invitations.
pub fn router() -> OpenApiRouter<Shared> {
    OpenApiRouter::<Shared>::new().merge(users::admin()).merge(invites::admin())
}
