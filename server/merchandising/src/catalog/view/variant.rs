//! A variant as it is answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::price::PriceView;
use crate::clock::Timestamp;
use crate::ids::{OptionId, OptionValueId, PriceId, PriceListId, PriceSetId, ProductId, VariantId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};

/// A variant of a product. Relations are there when they are asked for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Variant {
    /// Its id.
    pub id: VariantId,
    /// Its title.
    #[schema(example = "S")]
    pub title: String,
    /// Its stock keeping unit.
    #[schema(example = "SHIRT-S")]
    pub sku: Option<String>,
    /// Its barcode.
    pub barcode: Option<String>,
    /// Its European article number.
    pub ean: Option<String>,
    /// Its universal product code.
    pub upc: Option<String>,
    /// Whether it is sold though there is none.
    pub allow_backorder: bool,
    /// Whether its stock is counted.
    pub manage_inventory: bool,
    /// The code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    /// Where it is from.
    pub(crate) origin_country: Option<String>,
    /// The code of its maker.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// How heavy it is, in the store's unit.
    pub weight: Option<i64>,
    /// How long it is, in the store's unit.
    pub length: Option<i64>,
    /// How high it is, in the store's unit.
    pub(crate) height: Option<i64>,
    /// How wide it is, in the store's unit.
    pub width: Option<i64>,
    /// The caller's own data.
    pub metadata: Metadata,
    /// Its place among the product's variants.
    pub variant_rank: i64,
    /// The address of its picture.
    pub thumbnail: Option<String>,
    /// The product.
    pub product_id: ProductId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
    /// Its prices.
    #[serde(skip)]
    pub price_set_id: PriceSetId,
    /// Its values of the product's options.
    pub options: Vec<VariantOption>,
    /// Its prices that are in no price list.
    pub prices: Vec<Price>,
    /// Its price for who asks.
    pub calculated_price: Option<PriceView>,
    /// How many can be sold in the channels of the key, or of all; null where nobody counts.
    pub inventory_quantity: Option<i64>,
    /// What it costs the store now, in its default currency; null where nobody has said.
    #[schema(example = 5.2)]
    pub unit_cost: Option<Amount>,
}

/// A variant's value of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct VariantOption {
    /// The value's id.
    pub id: OptionValueId,
    /// The value.
    #[schema(value_type = String, example = "S")]
    pub value: Arc<str>,
    /// Its place among the option's values, from 0.
    pub rank: i64,
    /// The caller's own data.
    pub metadata: Metadata,
    /// The option.
    pub option_id: OptionId,
    /// The option.
    #[schema(value_type = OptionHead)]
    pub option: Arc<OptionHead>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// An option without its values.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OptionHead {
    /// Its id.
    pub id: OptionId,
    /// What varies.
    #[schema(value_type = String, example = "Size")]
    pub title: Arc<str>,
    /// Whether it belongs to one product only; here it always does.
    pub(crate) is_exclusive: bool,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// When it was deleted: always null.
    pub deleted_at: Option<Timestamp>,
}

/// A price of a variant, as an admin sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Price {
    /// Its id.
    pub id: PriceId,
    /// The amount in major units.
    #[schema(example = 12.99)]
    pub amount: Amount,
    /// Its currency.
    pub currency_code: Currency,
    /// From this quantity on.
    pub min_quantity: Option<i64>,
    /// Up to this quantity, included.
    pub max_quantity: Option<i64>,
    /// A name for people.
    pub title: Option<String>,
    /// The variant.
    pub variant_id: VariantId,
    /// The prices of the variant.
    pub price_set_id: PriceSetId,
    /// The price list it is in.
    pub price_list_id: Option<PriceListId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// What must be so, by attribute, as `{"region_id": "reg_…"}`.
    #[schema(value_type = Object, example = json!({"region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}))]
    pub rules: BTreeMap<String, serde_json::Value>,
}
