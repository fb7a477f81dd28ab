//! Groups of customers and their members: `/admin/customer-groups`.

use utoipa_axum::router::OpenApiRouter;

use crate::customers::{CustomerError, CustomerGroup, MembersRequest, group};
use crate::database::{self, Table as _, Tx};
use crate::http::{AssignTo as _, Patch, Selection, Text, request};
use crate::ids::CustomerGroupId;
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
            |members: MembersRequest, tx, id| group::change_members(tx, id, &members),
        )
        .router()
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
        group.metadata.set(self.metadata)?;
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
        group.metadata.set(self.metadata)?;
        group.update(tx).map_err(|error| taken(error, &group))
    }
}

fn taken(error: database::Error, group: &CustomerGroup) -> CustomerError {
    error.or_taken(|| CustomerError::NameTaken(group.name.clone()))
}
