//! What is answered about customers, addresses and groups.

use serde::Serialize;
use utoipa::ToSchema;

use crate::customers::{Address, Customer, CustomerGroup};

/// A customer.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct CustomerResponse {
    /// The customer.
    customer: Customer,
}

/// A page of customers.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct CustomerListResponse {
    /// The page.
    customers: Vec<Customer>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// An address.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct AddressResponse {
    /// The address.
    address: Address,
}

/// A page of addresses.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct AddressListResponse {
    /// The page.
    addresses: Vec<Address>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// A group.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct GroupResponse {
    /// The group.
    customer_group: CustomerGroup,
}

/// A page of groups.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct GroupListResponse {
    /// The page.
    customer_groups: Vec<CustomerGroup>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That something is gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "cus_01K9AVJ7W3S4T5X6Y7Z8A9B0C1", "object": "customer", "deleted": true }))]
#[schema(as = CustomerDeletedResponse)]
pub(in crate::customers) struct DeletedResponse {
    /// What it was.
    id: String,
    /// Its kind.
    object: &'static str,
    /// Always true; what fails is an error.
    deleted: bool,
}

impl DeletedResponse {
    /// That the thing of this kind is gone.
    pub(in crate::customers) fn of(object: &'static str, id: &impl ToString) -> Self {
        Self { id: id.to_string(), object, deleted: true }
    }
}

/// That an address is gone, and whose it was.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::customers) struct AddressDeletedResponse {
    /// For customers their own id, as clients of this API expect it; for admins that of the address.
    id: String,
    /// `address` for customers, `customer_address` for admins.
    object: &'static str,
    /// Always true; what fails is an error.
    deleted: bool,
    /// The customer, without it.
    parent: serde_json::Value,
}

impl AddressDeletedResponse {
    /// That the address is gone.
    pub(in crate::customers) fn of(
        object: &'static str,
        id: &impl ToString,
        parent: serde_json::Value,
    ) -> Self {
        Self { id: id.to_string(), object, deleted: true, parent }
    }
}
