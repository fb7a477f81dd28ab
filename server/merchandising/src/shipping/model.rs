//! Stored profiles, types, sets, zones and options, and their views.

use serde::Serialize;

use super::conditions::{NewRule, Operator, values_of};
use super::{GeoZone, ShippingError};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{FromRow, Record, Word as _};
use crate::http::{Resource, Shape, ToSchema};
use crate::ids::{
    FulfillmentSetId, GeoZoneId, PriceId, PriceSetId, ServiceZoneId, ShippingOptionId,
    ShippingOptionRuleId, ShippingOptionTypeId, ShippingProfileId, StockLocationId,
};
use crate::inventory::FULFILLMENT_PROVIDERS;
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::pricing::PriceRow;

/// A shipping profile.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "shipping_profile p")]
#[record(list(plural = "shipping_profiles", usual, search = ["p.name", "p.type"]))]
#[resource(name = "shipping profile", error = ShippingError)]
pub(super) struct ShippingProfile {
    pub(super) id: ShippingProfileId,
    #[schema(example = "Default Shipping Profile")]
    #[column(filter, order)]
    pub(super) name: String,
    /// `default`, `gift_card`, or a custom type.
    #[serde(rename = "type")]
    #[schema(example = "default")]
    #[column(filter)]
    pub(super) kind: String,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub(super) deleted_at: Option<Timestamp>,
}

/// A shipping option type.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "shipping_option_type t")]
#[record(list(plural = "shipping_option_types", usual, search = ["t.label", "t.code", "t.description"]))]
#[resource(name = "shipping option type", error = ShippingError)]
pub(super) struct ShippingOptionType {
    pub(super) id: ShippingOptionTypeId,
    #[schema(example = "Express")]
    #[column(filter, order)]
    pub(super) label: String,
    #[column(filter)]
    pub(super) description: Option<String>,
    /// The machine-readable name.
    #[schema(example = "express")]
    #[column(filter)]
    pub(super) code: String,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[column(skip)]
    pub(super) deleted_at: Option<Timestamp>,
}

/// A fulfillment set: a way in which a location ships.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "fulfillment_set s")]
#[resource(name = "fulfillment set")]
pub(super) struct FulfillmentSet {
    pub(super) id: FulfillmentSetId,
    pub(super) name: String,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    #[schema(example = "shipping")]
    pub(super) kind: String,
    /// The location that it ships from.
    pub(super) location_id: Option<StockLocationId>,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    #[field(relation)]
    pub(super) service_zones: Vec<ServiceZone>,
}

/// A service zone: the places that a fulfillment set ships to.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "service_zone z")]
#[resource(name = "service zone")]
pub(super) struct ServiceZone {
    pub(super) id: ServiceZoneId,
    pub(super) name: String,
    /// The fulfillment set that it belongs to.
    pub(super) fulfillment_set_id: FulfillmentSetId,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    #[column(skip)]
    pub(super) deleted_at: Option<Timestamp>,
    /// The places that it covers.
    #[field(relation)]
    pub(super) geo_zones: Vec<StoredPlace>,
}

/// A place of a zone.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct StoredPlace {
    pub(super) id: GeoZoneId,
    pub(super) service_zone_id: ServiceZoneId,
    #[serde(flatten)]
    pub(super) place: GeoZone,
}

