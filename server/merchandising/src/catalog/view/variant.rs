//! The view of a variant.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::Image;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::{Resource, ToSchema};
use crate::ids::{OptionId, OptionValueId, PriceId, PriceListId, PriceSetId, ProductId, VariantId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::pricing::PriceView;

/// A variant of a product. Relations are included on request.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "product_variant v")]
#[record(list(
    plural = "variants",
    usual,
    search = ["v.title", "v.sku", "v.barcode", "v.ean", "v.upc"],
    order = "variant_rank"
))]
#[resource(name = "variant", store = StoreVariant)]
pub struct Variant {
    pub id: VariantId,
    #[schema(example = "S")]
    #[column(filter, order)]
    pub title: String,
    /// The stock keeping unit.
    #[schema(example = "SHIRT-S")]
    #[column(filter, order)]
    pub sku: Option<String>,
    #[column(filter)]
    pub barcode: Option<String>,
    /// The European article number.
    #[column(filter)]
    pub ean: Option<String>,
    /// The universal product code.
    #[column(filter)]
    pub upc: Option<String>,
    /// Whether it can be sold when it is out of stock.
    #[column(filter)]
    pub allow_backorder: bool,
    /// Whether its stock is managed.
    #[column(filter)]
    pub manage_inventory: bool,
    /// The Harmonized System code.
    pub(crate) hs_code: Option<String>,
    pub(crate) origin_country: Option<String>,
    /// The manufacturer's code.
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
    /// The position among the product's variants.
    #[column(filter, order)]
    pub variant_rank: i64,
    /// The URL of its picture.
    pub thumbnail: Option<String>,
    #[column(filter)]
    pub product_id: ProductId,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted variants are never returned.
    pub deleted_at: Option<Timestamp>,
    #[serde(skip)]
    pub price_set_id: PriceSetId,
    /// Its values of the product's options.
    #[field(relation)]
    pub options: Vec<VariantOption>,
    /// The images of its product, all of which show each of its variants.
    #[column(skip)]
    #[field(hidden, store(on_request))]
    pub images: Vec<Image>,
    /// The prices outside of price lists.
    #[field(relation, store(hidden))]
    pub prices: Vec<Price>,
    /// The price in the request's context.
    #[column(skip)]
    #[field(hidden, store(on_request))]
    pub calculated_price: Option<PriceView>,
    /// The quantity that can be sold in the channels of the key, or in all channels; null if stock is not managed.
    #[column(skip)]
    #[field(computed)]
    pub inventory_quantity: Option<i64>,
    /// The unit cost in the store's default currency; null if unknown.
    #[schema(example = 5.2)]
    #[column(skip)]
    #[field(computed, store(hidden))]
    pub unit_cost: Option<Amount>,
}

/// A variant's value of an option.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "option value")]
pub struct VariantOption {
    pub id: OptionValueId,
    #[schema(value_type = String, example = "S")]
    pub value: Arc<str>,
    /// The position among the option's values, from 0.
    pub rank: i64,
    pub metadata: Metadata,
    pub option_id: OptionId,
    #[schema(value_type = OptionHead)]
    #[field(relation(OptionHead))]
    pub option: Arc<OptionHead>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub deleted_at: Option<Timestamp>,
}

/// An option without its values.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "option")]
pub struct OptionHead {
    pub id: OptionId,
    /// The name of the option.
    #[schema(value_type = String, example = "Size")]
    pub title: Arc<str>,
    /// Whether it belongs to one product only; always true.
    pub(crate) is_exclusive: bool,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
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
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
    /// The display name.
    #[field(extra)]
    pub title: Option<String>,
    pub variant_id: VariantId,
    #[field(extra)]
    pub price_set_id: PriceSetId,
    /// The price list, if any.
    #[field(extra)]
    pub price_list_id: Option<PriceListId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The conditions by attribute, such as `{"region_id": "reg_…"}`.
    #[schema(value_type = Object, example = json!({"region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}))]
    pub rules: BTreeMap<String, serde_json::Value>,
}
