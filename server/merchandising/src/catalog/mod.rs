//! The catalog: products with their variants and options, and the categories, collections, tags and types that group
//! them.
//!
//! Invariants: a variant has one value of each option of its product, and no other variant has the same values; handles
//! and variant codes are unique among rows that are not deleted; deleted rows stay in the database, but no query
//! returns them; a shopper sees products published in a channel of the key. Others call [`sellables_by_id`] and
//! [`create_product`].

pub mod categories;
mod change;
mod counts;
mod create;
mod error;
pub mod groupings;
mod handle;
pub mod new;
mod option_change;
mod options;
mod product_requests;
mod queries;
pub mod rating;
mod routes;
mod sellable;
pub mod shopper;
mod stock;
mod variant_change;
mod variant_requests;
pub mod view;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use counts::ProductCounts;
pub use create::create_product;
pub use error::CatalogError;
pub use new::{NewOption, NewProduct, NewVariant};
pub use queries::products::is_visible;
pub use queries::variants::has_variant;
pub use rating::ProductRating;
pub use routes::PriceContextQuery;
pub use routes::router;
pub use sellable::{Sellable, metadata_of, sellable, sellables_by_id, sellables_of};
pub use shopper::{PriceContextRequest, require_visible, resolve as resolve_context};
pub use view::product::ProductStatus;
