//! A variant as it is answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::price::PriceView;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::Resource;
use crate::ids::{OptionId, OptionValueId, PriceId, PriceListId, PriceSetId, ProductId, VariantId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};

/// A variant of a product. Relations are there when they are asked for.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_variant v")]
#[record(list(
    plural = "variants",
    search = ["v.title", "v.sku", "v.barcode", "v.ean", "v.upc"],
    order = "variant_rank"
))]
#[resource(name = "variant", store = StoreVariant)]
pub struct Variant {
    #[column(filter, order)]
    pub id: VariantId,
    #[schema(example = "S")]
    #[column(filter, order)]
    pub title: String,
    /// Stock keeping unit.
    #[schema(example = "SHIRT-S")]
    #[column(filter, order)]
    pub sku: Option<String>,
    #[column(filter)]
    pub barcode: Option<String>,
    /// European article number.
    #[column(filter)]
    pub ean: Option<String>,
    /// Universal product code.
    #[column(filter)]
    pub upc: Option<String>,
    /// Whether it is sold when none is in stock.
    #[column(filter)]
    pub allow_backorder: bool,
    /// Whether its stock is counted.
    #[column(filter)]
    pub manage_inventory: bool,
    /// Code of the Harmonized System.
    pub(crate) hs_code: Option<String>,
    pub(crate) origin_country: Option<String>,
    /// Manufacturer's code.
    pub(crate) mid_code: Option<String>,
    pub(crate) material: Option<String>,
    /// Weight in the store's unit.
    pub weight: Option<i64>,
    /// Length in the store's unit.
    pub length: Option<i64>,
    /// Height in the store's unit.
    pub(crate) height: Option<i64>,
    /// Width in the store's unit.
    pub width: Option<i64>,
    pub metadata: Metadata,
    /// Place among the product's variants.
    #[column(filter, order)]
    pub variant_rank: i64,
    /// Address of its picture.
    pub thumbnail: Option<String>,
    #[column(filter)]
    pub product_id: ProductId,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// Always null: deleted variants are not answered.
    pub deleted_at: Option<Timestamp>,
    #[serde(skip)]
    pub price_set_id: PriceSetId,
    /// Its values of the product's options.
    #[column(skip)]
    #[field(relation)]
    pub options: Vec<VariantOption>,
    /// Prices that are in no price list.
    #[column(skip)]
    #[field(relation, store(hidden))]
    pub prices: Vec<Price>,
    /// Price for who asks.
    #[column(skip)]
    #[field(hidden, store(on_request))]
    pub calculated_price: Option<PriceView>,
    /// How many can be sold in the channels of the key, or of all; null where stock is not counted.
    #[column(skip)]
    #[field(computed)]
    pub inventory_quantity: Option<i64>,
    /// Unit cost in the store's default currency; null where it is not known.
    #[schema(example = 5.2)]
    #[column(skip)]
    #[field(computed, store(hidden))]
    pub unit_cost: Option<Amount>,
}

/// A variant's value of an option.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "option value")]
pub struct VariantOption {
    /// The value's id.
    pub id: OptionValueId,
    #[schema(value_type = String, example = "S")]
    pub value: Arc<str>,
    /// Its place among the option's values, from 0.
    pub rank: i64,
    pub metadata: Metadata,
    pub option_id: OptionId,
    #[schema(value_type = OptionHead)]
    #[field(relation(OptionHead))]
    pub option: Arc<OptionHead>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are not answered.
    pub deleted_at: Option<Timestamp>,
}

/// An option without its values.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "option")]
pub struct OptionHead {
    pub id: OptionId,
    /// What varies among variants.
    #[schema(value_type = String, example = "Size")]
    pub title: Arc<str>,
    /// Whether it belongs to one product only; here it always does.
    pub(crate) is_exclusive: bool,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are not answered.
    pub deleted_at: Option<Timestamp>,
}

/// A price of a variant, as an admin sees it.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "price")]
pub struct Price {
    pub id: PriceId,
    /// The amount in major units.
    #[schema(example = 12.99)]
    pub amount: Amount,
    pub currency_code: Currency,
    /// Lowest quantity.
    pub min_quantity: Option<i64>,
    /// Highest quantity, included.
    pub max_quantity: Option<i64>,
    /// A name for people.
    #[field(extra)]
    pub title: Option<String>,
    pub variant_id: VariantId,
    /// The prices of the variant.
    #[field(extra)]
    pub price_set_id: PriceSetId,
    /// The price list it is in.
    #[field(extra)]
    pub price_list_id: Option<PriceListId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// What must be so, by attribute, as `{"region_id": "reg_…"}`.
    #[schema(value_type = Object, example = json!({"region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}))]
    pub rules: BTreeMap<String, serde_json::Value>,
}
