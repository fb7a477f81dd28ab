//! The fields of a cart's countries and payment collection that `fields` may name.

use crate::http::{Relation, Resource, Shape};

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

/// The payment collection of a cart.
#[derive(Debug)]
pub(super) struct PaymentCollection;

impl Resource for PaymentCollection {
    const SHAPE: &'static Shape = &COLLECTION;
}
