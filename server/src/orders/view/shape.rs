//! What can be answered of orders, on each surface.

use crate::http::{Relation, Resource, Shape};
use crate::payments::view::shape::{ADMIN_COLLECTION, STORE_COLLECTION};

/// Names, and those of the totals of a line or a shipping method.
macro_rules! with_charge {
    ($($name:literal),* $(,)?) => {
        &[
            $($name,)*
            "subtotal", "total", "original_subtotal", "original_total", "discount_total", "discount_subtotal",
            "discount_tax_total", "tax_total", "original_tax_total",
        ]
    };
}

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

static TAX_LINE: Shape = Shape {
    name: "tax_line",
    defaults: &[
        "id",
        "code",
        "description",
        "rate",
        "provider_id",
        "country_code",
        "province",
        "total",
        "subtotal",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static ADJUSTMENT: Shape = Shape {
    name: "adjustment",
    defaults: &["id", "promotion_id", "code", "amount", "is_tax_inclusive", "subtotal", "total"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PRODUCT: Shape = Shape {
    name: "product",
    defaults: &["id", "title", "handle", "thumbnail", "collection_id", "type_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static VARIANT: Shape = Shape {
    name: "variant",
    defaults: &["id", "title", "sku", "thumbnail", "product_id"],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("product", &PRODUCT)],
};

static LINE_RELATIONS: [Relation; 3] = [
    Relation::default("tax_lines", &TAX_LINE),
    Relation::default("adjustments", &ADJUSTMENT),
    Relation::default("variant", &VARIANT),
];

static LINE: Shape = Shape {
    name: "item",
    defaults: with_charge![
        "id",
        "title",
        "subtitle",
        "thumbnail",
        "variant_id",
        "product_id",
        "product_title",
        "product_description",
        "product_subtitle",
        "product_type",
        "product_type_id",
        "product_collection",
        "product_handle",
        "variant_sku",
        "variant_barcode",
        "variant_title",
        "variant_option_values",
        "requires_shipping",
        "is_giftcard",
        "is_discountable",
        "is_tax_inclusive",
        "is_custom_price",
        "bundle_id",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
        "compare_at_unit_price",
        "unit_price",
        "quantity",
        "detail",
        "refundable_total",
        "refundable_total_per_unit",
        "fulfilled_total",
        "shipped_total",
        "return_requested_total",
        "return_received_total",
        "return_dismissed_total",
        "write_off_total",
    ],
    extras: &[],
    computed: &[],
    relations: &LINE_RELATIONS,
};

static ADMIN_LINE: Shape = Shape {
    name: "item",
    defaults: LINE.defaults,
    extras: &["unit_cost"],
    computed: &[],
    relations: &LINE_RELATIONS,
};

static SHIPPING_METHOD: Shape = Shape {
    name: "shipping_method",
    defaults: with_charge![
        "id",
        "order_id",
        "name",
        "description",
        "amount",
        "is_tax_inclusive",
        "is_custom_amount",
        "shipping_option_id",
        "data",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("tax_lines", &TAX_LINE),
        Relation::default("adjustments", &ADJUSTMENT),
    ],
};

static ADDRESS: Shape = Shape {
    name: "address",
    defaults: &[
        "id",
        "first_name",
        "last_name",
        "company",
        "address_1",
        "address_2",
        "city",
        "postal_code",
        "country_code",
        "province",
        "phone",
        "metadata",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static CREDIT_LINE: Shape = Shape {
    name: "credit_line",
    defaults: &[
        "id",
        "order_id",
        "amount",
        "subtotal",
        "total",
        "reference",
        "reference_id",
        "metadata",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

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
        Relation::default("payment_collections", &STORE_COLLECTION),
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
        Relation::on_request("payment_collections", &STORE_COLLECTION),
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
        Relation::default("payment_collections", &ADMIN_COLLECTION),
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
        Relation::on_request("payment_collections", &ADMIN_COLLECTION),
        Relation::on_request("fulfillments", &FULFILLMENT),
    ],
};

macro_rules! resources {
    ($($(#[$doc:meta])* $name:ident: $shape:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub(crate) struct $name;

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
}
