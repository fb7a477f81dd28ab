//! Admins and their invitations.
//!
//! Invariants: an address belongs to at most one admin; each logs in with one identity of [`crate::auth`]; there is
//! always a user with the role `admin`. Start at [`create_admin`] and [`exist`].

mod error;
mod invite;
mod queries;
mod routes;
mod user;

use utoipa_axum::router::OpenApiRouter;

pub use error::UserError;
pub use invite::{SEND_INVITATION, send as send_invitation};
pub use user::{create_admin, exist};

use crate::state::Shared;

/// Returns the routes of admins and invitations.
pub fn router() -> OpenApiRouter<Shared> {
    routes::router()
}
