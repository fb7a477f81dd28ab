//! Stock locations: warehouses and shops, and the channels they serve.

use serde::Serialize;
use utoipa::ToSchema;

use super::InventoryError;
use super::queries::{links, locations as queries};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{SalesChannelId, StockLocationId};
use crate::metadata::{Metadata, MetadataPatch};

/// A stock location.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StockLocation {
    /// Its id.
    pub id: StockLocationId,
    /// What people call it.
    #[schema(example = "Main warehouse")]
    pub name: String,
    /// What the store keeps with it.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Where it is.
    pub address: LocationAddress,
}

/// Where a stock location is.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct LocationAddress {
    /// The street and number.
    #[schema(example = "1 Dock Road")]
    pub address_1: Option<String>,
    /// The second line.
    pub address_2: Option<String>,
    /// The company.
    pub company: Option<String>,
    /// The city.
    #[schema(example = "Reading")]
    pub city: Option<String>,
    /// The province.
    pub province: Option<String>,
    /// The postal code.
    pub postal_code: Option<String>,
    /// The country by two letters.
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    /// The telephone.
    pub phone: Option<String>,
}

/// What a new stock location is made of.
#[derive(Debug, Clone, Default)]
pub struct NewLocation {
    /// What people call it.
    pub name: String,
    /// Where it is.
    pub address: LocationAddress,
    /// What the store keeps with it.
    pub metadata: Metadata,
}

/// Makes a stock location. Link it to channels with [`connect_channel`].
///
/// # Errors
/// [`InventoryError::Db`].
pub fn create_location(tx: &Tx<'_>, new: NewLocation) -> Result<StockLocationId, InventoryError> {
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
pub fn connect_channel(
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
pub fn connect_provider(
    tx: &Tx<'_>,
    location_id: &StockLocationId,
    provider_id: &str,
) -> Result<(), InventoryError> {
    Ok(queries::add_providers(tx, location_id, &[provider_id.to_owned()])?)
}

/// A change of a stock location; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub(super) struct LocationChange {
    /// What people call it.
    pub(super) name: Option<String>,
    /// Where it is.
    pub(super) address: Option<LocationAddress>,
    /// What is merged into its metadata.
    pub(super) metadata: Option<MetadataPatch>,
}

/// The stock location of this id.
///
/// # Errors
/// [`InventoryError::NotFound`].
pub(super) fn find(tx: &Tx<'_>, id: &StockLocationId) -> Result<StockLocation, InventoryError> {
    queries::find(tx, id)?.ok_or_else(|| InventoryError::not_found("Stock location", id))
}

/// Changes a stock location.
///
/// # Errors
/// [`InventoryError::NotFound`].
pub(super) fn change(
    tx: &Tx<'_>,
    id: &StockLocationId,
    change: LocationChange,
) -> Result<(), InventoryError> {
    let mut location = find(tx, id)?;
    location.name = change.name.unwrap_or(location.name);
    location.address = change.address.unwrap_or(location.address);
    if let Some(patch) = change.metadata {
        location.metadata = patch.merge(&location.metadata)?;
    }
    location.updated_at = tx.now();
    Ok(queries::update(tx, &location)?)
}

/// Deletes a stock location. What lies there can be sold no more.
///
/// # Errors
/// [`InventoryError::NotFound`]; [`InventoryError::Reserved`] when pieces of it are promised;
/// [`InventoryError::Invalid`] for the store's default location.
pub(super) fn delete(tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
    find(tx, id)?;
    if links::has_reserved(tx, id)? {
        return Err(InventoryError::Reserved { kind: "stock location", id: id.to_string() });
    }
    if links::is_default(tx, id)? {
        let sentence =
            format!("stock location {id} is the store's default: choose another one first");
        return Err(InventoryError::Invalid(sentence));
    }
    links::remove_all_channels(tx, id)?;
    Ok(queries::delete(tx, id)?)
}

/// Says which channels sell what lies at a location.
///
/// # Errors
/// [`InventoryError::NotFound`] for the location, or for a channel that is to be served.
pub(super) fn change_channels(
    tx: &Tx<'_>,
    id: &StockLocationId,
    add: &[SalesChannelId],
    remove: &[SalesChannelId],
) -> Result<(), InventoryError> {
    find(tx, id)?;
    if let Some(missing) = links::missing_channel(tx, add)? {
        return Err(InventoryError::not_found("Sales channel", &missing));
    }
    queries::add_channels(tx, id, add)?;
    Ok(queries::remove_channels(tx, id, remove)?)
}

/// Says who sends what lies at a location.
///
/// # Errors
/// [`InventoryError::NotFound`] for the location; [`InventoryError::Invalid`] for a provider that does not exist.
pub(super) fn change_providers(
    tx: &Tx<'_>,
    id: &StockLocationId,
    add: &[String],
    remove: &[String],
) -> Result<(), InventoryError> {
    find(tx, id)?;
    if let Some(unknown) = add.iter().find(|id| !FULFILLMENT_PROVIDERS.contains(&id.as_str())) {
        let sentence = format!("fulfillment provider `{unknown}` does not exist");
        return Err(InventoryError::Invalid(sentence));
    }
    queries::add_providers(tx, id, add)?;
    Ok(queries::remove_providers(tx, id, remove)?)
}

/// The ids of fulfillment providers of this server: parcels are packed by hand.
pub const FULFILLMENT_PROVIDERS: &[&str] = &["manual_manual"];
