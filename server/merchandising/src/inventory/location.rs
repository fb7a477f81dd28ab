//! Stock locations: warehouses and shops, and the channels that they serve.

use serde::{Deserialize, Serialize};

use super::InventoryError;
use super::level;
use super::queries::locations as queries;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{FromRow, Record, Table, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{
    self, ById, FulfillmentSetId, GeoZoneId, SalesChannelId, ServiceZoneId, StockLocationId,
};
use crate::metadata::Metadata;
use crate::resource::View;

/// A stock location.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "stock_location l", soft_delete)]
#[record(list(plural = "stock_locations", usual, search = ["l.name"], columns = [OF_CHANNEL]))]
#[resource(name = "stock location")]
pub struct StockLocation {
    pub id: StockLocationId,
    #[schema(example = "Main warehouse")]
    #[column(filter, order)]
    pub name: String,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[column(
        json,
        sql = "json_object('address_1', l.address_1, 'address_2', l.address_2, \
        'company', l.company, 'city', l.city, 'province', l.province, \
        'postal_code', l.postal_code, 'country_code', l.country, 'phone', l.phone)"
    )]
    #[field(relation)]
    pub address: LocationAddress,
    /// The sales channels that it serves.
    #[field(on_request)]
    sales_channels: Vec<LocationChannel>,
    #[field(on_request)]
    fulfillment_sets: Vec<LocationFulfillmentSet>,
    #[field(on_request)]
    fulfillment_providers: Vec<LocationProvider>,
}

const OF_CHANNEL: Column = Column::filter(
    "sales_channel_id",
    "l.id in (select stock_location_id from stock_location_sales_channel where sales_channel_id in ({}))",
    Kind::Link,
);

/// The address of a stock location.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema, FromRow, Resource)]
#[resource(name = "address")]
pub struct LocationAddress {
    /// Street and number.
    #[schema(example = "1 Dock Road")]
    pub address_1: Option<String>,
    pub address_2: Option<String>,
    pub company: Option<String>,
    #[schema(example = "Reading")]
    pub city: Option<String>,
    pub province: Option<String>,
    pub postal_code: Option<String>,
    /// The two-letter country code.
    #[column(name = "country")]
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    pub phone: Option<String>,
}

/// A sales channel of a location.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[schema(as = StockLocationChannel)]
#[record(table = "sales_channel c")]
#[resource(name = "sales channel")]
pub(super) struct LocationChannel {
    id: SalesChannelId,
    name: String,
    description: Option<String>,
    is_disabled: bool,
}

/// A fulfillment set of a location.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "fulfillment_set s")]
#[resource(name = "fulfillment set")]
pub(super) struct LocationFulfillmentSet {
    id: FulfillmentSetId,
    name: String,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    kind: String,
    /// The zones that it ships to.
    #[column(
        json,
        sql = "(select json_group_array(json_object('id', z.id, 'name', z.name, \
        'fulfillment_set_id', z.fulfillment_set_id, 'geo_zones', json((select json_group_array( \
        json_object('id', g.id, 'type', g.type, 'country_code', g.country, 'province_code', g.province, \
        'city', g.city, 'postal_expression', json(g.postal_expression))) \
        from (select * from geo_zone where service_zone_id = z.id order by country, id) g)))) \
        from (select * from service_zone where fulfillment_set_id = s.id order by id) z)"
    )]
    #[field(relation)]
    service_zones: Vec<LocationZone>,
}

/// A zone that a location ships to.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "service zone")]
pub(super) struct LocationZone {
    id: ServiceZoneId,
    name: String,
    fulfillment_set_id: FulfillmentSetId,
    /// The places that it covers.
    #[field(relation)]
    geo_zones: Vec<LocationPlace>,
}

/// A place that a location ships to: a whole country, or a part of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "geo zone")]
pub(super) struct LocationPlace {
    id: GeoZoneId,
    /// `country`, `province`, `city` or `zip`.
    #[serde(rename = "type")]
    kind: String,
    /// The two-letter code.
    #[schema(example = "gb")]
    country_code: String,
    province_code: Option<String>,
    city: Option<String>,
    /// The postal codes, for a place that has some.
    #[schema(value_type = Option<Object>)]
    postal_expression: Option<serde_json::Value>,
}

