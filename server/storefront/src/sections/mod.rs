//! Sections of product pages, which merchants keep in the product's metadata under `pdp_sections`.
//!
//! A section is an object with a `type`; what else it holds is the storefront's matter. Anything else in the list is
//! skipped, because metadata is written by hand and by other programs.

mod routes;
mod section;

pub(crate) use routes::router;
