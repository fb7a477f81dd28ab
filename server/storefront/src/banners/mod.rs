//! Banners: short messages on places of a storefront, for a time.
//!
//! Invariant: a banner with an own window is shown in that window alone; without one it is shown while its campaign
//! runs, and without either not at all. Start at [`banner::Banner::window`].

mod banner;
mod live;
mod queries;
mod requests;
mod routes;

pub(crate) use routes::router;
