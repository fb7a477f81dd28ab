//! What of a cart can be asked for by `fields`.

use crate::http::{Relation, Resource, Shape};

static TAX_LINE: Shape = Shape {
    name: "tax line",
    defaults: &["id", "description", "code", "rate", "provider_id"],
    extras: &["tax_rate_id"],
    computed: &[],
    relations: &[],
};

static ADJUSTMENT: Shape = Shape {
    name: "adjustment",
    defaults: &["id", "code", "promotion_id", "amount", "is_tax_inclusive"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static REFERENCE: Shape =
    Shape { name: "reference", defaults: &["id"], extras: &[], computed: &[], relations: &[] };

static PRODUCT: Shape = Shape {
    name: "product of a line",
    defaults: &["id", "collection_id", "type_id"],
    extras: &["title", "subtitle", "description", "handle", "is_giftcard", "discountable"],
    computed: &[],
    relations: &[
        Relation::default("categories", &REFERENCE),
        Relation::default("tags", &REFERENCE),
    ],
};

static VARIANT: Shape = Shape {
    name: "variant of a line",
    defaults: &[
        "id",
        "title",
        "sku",
        "barcode",
        "product_id",
        "manage_inventory",
        "allow_backorder",
    ],
    extras: &["thumbnail"],
    computed: &[],
    relations: &[],
};

/// The totals of a line and of a shipping method; asked for by name.
const CHARGE_TOTALS: &[&str] = &[
    "subtotal",
    "total",
    "tax_total",
    "discount_subtotal",
    "discount_tax_total",
    "discount_total",
    "original_subtotal",
    "original_tax_total",
    "original_total",
];

static ITEM: Shape = Shape {
    name: "line item",
    defaults: &[
        "id",
        "cart_id",
        "title",
        "subtitle",
        "thumbnail",
        "quantity",
        "unit_price",
        "compare_at_unit_price",
        "is_tax_inclusive",
        "is_discountable",
        "is_giftcard",
        "requires_shipping",
        "bundle_id",
        "variant_id",
        "product_id",
        "product_type_id",
        "product_title",
        "product_description",
        "product_subtitle",
        "product_type",
        "product_collection",
        "product_handle",
        "variant_sku",
        "variant_barcode",
        "variant_title",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: CHARGE_TOTALS,
    computed: &[],
    relations: &[
        Relation::default("tax_lines", &TAX_LINE),
        Relation::default("adjustments", &ADJUSTMENT),
        Relation::default("product", &PRODUCT),
        Relation::on_request("variant", &VARIANT),
    ],
};

static METHOD: Shape = Shape {
    name: "shipping method",
    defaults: &[
        "id",
        "cart_id",
        "name",
        "amount",
        "is_tax_inclusive",
        "shipping_option_id",
        "data",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: CHARGE_TOTALS,
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
    ],
    extras: &["metadata"],
    computed: &[],
    relations: &[],
};

static COUNTRY: Shape = Shape {
    name: "country",
    defaults: &["iso_2", "iso_3", "num_code", "name", "display_name", "region_id"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static REGION: Shape = Shape {
    name: "region",
    defaults: &["id", "name", "currency_code", "automatic_taxes"],
    extras: &["is_tax_inclusive", "metadata", "created_at", "updated_at", "deleted_at"],
    computed: &[],
    relations: &[Relation::default("countries", &COUNTRY)],
};

static CUSTOMER: Shape = Shape {
    name: "customer",
    defaults: &["id", "email"],
    extras: &["first_name", "last_name", "company_name", "phone", "has_account"],
    computed: &[],
    relations: &[Relation::default("groups", &REFERENCE)],
};

static METHOD_OF_PROMOTION: Shape = Shape {
    name: "application method",
    defaults: &["id", "type", "value", "currency_code"],
    extras: &["target_type", "allocation"],
    computed: &[],
    relations: &[],
};

static PROMOTION: Shape = Shape {
    name: "promotion",
    defaults: &["id", "code", "is_automatic", "is_tax_inclusive"],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("application_method", &METHOD_OF_PROMOTION)],
};

static CREDIT_LINE: Shape = Shape {
    name: "credit line",
    defaults: &[
        "id",
        "amount",
        "reference",
        "reference_id",
        "metadata",
        "created_at",
        "updated_at",
    ],
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

static CART: Shape = Shape {
    name: "cart",
    defaults: &[
        "id",
        "currency_code",
        "email",
        "locale",
        "region_id",
        "sales_channel_id",
        "customer_id",
        "shipping_address_id",
        "billing_address_id",
        "metadata",
        "created_at",
        "updated_at",
        "completed_at",
        "total",
        "subtotal",
        "tax_total",
        "discount_total",
        "discount_subtotal",
        "discount_tax_total",
        "original_total",
        "original_subtotal",
        "original_tax_total",
        "item_total",
        "item_subtotal",
        "item_tax_total",
        "item_discount_total",
        "original_item_total",
        "original_item_subtotal",
        "original_item_tax_total",
        "shipping_total",
        "shipping_subtotal",
        "shipping_tax_total",
        "shipping_discount_total",
        "original_shipping_total",
        "original_shipping_subtotal",
        "original_shipping_tax_total",
        "credit_line_total",
        "credit_line_subtotal",
        "credit_line_tax_total",
    ],
    extras: &[],
    computed: &[],
    relations: &[
        Relation::default("items", &ITEM),
        Relation::default("shipping_methods", &METHOD),
        Relation::default("shipping_address", &ADDRESS),
        Relation::default("billing_address", &ADDRESS),
        Relation::default("credit_lines", &CREDIT_LINE),
        Relation::default("region", &REGION),
        Relation::default("customer", &CUSTOMER),
        Relation::default("promotions", &PROMOTION),
        Relation::default("payment_collection", &COLLECTION),
    ],
};

/// Carts as the store shows them.
#[derive(Debug)]
pub(in crate::cart) struct StoreCarts;

impl Resource for StoreCarts {
    const SHAPE: &'static Shape = &CART;
}
