//! Stock with what belongs to it, loaded for a whole page at once.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Tx;
use crate::http::Selection;
use crate::ids::{FulfillmentSetId, InventoryItemId, SalesChannelId, StockLocationId};
use crate::inventory::level::Level;
use crate::inventory::queries::{items, levels, links};
use crate::inventory::reservation::Reservation;
use crate::inventory::{InventoryError, InventoryItem, StockLocation};
use crate::proportion::sum;

/// A stock location with what it is linked to.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockLocationView {
    /// The location.
    #[serde(flatten)]
    location: StockLocation,
    /// The channels that sell what lies there.
    sales_channels: Vec<LinkedChannel>,
    /// How it sends.
    fulfillment_sets: Vec<LinkedSet>,
    /// Who sends.
    fulfillment_providers: Vec<LinkedProvider>,
}

/// A sales channel of a location.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = StockLocationChannel)]
pub(crate) struct LinkedChannel {
    /// Its id.
    pub id: SalesChannelId,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it is closed.
    pub is_disabled: bool,
}

/// A fulfillment set of a location.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LinkedSet {
    /// Its id.
    pub id: FulfillmentSetId,
    /// What people call it.
    pub name: String,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// A fulfillment provider of a location.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LinkedProvider {
    /// Its id.
    #[schema(example = "manual_manual")]
    pub id: String,
    /// Whether it can be used.
    pub is_enabled: bool,
}

/// Rows by the location they belong to.
type Linked<T> = BTreeMap<StockLocationId, Vec<T>>;

fn group<T>(rows: Vec<(StockLocationId, T)>) -> Linked<T> {
    let mut grouped: Linked<T> = BTreeMap::new();
    for (location, row) in rows {
        grouped.entry(location).or_default().push(row);
    }
    grouped
}

/// Stock locations with what is asked for.
pub(super) fn load_locations(
    tx: &Tx<'_>,
    rows: Vec<StockLocation>,
    selection: &Selection,
) -> Result<Vec<StockLocationView>, InventoryError> {
    let ids: Vec<StockLocationId> = rows.iter().map(|row| row.id.clone()).collect();
    let (mut channels, mut sets, mut providers) =
        (Linked::default(), Linked::default(), Linked::default());
    if selection.wants("sales_channels") {
        channels = group(links::channels(tx, &ids)?);
    }
    if selection.wants("fulfillment_sets") {
        sets = group(links::sets(tx, &ids)?);
    }
    if selection.wants("fulfillment_providers") {
        providers = group(links::providers(tx, &ids)?);
    }
    let view = |location: StockLocation| StockLocationView {
        sales_channels: channels.remove(&location.id).unwrap_or_default(),
        fulfillment_sets: sets.remove(&location.id).unwrap_or_default(),
        fulfillment_providers: providers.remove(&location.id).unwrap_or_default(),
        location,
    };
    Ok(rows.into_iter().map(view).collect())
}

/// An inventory item with its levels.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InventoryItemView {
    /// The item.
    #[serde(flatten)]
    item: InventoryItem,
    /// Pieces on the shelves of all locations.
    stocked_quantity: i64,
    /// Pieces that are promised, over all locations.
    reserved_quantity: i64,
    /// How many pieces each location has.
    location_levels: Vec<Level>,
}

impl InventoryItemView {
    fn new(item: InventoryItem, location_levels: Vec<Level>) -> Result<Self, InventoryError> {
        let stocked = location_levels.iter().map(|level| level.stocked_quantity);
        let reserved = location_levels.iter().map(|level| level.reserved_quantity);
        let (stocked_quantity, reserved_quantity) = (sum(stocked)?, sum(reserved)?);
        Ok(Self { item, stocked_quantity, reserved_quantity, location_levels })
    }
}

/// Inventory items with what is asked for.
pub(super) fn load_items(
    tx: &Tx<'_>,
    rows: Vec<InventoryItem>,
    selection: &Selection,
) -> Result<Vec<InventoryItemView>, InventoryError> {
    let names = ["location_levels", "stocked_quantity", "reserved_quantity"];
    let mut held = if names.iter().any(|name| selection.wants(name)) {
        levels_of(tx, &rows.iter().map(|item| item.id.clone()).collect::<Vec<_>>())?
    } else {
        BTreeMap::new()
    };
    let views = rows.into_iter().map(|item| {
        let levels = held.remove(&item.id).unwrap_or_default();
        InventoryItemView::new(item, levels)
    });
    views.collect()
}

fn levels_of(
    tx: &Tx<'_>,
    ids: &[InventoryItemId],
) -> Result<BTreeMap<InventoryItemId, Vec<Level>>, InventoryError> {
    let mut held: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for level in levels::of_items(tx, ids)? {
        held.entry(level.inventory_item_id.clone()).or_default().push(level);
    }
    Ok(held)
}

/// A reservation with its item.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReservationView {
    /// The reservation.
    #[serde(flatten)]
    reservation: Reservation,
    /// The item.
    inventory_item: Option<InventoryItemView>,
}

/// Reservations with what is asked for.
pub(super) fn load_reservations(
    tx: &Tx<'_>,
    rows: Vec<Reservation>,
    selection: &Selection,
) -> Result<Vec<ReservationView>, InventoryError> {
    let mut found = BTreeMap::new();
    if selection.wants("inventory_item") {
        let mut ids: Vec<_> = rows.iter().map(|row| row.inventory_item_id.clone()).collect();
        ids.sort();
        ids.dedup();
        let held = levels_of(tx, &ids)?;
        for item in items::by_ids(tx, &ids)? {
            let levels = held.get(&item.id).cloned().unwrap_or_default();
            found.insert(item.id.clone(), (item, levels));
        }
    }
    let views = rows.into_iter().map(|reservation| {
        let item = found.get(&reservation.inventory_item_id).cloned();
        let item = item.map(|(item, levels)| InventoryItemView::new(item, levels));
        Ok(ReservationView { reservation, inventory_item: item.transpose()? })
    });
    views.collect()
}
