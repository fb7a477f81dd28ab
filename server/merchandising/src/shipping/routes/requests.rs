//! Request bodies of profiles, option types and options.

use serde::Deserialize;
use serde_json::Value;

use crate::database::{Table, Tx, Word as _};
use crate::http::{Patch, Text, ToSchema, request};
use crate::ids::{
    PriceId, RegionId, ServiceZoneId, ShippingOptionId, ShippingOptionTypeId, ShippingProfileId,
};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};
use crate::pricing::{Comparison, NewPrice, PriceCondition};
use crate::regions;
use crate::shipping::conditions::{NewRule, Operator, values_of};
use crate::shipping::model::{ShippingOption, ShippingOptionType, ShippingProfile};
use crate::shipping::{
    NewOption, NewProfile, ShippingError, changes, create_option, create_profile,
};

/// A shipping profile to create.
#[request]
#[schema(example = json!({ "name": "Fragile", "type": "fragile" }))]
pub(super) struct CreateShippingProfileRequest {
    name: Text<255>,
    #[serde(rename = "type")]
    kind: Text<64>,
    metadata: Option<MetadataPatch>,
}

impl CreateShippingProfileRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<ShippingProfileId, ShippingError> {
        let metadata = self.metadata.unwrap_or_default().create()?;
        create_profile(tx, &NewProfile { name: self.name.into(), kind: self.kind.into(), metadata })
    }
}

/// The fields of a shipping profile to change; absent fields stay.
#[request]
#[schema(example = json!({ "name": "Very fragile" }))]
pub(super) struct UpdateShippingProfileRequest {
    name: Option<Text<255>>,
    #[serde(rename = "type")]
    kind: Option<Text<64>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateShippingProfileRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &ShippingProfileId) -> Result<(), ShippingError> {
        let mut profile = ShippingProfile::require::<ShippingError>(tx, id)?;
        crate::assign!(self => profile: name, kind);
        profile.metadata.merge(self.metadata)?;
        Ok(profile.update(tx)?)
    }
}

/// A shipping option type to create.
#[request]
#[schema(example = json!({ "label": "Express", "description": "Tomorrow", "code": "express" }))]
pub(super) struct CreateShippingOptionTypeRequest {
    label: Text<255>,
    description: Option<Text<2000>>,
    code: Text<64>,
}

impl CreateShippingOptionTypeRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<ShippingOptionTypeId, ShippingError> {
        let option_type = ShippingOptionType {
            id: ShippingOptionTypeId::new(),
            label: self.label.into(),
            description: self.description.map(String::from),
            code: self.code.into(),
            created_at: tx.now(),
            updated_at: tx.now(),
            deleted_at: None,
        };
        option_type.insert(tx)?;
        Ok(option_type.id)
    }
}

/// The fields of a shipping option type to change; absent fields stay.
#[request]
#[schema(example = json!({ "label": "Overnight" }))]
pub(super) struct UpdateShippingOptionTypeRequest {
    label: Option<Text<255>>,
    description: Patch<Text<2000>>,
    code: Option<Text<64>>,
}

impl UpdateShippingOptionTypeRequest {
    pub(super) fn update(
        self,
        tx: &Tx<'_>,
        id: &ShippingOptionTypeId,
    ) -> Result<(), ShippingError> {
        let mut option_type = ShippingOptionType::require::<ShippingError>(tx, id)?;
        crate::assign!(self => option_type: label, code, description);
        Ok(option_type.update(tx)?)
    }
}

/// The kind of price of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PriceType {
    /// One of the option's prices.
    Flat,
    /// Calculated by the provider; no provider of this server does.
    Calculated,
}

fn check_price_type(sent: Option<PriceType>, provider_id: &str) -> Result<(), ShippingError> {
    match sent {
        Some(PriceType::Calculated) => Err(ShippingError::CannotCalculate(provider_id.to_owned())),
        Some(PriceType::Flat) | None => Ok(()),
    }
}

/// A price of an option, for a currency or a region.
#[request]
#[schema(example = json!({ "currency_code": "gbp", "amount": 0,
    "rules": [{ "attribute": "item_total", "operator": "gte", "value": 50 }] }))]
