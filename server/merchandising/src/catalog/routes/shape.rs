//! What can be answered of the catalog: for shoppers and for admins.

use crate::catalog::queries::{categories, options, products, variants};
use crate::catalog::view::{Collection, ProductType, Tag};
use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};

macro_rules! surface {
    ($(#[$doc:meta])* $name:ident, $shape:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(in crate::catalog) struct $name;

        impl Resource for $name {
            const SHAPE: &'static Shape = &$shape;
        }
    };
    ($(#[$doc:meta])* $name:ident, $shape:ident, $listing:expr) => {
        surface!($(#[$doc])* $name, $shape);

        impl Listed for $name {
            const LISTING: &'static Listing = &$listing;
        }
    };
}

surface!(
    /// Products as shoppers see them.
    StoreProducts, STORE_PRODUCT, products::STORE
);
surface!(
    /// Products as admins see them.
    Products, PRODUCT, products::ADMIN
);
surface!(
    /// Variants as admins see them.
    Variants, VARIANT, variants::VARIANTS
);
surface!(
    /// Options of products.
    Options, OPTION, options::OPTIONS
);
surface!(
    /// Categories as shoppers see them.
    StoreCategories, STORE_CATEGORY, categories::STORE
);
surface!(
    /// Categories as admins see them.
    Categories, CATEGORY, categories::ADMIN
);

/// What shoppers and admins see of a product by default.
const PRODUCT_FIELDS: &[&str] = &[
    "id",
    "title",
    "subtitle",
    "description",
    "handle",
    "is_giftcard",
    "discountable",
    "thumbnail",
    "collection_id",
    "type_id",
    "weight",
    "length",
    "height",
    "width",
    "hs_code",
    "origin_country",
    "mid_code",
    "material",
    "created_at",
    "updated_at",
];

static STORE_PRODUCT: Shape = Shape {
    name: "product",
    defaults: PRODUCT_FIELDS,
    extras: &["metadata", "external_id", "status", "shipping_profile_id"],
    computed: &[],
    relations: &[
        Relation::default("type", ProductType::SHAPE),
        Relation::default("collection", Collection::SHAPE),
        Relation::default("options", &OPTION),
        Relation::default("tags", Tag::SHAPE),
        Relation::default("images", &IMAGE),
        Relation::default("variants", &STORE_VARIANT),
        Relation::on_request("categories", &STORE_CATEGORY),
    ],
};

static PRODUCT: Shape = Shape {
    name: "product",
    defaults: &[
        "id",
        "title",
        "subtitle",
        "status",
        "external_id",
        "description",
        "handle",
        "is_giftcard",
        "discountable",
        "thumbnail",
        "collection_id",
        "type_id",
        "weight",
        "length",
        "height",
        "width",
        "hs_code",
        "origin_country",
        "mid_code",
        "material",
        "created_at",
        "updated_at",
        "deleted_at",
        "metadata",
    ],
    extras: &["shipping_profile_id"],
    computed: &[],
    relations: &[
        Relation::default("type", ProductType::SHAPE),
        Relation::default("collection", Collection::SHAPE),
        Relation::default("options", &OPTION),
        Relation::default("tags", Tag::SHAPE),
        Relation::default("images", &IMAGE),
        Relation::default("variants", &VARIANT),
        Relation::default("sales_channels", &SOLD_IN),
        Relation::on_request("categories", &CATEGORY),
    ],
};

/// What shoppers and admins see of a variant by default.
const VARIANT_FIELDS: &[&str] = &[
    "id",
    "title",
    "sku",
    "barcode",
    "ean",
    "upc",
    "allow_backorder",
    "manage_inventory",
    "hs_code",
    "origin_country",
    "mid_code",
    "material",
    "weight",
    "length",
    "height",
    "width",
    "metadata",
    "variant_rank",
    "thumbnail",
    "product_id",
    "created_at",
    "updated_at",
    "deleted_at",
];

static STORE_VARIANT: Shape = Shape {
    name: "variant",
    defaults: VARIANT_FIELDS,
    extras: &[],
    computed: &["inventory_quantity"],
    relations: &[
        Relation::default("options", &VARIANT_OPTION),
        Relation::on_request("calculated_price", &CALCULATED_PRICE),
    ],
};

static VARIANT: Shape = Shape {
    name: "variant",
    defaults: VARIANT_FIELDS,
    extras: &[],
    computed: &["inventory_quantity", "unit_cost"],
    relations: &[
        Relation::default("options", &VARIANT_OPTION),
        Relation::default("prices", &PRICE),
    ],
};

static VARIANT_OPTION: Shape = Shape {
    name: "option value",
    defaults: &[
        "id",
        "value",
        "rank",
        "metadata",
        "option_id",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("option", &OPTION_HEAD)],
};

const OPTION_FIELDS: &[&str] =
    &["id", "title", "is_exclusive", "metadata", "created_at", "updated_at", "deleted_at"];

static OPTION_HEAD: Shape =
    Shape { name: "option", defaults: OPTION_FIELDS, extras: &[], computed: &[], relations: &[] };

static OPTION: Shape = Shape {
    name: "option",
    defaults: OPTION_FIELDS,
    extras: &["product_id"],
    computed: &[],
    relations: &[Relation::default("values", &OPTION_VALUE)],
};

static OPTION_VALUE: Shape = Shape {
    name: "option value",
    defaults: &[
        "id",
        "value",
        "rank",
        "metadata",
        "option_id",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static CALCULATED_PRICE: Shape = Shape {
    name: "calculated price",
    defaults: &[
        "id",
        "is_calculated_price_price_list",
        "is_calculated_price_tax_inclusive",
        "calculated_amount",
        "is_original_price_price_list",
        "is_original_price_tax_inclusive",
        "original_amount",
        "currency_code",
        "calculated_price",
        "original_price",
        "calculated_amount_with_tax",
        "calculated_amount_without_tax",
        "original_amount_with_tax",
        "original_amount_without_tax",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static PRICE: Shape = Shape {
    name: "price",
    defaults: &[
        "id",
        "amount",
        "currency_code",
        "min_quantity",
        "max_quantity",
        "variant_id",
        "created_at",
        "updated_at",
        "rules",
    ],
    extras: &["title", "price_set_id", "price_list_id"],
    computed: &[],
    relations: &[],
};

static IMAGE: Shape = Shape {
    name: "image",
    defaults: &["id", "url", "rank", "metadata", "created_at", "updated_at", "deleted_at"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static SOLD_IN: Shape = Shape {
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

/// The tree around a category is answered whole, as deep as it was asked for.
static STORE_CATEGORY: Shape = Shape {
    name: "category",
    defaults: &[
        "id",
        "name",
        "description",
        "handle",
        "rank",
        "external_id",
        "parent_category_id",
        "created_at",
        "updated_at",
        "metadata",
        "parent_category",
        "category_children",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static CATEGORY: Shape = Shape {
    name: "category",
    defaults: &[
        "id",
        "name",
        "description",
        "handle",
        "is_active",
        "is_internal",
        "rank",
        "external_id",
        "parent_category_id",
        "created_at",
        "updated_at",
        "deleted_at",
        "metadata",
        "parent_category",
        "category_children",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};
