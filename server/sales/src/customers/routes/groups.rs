//! Groups of customers: `/admin/customer-groups`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::responses::{DeletedResponse, GroupListResponse, GroupResponse};
use super::shape::Groups;
use crate::auth::{AdminReader, AdminWriter};
use crate::customers::queries::groups as queries;
use crate::customers::{GroupChange, group};
use crate::database::{self, Db};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Patch, Path, Text};
use crate::ids::CustomerGroupId;
use crate::metadata::MetadataPatch;

/// A new group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Wholesale" }))]
pub(in crate::customers) struct CreateGroupRequest {
    /// What people call it, which no other has.
    name: Text,
    /// The store's own.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// What is to be changed of a group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Wholesale" }))]
pub(in crate::customers) struct UpdateGroupRequest {
    /// What people call it, which no other has.
    name: Option<Text>,
    /// Keys to merge.
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

/// List customer groups
#[utoipa::path(get, path = "/admin/customer-groups", tag = "Admin customer groups", params(ListRequest<Groups>),
    responses((status = 200, description = "A page", body = GroupListResponse)))]
pub(in crate::customers) async fn list_customer_groups(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<Groups>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db.read::<_, database::Error>(move |tx| queries::page(tx, query)).await?;
    list.answer(&rows, count)
}

/// Create a customer group
#[utoipa::path(post, path = "/admin/customer-groups", tag = "Admin customer groups", params(Fields<Groups>),
    request_body = CreateGroupRequest,
    responses((status = 200, description = "The group", body = GroupResponse),
              (status = 422, description = "Another group has the name", body = crate::http::ErrorBody)))]
pub(in crate::customers) async fn create_customer_group(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<Groups>,
    Json(request): Json<CreateGroupRequest>,
) -> Result<Answer, HttpError> {
    let CreateGroupRequest { name, metadata } = request;
    let group = db
        .write(move |tx| group::create_group(tx, name.into(), admin.actor_id(), metadata))
        .await?;
    fields.selection.answer("customer_group", &group)
}

/// Show a customer group
#[utoipa::path(get, path = "/admin/customer-groups/{id}", tag = "Admin customer groups",
    params(("id" = CustomerGroupId, Path, description = "The group"), Fields<Groups>),
    responses((status = 200, description = "The group", body = GroupResponse)))]
pub(in crate::customers) async fn show_customer_group(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<CustomerGroupId>,
    fields: Fields<Groups>,
) -> Result<Answer, HttpError> {
    let group = db.read(move |tx| group::find_group(tx, &id)).await?;
    fields.selection.answer("customer_group", &group)
}

/// Change a customer group
#[utoipa::path(post, path = "/admin/customer-groups/{id}", tag = "Admin customer groups",
    params(("id" = CustomerGroupId, Path, description = "The group"), Fields<Groups>),
    request_body = UpdateGroupRequest,
    responses((status = 200, description = "The group", body = GroupResponse),
              (status = 422, description = "Another group has the name", body = crate::http::ErrorBody)))]
pub(in crate::customers) async fn update_customer_group(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerGroupId>,
    fields: Fields<Groups>,
    Json(request): Json<UpdateGroupRequest>,
) -> Result<Answer, HttpError> {
    let change = GroupChange { name: request.name.map(String::from), metadata: request.metadata };
    let group = db.write(move |tx| group::update_group(tx, &id, change)).await?;
    fields.selection.answer("customer_group", &group)
}

/// Delete a customer group
///
/// Its customers stay.
#[utoipa::path(delete, path = "/admin/customer-groups/{id}", tag = "Admin customer groups",
    params(("id" = CustomerGroupId, Path, description = "The group")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::customers) async fn delete_customer_group(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerGroupId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| group::delete_group(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("customer_group", &deleted)))
}
