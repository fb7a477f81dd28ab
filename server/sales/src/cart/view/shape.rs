//! The fields of a cart's countries and payment collection that `fields` may name.

use crate::http::{Relation, Resource, Shape};

static COUNTRY: Shape = Shape {
    name: "country",
    defaults: &["iso_2", "iso_3", "num_code", "name", "display_name", "region_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static SESSION: Shape = Shape {
    name: "payment session",
    defaults: &[
        "id",
        "currency_code",
        "amount",
        "provider_id",
        "status",
        "data",
        "context",
        "authorized_at",
        "payment_collection_id",
        "payment",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &["deleted_at"],
    computed: &[],
    relations: &[],
};

static COLLECTION: Shape = Shape {
    name: "payment collection",
    defaults: &[
        "id",
        "currency_code",
        "amount",
        "authorized_amount",
        "captured_amount",
        "refunded_amount",
        "status",
        "completed_at",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &["deleted_at"],
    computed: &[],
    relations: &[Relation::default("payment_sessions", &SESSION)],
};

/// A country of a cart's region.
#[derive(Debug)]
pub(super) struct Country;

impl Resource for Country {
    const SHAPE: &'static Shape = &COUNTRY;
}

/// The payment collection of a cart.
#[derive(Debug)]
pub(super) struct PaymentCollection;

impl Resource for PaymentCollection {
    const SHAPE: &'static Shape = &COLLECTION;
}
