//! Products as they are read: typed rows, each relation of a page loaded by one statement when it is asked for.

pub(crate) mod grouping;
pub(crate) mod load;
pub(crate) mod price;
pub(crate) mod product;
pub(crate) mod variant;

pub(crate) use grouping::{Category, Collection, ProductType, Tag};
pub(crate) use product::{Image, OptionValue, Product, ProductOption, SoldIn};
pub(crate) use variant::{Variant, VariantOption};
