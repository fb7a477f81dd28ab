//! What shipping looks like from outside.

use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};
use crate::shipping::queries::admin;

static PROFILE: Shape = Shape {
    name: "shipping profile",
    defaults: &["id", "name", "type", "metadata", "created_at", "updated_at", "deleted_at"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static OPTION_TYPE: Shape = Shape {
    name: "shipping option type",
    defaults: &["id", "label", "description", "code", "created_at", "updated_at", "deleted_at"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PLACE: Shape = Shape {
    name: "geo zone",
    defaults: &[
        "id",
        "service_zone_id",
        "type",
        "country_code",
        "province_code",
        "city",
        "postal_expression",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static ZONE: Shape = Shape {
    name: "service zone",
    defaults: &[
        "id",
        "name",
        "fulfillment_set_id",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("geo_zones", &PLACE)],
};

static SET: Shape = Shape {
    name: "fulfillment set",
    defaults: &["id", "name", "type", "location_id", "metadata", "created_at", "updated_at"],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("service_zones", &ZONE)],
};

static RULE: Shape = Shape {
    name: "shipping option rule",
    defaults: &["id", "attribute", "operator", "value", "shipping_option_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PRICE_RULE: Shape = Shape {
    name: "price rule",
    defaults: &["attribute", "operator", "value"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PRICE: Shape = Shape {
    name: "price",
    defaults: &[
        "id",
        "title",
        "currency_code",
        "amount",
        "min_quantity",
        "max_quantity",
        "price_set_id",
        "price_list_id",
        "rules_count",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("price_rules", &PRICE_RULE)],
};

static PROVIDER: Shape = Shape {
    name: "fulfillment provider",
    defaults: &["id", "is_enabled"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static OPTION: Shape = Shape {
    name: "shipping option",
    defaults: &[
        "id",
        "name",
        "price_type",
        "service_zone_id",
        "shipping_profile_id",
        "provider_id",
        "shipping_option_type_id",
        "data",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("rules", &RULE),
        Relation::default("type", &OPTION_TYPE),
        Relation::default("service_zone", &ZONE),
        Relation::default("shipping_profile", &PROFILE),
        Relation::default("provider", &PROVIDER),
        Relation::default("prices", &PRICE),
    ],
};

/// Shipping profiles.
pub(super) struct AdminShippingProfiles;
impl Resource for AdminShippingProfiles {
    const SHAPE: &'static Shape = &PROFILE;
}
impl Listed for AdminShippingProfiles {
    const LISTING: &'static Listing = &admin::PROFILES;
}

/// Types of shipping options.
pub(super) struct AdminShippingOptionTypes;
impl Resource for AdminShippingOptionTypes {
    const SHAPE: &'static Shape = &OPTION_TYPE;
}
impl Listed for AdminShippingOptionTypes {
    const LISTING: &'static Listing = &admin::TYPES;
}

/// Shipping options.
pub(super) struct AdminShippingOptions;
impl Resource for AdminShippingOptions {
    const SHAPE: &'static Shape = &OPTION;
}
impl Listed for AdminShippingOptions {
    const LISTING: &'static Listing = &admin::OPTIONS;
}

/// Fulfillment sets.
pub(super) struct AdminFulfillmentSets;
impl Resource for AdminFulfillmentSets {
    const SHAPE: &'static Shape = &SET;
}

/// Service zones.
pub(super) struct AdminServiceZones;
impl Resource for AdminServiceZones {
    const SHAPE: &'static Shape = &ZONE;
}
