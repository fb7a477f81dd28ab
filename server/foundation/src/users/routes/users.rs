//! `/admin/users`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{AdminActor, AdminReader, AdminWriter, Credentials, Role};
use crate::database::{Db, Table};
use crate::http::{Answer, Deleted, Fields, HttpError, Json, One, Patch, Path, Text};
use crate::ids::UserId;
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::state::Shared;
use crate::users::UserError;
use crate::users::user::{self, User, UserChange};

/// Admins for admins. Changes go through [`Credentials`], so that log-ins follow at once.
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

/// What is to be changed of an admin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "first_name": "Grace", "role": "analyst" }))]
struct UpdateUserRequest {
    /// The first name.
    #[serde(default)]
    first_name: Patch<Text>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<Text>,
    /// The address of a picture.
    #[serde(default)]
    avatar_url: Patch<Text<2048>>,
    /// What they may do.
    role: Option<Role>,
    /// Keys to merge.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

impl From<UpdateUserRequest> for UserChange {
    fn from(request: UpdateUserRequest) -> Self {
        let UpdateUserRequest { first_name, last_name, avatar_url, role, metadata } = request;
        Self {
            first_name: plain(first_name),
            last_name: plain(last_name),
            avatar_url: plain(avatar_url),
            role,
            metadata,
        }
    }
}

/// Text without its checks.
pub(super) fn plain<const MAX: usize>(sent: Patch<Text<MAX>>) -> Patch<String> {
    sent.map(Text::into_string)
}

/// Show the admin who is logged in
///
/// A secret key is nobody: it gets 404.
#[utoipa::path(get, path = "/admin/users/me", tag = "Admin users", params(Fields<User>),
    responses((status = 200, description = "The admin", body = UserResponse),
              (status = 404, description = "A secret key asked", body = crate::http::ErrorBody)))]
async fn show_own_user(
    State(db): State<Db>,
    admin: AdminReader,
    fields: Fields<User>,
) -> Result<Answer, HttpError> {
    let AdminActor::User(id, _) = admin.actor().clone() else {
        return Err(HttpError::not_found("A secret key is no user"));
    };
    let user = db.read(move |tx| User::require::<UserError>(tx, &id)).await?;
    fields.answer(&user)
}

/// Change an admin
///
/// The last one whose role is `admin` keeps it.
#[utoipa::path(post, path = "/admin/users/{id}", tag = "Admin users",
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
/// They are logged out at once. The last one whose role is `admin` stays.
#[utoipa::path(delete, path = "/admin/users/{id}", tag = "Admin users",
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
