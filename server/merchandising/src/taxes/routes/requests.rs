//! Request bodies of tax regions and rates.

use crate::database::{Table, Tx};
use crate::http::{Text, request};
use crate::ids::{ProductId, ProductTypeId, ShippingOptionId, TaxRateId, TaxRegionId};
use crate::metadata::MetadataPatch;
use crate::money::Major;
use crate::regions::Country;
use crate::taxes::queries;
use crate::taxes::rates::{Reference, from_percent};
use crate::taxes::regions::save_rate;
use crate::taxes::rows::{Ppm, TaxRateView, TaxRegionRow};
use crate::taxes::{
    NewTaxRate, NewTaxRegion, SYSTEM_PROVIDER, TaxError, create_rate, create_region,
};

/// A tax region to create.
#[request]
#[schema(example = json!({ "country_code": "us",
    "default_tax_rate": { "rate": 7.25, "code": "us-default", "name": "Sales tax" } }))]
pub(super) struct CreateTaxRegionRequest {
    /// A two-letter code of ISO 3166-1.
    #[schema(value_type = String, pattern = "^[A-Za-z]{2}$")]
    country_code: Text<2>,
    /// A province of the country, which must already have a region.
    province_code: Option<Text<64>>,
    parent_id: Option<TaxRegionId>,
    /// `tp_system`: the store's own tables.
    provider_id: Option<Text<100>>,
    /// The rate for everything not covered by another rate.
    default_tax_rate: Option<DefaultTaxRateRequest>,
    metadata: Option<MetadataPatch>,
}

/// The default rate of a new tax region.
#[request]
pub(super) struct DefaultTaxRateRequest {
    /// In per cent, with at most four decimals.
    #[schema(example = json!(7.25))]
    rate: Option<Major>,
    code: Text<64>,
    name: Text<255>,
    /// Whether the country's rate is added to it.
    #[serde(default)]
    is_combinable: bool,
    metadata: Option<MetadataPatch>,
}

impl CreateTaxRegionRequest {
    /// Creates the region with its default rate.
    pub(super) fn create(self, tx: &Tx<'_>, actor: &str) -> Result<TaxRegionId, TaxError> {
        let country = self.country_code.as_str();
        if Country::find(country).is_none() {
            return Err(TaxError::Invalid(format!("country `{country}` does not exist")));
        }
        let new = NewTaxRegion {
            country: country.to_owned(),
            province: self.province_code.map(String::from),
            parent_id: self.parent_id,
            provider_id: provider(self.provider_id)?,
            metadata: self.metadata.unwrap_or_default().create()?,
            created_by: Some(actor.to_owned()),
        };
        let id = create_region(tx, new)?;
        if let Some(rate) = self.default_tax_rate {
            let new = NewTaxRate {
                tax_region_id: id.clone(),
                rate_ppm: rate.rate.map_or(Ok(0), |rate| from_percent(rate.decimal()))?,
                code: rate.code.into(),
                name: rate.name.into(),
                is_default: true,
                is_combinable: rate.is_combinable,
                rules: Vec::new(),
                metadata: rate.metadata.unwrap_or_default().create()?,
                created_by: Some(actor.to_owned()),
            };
            create_rate(tx, &new)?;
        }
        Ok(id)
    }
}

fn provider(sent: Option<Text<100>>) -> Result<Option<String>, TaxError> {
    match sent {
        Some(id) if id.as_str() != SYSTEM_PROVIDER => {
            Err(TaxError::Invalid(format!("tax provider `{}` does not exist", id.as_str())))
        }
        sent => Ok(sent.map(String::from)),
    }
}

/// The fields of a tax region to change; absent fields stay.
#[request]
#[schema(example = json!({ "metadata": { "authority": "Nevada" } }))]
pub(super) struct UpdateTaxRegionRequest {
    /// `tp_system`: the store's own tables.
    provider_id: Option<Text<100>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateTaxRegionRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &TaxRegionId) -> Result<(), TaxError> {
        let mut region = TaxRegionRow::require::<TaxError>(tx, id)?;
        region.provider_id = provider(self.provider_id)?.or(region.provider_id);
        region.metadata.merge(self.metadata)?;
        Ok(region.update(tx)?)
    }
}

