//! Groups of customers and their members: `/admin/customer-groups`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::CustomerResponse;
use crate::auth::AdminWriter;
use crate::customers::customer::set_metadata;
use crate::customers::{Customer, CustomerError, CustomerGroup, Membership, group};
use crate::database::{self, Db, Table as _, Tx};
use crate::http::{
    Answer, AssignTo as _, Fields, HttpError, Json, Patch, Path, Selection, Text, request,
};
use crate::ids::{CustomerGroupId, CustomerId};
use crate::metadata::MetadataPatch;
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<CustomerGroup, _>::at("/admin/customer-groups", "Admin customer groups")
        .list()
        .create(CreateGroupRequest::create)
        .taken("Another group has the name")
        .show()
        .update(UpdateGroupRequest::update)
        .taken("Another group has the name")
        .delete(group::delete_group)
        .note("Its customers stay.")
        .update_part(
            "/customers",
            "change_customers_of_group",
            "Add customers to a group, and remove others",
            |members: Membership<CustomerId>, tx, id| group::change_members(tx, id, &members),
        )
        .router()
        .routes(routes!(change_groups_of_customer))
}

impl View for CustomerGroup {
    type Row = Self;
    type Error = CustomerError;

    fn attach(
        tx: &Tx<'_>,
        groups: &mut [Self],
        selection: &Selection,
    ) -> Result<(), CustomerError> {
        if selection.wants("customers") {
            group::load_members(tx, groups, selection.wants("customers.addresses"))?;
        }
        Ok(())
    }
}

/// A new group.
#[request]
#[schema(example = json!({ "name": "Wholesale" }))]
struct CreateGroupRequest {
    /// A unique name.
    name: Text,
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

impl CreateGroupRequest {
    fn create(self, tx: &Tx<'_>, by: &str) -> Result<CustomerGroupId, CustomerError> {
        let mut group = CustomerGroup::new(self.name.into(), Some(by.to_owned()), tx.now());
        set_metadata(&mut group.metadata, self.metadata)?;
        group.insert(tx).map_err(|error| taken(error, &group))?;
        Ok(group.id)
    }
}

/// Fields of a group to change.
#[request]
#[schema(example = json!({ "name": "Wholesale" }))]
struct UpdateGroupRequest {
    /// A unique name.
    name: Option<Text>,
    /// Keys to merge; null removes all.
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

impl UpdateGroupRequest {
    fn update(self, tx: &Tx<'_>, id: &CustomerGroupId) -> Result<(), CustomerError> {
        let mut group = CustomerGroup::require::<CustomerError>(tx, id)?;
        self.name.assign_to(&mut group.name);
        set_metadata(&mut group.metadata, self.metadata)?;
        group.update(tx).map_err(|error| taken(error, &group))
    }
}

fn taken(error: database::Error, group: &CustomerGroup) -> CustomerError {
    error.or_taken(|| CustomerError::NameTaken(group.name.clone()))
}

/// Add a customer to groups, and remove them from others
#[utoipa::path(post, path = "/admin/customers/{id}/customer-groups", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), Fields<Customer>),
    request_body = Membership<CustomerGroupId>,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
async fn change_groups_of_customer(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerId>,
    fields: Fields<Customer>,
    Json(groups): Json<Membership<CustomerGroupId>>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            group::change_groups(tx, &id, &groups)?;
            Customer::show(tx, &id, selection)
        })
        .await
}
