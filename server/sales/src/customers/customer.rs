//! Customers: who buys, with an account or as a guest.

use serde::Serialize;
use utoipa::ToSchema;

use super::address::Address;
use super::error::CustomerError;
use super::group::CustomerGroup;
use super::queries::customers as queries;
use crate::auth::identities::{self, Identity};
use crate::auth::{ActorType, Email};
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::events;
use crate::http::Patch;
use crate::ids::{CustomerGroupId, CustomerId, IdentityId};
use crate::metadata::{Metadata, MetadataPatch};

/// A customer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Customer {
    /// Its id.
    pub id: CustomerId,
    /// The address, in lower case.
    pub email: Email,
    /// The company they buy for.
    pub company_name: Option<String>,
    /// The first name.
    #[schema(example = "Ada")]
    pub first_name: Option<String>,
    /// The last name.
    #[schema(example = "Lovelace")]
    pub last_name: Option<String>,
    /// The telephone number, as it was typed.
    pub phone: Option<String>,
    /// Whether they log in; a guest does not.
    pub has_account: bool,
    /// The admin or key that made them; null for who registered.
    pub created_by: Option<String>,
    /// What the store keeps with them.
    pub metadata: Metadata,
    /// When they came.
    pub created_at: Timestamp,
    /// When they were changed last.
    pub updated_at: Timestamp,
    /// Always null: who is deleted is not answered.
    pub deleted_at: Option<Timestamp>,
    /// The address book; loaded when it is asked for.
    pub addresses: Vec<Address>,
    /// The groups; loaded when they are asked for.
    pub groups: Vec<CustomerGroup>,
}

/// What is said of a customer; what is absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct CustomerChange {
    /// The address, which only guests may change.
    pub email: Option<Email>,
    /// The company they buy for.
    pub company_name: Patch<Option<String>>,
    pub first_name: Patch<Option<String>>,
    pub last_name: Patch<Option<String>>,
    pub phone: Patch<Option<String>>,
    /// Keys to merge; null empties it.
    pub metadata: Patch<MetadataPatch>,
}

impl Customer {
    fn new(email: Email, has_account: bool, created_by: Option<String>, now: Timestamp) -> Self {
        Self {
            id: CustomerId::new(),
            email,
            company_name: None,
            first_name: None,
            last_name: None,
            phone: None,
            has_account,
            created_by,
            metadata: Metadata::default(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
            addresses: Vec::new(),
            groups: Vec::new(),
        }
    }

    fn change(&mut self, change: CustomerChange) -> Result<(), CustomerError> {
        let CustomerChange { email, company_name, first_name, last_name, phone, metadata } = change;
        match email {
            Some(email) if email != self.email && self.has_account => {
                return Err(CustomerError::EmailIsLogin);
            }
            Some(email) => self.email = email,
            None => {}
        }
        set(&mut self.company_name, company_name);
        set(&mut self.first_name, first_name);
        set(&mut self.last_name, last_name);
        set(&mut self.phone, phone);
        set_metadata(&mut self.metadata, metadata)
    }
}

/// Applies what was sent to a field that may be empty; a blank empties it like null.
pub(super) fn set(field: &mut Option<String>, sent: Patch<Option<String>>) {
    if let Some(value) = sent.sent() {
        *field = value.flatten();
    }
}

pub(super) fn set_metadata(
    field: &mut Metadata,
    sent: Patch<MetadataPatch>,
) -> Result<(), CustomerError> {
    match sent {
        Patch::Absent => {}
        Patch::Null => *field = Metadata::default(),
        Patch::Value(patch) => *field = patch.merge(field)?,
    }
    Ok(())
}

/// The customer of this id, without addresses and groups.
pub fn find(tx: &Tx<'_>, id: &CustomerId) -> Result<Customer, CustomerError> {
    queries::find(tx, id)?.ok_or_else(|| CustomerError::not_found("Customer", id))
}

/// The groups that a customer is in, by their id; prices and promotions depend on them.
pub fn group_ids(tx: &Tx<'_>, id: &CustomerId) -> Result<Vec<CustomerGroupId>, database::Error> {
    super::queries::groups::ids_of(tx, id)
}

/// The guest with this address, who is made if they are new. A customer with an account is never found by an address:
/// it would show that there is one.
pub fn guest(tx: &Tx<'_>, email: &Email) -> Result<CustomerId, CustomerError> {
    match queries::guest(tx, email)? {
        Some(id) => Ok(id),
        None => Ok(insert(tx, Customer::new(email.clone(), false, None, tx.now()))?.id),
    }
}

/// A guest of the store's own, as admins write them down.
///
/// # Errors
/// [`CustomerError::EmailTaken`] when a guest has the address already.
pub fn create(
    tx: &Tx<'_>,
    email: Email,
    created_by: &str,
    change: CustomerChange,
) -> Result<Customer, CustomerError> {
    let mut customer = Customer::new(email, false, Some(created_by.to_owned()), tx.now());
    customer.change(change)?;
    insert(tx, customer)
}

/// The customer with an account of someone who has registered. Write it through [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`CustomerError::AlreadyCustomer`] when they are one; [`CustomerError::OtherEmail`] for an address that is not the
/// registered one.
pub fn create_account(
    tx: &Tx<'_>,
    identity_id: &IdentityId,
    change: CustomerChange,
) -> Result<Customer, CustomerError> {
    let identity = identities::find(tx, identity_id)?
        .filter(|identity| identity.actor_type == ActorType::Customer);
    let Some(Identity { id, email, actor_id, .. }) = identity else {
        return Err(CustomerError::not_found("Identity", identity_id));
    };
    if actor_id.is_some() {
        return Err(CustomerError::AlreadyCustomer);
    }
    if change.email.as_ref().is_some_and(|sent| *sent != email) {
        return Err(CustomerError::OtherEmail);
    }
    let mut customer = Customer::new(email, true, None, tx.now());
    customer.change(change)?;
    let customer = insert(tx, customer)?;
    identities::link(tx, &id, customer.id.as_str())?;
    Ok(customer)
}

/// Changes a customer.
pub fn update(
    tx: &Tx<'_>,
    id: &CustomerId,
    change: CustomerChange,
) -> Result<Customer, CustomerError> {
    let mut customer = find(tx, id)?;
    customer.change(change)?;
    customer.updated_at = tx.now();
    queries::update(tx, &customer).map_err(|error| taken(error, &customer))?;
    Ok(customer)
}

/// Deletes a customer and the account they log in with; their orders stay. Write it through [`crate::auth::Credentials::change`].
pub fn delete(tx: &Tx<'_>, id: &CustomerId) -> Result<(), CustomerError> {
    find(tx, id)?;
    queries::delete(tx, id)?;
    identities::remove(tx, ActorType::Customer, id.as_str())?;
    Ok(())
}

fn insert(tx: &Tx<'_>, customer: Customer) -> Result<Customer, CustomerError> {
    queries::insert(tx, &customer).map_err(|error| taken(error, &customer))?;
    events::record(tx, "customer.created", &serde_json::json!({ "id": customer.id }))?;
    Ok(customer)
}

fn taken(error: database::Error, customer: &Customer) -> CustomerError {
    if matches!(error, database::Error::Duplicate(_)) {
        CustomerError::EmailTaken(customer.email.clone())
    } else {
        error.into()
    }
}
