//! Who is in which group, from either side.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::responses::{CustomerResponse, GroupResponse};
use super::shape::{AdminCustomer, Groups};
use super::store::view;
use super::with;
use crate::auth::AdminWriter;
use crate::customers::{Membership, group};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, Path};
use crate::ids::{CustomerGroupId, CustomerId};

/// Who joins a group and who leaves it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["cus_01K9AVJ7W3S4T5X6Y7Z8A9B0C1"] }))]
pub(in crate::customers) struct ChangeMembersRequest {
    /// Who joins.
    #[serde(default)]
    add: Vec<CustomerId>,
    /// Who leaves.
    #[serde(default)]
    remove: Vec<CustomerId>,
}

/// Which groups a customer joins and leaves.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["cusgroup_01K9AVJ7W3S4T5X6Y7Z8A9B0C1"] }))]
pub(in crate::customers) struct ChangeGroupsRequest {
    /// What they join.
    #[serde(default)]
    add: Vec<CustomerGroupId>,
    /// What they leave.
    #[serde(default)]
    remove: Vec<CustomerGroupId>,
}

/// Add customers to a group, and remove others
#[utoipa::path(post, path = "/admin/customer-groups/{id}/customers", tag = "Admin customer groups",
    params(("id" = CustomerGroupId, Path, description = "The group"), Fields<Groups>),
    request_body = ChangeMembersRequest,
    responses((status = 200, description = "The group", body = GroupResponse)))]
pub(in crate::customers) async fn change_customers_of_group(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerGroupId>,
    fields: Fields<Groups>,
    Json(request): Json<ChangeMembersRequest>,
) -> Result<Answer, HttpError> {
    let ChangeMembersRequest { add, remove } = request;
    let group =
        db.write(move |tx| group::change_members(tx, &id, &Membership { add, remove })).await?;
    fields.selection.answer("customer_group", &group)
}

/// Add a customer to groups, and remove them from others
#[utoipa::path(post, path = "/admin/customers/{id}/customer-groups", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), Fields<AdminCustomer>),
    request_body = ChangeGroupsRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
pub(in crate::customers) async fn change_groups_of_customer(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerId>,
    fields: Fields<AdminCustomer>,
    Json(request): Json<ChangeGroupsRequest>,
) -> Result<Answer, HttpError> {
    let ChangeGroupsRequest { add, remove } = request;
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            group::change_groups(tx, &id, &Membership { add, remove })?;
            view(tx, &id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}
