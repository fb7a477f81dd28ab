//! Groups of customers, which prices and promotions can target.

use serde::Serialize;

use super::error::CustomerError;
use super::queries;
use super::{Customer, StoreCustomer};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Missing, Record, Table, Tx, first_missing};
use crate::http::{Resource, ToSchema, request};
use crate::ids::{ById, CustomerGroupId, CustomerId};
use crate::metadata::Metadata;

/// A group of customers.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "customer_group g")]
#[record(list(
    plural = "customer_groups",
    usual,
    search = ["g.name"],
    order = "name",
    columns = [Column::filter(
        "customers",
        "g.id in (select customer_group_id from customer_group_member where customer_id in ({}))",
        Kind::Link,
    )],
))]
#[resource(name = "customer group")]
pub struct CustomerGroup {
    pub id: CustomerGroupId,
    #[schema(example = "Wholesale")]
    #[column(filter, order)]
    pub name: String,
    /// The admin or API key that created it.
    #[column(once, filter, kind = Kind::Id)]
    pub created_by: Option<String>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted groups are never returned.
    pub deleted_at: Option<Timestamp>,
    /// The members, on request.
    #[schema(no_recursion)]
    #[field(on_request(StoreCustomer))]
    pub customers: Vec<Customer>,
}

/// Customers to add to a group and to remove. Adding a present one and removing an absent one have no effect.
#[request]
pub struct MembersRequest {
    #[serde(default)]
    pub add: Vec<CustomerId>,
    #[serde(default)]
    pub remove: Vec<CustomerId>,
}

/// Groups to add a customer to and to remove them from. Adding a present one and removing an absent one have no effect.
#[request]
pub struct GroupsRequest {
    #[serde(default)]
    pub add: Vec<CustomerGroupId>,
    #[serde(default)]
    pub remove: Vec<CustomerGroupId>,
}

impl CustomerGroup {
    pub(super) fn new(name: String, created_by: Option<String>, now: Timestamp) -> Self {
        Self {
            id: CustomerGroupId::new(),
            name,
            created_by,
            metadata: Metadata::default(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
            customers: Vec::new(),
        }
    }
}

/// Deletes a group; its customers stay.
pub(super) fn delete_group(tx: &Tx<'_>, id: &CustomerGroupId) -> Result<(), CustomerError> {
    CustomerGroup::remove::<CustomerError>(tx, id)?;
    Ok(queries::MEMBERS.clear(tx, id)?)
}

/// Adds customers to a group and removes others.
pub(super) fn change_members(
    tx: &Tx<'_>,
    id: &CustomerGroupId,
    members: &MembersRequest,
) -> Result<(), CustomerError> {
    CustomerGroup::require::<CustomerError>(tx, id)?;
    if let Some(unknown) = first_missing::<String>(tx, "customer", &members.add)? {
        return Err(Missing::new(Customer::TITLE, &unknown).into());
    }
    queries::MEMBERS.remove(tx, &[id], &members.remove)?;
    Ok(queries::MEMBERS.add(tx, &[id], &members.add)?)
}

/// Loads the members of groups, with or without their addresses.
pub(super) fn load_members(
    tx: &Tx<'_>,
    groups: &mut [CustomerGroup],
    with_addresses: bool,
) -> Result<(), CustomerError> {
    let ids: Vec<CustomerGroupId> = groups.iter().map(|group| group.id.clone()).collect();
    let mut members = queries::members(tx, &ids)?;
    if with_addresses {
        let ids: Vec<CustomerId> = members.iter().map(|(_, member)| member.id.clone()).collect();
        let addresses =
            ById::grouped_by(queries::addresses_of(tx, &ids)?, |address| &address.customer_id);
        for (_, member) in &mut members {
            member.addresses = addresses.group(&member.id).to_vec();
        }
    }
    for (id, customer) in members {
        if let Some(group) = groups.iter_mut().find(|group| group.id == id) {
            group.customers.push(customer);
        }
    }
    Ok(())
}

/// Adds a customer to groups and removes them from others.
pub(super) fn change_groups(
    tx: &Tx<'_>,
    id: &CustomerId,
    groups: &GroupsRequest,
) -> Result<(), CustomerError> {
    Customer::require::<CustomerError>(tx, id)?;
    if let Some(unknown) = first_missing::<String>(tx, "customer_group", &groups.add)? {
        return Err(Missing::new(CustomerGroup::TITLE, &unknown).into());
    }
    queries::MEMBERS.remove(tx, &groups.remove, &[id])?;
    Ok(queries::MEMBERS.add(tx, &groups.add, &[id])?)
}
