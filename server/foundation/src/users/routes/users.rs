//! `/admin/users`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::DeletedResponse;
use crate::auth::{AdminActor, AdminReader, AdminWriter, Credentials, Role};
use crate::database::listing::Listing;
use crate::database::{self, Db};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Patch, Path, Resource, Shape, Text,
};
use crate::ids::UserId;
use crate::metadata::MetadataPatch;
use crate::users::queries::users as queries;
use crate::users::user::{self, User, UserChange};

static USER: Shape = Shape {
    name: "user",
    defaults: &[
        "id",
        "first_name",
        "last_name",
        "email",
        "avatar_url",
        "role",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// Admins.
#[derive(Debug)]
pub(in crate::users) struct Users;

impl Resource for Users {
    const SHAPE: &'static Shape = &USER;
}

impl Listed for Users {
    const LISTING: &'static Listing = &queries::USERS;
}

/// An admin.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::users) struct UserResponse {
    /// The admin.
    user: User,
}

/// A page of admins.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::users) struct UserListResponse {
    /// The page.
    users: Vec<User>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// What is to be changed of an admin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "first_name": "Grace", "role": "analyst" }))]
pub(in crate::users) struct UpdateUserRequest {
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

/// The same without its checks.
pub(super) fn plain<const MAX: usize>(sent: Patch<Text<MAX>>) -> Patch<String> {
    match sent {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(text) => Patch::Value(text.into_string()),
    }
}

/// List admins
#[utoipa::path(get, path = "/admin/users", tag = "Admin users", params(ListRequest<Users>),
    responses((status = 200, description = "A page", body = UserListResponse)))]
pub(in crate::users) async fn list_users(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Users>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db.read::<_, database::Error>(move |tx| queries::page(tx, query)).await?;
    list.answer(&rows, count)
}

/// Show the admin who is logged in
///
/// A secret key is nobody: it gets 404.
#[utoipa::path(get, path = "/admin/users/me", tag = "Admin users", params(Fields<Users>),
    responses((status = 200, description = "The admin", body = UserResponse),
              (status = 404, description = "A secret key asked", body = crate::http::ErrorBody)))]
pub(in crate::users) async fn show_own_user(
    State(db): State<Db>,
    admin: AdminReader,
    fields: Fields<Users>,
) -> Result<Answer, HttpError> {
    let AdminActor::User(id, _) = admin.actor().clone() else {
        return Err(HttpError::not_found("A secret key is no user"));
    };
    let user = db.read(move |tx| user::find(tx, &id)).await?;
    fields.selection.answer("user", &user)
}

/// Show an admin
#[utoipa::path(get, path = "/admin/users/{id}", tag = "Admin users",
    params(("id" = UserId, Path, description = "The admin"), Fields<Users>),
    responses((status = 200, description = "The admin", body = UserResponse)))]
pub(in crate::users) async fn show_user(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<UserId>,
    fields: Fields<Users>,
) -> Result<Answer, HttpError> {
    let user = db.read(move |tx| user::find(tx, &id)).await?;
    fields.selection.answer("user", &user)
}

/// Change an admin
///
/// The last one whose role is `admin` keeps it.
#[utoipa::path(post, path = "/admin/users/{id}", tag = "Admin users",
    params(("id" = UserId, Path, description = "The admin"), Fields<Users>), request_body = UpdateUserRequest,
    responses((status = 200, description = "The admin", body = UserResponse)))]
pub(in crate::users) async fn update_user(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<UserId>,
    fields: Fields<Users>,
    Json(request): Json<UpdateUserRequest>,
) -> Result<Answer, HttpError> {
    let user = credentials
        .change(move |tx| user::update(tx, &id, request.into(), admin.actor_id()))
        .await?;
    fields.selection.answer("user", &user)
}

/// Delete an admin
///
/// They are logged out at once. The last one whose role is `admin` stays.
#[utoipa::path(delete, path = "/admin/users/{id}", tag = "Admin users",
    params(("id" = UserId, Path, description = "The admin")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::users) async fn delete_user(
    State(credentials): State<Credentials>,
    admin: AdminWriter,
    Path(id): Path<UserId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    credentials.change(move |tx| user::delete(tx, &id, admin.actor_id())).await?;
    Ok(Json(DeletedResponse::of("user", &deleted)))
}
