//! Customers: who buys, with an account or as a guest, their address books and their groups.
//!
//! Invariants: an address has at most one guest and one account; an account belongs to one identity of
//! [`crate::auth`]; of a customer's addresses one at most is each default. Others call [`find`], [`guest`],
//! [`group_ids`] and [`find_address`].

mod address;
mod customer;
mod error;
mod group;
mod import;
mod queries;
mod routes;

#[cfg(test)]
mod tests;

use utoipa_axum::router::OpenApiRouter;

pub use address::{Address, AddressRequest, find_address};
pub use customer::{
    Customer, CustomerChange, StoreCustomer, create, create_account, delete, find, group_ids,
    guest, update,
};
pub use error::CustomerError;
pub use group::{CustomerGroup, Membership};
pub use import::{ImportedCustomer, import, import_group};

use crate::state::AppState;

/// The routes of customers, for shoppers and for admins.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
