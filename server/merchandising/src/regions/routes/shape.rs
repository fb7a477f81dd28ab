//! What regions, sales channels, currencies and the store look like from outside.

use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};
use crate::regions::currencies;
use crate::regions::queries::{channels, regions, settings};

static COUNTRY: Shape = Shape {
    name: "country",
    defaults: &["iso_2", "iso_3", "num_code", "name", "display_name", "region_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PAYMENT_PROVIDER: Shape = Shape {
    name: "payment provider",
    defaults: &["id", "is_enabled"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static STORE_REGION: Shape = Shape {
    name: "region",
    defaults: &[
        "id",
        "name",
        "currency_code",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &["automatic_taxes"],
    computed: &[],
    relations: &[
        Relation::default("countries", &COUNTRY),
        Relation::on_request("payment_providers", &PAYMENT_PROVIDER),
    ],
};

static ADMIN_REGION: Shape = Shape {
    name: "region",
    defaults: &[
        "id",
        "name",
        "currency_code",
        "automatic_taxes",
        "is_tax_inclusive",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("countries", &COUNTRY),
        Relation::on_request("payment_providers", &PAYMENT_PROVIDER),
    ],
};

static SALES_CHANNEL: Shape = Shape {
    name: "sales channel",
    defaults: &[
        "id",
        "name",
        "description",
        "is_disabled",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static CURRENCY: Shape = Shape {
    name: "currency",
    defaults: &["code", "name", "symbol", "symbol_native", "decimal_digits", "rounding"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static STORE_CURRENCY: Shape = Shape {
    name: "currency of the store",
    defaults: &["currency_code", "is_default", "is_tax_inclusive", "store_id", "created_at"],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("currency", &CURRENCY)],
};

static STORE: Shape = Shape {
    name: "store",
    defaults: &[
        "id",
        "name",
        "default_currency_code",
        "default_sales_channel_id",
        "default_region_id",
        "default_location_id",
        "time_zone",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("supported_currencies", &STORE_CURRENCY)],
};

/// Regions as shoppers see them.
pub(super) struct StoreRegions;
impl Resource for StoreRegions {
    const SHAPE: &'static Shape = &STORE_REGION;
}
impl Listed for StoreRegions {
    const LISTING: &'static Listing = &regions::REGIONS;
}

/// Regions as the store's people see them.
pub(super) struct AdminRegions;
impl Resource for AdminRegions {
    const SHAPE: &'static Shape = &ADMIN_REGION;
}
impl Listed for AdminRegions {
    const LISTING: &'static Listing = &regions::REGIONS;
}

/// Sales channels.
pub(super) struct AdminSalesChannels;
impl Resource for AdminSalesChannels {
    const SHAPE: &'static Shape = &SALES_CHANNEL;
}
impl Listed for AdminSalesChannels {
    const LISTING: &'static Listing = &channels::CHANNELS;
}

/// Currencies.
pub(super) struct Currencies;
impl Resource for Currencies {
    const SHAPE: &'static Shape = &CURRENCY;
}
impl Listed for Currencies {
    const LISTING: &'static Listing = &currencies::CURRENCIES;
}

/// The store.
pub(super) struct AdminStores;
impl Resource for AdminStores {
    const SHAPE: &'static Shape = &STORE;
}
impl Listed for AdminStores {
    const LISTING: &'static Listing = &settings::STORES;
}
