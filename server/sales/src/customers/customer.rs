//! Customers: buyers with an account, and guests.

use serde::Serialize;

use super::address::Address;
use super::error::CustomerError;
use super::group::CustomerGroup;
use super::queries;
use crate::auth::identities::{self, Identity};
use crate::auth::{ActorType, Email};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery};
use crate::database::{self, FromRow, Missing, Record, Table, Tx, text_index};
use crate::events;
use crate::http::{OptionalText, Patch, Resource, Selection, ToSchema};
use crate::ids::{
    self, AccountHolderId, ById, CustomerGroupId, CustomerId, IdentityId, OrderId, RegionId,
    SalesChannelId,
};
use crate::metadata::{Metadata, MetadataPatch};
use crate::money::Currency;
use crate::resource::View;

/// A customer.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "customer c")]
#[record(list(
    plural = "customers",
    search = ["c.email", "c.first_name", "c.last_name", "c.company_name", "c.phone"],
    order = "-created_at",
    limit = 50,
    columns = [Column::filter(
        "groups",
        "c.id in (select customer_id from customer_group_member where customer_group_id in ({}))",
        Kind::Link,
    )],
))]
#[resource(name = "customer", store = StoreCustomer)]
pub struct Customer {
    #[column(filter, order)]
    pub id: CustomerId,
    /// E-mail address, in lower case.
    #[column(filter, order)]
    pub email: Email,
    #[column(filter)]
    pub company_name: Option<String>,
    #[schema(example = "Ada")]
    #[column(filter)]
    pub first_name: Option<String>,
    #[schema(example = "Lovelace")]
    #[column(filter)]
    pub last_name: Option<String>,
    /// The telephone number, as entered.
    #[column(filter)]
    pub phone: Option<String>,
    /// Whether the customer can log in; a guest cannot.
    #[column(once, filter)]
    pub has_account: bool,
    /// The admin or API key that created the customer; null for a registration.
    #[column(once, filter, kind = Kind::Id)]
    #[field(store(hidden))]
    pub created_by: Option<String>,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter)]
    pub updated_at: Timestamp,
    /// Always null: deleted customers are never returned.
    pub deleted_at: Option<Timestamp>,
    /// The address book; in lists on request.
    #[field(relation)]
    pub addresses: Vec<Address>,
    /// The customer's accounts with payment providers, on request.
    #[column(skip)]
    #[field(on_request)]
    pub account_holders: Vec<AccountHolder>,
    /// The newest orders in the storefront's sales channels.
    #[column(skip)]
    #[field(hidden, store(on_request))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orders: Option<Vec<CustomerOrder>>,
    /// The groups, on request.
    #[field(on_request, store(hidden))]
    pub groups: Vec<CustomerGroup>,
}

/// A customer's record at a payment provider.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "account_holder h", title = "Account holder")]
#[resource(name = "account holder", key = "account_holder")]
pub struct AccountHolder {
    pub id: AccountHolderId,
    #[column(once)]
    pub customer_id: CustomerId,
    #[column(once)]
    #[schema(example = "pp_stripe")]
    pub provider_id: String,
    /// The provider's id of the customer.
    #[column(once)]
    pub external_id: String,
    pub email: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An order of a customer, without the data computed from its lines.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "order")]
pub struct CustomerOrder {
    pub id: OrderId,
    /// Its human-readable number.
    pub display_id: i64,
    /// `pending`, `completed`, `archived`, `canceled` or `requires_action`.
    #[schema(example = "pending")]
    pub status: String,
    #[schema(example = "captured")]
    pub payment_status: String,
    #[schema(example = "not_fulfilled")]
    pub fulfillment_status: String,
    pub email: Option<String>,
    #[column(name = "currency")]
    pub currency_code: Currency,
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub canceled_at: Option<Timestamp>,
    /// When the order was placed.
    #[column(name = "placed_at")]
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl View for Customer {
    type Row = Self;
    type Error = CustomerError;

    fn page(
        tx: &Tx<'_>,
        query: ListQuery,
        selection: &Selection,
    ) -> Result<(Vec<Self>, u64), CustomerError> {
        let query = query.but_for("c.deleted_at is not null", Self::EXISTS);
        let query = text_index::CUSTOMERS.narrow(tx, query)?;
        let mut customers = query.page(tx, Self::COLUMNS, Self::read)?;
        Self::attach(tx, &mut customers, selection)?;
        Ok((customers, query.count(tx)?))
    }

    fn attach(
        tx: &Tx<'_>,
        customers: &mut [Self],
        selection: &Selection,
    ) -> Result<(), CustomerError> {
        let ids: Vec<CustomerId> = customers.iter().map(|customer| customer.id.clone()).collect();
        let mut by_id: ById<&mut Self> =
            customers.iter_mut().map(|customer| (customer.id.clone(), customer)).collect();
        if selection.wants("addresses") {
            for address in queries::addresses_of(tx, &ids)? {
                if let Some(customer) = by_id.get_mut(&address.customer_id) {
                    customer.addresses.push(address);
                }
            }
        }
        if selection.wants("account_holders") {
            for holder in queries::account_holders_of(tx, &ids)? {
                if let Some(customer) = by_id.get_mut(&holder.customer_id) {
                    customer.account_holders.push(holder);
                }
            }
        }
        if selection.wants("groups") {
            for (id, group) in queries::groups_of(tx, &ids)? {
                if let Some(customer) = by_id.get_mut(&id) {
                    customer.groups.push(group);
                }
            }
        }
        Ok(())
    }
}

/// The fields of a customer to change; absent ones stay unchanged.
#[derive(Debug, Default)]
pub struct CustomerChange {
    /// The e-mail address, which only guests may change.
    pub(super) email: Option<Email>,
    pub(super) company_name: Patch<OptionalText>,
    pub(super) first_name: Patch<OptionalText>,
    pub(super) last_name: Patch<OptionalText>,
    pub(super) phone: Patch<OptionalText<64>>,
    pub(super) metadata: Patch<MetadataPatch>,
}

impl Customer {
    pub(super) fn new(
        email: Email,
        has_account: bool,
        created_by: Option<String>,
        now: Timestamp,
    ) -> Self {
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
            account_holders: Vec::new(),
            orders: Some(Vec::new()),
            groups: Vec::new(),
        }
    }