pub(super) struct ShippingPriceRequest {
    /// The existing price to replace, keeping its id.
    id: Option<PriceId>,
    /// The currency, unless a region is given.
    currency_code: Option<Currency>,
    /// The region, in whose currency the price is.
    region_id: Option<RegionId>,
    /// In major units.
    amount: Major,
    /// The conditions, which must all hold.
    #[serde(default)]
    #[schema(max_items = 10)]
    rules: Vec<ShippingPriceRuleRequest>,
}

/// A condition of a price.
#[request]
pub(super) struct ShippingPriceRuleRequest {
    /// `item_total` in major units, or `region_id`.
    attribute: Text<64>,
    operator: Operator,
    /// A number or a text.
    value: Value,
}

impl ShippingPriceRuleRequest {
    fn into_condition(self) -> Result<PriceCondition, ShippingError> {
        let word = self.operator.as_str();
        let comparison = Comparison::from_word(word).ok_or_else(|| {
            ShippingError::Invalid(format!("a price is not compared with `{word}`"))
        })?;
        let value = values_of(&self.value).into_iter().next();
        let value = value.ok_or_else(|| {
            ShippingError::Invalid("a price's rule has a number or a text as its value".to_owned())
        })?;
        Ok(PriceCondition { attribute: self.attribute.into(), comparison, value })
    }
}

impl ShippingPriceRequest {
    fn into_new(self, tx: &Tx<'_>) -> Result<NewPrice, ShippingError> {
        let rules = self.rules.into_iter().map(ShippingPriceRuleRequest::into_condition);
        let mut conditions = rules.collect::<Result<Vec<_>, _>>()?;
        let currency = match (self.currency_code, self.region_id) {
            (Some(currency), None) => currency,
            (sent, Some(region_id)) => {
                let region = regions::find(tx, &region_id)
                    .map_err(|error| ShippingError::Invalid(error.to_string()))?;
                if sent.is_some_and(|currency| currency != region.currency) {
                    let sentence = format!("region {region_id} is not in that currency");
                    return Err(ShippingError::Invalid(sentence));
                }
                conditions.push(PriceCondition::equal("region_id", region_id.to_string()));
                region.currency
            }
            (None, None) => {
                let sentence = "a price has a currency_code or a region_id".to_owned();
                return Err(ShippingError::Invalid(sentence));
            }
        };
        let minor = self.amount.minor(currency);
        let amount_minor = minor.map_err(|error| ShippingError::Pricing(error.into()))?;
        Ok(NewPrice { id: self.id, conditions, ..NewPrice::plain(currency, amount_minor) })
    }
}

/// Limit: prices of one option.
const MAX_PRICES: usize = 200;

fn prices(tx: &Tx<'_>, sent: Vec<ShippingPriceRequest>) -> Result<Vec<NewPrice>, ShippingError> {
    if sent.len() > MAX_PRICES {
        return Err(ShippingError::Invalid(format!("an option has at most {MAX_PRICES} prices")));
    }
    sent.into_iter().map(|price| price.into_new(tx)).collect()
}

/// A rule of an option.
#[request]
#[schema(example = json!({ "attribute": "enabled_in_store", "operator": "eq", "value": "true" }))]
pub(super) struct ShippingOptionRuleRequest {
    /// `enabled_in_store`, `is_return`, or `item_total` in major units.
    pub(super) attribute: Text<64>,
    pub(super) operator: Operator,
    /// A text, a number, a boolean, or a list of them if the operator takes several.
    pub(super) value: Value,
}

impl ShippingOptionRuleRequest {
    /// Converts the request to a rule to store.
    pub(super) fn into_rule(self) -> NewRule {
        let Self { attribute, operator, value } = self;
        NewRule { attribute: attribute.into(), operator, values: values_of(&value) }
    }
}

fn rules(sent: Vec<ShippingOptionRuleRequest>) -> Vec<NewRule> {
    sent.into_iter().map(ShippingOptionRuleRequest::into_rule).collect()
}

