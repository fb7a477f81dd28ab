//! Sites: the domains of a shop's storefronts, and what each of them shows and sells.
//!
//! Invariants: a domain belongs to one site; a sales channel has at most one primary site. Start at [`Site`].

mod domain;
mod queries;
mod routes;
mod site;

pub(crate) use queries::with_handle;
pub(crate) use routes::router;
pub(crate) use site::Site;
