//! What can be answered of price lists and preferences.

use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};
use crate::pricing::queries::{lists, preferences};

/// Price lists.
#[derive(Debug, Clone, Copy)]
pub(in crate::pricing) struct PriceLists;

impl Resource for PriceLists {
    const SHAPE: &'static Shape = &PRICE_LIST;
}

impl Listed for PriceLists {
    const LISTING: &'static Listing = &lists::PRICE_LISTS;
}

/// Price preferences.
#[derive(Debug, Clone, Copy)]
pub(in crate::pricing) struct PricePreferences;

impl Resource for PricePreferences {
    const SHAPE: &'static Shape = &PREFERENCE;
}

impl Listed for PricePreferences {
    const LISTING: &'static Listing = &preferences::PREFERENCES;
}

static PRICE_LIST: Shape = Shape {
    name: "price list",
    defaults: &[
        "id",
        "title",
        "description",
        "status",
        "type",
        "starts_at",
        "ends_at",
        "rules",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &["metadata"],
    computed: &[],
    relations: &[Relation::default("prices", &LIST_PRICE)],
};

static LIST_PRICE: Shape = Shape {
    name: "price",
    defaults: &[
        "id",
        "variant_id",
        "currency_code",
        "amount",
        "min_quantity",
        "max_quantity",
        "rules",
        "created_at",
        "updated_at",
    ],
    extras: &["price_set_id"],
    computed: &[],
    relations: &[],
};

static PREFERENCE: Shape = Shape {
    name: "price preference",
    defaults: &[
        "id",
        "attribute",
        "value",
        "is_tax_inclusive",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};
