//! Customers, address books and groups.

mod addresses;
mod admin;
mod erasures;
mod groups;
mod notes;
mod privacy;
mod store;