    fn change(&mut self, change: CustomerChange) -> Result<(), CustomerError> {
        match change.email {
            Some(email) if email != self.email && self.has_account => {
                return Err(CustomerError::EmailIsLogin);
            }
            Some(email) => self.email = email,
            None => {}
        }
        crate::assign!(change => self: company_name, first_name, last_name, phone);
        Ok(self.metadata.set(change.metadata)?)
    }
}

/// Returns a customer, without addresses and groups.
pub fn find(tx: &Tx<'_>, id: &CustomerId) -> Result<Customer, CustomerError> {
    Customer::require(tx, id)
}

/// Returns a customer with the selected relations, as they see themselves in a storefront with these sales channels.
pub(super) fn show_own(
    tx: &Tx<'_>,
    id: &CustomerId,
    channels: &[SalesChannelId],
    selection: &Selection,
) -> Result<Customer, CustomerError> {
    let mut customer = Customer::show(tx, id, selection)?;
    if selection.wants("orders") {
        customer.orders = Some(queries::orders(tx, id, &ids::list(channels))?);
    }
    Ok(customer)
}

/// Returns the ids of a customer's groups, on which prices and promotions depend.
pub fn group_ids(tx: &Tx<'_>, id: &CustomerId) -> Result<Vec<CustomerGroupId>, database::Error> {
    let groups: Vec<(CustomerId, _)> = queries::MEMBERS.reversed().pairs(tx, &[id])?;
    Ok(groups.into_iter().map(|(_, group_id)| group_id).collect())
}

/// Returns the guest with this address, creating it if necessary. Never returns a customer with an account: that would
/// reveal that the account exists.
pub fn guest(tx: &Tx<'_>, email: &Email) -> Result<CustomerId, CustomerError> {
    match queries::guest(tx, email)? {
        Some(id) => Ok(id),
        None => Ok(insert(tx, Customer::new(email.clone(), false, None, tx.now()))?.id),
    }
}

/// Creates a guest for an admin.
///
/// # Errors
/// [`CustomerError::EmailTaken`] if a guest already has the address.
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

/// Creates the customer of a registered identity. Call it through [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`CustomerError::AlreadyCustomer`] if the identity already has one; [`CustomerError::OtherEmail`] for an address
/// other than the registered one.
pub fn create_account(
    tx: &Tx<'_>,
    identity_id: &IdentityId,
    change: CustomerChange,
) -> Result<Customer, CustomerError> {
    let identity = identities::find(tx, identity_id)?
        .filter(|identity| identity.actor_type == ActorType::Customer);
    let Some(Identity { id, email, actor_id, .. }) = identity else {
        return Err(Missing::new("Identity", identity_id).into());
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

pub fn update(tx: &Tx<'_>, id: &CustomerId, change: CustomerChange) -> Result<(), CustomerError> {
    let mut customer = find(tx, id)?;
    customer.change(change)?;
    customer
        .update(tx)
        .map_err(|error| error.or_taken(|| CustomerError::EmailTaken(customer.email.clone())))
}

/// Deletes a customer and their login; their orders stay. Call it through [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`CustomerError::Subscribed`] if a subscription of theirs has not ended.
pub fn delete(tx: &Tx<'_>, id: &CustomerId) -> Result<(), CustomerError> {
    if let Some(subscription) = queries::subscription(tx, id)? {
        return Err(CustomerError::Subscribed { customer: id.clone(), subscription });
    }
    Customer::remove::<CustomerError>(tx, id)?;
    identities::remove(tx, ActorType::Customer, id.as_str())?;
    Ok(())
}

fn insert(tx: &Tx<'_>, customer: Customer) -> Result<Customer, CustomerError> {
    customer
        .insert(tx)
        .map_err(|error| error.or_taken(|| CustomerError::EmailTaken(customer.email.clone())))?;
    events::record(tx, "customer.created", &serde_json::json!({ "id": customer.id }))?;
    Ok(customer)
}