static PLACE: Shape = Shape {
    name: "geo zone",
    defaults: &[
        "id",
        "service_zone_id",
        "type",
        "country_code",
        "province_code",
        "city",
        "postal_expression",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

impl Resource for StoredPlace {
    const SHAPE: &'static Shape = &PLACE;
}

/// A shipping option.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "shipping_option o")]
#[record(list(plural = "shipping_options", usual, search = ["o.name"], columns = [Column::filter(
    "stock_location_id",
    "o.service_zone_id in (select z.id from service_zone z
                             join fulfillment_set s on s.id = z.fulfillment_set_id
                            where s.location_id in ({}))",
    Kind::Link,
)]))]
#[resource(name = "shipping option")]
#[expect(clippy::struct_field_names, reason = "the fields are those of the API")]
pub(super) struct ShippingOption {
    pub(super) id: ShippingOptionId,
    #[schema(example = "Standard")]
    #[column(filter, order)]
    pub(super) name: String,
    /// Always `flat`: no provider of this server calculates prices.
    #[schema(example = "flat")]
    pub(super) price_type: String,
    /// The zone that it ships to.
    #[column(filter)]
    pub(super) service_zone_id: ServiceZoneId,
    /// The profile of the items that it ships.
    #[column(filter)]
    pub(super) shipping_profile_id: Option<ShippingProfileId>,
    #[schema(example = "manual_manual")]
    #[column(filter)]
    pub(super) provider_id: String,
    #[column(name = "type_id", filter)]
    pub(super) shipping_option_type_id: Option<ShippingOptionTypeId>,
    #[serde(skip)]
    pub(super) price_set_id: PriceSetId,
    /// The provider's data.
    pub(super) data: Metadata,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    pub(super) deleted_at: Option<Timestamp>,
    /// The rules for offering it.
    #[field(relation)]
    pub(super) rules: Vec<ShippingOptionRule>,
    #[field(relation)]
    #[serde(rename = "type")]
    pub(super) option_type: Option<ShippingOptionType>,
    /// The zone that it ships to.
    #[field(relation)]
    pub(super) service_zone: Option<ServiceZone>,
    /// The profile of the items that it ships.
    #[field(relation)]
    pub(super) shipping_profile: Option<ShippingProfile>,
    #[field(relation)]
    pub(super) provider: OfferProvider,
    #[field(relation)]
    pub(super) prices: Vec<ShippingPrice>,
}

/// A rule of a shipping option.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "shipping option rule")]
pub(crate) struct ShippingOptionRule {
    pub(crate) id: ShippingOptionRuleId,
    #[schema(example = "enabled_in_store")]
    attribute: String,
    #[schema(value_type = String, example = "eq")]
    operator: Operator,
    /// The value: a text, or a list if the operator takes several.
    #[column(name = "values_json", json)]
    value: serde_json::Value,
    pub(super) shipping_option_id: ShippingOptionId,
}

impl ShippingOptionRule {
    /// Returns the option, and the rule in the form in which it is evaluated.
    pub(super) fn into_rule(self) -> (ShippingOptionId, NewRule) {
        let values = values_of(&self.value);
        let rule = NewRule { attribute: self.attribute, operator: self.operator, values };
        (self.shipping_option_id, rule)
    }
}

/// A fulfillment provider.
#[derive(Debug, Clone, Default, Serialize, ToSchema, Resource)]
#[resource(name = "fulfillment provider")]
pub struct OfferProvider {
    #[schema(example = "manual_manual")]
    pub id: String,
    pub is_enabled: bool,
}

impl OfferProvider {
    pub(super) fn new(id: &str) -> Self {
        Self { id: id.to_owned(), is_enabled: FULFILLMENT_PROVIDERS.contains(&id) }
    }
}

/// A price of a shipping option.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "price")]
pub(crate) struct ShippingPrice {
    id: PriceId,
    /// The display name.
    title: Option<String>,
    currency_code: Currency,
    /// In major units.
    amount: Amount,
    min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    max_quantity: Option<i64>,
    /// The price set of the option.
    price_set_id: PriceSetId,
    /// Always null: shipping has no price lists.
    price_list_id: Option<String>,
    /// The number of conditions.
    rules_count: usize,
    #[field(relation)]
    price_rules: Vec<ShippingPriceRule>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// Always null: deleted ones are never returned.
    deleted_at: Option<Timestamp>,
}

/// A condition of a price.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "price rule")]
pub(crate) struct ShippingPriceRule {
    /// `region_id` or `item_total`.
    #[schema(example = "item_total")]
    attribute: String,
    #[schema(example = "gte")]
    operator: &'static str,
    value: String,
}

impl From<PriceRow> for ShippingPrice {
    fn from(price: PriceRow) -> Self {
        let rules = price.conditions.into_iter().map(|condition| ShippingPriceRule {
            attribute: condition.attribute,
            operator: condition.comparison.as_str(),
            value: condition.value,
        });
        let price_rules: Vec<_> = rules.collect();
        Self {
            id: price.id,
            title: price.title,
            currency_code: price.currency,
            amount: price.currency.amount(price.amount_minor),
            min_quantity: price.min_quantity,
            max_quantity: price.max_quantity,
            price_set_id: price.price_set_id,
            price_list_id: None,
            rules_count: price_rules.len(),
            price_rules,
            created_at: price.created_at,
            updated_at: price.updated_at,
            deleted_at: None,
        }
    }
}
