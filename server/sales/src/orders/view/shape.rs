//! Orders in lists, which have fewer default fields.

use super::shipping::ShippingMethodView;
use super::totals::TransactionView;
use super::{CreditLineView, LineView, OrderView, StoreLine, StoreOrder};
use crate::cart::TotalsView;
use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape, count_names, join_names};
use crate::orders::admin::fulfillments::FulfillmentView;
use crate::orders::order::Address;
use crate::orders::queries::{admin, lookup};
use crate::payments::view::{CollectionView, STORE_ORDER_COLLECTION};

/// The totals of an order other than `total`, which lists include.
const OTHER_TOTALS: &[&str] = match TotalsView::SHAPE.defaults.split_first() {
    Some((_total, others)) => others,
    None => &[],
};

const STORE_EXTRAS: &[&[&str]] =
    &[&["custom_display_id", "region_id", "email"], StoreOrder::SHAPE.extras, OTHER_TOTALS];

static STORE_ORDER_IN_LIST: Shape = Shape {
    name: "order",
    defaults: &[
        "id",
        "status",
        "summary",
        "display_id",
        "total",
        "currency_code",
        "payment_status",
        "fulfillment_status",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &join_names::<{ count_names(STORE_EXTRAS) }>(STORE_EXTRAS),
    computed: &[],
    relations: &[
        Relation::on_request("items", StoreLine::SHAPE),
        Relation::on_request("shipping_methods", ShippingMethodView::SHAPE),
        Relation::on_request("shipping_address", Address::SHAPE),
        Relation::on_request("billing_address", Address::SHAPE),
        Relation::on_request("credit_lines", CreditLineView::SHAPE),
        Relation::on_request("payment_collections", &STORE_ORDER_COLLECTION),
    ],
};

const ADMIN_EXTRAS: &[&[&str]] =
    &[&["locale", "canceled_at"], OrderView::SHAPE.extras, OTHER_TOTALS];

static ADMIN_ORDER_IN_LIST: Shape = Shape {
    name: "order",
    defaults: &[
        "id",
        "display_id",
        "custom_display_id",
        "status",
        "version",
        "summary",
        "total",
        "currency_code",
        "email",
        "sales_channel_id",
        "customer_id",
        "region_id",
        "payment_status",
        "fulfillment_status",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &join_names::<{ count_names(ADMIN_EXTRAS) }>(ADMIN_EXTRAS),
    computed: &[],
    relations: &[
        Relation::on_request("items", LineView::SHAPE),
        Relation::on_request("shipping_methods", ShippingMethodView::SHAPE),
        Relation::on_request("shipping_address", Address::SHAPE),
        Relation::on_request("billing_address", Address::SHAPE),
        Relation::on_request("credit_lines", CreditLineView::SHAPE),
        Relation::on_request("payment_collections", CollectionView::SHAPE),
        Relation::on_request("fulfillments", FulfillmentView::SHAPE),
        Relation::on_request("transactions", TransactionView::SHAPE),
    ],
};

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident: $shape:ident, $listing:path;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $name;

            impl Resource for $name {
                const SHAPE: &'static Shape = &$shape;
            }

            impl Listed for $name {
                const LISTING: &'static Listing = &$listing;
            }
        )*
    };
}

lists! {
    /// A customer's orders.
    StoreOrders: STORE_ORDER_IN_LIST, lookup::STORE_ORDERS;
    /// All orders.
    AdminOrders: ADMIN_ORDER_IN_LIST, admin::ADMIN_ORDERS;
    /// All administrators' drafts.
    AdminDraftOrders: ADMIN_ORDER_IN_LIST, admin::ADMIN_DRAFT_ORDERS;
}

impl Listed for OrderView {
    const LISTING: &'static Listing = &admin::ADMIN_ORDERS;
}

/// The payment collection of an order, as shoppers see it.
#[derive(Debug)]
pub(super) struct StoreOrderCollection;

impl Resource for StoreOrderCollection {
    const SHAPE: &'static Shape = &STORE_ORDER_COLLECTION;
}