/// A fulfillment provider of a location.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "fulfillment provider")]
pub(super) struct LocationProvider {
    #[schema(example = "manual_manual")]
    id: String,
    is_enabled: bool,
}

impl View for StockLocation {
    type Row = Self;
    type Error = InventoryError;

    fn attach(
        tx: &Tx<'_>,
        views: &mut [Self],
        selection: &Selection,
    ) -> Result<(), InventoryError> {
        let ids = ids::list(views.iter().map(|view| view.id.as_str()));
        if selection.wants("sales_channels") {
            let mut channels = ById::grouped(queries::channels(tx, &ids)?);
            for view in &mut *views {
                view.sales_channels = channels.take(&view.id);
            }
        }
        if selection.wants("fulfillment_sets") {
            let mut sets = ById::grouped(queries::sets(tx, &ids)?);
            for view in &mut *views {
                view.fulfillment_sets = sets.take(&view.id);
            }
        }
        if selection.wants("fulfillment_providers") {
            let ids: Vec<StockLocationId> = views.iter().map(|view| view.id.clone()).collect();
            let providers: Vec<(StockLocationId, String)> = queries::PROVIDERS.pairs(tx, &ids)?;
            let providers = providers.into_iter().map(|(location_id, id)| {
                let is_enabled = FULFILLMENT_PROVIDERS.contains(&id.as_str());
                (location_id, LocationProvider { id, is_enabled })
            });
            let mut providers = ById::grouped(providers);
            for view in views {
                view.fulfillment_providers = providers.take(&view.id);
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Default)]
pub struct NewLocation {
    pub name: String,
    pub address: LocationAddress,
    pub metadata: Metadata,
}

/// Creates a stock location. Link it to channels with [`connect_channel`].
pub fn create_location(tx: &Tx<'_>, new: NewLocation) -> Result<StockLocationId, InventoryError> {
    let location = StockLocation {
        id: StockLocationId::new(),
        name: new.name,
        metadata: new.metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
        address: new.address,
        sales_channels: Vec::new(),
        fulfillment_sets: Vec::new(),
        fulfillment_providers: Vec::new(),
    };
    location.insert(tx)?;
    queries::set_address(tx, &location)?;
    Ok(location.id)
}

/// Lets a channel sell the stock of a location.
pub fn connect_channel(
    tx: &Tx<'_>,
    location_id: &StockLocationId,
    channel_id: &SalesChannelId,
) -> Result<(), InventoryError> {
    Ok(queries::CHANNELS.add(tx, &[location_id], &[channel_id])?)
}

/// Lets a fulfillment provider ship from a location.
pub fn connect_provider(
    tx: &Tx<'_>,
    location_id: &StockLocationId,
    provider_id: &str,
) -> Result<(), InventoryError> {
    Ok(queries::PROVIDERS.add(tx, &[location_id], &[provider_id])?)
}

/// Deletes a stock location. Its stock is written off.
///
/// # Errors
/// [`InventoryError::NotFound`]; [`InventoryError::Reserved`] if pieces at it are reserved; [`InventoryError::Invalid`]
/// for the store's default location, and for one with parcels that are packed and not sent.
pub(super) fn delete(tx: &Tx<'_>, id: &StockLocationId) -> Result<(), InventoryError> {
    StockLocation::require::<InventoryError>(tx, id)?;
    if queries::has_reserved(tx, id)? {
        return Err(InventoryError::Reserved { kind: "stock location", id: id.to_string() });
    }
    // Packed goods return to their location if their parcel is canceled.
    if queries::has_packed(tx, id)? {
        let sentence = format!("stock location {id} has packed parcels: send or cancel them first");
        return Err(InventoryError::Invalid(sentence));
    }
    if queries::is_default(tx, id)? {
        let sentence =
            format!("stock location {id} is the store's default: choose another one first");
        return Err(InventoryError::Invalid(sentence));
    }
    queries::CHANNELS.clear(tx, id)?;
    level::clear(tx, id)?;
    StockLocation::remove(tx, id)
}

/// The ids of this server's fulfillment providers: parcels are packed by hand.
pub const FULFILLMENT_PROVIDERS: &[&str] = &["manual_manual"];
