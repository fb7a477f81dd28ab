//! Sections of product pages, which merchants store in the product's metadata under `pdp_sections`.
//!
//! A section is an object with a `type`; its other members are up to the storefront. Anything else in the list is
//! skipped, because metadata is also written by hand and by other programs.

mod routes;
mod section;

pub(crate) use routes::router;
