//! What can be answered of orders, on each surface.

use super::related::{ADDRESS, ADMIN_LINE, CREDIT_LINE, LINE, SHIPPING_METHOD};
use crate::http::{Relation, Resource, Shape};
use crate::payments::view::{CollectionView, STORE_ORDER_COLLECTION};

/// Names, and those of the totals of an order but for `total`.
macro_rules! with_totals {
    ($($name:literal),* $(,)?) => {
        &[
            $($name,)*
            "subtotal", "tax_total", "discount_total", "discount_subtotal", "discount_tax_total", "original_total",
            "original_subtotal", "original_tax_total", "item_total", "item_subtotal", "item_tax_total",
            "item_discount_total", "original_item_total", "original_item_subtotal", "original_item_tax_total",
            "shipping_total", "shipping_subtotal", "shipping_tax_total", "shipping_discount_total",
            "original_shipping_total", "original_shipping_subtotal", "original_shipping_tax_total",
            "credit_line_total", "credit_line_subtotal", "credit_line_tax_total",
        ]
    };
}

/// An order as the one who knows its id sees it.
pub(in crate::orders) static STORE_ORDER: Shape = Shape {
    name: "order",
    defaults: with_totals![
        "id",
        "status",
        "summary",
        "currency_code",
        "display_id",
        "custom_display_id",
        "region_id",
        "email",
        "total",
        "payment_status",
        "fulfillment_status",
        "created_at",
        "updated_at",
    ],
    extras: &[
        "sales_channel_id",
        "customer_id",
        "locale",
        "version",
        "metadata",
        "canceled_at",
        "shipping_address_id",
        "billing_address_id",
    ],
    computed: &[],
    relations: &[
        Relation::default("items", &LINE),
        Relation::default("shipping_methods", &SHIPPING_METHOD),
        Relation::default("shipping_address", &ADDRESS),
        Relation::default("billing_address", &ADDRESS),
        Relation::default("credit_lines", &CREDIT_LINE),
        Relation::default("payment_collections", &STORE_ORDER_COLLECTION),
    ],
};

/// An order in the list of its customer.
pub(in crate::orders) static STORE_ORDER_IN_LIST: Shape = Shape {
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
    extras: with_totals![
        "custom_display_id",
        "region_id",
        "email",
        "sales_channel_id",
        "customer_id",
        "locale",
        "version",
        "canceled_at",
        "shipping_address_id",
        "billing_address_id",
    ],
    computed: &[],
    relations: &[
        Relation::on_request("items", &LINE),
        Relation::on_request("shipping_methods", &SHIPPING_METHOD),
        Relation::on_request("shipping_address", &ADDRESS),
        Relation::on_request("billing_address", &ADDRESS),
        Relation::on_request("credit_lines", &CREDIT_LINE),
        Relation::on_request("payment_collections", &STORE_ORDER_COLLECTION),
    ],
};

static LABEL: Shape = Shape {
    name: "label",
    defaults: &["id", "tracking_number", "tracking_url", "label_url", "fulfillment_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static FULFILLMENT_ITEM: Shape = Shape {
    name: "item",
    defaults: &["id", "title", "sku", "barcode", "line_item_id", "fulfillment_id", "quantity"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static FULFILLMENT: Shape = Shape {
    name: "fulfillment",
    defaults: &[
        "id",
        "location_id",
        "provider_id",
        "shipping_option_id",
        "requires_shipping",
        "packed_at",
        "shipped_at",
        "delivered_at",
        "canceled_at",
        "created_by",
        "data",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("items", &FULFILLMENT_ITEM),
        Relation::default("labels", &LABEL),
    ],
};

/// An order as an admin sees it.
pub(in crate::orders) static ADMIN_ORDER: Shape = Shape {
    name: "order",
    defaults: with_totals![
        "id",
        "display_id",
        "custom_display_id",
        "status",
        "version",
        "summary",
        "total",
        "metadata",
        "locale",
        "region_id",
        "email",
        "sales_channel_id",
        "customer_id",
        "currency_code",
        "payment_status",
        "fulfillment_status",
        "created_at",
        "updated_at",
        "canceled_at",
    ],
    extras: &["shipping_address_id", "billing_address_id"],
    computed: &[],
    relations: &[
        Relation::default("items", &ADMIN_LINE),
        Relation::default("shipping_methods", &SHIPPING_METHOD),
        Relation::default("shipping_address", &ADDRESS),
        Relation::default("billing_address", &ADDRESS),
        Relation::default("credit_lines", &CREDIT_LINE),
        Relation::default("payment_collections", CollectionView::SHAPE),
        Relation::default("fulfillments", &FULFILLMENT),
    ],
};

/// An order in the list of admins: without its relations unless they are asked for.
pub(in crate::orders) static ADMIN_ORDER_IN_LIST: Shape = Shape {
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
    extras: with_totals!["locale", "canceled_at", "shipping_address_id", "billing_address_id"],
    computed: &[],
    relations: &[
        Relation::on_request("items", &ADMIN_LINE),
        Relation::on_request("shipping_methods", &SHIPPING_METHOD),
        Relation::on_request("shipping_address", &ADDRESS),
        Relation::on_request("billing_address", &ADDRESS),
        Relation::on_request("credit_lines", &CREDIT_LINE),
        Relation::on_request("payment_collections", CollectionView::SHAPE),
        Relation::on_request("fulfillments", &FULFILLMENT),
    ],
};

macro_rules! resources {
    ($($(#[$doc:meta])* $name:ident: $shape:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $name;

            impl Resource for $name {
                const SHAPE: &'static Shape = &$shape;
            }
        )*
    };
}

resources! {
    /// One order on the store's side.
    StoreOrder: STORE_ORDER;
    /// A customer's orders.
    StoreOrders: STORE_ORDER_IN_LIST;
    /// One order on the admins' side.
    AdminOrder: ADMIN_ORDER;
    /// All orders.
    AdminOrders: ADMIN_ORDER_IN_LIST;
    /// All drafts of administrators.
    AdminDraftOrders: ADMIN_ORDER_IN_LIST;
}
