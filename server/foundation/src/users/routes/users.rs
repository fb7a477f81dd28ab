//! `/admin/users`.

use crate::routes;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::{AdminActor, AdminReader, AdminWriter, Credentials, Role};
use crate::database::{Db, Table};
use crate::http::{
    Answer, Deleted, Fields, HttpError, Json, One, Patch, Path, PictureUrl, Text, request,
};
use crate::ids::UserId;
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::state::Shared;
use crate::users::UserError;
use crate::users::user::{self, User, UserChange};

/// Returns the routes of admins. Changes are run by [`Credentials`], so that logins follow at once.
pub(super) fn admin() -> OpenApiRouter<Shared> {
    AdminRoutes::<User, _>::at("/admin/users", "Admin users")
        .list()
        .show()
        .router()
        .routes(routes!(show_own_user))
        .routes(routes!(update_user, delete_user))
}

pub(super) type UserResponse = One<User>;
type UserDeletedResponse = Deleted<User>;

/// The fields of an admin to change.
#[request]
#[schema(example = json!({ "first_name": "Grace", "role": "analyst" }))]
struct UpdateUserRequest {
    /// The first name.
    first_name: Patch<Text>,
    /// The last name.
    last_name: Patch<Text>,
    /// The URL of a picture.
    avatar_url: Patch<PictureUrl>,
    /// The role.
    role: Option<Role>,
    /// Metadata keys to merge.
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

impl From<UpdateUserRequest> for UserChange {
    fn from(request: UpdateUserRequest) -> Self {
        let UpdateUserRequest { first_name, last_name, avatar_url, role, metadata } = request;
        Self {
            first_name: plain(first_name),
            last_name: plain(last_name),
            avatar_url: avatar_url.map(String::from),
            role,
            metadata,
        }
    }
}

/// Converts checked text to plain text.
pub(super) fn plain<const MAX: usize>(text: Patch<Text<MAX>>) -> Patch<String> {
    text.map(Text::into_string)
}

/// Show the current admin
///
/// A secret key has no user: it gets 404.
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

/// Change an admin
///
/// The last user with the role `admin` keeps it.
#[crate::http::operation(post, path = "/admin/users/{id}", tag = "Admin users",
    params(("id" = UserId, Path, description = "The admin"), Fields<User>), request_body = UpdateUserRequest,
    responses((status = 200, description = "The admin", body = UserResponse)))]
async fn update_user(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<UserId>,
    fields: Fields<User>,
    Json(request): Json<UpdateUserRequest>,
) -> Result<Answer, HttpError> {
    let user = credentials
        .change(move |tx| user::update(tx, &id, request.into(), admin.actor_id()))
        .await?;
    fields.answer(&user)
}

/// Delete an admin
///
/// They are logged out at once. The last user with the role `admin` cannot be deleted.
#[crate::http::operation(delete, path = "/admin/users/{id}", tag = "Admin users",
    params(("id" = UserId, Path, description = "The admin")),
    responses((status = 200, description = "Deleted", body = UserDeletedResponse)))]
async fn delete_user(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<UserId>,
) -> Result<Json<UserDeletedResponse>, HttpError> {
    let deleted = id.clone();
    credentials.change(move |tx| user::delete(tx, &id, admin.actor_id())).await?;
    Ok(Json(Deleted::new(deleted)))
}
