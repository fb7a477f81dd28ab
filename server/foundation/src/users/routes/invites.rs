//! `/admin/invites`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::DeletedResponse;
use super::users::{UserResponse, Users, plain};
use crate::auth::{
    AdminReader, AdminWriter, Credentials, Email, RegisteredUser, Role, SecretDigest,
};
use crate::database::listing::Listing;
use crate::database::{self, Db};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Patch, Path, Query, Resource, Selection,
    Shape, Text,
};
use crate::ids::InviteId;
use crate::metadata::MetadataPatch;
use crate::users::UserError;
use crate::users::invite::{self, Invite};
use crate::users::queries::invites as queries;
use crate::users::user::UserChange;

static INVITE: Shape = Shape {
    name: "invite",
    defaults: &[
        "id",
        "email",
        "role",
        "accepted",
        "token",
        "expires_at",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// Invitations.
#[derive(Debug)]
pub(in crate::users) struct Invites;

impl Resource for Invites {
    const SHAPE: &'static Shape = &INVITE;
}

impl Listed for Invites {
    const LISTING: &'static Listing = &queries::INVITES;
}

/// An invitation.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::users) struct InviteResponse {
    /// The invitation.
    invite: Invite,
}

/// A page of invitations.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::users) struct InviteListResponse {
    /// The page.
    invites: Vec<Invite>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// Whom to invite.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "grace@example.com", "role": "analyst" }))]
pub(in crate::users) struct CreateInviteRequest {
    /// The address.
    email: Email,
    /// What they will be allowed to do; `admin` when it is absent.
    role: Option<Role>,
    /// The store's own.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// Which invitation is accepted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::users) struct AcceptQuery {
    /// The invitation's token.
    token: String,
    /// What to answer of the user.
    fields: Option<String>,
}

/// What who accepts says of themselves.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "first_name": "Grace", "last_name": "Hopper" }))]
pub(in crate::users) struct AcceptInviteRequest {
    /// The invited address, once more.
    email: Option<Email>,
    /// The first name.
    #[serde(default)]
    first_name: Patch<Text>,
    /// The last name.
    #[serde(default)]
    last_name: Patch<Text>,
}

/// List invitations
#[utoipa::path(get, path = "/admin/invites", tag = "Admin users", params(ListRequest<Invites>),
    responses((status = 200, description = "A page", body = InviteListResponse)))]
pub(in crate::users) async fn list_invites(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Invites>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db.read::<_, database::Error>(move |tx| queries::page(tx, query)).await?;
    list.answer(&rows, count)
}

/// Invite someone
///
/// The token is shown in this answer, and sent as the event `invite.created`; afterwards it is not shown again.
#[utoipa::path(post, path = "/admin/invites", tag = "Admin users", params(Fields<Invites>),
    request_body = CreateInviteRequest,
    responses((status = 200, description = "The invitation", body = InviteResponse),
              (status = 422, description = "They are an admin or invited", body = crate::http::ErrorBody)))]
pub(in crate::users) async fn create_invite(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<Invites>,
    Json(request): Json<CreateInviteRequest>,
) -> Result<Answer, HttpError> {
    let CreateInviteRequest { email, role, metadata } = request;
    let role = role.unwrap_or(Role::Admin);
    let invite =
        db.write(move |tx| invite::invite(tx, email, role, metadata, admin.actor_id())).await?;
    let shown = fields.selection.answer("invite", &invite)?;
    Ok(shown.once(fields.selection.answer("invite", &Invite { token: None, ..invite })?))
}

/// Accept an invitation
///
/// With the token of `POST /auth/user/emailpass/register` for the invited address as the bearer.
#[utoipa::path(post, path = "/admin/invites/accept", tag = "Admin users", params(AcceptQuery),
    request_body = AcceptInviteRequest,
    responses((status = 200, description = "The admin", body = UserResponse)),
    security(("admin" = [])))]
pub(in crate::users) async fn accept_invite(
    State(credentials): State<Credentials>,
    registered: RegisteredUser,
    Query(query): Query<AcceptQuery>,
    Json(request): Json<AcceptInviteRequest>,
) -> Result<Answer, HttpError> {
    let shape = <Users as Resource>::SHAPE;
    let selection = query
        .fields
        .map_or_else(|| Ok(Selection::of_defaults(shape)), |text| Selection::parse(shape, &text))?;
    let token = SecretDigest::of_shown(&query.token).ok_or(UserError::InvalidInvite)?;
    let AcceptInviteRequest { email, first_name, last_name } = request;
    let (first_name, last_name) = (plain(first_name), plain(last_name));
    let change = UserChange { first_name, last_name, ..UserChange::default() };
    let user = credentials
        .change(move |tx| invite::accept(tx, token, &registered.identity_id, email, change))
        .await?;
    selection.answer("user", &user)
}

/// Show an invitation
#[utoipa::path(get, path = "/admin/invites/{id}", tag = "Admin users",
    params(("id" = InviteId, Path, description = "The invitation"), Fields<Invites>),
    responses((status = 200, description = "The invitation", body = InviteResponse)))]
pub(in crate::users) async fn show_invite(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<InviteId>,
    fields: Fields<Invites>,
) -> Result<Answer, HttpError> {
    let invite = db.read(move |tx| invite::find(tx, &id)).await?;
    fields.selection.answer("invite", &invite)
}

/// Take an invitation back
#[utoipa::path(delete, path = "/admin/invites/{id}", tag = "Admin users",
    params(("id" = InviteId, Path, description = "The invitation")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::users) async fn delete_invite(
    State(db): State<Db>,
    admin: AdminWriter,
    Path(id): Path<InviteId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| invite::delete(tx, &id, admin.actor_id())).await?;
    Ok(Json(DeletedResponse::of("invite", &deleted)))
}

/// Send an invitation again
///
/// With another token, which makes the one before worthless.
#[utoipa::path(post, path = "/admin/invites/{id}/resend", tag = "Admin users",
    params(("id" = InviteId, Path, description = "The invitation"), Fields<Invites>),
    responses((status = 200, description = "The invitation", body = InviteResponse)))]
pub(in crate::users) async fn resend_invite(
    State(db): State<Db>,
    admin: AdminWriter,
    Path(id): Path<InviteId>,
    fields: Fields<Invites>,
) -> Result<Answer, HttpError> {
    let invite = db.write(move |tx| invite::resend(tx, &id, admin.actor_id())).await?;
    let shown = fields.selection.answer("invite", &invite)?;
    Ok(shown.once(fields.selection.answer("invite", &Invite { token: None, ..invite })?))
}
