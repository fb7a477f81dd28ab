//! `/admin/users`.

use crate::routes;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::{AdminActor, AdminReader};
use crate::database::{Db, Table};
use crate::http::{Answer, Fields, HttpError, One};
use crate::resource::AdminRoutes;
use crate::state::Shared;
use crate::users::UserError;
use crate::users::user::{self, UpdateUserRequest, User};

/// Returns the routes of admins.
pub(super) fn admin() -> OpenApiRouter<Shared> {
    AdminRoutes::<User, _>::at("/admin/users", "Admin users")
        .list()
        .show()
        .change_credentials()
        .update_by(UpdateUserRequest::update)
        .note("The last user with the role `admin` keeps it.")
        .delete_by(user::delete)
        .note("They are logged out at once. The last user with the role `admin` cannot be deleted.")
        .router()
        .routes(routes!(show_own_user))
}

pub(super) type UserResponse = One<User>;

/// Show the current admin
///
/// A secret key has no user and gets 404.
#[crate::http::operation(get, path = "/admin/users/me", tag = "Admin users", params(Fields<User>),
    responses((status = 200, description = "The admin", body = UserResponse),
              (status = 404, description = "The caller is a secret key", body = crate::http::ErrorBody)))]
async fn show_own_user(
    State(db): State<Db>,
    admin: AdminReader,
    fields: Fields<User>,
) -> Result<Answer, HttpError> {
    let AdminActor::User(id, _) = admin.actor().clone() else {
        return Err(HttpError::not_found("A secret key is no user"));
    };
    fields.read(db, move |tx, _| User::require::<UserError>(tx, &id)).await
}
