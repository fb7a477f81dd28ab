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
#[expect(clippy::struct_field_names, reason = "the names are those of the API")]
pub(crate) struct Variant {
    /// Its id.
    pub(crate) id: VariantId,
    /// Its title.
    #[schema(example = "S")]
    pub(crate) title: String,
    /// Its stock keeping unit.
    #[schema(example = "SHIRT-S")]
    pub(crate) sku: Option<String>,
    /// Its barcode.
    pub(crate) barcode: Option<String>,
    /// Its European article number.
    pub(crate) ean: Option<String>,
    /// Its universal product code.
    pub(crate) upc: Option<String>,
    /// Whether it is sold though there is none.
    pub(crate) allow_backorder: bool,
    /// Whether its stock is counted.
    pub(crate) manage_inventory: bool,
    /// The code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    /// Where it is from.
    pub(crate) origin_country: Option<String>,
    /// The code of its maker.
    pub(crate) mid_code: Option<String>,
    /// What it is made of.
    pub(crate) material: Option<String>,
    /// How heavy it is, in the store's unit.
    pub(crate) weight: Option<i64>,
    /// How long it is, in the store's unit.
    pub(crate) length: Option<i64>,
    /// How high it is, in the store's unit.
    pub(crate) height: Option<i64>,
    /// How wide it is, in the store's unit.
    pub(crate) width: Option<i64>,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// Its place among the product's variants.
    pub(crate) variant_rank: i64,
    /// The address of its picture.
    pub(crate) thumbnail: Option<String>,
    /// The product.
    pub(crate) product_id: ProductId,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
    /// Its prices.
    #[serde(skip)]
    pub(crate) price_set_id: PriceSetId,
    /// Its values of the product's options.
    pub(crate) options: Vec<VariantOption>,
    /// Its prices that are in no price list.
    pub(crate) prices: Vec<Price>,
    /// Its price for who asks.
    pub(crate) calculated_price: Option<PriceView>,
    /// How many can be sold in the channels of the key, or of all; null where nobody counts.
    pub(crate) inventory_quantity: Option<i64>,
    /// What it costs the store now, in its default currency; null where nobody has said.
    #[schema(example = 5.2)]
    pub(crate) unit_cost: Option<Amount>,
}

/// A variant's value of an option.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct VariantOption {
    /// The value's id.
    pub(crate) id: OptionValueId,
    /// The value.
    #[schema(value_type = String, example = "S")]
    pub(crate) value: Arc<str>,
    /// Its place among the option's values, from 0.
    pub(crate) rank: i64,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// The option.
    pub(crate) option_id: OptionId,
    /// The option.
    #[schema(value_type = OptionHead)]
    pub(crate) option: Arc<OptionHead>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
}

/// An option without its values.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct OptionHead {
    /// Its id.
    pub(crate) id: OptionId,
    /// What varies.
    #[schema(value_type = String, example = "Size")]
    pub(crate) title: Arc<str>,
    /// Whether it belongs to one product only; here it always does.
    pub(crate) is_exclusive: bool,
    /// The caller's own data.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// When it was deleted: always null.
    pub(crate) deleted_at: Option<Timestamp>,
}

/// A price of a variant, as an admin sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are those of the API")]
pub(crate) struct Price {
    /// Its id.
    pub(crate) id: PriceId,
    /// The amount in major units.
    #[schema(example = 12.99)]
    pub(crate) amount: Amount,
    /// Its currency.
    pub(crate) currency_code: Currency,
    /// From this quantity on.
    pub(crate) min_quantity: Option<i64>,
    /// Up to this quantity, included.
    pub(crate) max_quantity: Option<i64>,
    /// A name for people.
    pub(crate) title: Option<String>,
    /// The variant.
    pub(crate) variant_id: VariantId,
    /// The prices of the variant.
    pub(crate) price_set_id: PriceSetId,
    /// The price list it is in.
    pub(crate) price_list_id: Option<PriceListId>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// What must be so, by attribute, as `{"region_id": "reg_…"}`.
    #[schema(value_type = Object, example = json!({"region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}))]
    pub(crate) rules: BTreeMap<String, serde_json::Value>,
}
