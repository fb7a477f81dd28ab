//! What tax regions and rates look like from outside.

use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};
use crate::taxes::queries::admin;

const REGION_FIELDS: &[&str] = &[
    "id",
    "country_code",
    "province_code",
    "parent_id",
    "provider_id",
    "created_by",
    "metadata",
    "created_at",
    "updated_at",
    "deleted_at",
];

const RATE_FIELDS: &[&str] = &[
    "id",
    "rate",
    "code",
    "name",
    "is_default",
    "is_combinable",
    "tax_region_id",
    "created_by",
    "metadata",
    "created_at",
    "updated_at",
    "deleted_at",
];

static RULE: Shape = Shape {
    name: "tax rate rule",
    defaults: &["id", "tax_rate_id", "reference", "reference_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static RATE_OF_REGION: Shape = Shape {
    name: "tax rate",
    defaults: RATE_FIELDS,
    extras: &[],
    computed: &[],
    relations: &[Relation::default("rules", &RULE)],
};

static PLAIN_REGION: Shape = Shape {
    name: "tax region",
    defaults: REGION_FIELDS,
    extras: &[],
    computed: &[],
    relations: &[],
};

static TAX_REGION: Shape = Shape {
    name: "tax region",
    defaults: REGION_FIELDS,
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("parent", &PLAIN_REGION),
        Relation::default("children", &PLAIN_REGION),
        Relation::default("tax_rates", &RATE_OF_REGION),
    ],
};

static TAX_RATE: Shape = Shape {
    name: "tax rate",
    defaults: RATE_FIELDS,
    extras: &[],
    computed: &[],
    relations: &[Relation::default("tax_region", &PLAIN_REGION), Relation::default("rules", &RULE)],
};

/// Tax regions.
pub(super) struct AdminTaxRegions;
impl Resource for AdminTaxRegions {
    const SHAPE: &'static Shape = &TAX_REGION;
}
impl Listed for AdminTaxRegions {
    const LISTING: &'static Listing = &admin::REGIONS;
}

/// Tax rates.
pub(super) struct AdminTaxRates;
impl Resource for AdminTaxRates {
    const SHAPE: &'static Shape = &TAX_RATE;
}
impl Listed for AdminTaxRates {
    const LISTING: &'static Listing = &admin::RATES;
}
