//! Customers: buyers with an account and guests, their address books and their groups.
//!
//! Invariants: an e-mail address has at most one guest and one account; an account belongs to one identity of
//! [`crate::auth`]; a customer has at most one default address of each kind. Others call [`find`], [`guest`],
//! [`group_ids`] and [`find_address`].

mod account_holder;
mod address;
mod customer;
mod error;
mod group;
mod import;
mod order;
mod queries;
mod routes;

#[cfg(test)]
mod tests;

pub use account_holder::AccountHolder;
pub use address::{Address, AddressRequest, find_address};
pub use customer::{
    Customer, CustomerChange, StoreCustomer, create, create_account, delete, find, group_ids,
    guest, update,
};
pub use error::CustomerError;
pub use group::{CustomerGroup, GroupsRequest, MembersRequest};
pub use import::{ImportedCustomer, import, import_group};
pub use order::CustomerOrder;
pub use queries::subscription;
pub use routes::router;
