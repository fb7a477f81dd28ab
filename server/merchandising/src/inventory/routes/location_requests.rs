//! Request bodies of stock locations.

use crate::database::{Table, Tx, first_missing};
use crate::http::{AssignTo, Text, request};
use crate::ids::{SalesChannelId, StockLocationId};
use crate::inventory::location::LocationAddress;
use crate::inventory::queries::locations as queries;
use crate::inventory::{
    FULFILLMENT_PROVIDERS, InventoryError, NewLocation, StockLocation, create_location,
};
use crate::metadata::MetadataPatch;
use crate::regions::Country;

/// The address of a stock location.
#[request]
pub(super) struct LocationAddressRequest {
    address_1: Option<Text<255>>,
    address_2: Option<Text<255>>,
    company: Option<Text<255>>,
    city: Option<Text<255>>,
    province: Option<Text<255>>,
    postal_code: Option<Text<32>>,
    /// A two-letter code of ISO 3166-1.
    #[schema(example = "gb")]
    country_code: Option<Text<2>>,
    phone: Option<Text<64>>,
}

impl LocationAddressRequest {
    fn into_address(self) -> Result<LocationAddress, InventoryError> {
        let country_code = match self.country_code {
            None => None,
            Some(code) => {
                let unknown = || {
                    InventoryError::Invalid(format!("country `{}` does not exist", code.as_str()))
                };
                let country = Country::find(code.as_str()).ok_or_else(unknown)?;
                Some(country.iso_2.to_owned())
            }
        };
        let mut address = LocationAddress { country_code, ..LocationAddress::default() };
        crate::assign!(self => address:
            address_1, address_2, company, city, province, postal_code, phone
        );
        Ok(address)
    }
}

/// A stock location to create.
#[request]
#[schema(example = json!({ "name": "Main warehouse",
    "address": { "address_1": "1 Dock Road", "city": "Reading", "country_code": "gb" } }))]
pub(super) struct CreateStockLocationRequest {
    name: Text<255>,
    address: Option<LocationAddressRequest>,
    metadata: Option<MetadataPatch>,
}

impl CreateStockLocationRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<StockLocationId, InventoryError> {
        let address = self.address.map(LocationAddressRequest::into_address).transpose()?;
        let metadata = self.metadata.unwrap_or_default().create()?;
        let name = self.name.into();
        create_location(tx, NewLocation { name, address: address.unwrap_or_default(), metadata })
    }
}

/// The fields of a stock location to change; absent fields stay.
#[request]
#[schema(example = json!({ "name": "Old warehouse" }))]
pub(super) struct UpdateStockLocationRequest {
    name: Option<Text<255>>,
    /// The whole new address.
    address: Option<LocationAddressRequest>,
    metadata: Option<MetadataPatch>,
}

impl UpdateStockLocationRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
        let mut location = StockLocation::require::<InventoryError>(tx, id)?;
        self.name.assign_to(&mut location.name);
        location.metadata.merge(self.metadata)?;
        if let Some(address) = self.address {
            location.address = address.into_address()?;
        }
        location.update(tx)?;
        Ok(queries::set_address(tx, &location)?)
    }
}

/// Channels to add to a location and to remove from it.
#[request]
#[schema(example = json!({ "add": ["sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
pub(super) struct ChangeStockLocationChannelsRequest {
    #[serde(default)]
    add: Vec<SalesChannelId>,
    #[serde(default)]
    remove: Vec<SalesChannelId>,
}

impl ChangeStockLocationChannelsRequest {
    pub(super) fn apply(self, tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
        StockLocation::require::<InventoryError>(tx, id)?;
        if let Some(missing) = first_missing::<String>(tx, "sales_channel", &self.add)? {
            return Err(InventoryError::not_found("Sales channel", &missing));
        }
        queries::CHANNELS.add(tx, [id], self.add)?;
        Ok(queries::CHANNELS.remove(tx, [id], self.remove)?)
    }
}

/// Providers to add to a location and to remove from it.
#[request]
#[schema(example = json!({ "add": ["manual_manual"] }))]
pub(super) struct ChangeStockLocationProvidersRequest {
    #[serde(default)]
    #[schema(max_items = 50)]
    add: Vec<Text<100>>,
    #[serde(default)]
    #[schema(max_items = 50)]
    remove: Vec<Text<100>>,
}

impl ChangeStockLocationProvidersRequest {
    pub(super) fn apply(self, tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
        StockLocation::require::<InventoryError>(tx, id)?;
        let is_unknown = |id: &&Text<100>| !FULFILLMENT_PROVIDERS.contains(&id.as_str());
        if let Some(unknown) = self.add.iter().find(is_unknown) {
            let sentence = format!("fulfillment provider `{}` does not exist", unknown.as_str());
            return Err(InventoryError::Invalid(sentence));
        }
        queries::PROVIDERS.add(tx, [id], self.add.iter().map(Text::as_str))?;
        Ok(queries::PROVIDERS.remove(tx, [id], self.remove.iter().map(Text::as_str))?)
    }
}
