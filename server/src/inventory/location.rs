//! Stock locations: warehouses and shops, and the channels they serve.

use serde::Serialize;
use utoipa::ToSchema;

use super::InventoryError;
use super::queries::locations as queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{SalesChannelId, StockLocationId};
use crate::metadata::Metadata;

/// A stock location.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct StockLocation {
    /// Its id.
    pub(crate) id: StockLocationId,
    /// What people call it.
    #[schema(example = "Main warehouse")]
    pub(crate) name: String,
    /// What the store keeps with it.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// Where it is.
    pub(crate) address: LocationAddress,
}

/// Where a stock location is.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub(crate) struct LocationAddress {
    /// The street and number.
    #[schema(example = "1 Dock Road")]
    pub(crate) address_1: Option<String>,
    /// The second line.
    pub(crate) address_2: Option<String>,
    /// The company.
    pub(crate) company: Option<String>,
    /// The city.
    #[schema(example = "Reading")]
    pub(crate) city: Option<String>,
    /// The province.
    pub(crate) province: Option<String>,
    /// The postal code.
    pub(crate) postal_code: Option<String>,
    /// The country by two letters.
    #[schema(example = "gb")]
    pub(crate) country_code: Option<String>,
    /// The telephone.
    pub(crate) phone: Option<String>,
}

/// What a new stock location is made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewLocation {
    /// What people call it.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) address: LocationAddress,
    /// What the store keeps with it.
    pub(crate) metadata: Metadata,
}

/// Makes a stock location. Link it to channels with [`connect_channel`].
///
/// # Errors
/// [`InventoryError::Db`].
pub(crate) fn create_location(
    tx: &Tx<'_>,
    new: NewLocation,
) -> Result<StockLocationId, InventoryError> {
    let NewLocation { name, address, metadata } = new;
    let id = StockLocationId::new();
    let (created_at, updated_at) = (tx.now(), tx.now());
    let location = StockLocation { id, name, metadata, created_at, updated_at, address };
    queries::insert(tx, &location)?;
    Ok(location.id)
}

/// Lets a channel sell what lies at a location.
///
/// # Errors
/// [`InventoryError::Db`].
pub(crate) fn connect_channel(
    tx: &Tx<'_>,
    location_id: &StockLocationId,
    channel_id: &SalesChannelId,
) -> Result<(), InventoryError> {
    Ok(queries::add_channels(tx, location_id, std::slice::from_ref(channel_id))?)
}

/// Lets a fulfillment provider send what lies at a location.
///
/// # Errors
/// [`InventoryError::Db`].
pub(crate) fn connect_provider(
    tx: &Tx<'_>,
    location_id: &StockLocationId,
    provider_id: &str,
) -> Result<(), InventoryError> {
    Ok(queries::add_providers(tx, location_id, &[provider_id.to_owned()])?)
}
