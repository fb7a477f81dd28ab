//! Banners: short messages at certain placements in a storefront, for a limited time.
//!
//! Invariant: a banner with its own window is shown only in that window; without one it is shown while its campaign
//! runs, and without a campaign never. Start at [`banner::Banner::window`].

mod banner;
mod live;
mod queries;
mod requests;
mod routes;

pub(crate) use routes::router;
