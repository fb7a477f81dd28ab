//! The routes of admins: `/admin/users`, `/admin/invites`.

use axum::extract::State;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;

use super::UserError;
use super::invite::{self, Invite};
use super::user::{self, UpdateUserRequest, User};
use crate::auth::{
    AdminActor, AdminReader, AdminWriter, Credentials, Email, RegisteredUser, Role, SecretDigest,
};
use crate::database::{Db, Table};
use crate::http::{
    Answer, Fields, HttpError, Json, One, Patch, Path, Query, Resource, Selection, Text, request,
};
use crate::ids::InviteId;
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::routes;
use crate::state::Shared;

pub fn router() -> OpenApiRouter<Shared> {
    let users = AdminRoutes::<User, _>::at("/admin/users", "Admin users")
        .list()
        .show()
        .change_credentials()
        .update_by(UpdateUserRequest::update)
        .note("The last user with the role `admin` keeps it.")
        .delete_by(user::delete)
        .note("They are logged out at once, and an admin gets their private metrics, whose alerts are \
               paused. The last user with the role `admin` cannot be deleted.")
        .router()
        .routes(routes!(show_own_user));
    let invites = AdminRoutes::<Invite, _>::at("/admin/invites", "Admin users")
        .list()
        .show()
        .delete_by(invite::delete)
        .router()
        .routes(routes!(create_invite))
        .routes(routes!(accept_invite))
        .routes(routes!(resend_invite));
    users.merge(invites)
}

type UserResponse = One<User>;
type InviteResponse = One<Invite>;

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

/// The invitation to create.
#[request]
#[schema(example = json!({ "email": "grace@example.com", "role": "analyst" }))]
struct CreateInviteRequest {
    /// The e-mail address.
    email: Email,
    /// The role; defaults to `admin`.
    role: Option<Role>,
    /// Custom metadata.
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// The invitation to accept.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[into_params(parameter_in = Query)]
struct AcceptQuery {
    /// The invitation's token.
    token: String,
    /// The fields of the user to return.
    fields: Option<String>,
}

/// The details of the accepting user.
#[request]
#[schema(example = json!({ "first_name": "Grace", "last_name": "Hopper" }))]
struct AcceptInviteRequest {
    /// The invited address, as confirmation.
    email: Option<Email>,
    first_name: Patch<Text>,
    last_name: Patch<Text>,
}

/// Create an invitation
///
/// The token is returned in this response only. With a mail server, an e-mail to the address has a token of its own.
#[crate::http::operation(post, path = "/admin/invites", tag = "Admin users", params(Fields<Invite>),
    request_body = CreateInviteRequest,
    responses((status = 200, description = "The invitation", body = InviteResponse),
              (status = 422, description = "The address is taken", body = crate::http::ErrorBody)))]
async fn create_invite(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<Invite>,
    Json(request): Json<CreateInviteRequest>,
) -> Result<Answer, HttpError> {
    let CreateInviteRequest { email, role, metadata } = request;
    let role = role.unwrap_or(Role::Admin);
    let invite =
        db.write(move |tx| invite::invite(tx, email, role, metadata, admin.actor_id())).await?;
    answer_once(&fields, invite)
}

/// Accept an invitation
///
/// Send the token of `POST /auth/user/emailpass/register` for the invited address as a bearer token.
#[crate::http::operation(post, path = "/admin/invites/accept", tag = "Admin users", params(AcceptQuery),
    request_body = AcceptInviteRequest,
    responses((status = 200, description = "The admin", body = UserResponse)),
    security(("admin" = [])))]
async fn accept_invite(
    State(credentials): State<Credentials>,
    registered: RegisteredUser,
    Query(query): Query<AcceptQuery>,
    Json(request): Json<AcceptInviteRequest>,
) -> Result<Answer, HttpError> {
    let shape = User::SHAPE;
    let selection = query
        .fields
        .map_or_else(|| Ok(Selection::of_defaults(shape)), |text| Selection::parse(shape, &text))?;
    let token = SecretDigest::of_presented(&query.token).ok_or(UserError::InvalidInvite)?;
    let AcceptInviteRequest { email, first_name, last_name } = request;
    let change = UpdateUserRequest { first_name, last_name, ..UpdateUserRequest::default() };
    let user = credentials
        .change(move |tx| invite::accept(tx, token, &registered.identity_id, email, change))
        .await?;
    selection.answer("user", &user)
}

/// Resend an invitation
///
/// With new tokens, which invalidate the previous ones.
#[crate::http::operation(post, path = "/admin/invites/{id}/resend", tag = "Admin users",
    params(("id" = InviteId, Path, description = "The invitation"), Fields<Invite>),
    responses((status = 200, description = "The invitation", body = InviteResponse)))]
async fn resend_invite(
    State(db): State<Db>,
    admin: AdminWriter,
    Path(id): Path<InviteId>,
    fields: Fields<Invite>,
) -> Result<Answer, HttpError> {
    let invite = db.write(move |tx| invite::resend(tx, &id, admin.actor_id())).await?;
    answer_once(&fields, invite)
}

/// Returns an invitation with its token, which a replay omits.
fn answer_once(fields: &Fields<Invite>, invite: Invite) -> Result<Answer, HttpError> {
    let response = fields.answer(&invite)?;
    Ok(response.once(fields.answer(&Invite { token: None, ..invite })?))
}