/// A shipping option to create.
#[request]
#[schema(example = json!({ "name": "Standard", "service_zone_id": "serzo_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "shipping_profile_id": "sp_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "provider_id": "manual_manual", "price_type": "flat",
    "type": { "label": "Standard", "description": "Three days", "code": "standard" },
    "prices": [{ "currency_code": "gbp", "amount": 9.95 }] }))]
pub(super) struct CreateShippingOptionRequest {
    name: Text<255>,
    service_zone_id: ServiceZoneId,
    shipping_profile_id: ShippingProfileId,
    provider_id: Text<100>,
    price_type: Option<PriceType>,
    #[serde(rename = "type")]
    option_type: Option<CreateShippingOptionTypeRequest>,
    /// An existing type.
    type_id: Option<ShippingOptionTypeId>,
    #[serde(default)]
    #[schema(max_items = 200)]
    prices: Vec<ShippingPriceRequest>,
    #[serde(default)]
    #[schema(max_items = 50)]
    rules: Vec<ShippingOptionRuleRequest>,
    /// The provider's data.
    data: Option<MetadataPatch>,
    metadata: Option<MetadataPatch>,
}

impl CreateShippingOptionRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        actor: &str,
    ) -> Result<ShippingOptionId, ShippingError> {
        check_price_type(self.price_type, self.provider_id.as_str())?;
        let new = NewOption {
            name: self.name.into(),
            service_zone_id: self.service_zone_id,
            shipping_profile_id: self.shipping_profile_id,
            provider_id: self.provider_id.into(),
            type_id: type_id(tx, actor, self.option_type, self.type_id)?,
            prices: prices(tx, self.prices)?,
            rules: rules(self.rules),
            data: self.data.unwrap_or_default().create()?,
            metadata: self.metadata.unwrap_or_default().create()?,
        };
        create_option(tx, &new)
    }
}

fn type_id(
    tx: &Tx<'_>,
    actor: &str,
    own: Option<CreateShippingOptionTypeRequest>,
    there: Option<ShippingOptionTypeId>,
) -> Result<Option<ShippingOptionTypeId>, ShippingError> {
    match (own, there) {
        (Some(_), Some(_)) => {
            Err(ShippingError::Invalid("an option has a type or a type_id, not both".to_owned()))
        }
        (Some(own), None) => own.create(tx, actor).map(Some),
        (None, there) => Ok(there),
    }
}

/// The fields of a shipping option to change; absent fields stay.
#[request]
#[schema(example = json!({ "name": "Standard post", "prices": [{ "currency_code": "gbp", "amount": 8.5 }] }))]
pub(super) struct UpdateShippingOptionRequest {
    name: Option<Text<255>>,
    service_zone_id: Option<ServiceZoneId>,
    shipping_profile_id: Option<ShippingProfileId>,
    provider_id: Option<Text<100>>,
    price_type: Option<PriceType>,
    #[serde(rename = "type")]
    option_type: Option<CreateShippingOptionTypeRequest>,
    /// An existing type.
    type_id: Option<ShippingOptionTypeId>,
    /// Replaces all prices.
    #[schema(max_items = 200)]
    prices: Option<Vec<ShippingPriceRequest>>,
    /// Replaces all rules.
    #[schema(max_items = 50)]
    rules: Option<Vec<ShippingOptionRuleRequest>>,
    data: Option<MetadataPatch>,
    metadata: Option<MetadataPatch>,
}

impl UpdateShippingOptionRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &ShippingOptionId) -> Result<(), ShippingError> {
        let mut option = ShippingOption::require::<ShippingError>(tx, id)?;
        crate::assign!(self => option: name, service_zone_id, provider_id, shipping_profile_id);
        check_price_type(self.price_type, &option.provider_id)?;
        if option.shipping_profile_id.is_none() {
            return Err(ShippingError::Invalid("the option has no shipping profile".to_owned()));
        }
        let sent_type = type_id(tx, "", self.option_type, self.type_id)?;
        option.shipping_option_type_id = sent_type.or(option.shipping_option_type_id);
        option.data.merge(self.data)?;
        option.metadata.merge(self.metadata)?;
        let prices = self.prices.map(|sent| prices(tx, sent)).transpose()?;
        let rules = self.rules.map(rules);
        changes::change_option(tx, &option, prices.as_deref(), rules.as_deref())
    }
}
