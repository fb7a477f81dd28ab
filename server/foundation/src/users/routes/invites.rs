//! `/admin/invites`.

use crate::routes;
use axum::extract::State;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;

use super::users::UserResponse;
use crate::auth::{AdminWriter, Credentials, Email, RegisteredUser, Role, SecretDigest};
use crate::database::Db;
use crate::http::{
    Answer, Fields, HttpError, Json, One, Patch, Path, Query, Resource, Selection, Text, request,
};
use crate::ids::InviteId;
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::state::Shared;
use crate::users::UserError;
use crate::users::invite::{self, Invite};
use crate::users::user::{UpdateUserRequest, User};

/// Returns the routes of invitations.
pub(super) fn admin() -> OpenApiRouter<Shared> {
    AdminRoutes::<Invite, _>::at("/admin/invites", "Admin users")
        .list()
        .show()
        .delete_by(invite::delete)
        .router()
        .routes(routes!(create_invite))
        .routes(routes!(accept_invite))
        .routes(routes!(resend_invite))
}

type InviteResponse = One<Invite>;

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
    let response = fields.answer(&invite)?;
    Ok(response.once(fields.answer(&Invite { token: None, ..invite })?))
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
    let response = fields.answer(&invite)?;
    Ok(response.once(fields.answer(&Invite { token: None, ..invite })?))
}
