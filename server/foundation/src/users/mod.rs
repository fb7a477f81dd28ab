//! Admins, and how they are let in.
//!
//! Invariants: an address is one admin's; each logs in with one identity of [`crate::auth`]; there is always somebody
//! whose role is `admin`. Start at [`create_admin`] and [`exist`].

mod error;
mod invite;
mod queries;
mod routes;
mod user;

use utoipa_axum::router::OpenApiRouter;

pub use error::UserError;
pub use user::{create_admin, exist};

use crate::state::Shared;

/// The routes of admins and invitations.
pub fn router() -> OpenApiRouter<Shared> {
    routes::router()
}
