//! The SQL of the catalog.

pub(super) mod categories;
pub(super) mod changes;
pub(super) mod checks;
pub(super) mod groupings;
pub(super) mod places;
pub(super) mod products;
pub(super) mod relations;
pub(super) mod sellables;
pub(super) mod stock;
pub(super) mod variants;

use crate::database::Link;

pub(super) const TAGS: Link = Link::new("product_tag_product", "product_id", "product_tag_id");

pub(super) const CATEGORIES: Link =
    Link::new("product_category_product", "product_id", "product_category_id");

pub(super) const CHANNELS: Link =
    Link::new("product_sales_channel", "product_id", "sales_channel_id");
