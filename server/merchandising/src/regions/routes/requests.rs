//! Request bodies of regions and sales channels.

use crate::database::{Table, Tx};
use crate::http::{AssignTo, Patch, Text, request};
use crate::ids::{RegionId, SalesChannelId};
use crate::metadata::MetadataPatch;
use crate::money::Currency;
use crate::regions::{self, NewChannel, NewRegion, RegionError, region};

/// A new region.
#[request]
#[schema(example = json!({ "name": "United Kingdom", "currency_code": "gbp", "countries": ["gb"],
    "payment_providers": ["pp_system_default"] }))]
pub(super) struct CreateRegionRequest {
    name: Text<255>,
    currency_code: Currency,
    /// The two-letter codes of its countries; none of them may belong to another region.
    #[serde(default)]
    #[schema(max_items = 249)]
    countries: Vec<String>,
    #[serde(default)]
    #[schema(max_items = 50)]
    payment_providers: Vec<Text<100>>,
    /// Whether taxes are computed at each change of a cart.
    #[serde(default = "yes")]
    automatic_taxes: bool,
    /// Whether prices of the region include tax.
    #[serde(default)]
    is_tax_inclusive: bool,
    metadata: Option<MetadataPatch>,
}

fn yes() -> bool {
    true
}

impl CreateRegionRequest {
    pub(super) fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<RegionId, RegionError> {
        let new = NewRegion {
            name: self.name.into(),
            currency: self.currency_code,
            countries: self.countries,
            payment_providers: self.payment_providers.into_iter().map(String::from).collect(),
            automatic_taxes: self.automatic_taxes,
            is_tax_inclusive: self.is_tax_inclusive,
            metadata: self.metadata.unwrap_or_default().create()?,
        };
        Ok(regions::create(tx, new)?.id)
    }
}

/// The fields of a region to change; absent fields stay.
#[request]
#[schema(example = json!({ "countries": ["gb", "ie"] }))]
pub(super) struct UpdateRegionRequest {
    name: Option<Text<255>>,
    currency_code: Option<Currency>,
    /// Replaces all countries.
    #[schema(max_items = 249)]
    countries: Option<Vec<String>>,
    /// Replaces all payment providers.
    #[schema(max_items = 50)]
    payment_providers: Option<Vec<Text<100>>>,
    automatic_taxes: Option<bool>,
    is_tax_inclusive: Option<bool>,
    metadata: Option<MetadataPatch>,
}

impl UpdateRegionRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &RegionId) -> Result<(), RegionError> {
        let mut region = regions::find(tx, id)?;
        self.currency_code.assign_to(&mut region.currency);
        crate::assign!(self => region: name, automatic_taxes, is_tax_inclusive);
        region.metadata.merge(self.metadata)?;
        let providers: Option<Vec<String>> =
            self.payment_providers.map(|sent| sent.into_iter().map(String::from).collect());
        region::update(tx, &region, self.countries.as_deref(), providers.as_deref())
    }
}

/// A new sales channel.
#[request]
#[schema(example = json!({ "name": "Market stall", "description": "Saturdays" }))]
pub(super) struct CreateSalesChannelRequest {
    name: Text<255>,
    description: Option<Text<2000>>,
    #[serde(default)]
    is_disabled: bool,
    metadata: Option<MetadataPatch>,
}

impl CreateSalesChannelRequest {
    pub(super) fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<SalesChannelId, RegionError> {
        let new = NewChannel {
            name: self.name.into(),
            description: self.description.map(String::from),
            is_disabled: self.is_disabled,
            metadata: self.metadata.unwrap_or_default().create()?,
        };
        Ok(regions::create_channel(tx, new)?.id)
    }
}

/// The fields of a sales channel to change; absent fields stay.
#[request]
#[schema(example = json!({ "is_disabled": true }))]
pub(super) struct UpdateSalesChannelRequest {
    name: Option<Text<255>>,
    description: Patch<Text<2000>>,
    is_disabled: Option<bool>,
    metadata: Option<MetadataPatch>,
}

impl UpdateSalesChannelRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &SalesChannelId) -> Result<(), RegionError> {
        let mut channel = regions::find_channel(tx, id)?;
        crate::assign!(self => channel: name, description, is_disabled);
        channel.metadata.merge(self.metadata)?;
        Ok(channel.update(tx)?)
    }
}
