//! The views of products: typed rows, with each relation of a page loaded by one statement on request.

pub(crate) mod grouping;
pub mod load;
pub mod price;
pub mod product;
pub mod variant;

pub use grouping::{Category, Collection, ProductType, Tag};
pub use product::{Image, OptionValue, Product, ProductOption};
pub use variant::{Variant, VariantOption};
