//! Customers: buyers with an account and guests, their address books and their groups.
//!
//! Invariants: an e-mail address has at most one guest and one account; an account belongs to one identity of
//! [`crate::auth`]; a customer has at most one default address of each kind. Others call [`find`], [`guest`],
//! [`group_ids`] and [`find_address`].

mod address;
mod customer;
mod error;
mod group;
mod import;
mod queries;
mod routes;

pub use address::{Address, AddressRequest, find_address};
pub use customer::{
    AccountHolder, Customer, CustomerChange, CustomerOrder, StoreCustomer, create, create_account,
    delete, find, group_ids, guest, update,
};
pub use error::CustomerError;
pub use group::{CustomerGroup, GroupsRequest, MembersRequest};
pub use import::{ImportedCustomer, import, import_group};
pub use queries::subscription;
pub use routes::router;
