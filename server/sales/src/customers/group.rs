//! Groups of customers, for prices and promotions of their own.

use serde::Serialize;
use utoipa::ToSchema;

use super::customer::set_metadata;
use super::error::CustomerError;
use super::queries::groups as queries;
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::http::Patch;
use crate::ids::{CustomerGroupId, CustomerId};
use crate::metadata::{Metadata, MetadataPatch};

/// A group of customers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CustomerGroup {
    /// Its id.
    pub id: CustomerGroupId,
    /// What people call it.
    #[schema(example = "Wholesale")]
    pub name: String,
    /// The admin or key that made it.
    pub created_by: Option<String>,
    /// What the store keeps with it.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub deleted_at: Option<Timestamp>,
}

/// What is said of a group; what is absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct GroupChange {
    /// What people call it.
    pub name: Option<String>,
    /// Keys to merge; null empties it.
    pub metadata: Patch<MetadataPatch>,
}

/// Who joins and who leaves.
#[derive(Debug, Clone)]
pub struct Membership<T> {
    /// Who or what is added; what is there already stays.
    pub add: Vec<T>,
    /// Who or what is removed; what is not there does not matter.
    pub remove: Vec<T>,
}

/// The group of this id.
pub(crate) fn find_group(
    tx: &Tx<'_>,
    id: &CustomerGroupId,
) -> Result<CustomerGroup, CustomerError> {
    queries::find(tx, id)?.ok_or_else(|| CustomerError::not_found("Customer group", id))
}

/// Makes a group.
pub(crate) fn create_group(
    tx: &Tx<'_>,
    name: String,
    created_by: &str,
    metadata: Patch<MetadataPatch>,
) -> Result<CustomerGroup, CustomerError> {
    let mut group = CustomerGroup {
        id: CustomerGroupId::new(),
        name,
        created_by: Some(created_by.to_owned()),
        metadata: Metadata::default(),
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    set_metadata(&mut group.metadata, metadata)?;
    queries::insert(tx, &group).map_err(|error| taken(error, &group))?;
    Ok(group)
}

/// Changes a group.
pub(crate) fn update_group(
    tx: &Tx<'_>,
    id: &CustomerGroupId,
    change: GroupChange,
) -> Result<CustomerGroup, CustomerError> {
    let mut group = find_group(tx, id)?;
    group.name = change.name.unwrap_or(group.name);
    set_metadata(&mut group.metadata, change.metadata)?;
    group.updated_at = tx.now();
    queries::update(tx, &group).map_err(|error| taken(error, &group))?;
    Ok(group)
}

/// Deletes a group; its customers stay.
pub(crate) fn delete_group(tx: &Tx<'_>, id: &CustomerGroupId) -> Result<(), CustomerError> {
    find_group(tx, id)?;
    queries::delete(tx, id)?;
    queries::remove_all(tx, id)?;
    Ok(())
}

/// Adds customers to a group and removes others.
///
/// # Errors
/// [`CustomerError::NotFound`] for the group, or the first customer to be added who does not exist.
pub(crate) fn change_members(
    tx: &Tx<'_>,
    id: &CustomerGroupId,
    members: &Membership<CustomerId>,
) -> Result<CustomerGroup, CustomerError> {
    let group = find_group(tx, id)?;
    if let Some(unknown) = super::queries::customers::first_unknown(tx, &members.add)? {
        return Err(CustomerError::not_found("Customer", &unknown));
    }
    let ids = [id.clone()];
    queries::remove_members(tx, &ids, &members.remove)?;
    queries::add_members(tx, &ids, &members.add)?;
    Ok(group)
}

/// Adds a customer to groups and removes them from others.
///
/// # Errors
/// [`CustomerError::NotFound`] for the customer, or the first group to be joined that does not exist.
pub(crate) fn change_groups(
    tx: &Tx<'_>,
    id: &CustomerId,
    groups: &Membership<CustomerGroupId>,
) -> Result<(), CustomerError> {
    super::customer::find(tx, id)?;
    if let Some(unknown) = queries::first_unknown(tx, &groups.add)? {
        return Err(CustomerError::not_found("Customer group", &unknown));
    }
    let ids = [id.clone()];
    queries::remove_members(tx, &groups.remove, &ids)?;
    queries::add_members(tx, &groups.add, &ids)?;
    Ok(())
}

fn taken(error: database::Error, group: &CustomerGroup) -> CustomerError {
    if matches!(error, database::Error::Duplicate(_)) {
        CustomerError::NameTaken(group.name.clone())
    } else {
        error.into()
    }
}
