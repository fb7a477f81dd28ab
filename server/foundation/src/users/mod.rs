//! Admins and their invitations.
//!
//! Invariants: an address belongs to at most one admin; each logs in with one identity of [`crate::auth`]; there is
//! always a user with the role `admin`. Start at [`create_admin`] and [`exist`].

mod error;
mod invite;
mod queries;
mod routes;
mod user;

pub use error::UserError;
pub use invite::{SEND_INVITATION, send as send_invitation};
pub use queries::{exist, has};
pub use routes::router;
pub use user::create_admin;
