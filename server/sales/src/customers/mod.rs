//! Customers: who buys, with an account or as a guest, their address books and their groups.
//!
//! Invariants: an address has at most one guest and one account; an account belongs to one identity of
//! [`crate::auth`]; of a customer's addresses one at most is each default. Others call [`find`], [`guest`],
//! [`group_ids`], [`find_address`], and [`load`] for what a view needs.

mod address;
mod customer;
mod error;
mod group;
mod import;
mod queries;
mod routes;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use utoipa_axum::router::OpenApiRouter;

pub use address::{Address, AddressChange, find_address};
pub use customer::{
    Customer, CustomerChange, create, create_account, delete, find, group_ids, guest, update,
};
pub use error::CustomerError;
pub use group::{CustomerGroup, GroupChange, Membership};
pub use import::{ImportedCustomer, import, import_group};

use crate::database::{self, Tx};
use crate::ids::CustomerId;
use crate::state::AppState;

/// What is loaded beside a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct With {
    /// The address book.
    pub addresses: bool,
    /// The groups.
    pub groups: bool,
}

/// Loads what belongs to customers, one statement for each kind however many they are.
pub fn load(tx: &Tx<'_>, customers: &mut [Customer], with: With) -> Result<(), database::Error> {
    let ids: Vec<CustomerId> = customers.iter().map(|customer| customer.id.clone()).collect();
    let mut places: BTreeMap<CustomerId, &mut Customer> =
        customers.iter_mut().map(|customer| (customer.id.clone(), customer)).collect();
    if with.addresses {
        for address in queries::addresses::of_customers(tx, &ids)? {
            if let Some(customer) = places.get_mut(&address.customer_id) {
                customer.addresses.push(address);
            }
        }
    }
    if with.groups {
        for (id, group) in queries::groups::of_customers(tx, &ids)? {
            if let Some(customer) = places.get_mut(&id) {
                customer.groups.push(group);
            }
        }
    }
    Ok(())
}

/// The routes of customers, for shoppers and for admins.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
