//! The catalog: products with their variants and options, and what they are sorted by: categories, collections, tags
//! and types.
//!
//! Invariants: a variant is one value of each option of its product, and no other variant is the same; handles, and the
//! codes of variants, are each there once among what is not deleted; what is deleted stays in the file and is found by
//! nobody; a shopper sees what is published in a channel of the key. Others call [`sellables_by_id`] and
//! [`create_product`].

pub mod categories;
pub mod change;
mod counts;
mod create;
mod error;
pub mod groupings;
mod handle;
pub mod new;
pub(crate) mod option_change;
mod options;
mod queries;
mod routes;
mod sellable;
pub mod shopper;
mod status;
mod stock;
pub(crate) mod variant_change;
pub mod view;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use counts::ProductCounts;
pub use create::create_product;
pub use error::CatalogError;
pub use new::{NewOption, NewProduct, NewVariant};
pub use sellable::{Sellable, sellables_by_id};
pub use status::ProductStatus;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Products and what they are sorted by, for shoppers and for admins.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
