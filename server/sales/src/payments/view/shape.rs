//! What can be answered of payment collections, sessions and payments.

use crate::http::{Relation, Resource, Shape};

/// What can be answered of a session.
pub(crate) static SESSION: Shape = Shape {
    name: "payment_session",
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
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static CAPTURE: Shape = Shape {
    name: "capture",
    defaults: &[
        "id",
        "payment_id",
        "amount",
        "created_by",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static REFUND: Shape = Shape {
    name: "refund",
    defaults: &[
        "id",
        "payment_id",
        "amount",
        "refund_reason_id",
        "note",
        "created_by",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// What an admin can be answered of a payment.
pub(crate) static PAYMENT: Shape = Shape {
    name: "payment",
    defaults: &[
        "id",
        "currency_code",
        "amount",
        "provider_id",
        "data",
        "metadata",
        "captured_at",
        "canceled_at",
        "payment_collection_id",
        "payment_session_id",
        "order_id",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("captures", &CAPTURE), Relation::default("refunds", &REFUND)],
};

/// What an admin can be answered of a collection.
pub(crate) static ADMIN_COLLECTION: Shape = Shape {
    name: "payment_collection",
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
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("payments", &PAYMENT),
        Relation::on_request("payment_sessions", &SESSION),
    ],
};

/// What a shopper can be answered of the collection of an order.
pub(crate) static STORE_COLLECTION: Shape = Shape {
    name: "payment_collection",
    defaults: ADMIN_COLLECTION.defaults,
    extras: &[],
    computed: &[],
    relations: &[Relation::on_request("payment_sessions", &SESSION)],
};

/// What a shopper can be answered of a collection that is to be paid.
pub(crate) static STORE_OPEN_COLLECTION: Shape = Shape {
    name: "payment_collection",
    defaults: &["id", "currency_code", "amount"],
    extras: &[
        "authorized_amount",
        "captured_amount",
        "refunded_amount",
        "status",
        "completed_at",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    computed: &[],
    relations: &[Relation::default("payment_sessions", &SESSION)],
};

/// Collections as a shopper is answered them while paying.
#[derive(Debug)]
pub(crate) struct StoreCollections;

impl Resource for StoreCollections {
    const SHAPE: &'static Shape = &STORE_OPEN_COLLECTION;
}