/// A resource that a rate is for.
#[request]
#[schema(example = json!({ "reference": "product", "reference_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct TaxRateRuleRequest {
    reference: Reference,
    /// The id of a product, a product type or a shipping option.
    reference_id: Text<100>,
}

impl TaxRateRuleRequest {
    pub(super) fn add(self, tx: &Tx<'_>, rate: &TaxRateId) -> Result<(), TaxError> {
        let rule = self.into_rule()?;
        TaxRateView::require::<TaxError>(tx, rate)?;
        Ok(queries::add_rules(tx, rate, &[rule])?)
    }

    /// Returns the kind of resource and its id, which must have the prefix of that kind.
    fn into_rule(self) -> Result<(Reference, String), TaxError> {
        let id = String::from(self.reference_id);
        let fits = match self.reference {
            Reference::Product => id.parse::<ProductId>().is_ok(),
            Reference::ProductType => id.parse::<ProductTypeId>().is_ok(),
            Reference::ShippingOption => id.parse::<ShippingOptionId>().is_ok(),
        };
        if fits {
            Ok((self.reference, id))
        } else {
            Err(TaxError::Invalid(format!("`{id}` is no id of what the rule refers to")))
        }
    }
}

/// Limit: rules of one rate in a request.
const MAX_RULES: usize = 1_000;

fn rules(sent: Vec<TaxRateRuleRequest>) -> Result<Vec<(Reference, String)>, TaxError> {
    if sent.len() > MAX_RULES {
        return Err(TaxError::Invalid(format!("at most {MAX_RULES} rules at once")));
    }
    sent.into_iter().map(TaxRateRuleRequest::into_rule).collect()
}

/// A tax rate to create.
#[request]
#[schema(example = json!({ "tax_region_id": "txreg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Books", "code": "books",
    "rate": 0, "rules": [{ "reference": "product_type", "reference_id": "ptyp_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }] }))]
pub(super) struct CreateTaxRateRequest {
    tax_region_id: TaxRegionId,
    name: Text<255>,
    code: Text<64>,
    /// In per cent, with at most four decimals.
    #[schema(example = json!(7.25))]
    rate: Option<Major>,
    /// Whether it applies to everything not covered by a rule; a region has one such rate.
    #[serde(default)]
    is_default: bool,
    /// Whether the country's rate is added to it.
    #[serde(default)]
    is_combinable: bool,
    #[serde(default)]
    #[schema(max_items = 1000)]
    rules: Vec<TaxRateRuleRequest>,
    metadata: Option<MetadataPatch>,
}

impl CreateTaxRateRequest {
    pub(super) fn create(self, tx: &Tx<'_>, actor: &str) -> Result<TaxRateId, TaxError> {
        let new = NewTaxRate {
            tax_region_id: self.tax_region_id,
            rate_ppm: self.rate.map_or(Ok(0), |rate| from_percent(rate.decimal()))?,
            code: self.code.into(),
            name: self.name.into(),
            is_default: self.is_default,
            is_combinable: self.is_combinable,
            rules: rules(self.rules)?,
            metadata: self.metadata.unwrap_or_default().create()?,
            created_by: Some(actor.to_owned()),
        };
        create_rate(tx, &new)
    }
}

/// The fields of a tax rate to change; absent fields stay.
#[request]
#[schema(example = json!({ "rate": 8 }))]
pub(super) struct UpdateTaxRateRequest {
    name: Option<Text<255>>,
    code: Option<Text<64>>,
    /// In per cent, with at most four decimals.
    #[schema(example = json!(7.25))]
    rate: Option<Major>,
    is_default: Option<bool>,
    is_combinable: Option<bool>,
    /// Replaces all rules.
    #[schema(max_items = 1000)]
    rules: Option<Vec<TaxRateRuleRequest>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateTaxRateRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &TaxRateId) -> Result<(), TaxError> {
        let mut rate = TaxRateView::require::<TaxError>(tx, id)?;
        if let Some(sent) = self.rate {
            rate.rate_ppm = Ppm(from_percent(sent.decimal())?);
        }
        crate::assign!(self => rate: code, name, is_default, is_combinable);
        rate.metadata.merge(self.metadata)?;
        let rules = self.rules.map(rules).transpose()?;
        save_rate(tx, &rate, rules.as_deref())
    }
}
