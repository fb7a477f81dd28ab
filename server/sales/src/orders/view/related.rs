//! What can be answered of what belongs to orders: lines, shipping methods, addresses, credit lines.

use crate::http::{Relation, Shape};

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

pub(super) static LINE: Shape = Shape {
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

pub(super) static ADMIN_LINE: Shape = Shape {
    name: "item",
    defaults: LINE.defaults,
    extras: &["unit_cost"],
    computed: &[],
    relations: &LINE_RELATIONS,
};

pub(super) static SHIPPING_METHOD: Shape = Shape {
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

pub(super) static ADDRESS: Shape = Shape {
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

pub(super) static CREDIT_LINE: Shape = Shape {
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
