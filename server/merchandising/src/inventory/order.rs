//! The reservations of an order, from its placement to its shipment.

use super::InventoryError;
use super::level::{self, LevelChanges};
use super::queries::{levels, reservations as queries, variants};
use crate::database::{FromRow, Tx};
use crate::ids::{
    InventoryItemId, OrderId, OrderLineId, ReservationId, SalesChannelId, StockLocationId,
    VariantId,
};
use crate::proportion::{add, multiply, subtract};

/// The quantity of a variant on an order line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineQuantity {
    pub line_id: OrderLineId,
    pub variant_id: VariantId,
    /// At least one.
    pub quantity: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub(super) struct OrderReservation {
    pub(super) id: ReservationId,
    pub(super) item_id: InventoryItemId,
    /// The location of the pieces.
    pub(super) location_id: StockLocationId,
    pub(super) line_id: OrderLineId,
    /// The reserved pieces.
    pub(super) quantity: i64,
    /// Pieces of the item in one piece of the line.
    pub(super) required: i64,
    /// Whether it may exceed the stock.
    pub(super) may_backorder: bool,
    /// Whether its pieces have not shipped yet.
    pub(super) is_open: bool,
}

/// Reserves everything an order needs at the locations of its channel, all or nothing. Variants without managed stock
/// need no reservation; backorders are reserved at the channel's first location.
///
/// # Errors
/// [`InventoryError::InsufficientInventory`] for the first variant that is short of stock.
pub fn reserve(
    tx: &Tx<'_>,
    order_id: &OrderId,
    requested: &[LineQuantity],
    channel: &SalesChannelId,
) -> Result<(), InventoryError> {
    let locations = variants::locations(tx, std::slice::from_ref(channel))?;
    let lines: Vec<(VariantId, i64)> =
        requested.iter().map(|line| (line.variant_id.clone(), line.quantity)).collect();
    let mut stocks = variants::stocks(tx, lines.iter().map(|(variant, _)| variant), &locations)?;
    let (mut rows, mut changes) = (Vec::new(), LevelChanges::default());
    for promise in stocks.promise(&lines, locations.first())? {
        let Some(line) = requested.get(promise.index) else { continue };
        changes.add(&promise.item_id, &promise.location_id, 0, promise.quantity)?;
        rows.push(OrderReservation {
            id: ReservationId::new(),
            item_id: promise.item_id,
            location_id: promise.location_id,
            line_id: line.line_id.clone(),
            quantity: promise.quantity,
            required: promise.required,
            may_backorder: promise.may_backorder,
            is_open: true,
        });
    }
    if rows.is_empty() {
        return Ok(());
    }
    levels::ensure(tx, &changes.places())?;
    queries::save(tx, order_id, &rows)?;
    changes.apply(tx, "reservation", Some(order_id.as_str()))
}

/// Releases the open reservations of an order, for example when it is canceled. Idempotent.
pub fn release(tx: &Tx<'_>, order_id: &OrderId) -> Result<(), InventoryError> {
    let mut changes = LevelChanges::default();
    for reservation in
        queries::of_order(tx, order_id)?.iter().filter(|reservation| reservation.is_open)
    {
        changes.add(
            &reservation.item_id,
            &reservation.location_id,
            0,
            subtract(0, reservation.quantity)?,
        )?;
    }
    queries::close(tx, order_id)?;
    changes.apply(tx, "release", Some(order_id.as_str()))
}

/// Ships pieces from a location: lowers its stock and the reservations of the lines, at this location first and then
/// elsewhere. Lines without managed stock change nothing.
///
/// # Errors
/// [`InventoryError::InsufficientStock`] if the location has fewer pieces, or other orders have reserved them.
pub fn ship(
    tx: &Tx<'_>,
    order_id: &OrderId,
    location_id: &StockLocationId,
    lines: &[(OrderLineId, i64)],
) -> Result<(), InventoryError> {
    let before = queries::of_order(tx, order_id)?;
    let mut reservations = before.clone();
    let mut changes = LevelChanges::default();
    let mut leaving = Leaving::default();
    for (line_id, quantity) in lines {
        for (item_id, required) in components(&reservations, line_id) {
            let pieces = multiply(positive(*quantity)?, required)?;
            leaving.add(&item_id, pieces, 0)?;
            changes.add(&item_id, location_id, subtract(0, pieces)?, 0)?;
            let mut missing = pieces;
            // Reservations at the shipping location are used first.
            for is_here in [true, false] {
                for row in reservations.iter_mut().filter(|row| {
                    let is_wanted = row.line_id == *line_id && row.item_id == item_id;
                    is_wanted && row.is_open && (row.location_id == *location_id) == is_here
                }) {
                    let part = row.quantity.min(missing);
                    if part == 0 {
                        continue;
                    }
                    missing = subtract(missing, part)?;
                    changes.add(&item_id, &row.location_id, 0, subtract(0, part)?)?;
                    if is_here && !row.may_backorder {
                        leaving.add(&item_id, 0, part)?;
                    }
                    row.consume(part)?;
                }
            }
        }
    }
    leaving.check(tx, location_id)?;
    queries::save(tx, order_id, &changed(&before, reservations))?;
    changes.apply(tx, "shipment", Some(order_id.as_str()))
}

/// Reverses [`ship`], for example when a fulfillment is canceled: the pieces return to the location's stock and are
/// reserved there for their lines.
///
/// # Errors
/// [`InventoryError::Invalid`] for a quantity below one.
pub fn unship(
    tx: &Tx<'_>,
    order_id: &OrderId,
    location_id: &StockLocationId,
    lines: &[(OrderLineId, i64)],
) -> Result<(), InventoryError> {
    let before = queries::of_order(tx, order_id)?;
    let mut reservations = before.clone();
    let mut changes = LevelChanges::default();
    for (line_id, quantity) in lines {
        for (item_id, required) in components(&reservations, line_id) {
            let pieces = multiply(positive(*quantity)?, required)?;
            changes.add(&item_id, location_id, pieces, pieces)?;
            let is_wanted = |row: &&mut OrderReservation| {
                row.line_id == *line_id && row.item_id == item_id && row.location_id == *location_id
            };
            if let Some(row) = reservations.iter_mut().find(is_wanted) {
                row.restore(pieces)?;
                continue;
            }
            let may_backorder = reservations
                .iter()
                .any(|row| row.line_id == *line_id && row.item_id == item_id && row.may_backorder);
            reservations.push(OrderReservation {
                id: ReservationId::new(),
                item_id,
                location_id: location_id.clone(),
                line_id: line_id.clone(),
                quantity: pieces,
                required,
                may_backorder,
                is_open: true,
            });
        }
    }
    levels::ensure(tx, &changes.places())?;
    queries::save(tx, order_id, &changed(&before, reservations))?;
    changes.apply(tx, "shipment_canceled", Some(order_id.as_str()))
}

/// Removes the shipped pieces of an imported order from a location's stock. Nothing is reserved, because all of it has
/// shipped.
///
/// # Errors
/// [`InventoryError::Db`]; an invalid quantity.
pub fn import_shipment(
    tx: &Tx<'_>,
    order_id: &OrderId,
    location_id: &StockLocationId,
    pieces: &[(InventoryItemId, i64)],
) -> Result<(), InventoryError> {
    let mut changes = LevelChanges::default();
    for (item_id, quantity) in pieces {
        changes.add(item_id, location_id, subtract(0, *quantity)?, 0)?;
    }
    changes.apply(tx, "shipment", Some(order_id.as_str()))
}

impl OrderReservation {
    /// Releases pieces; if none are left, the reservation is closed and keeps its quantity.
    fn consume(&mut self, pieces: i64) -> Result<(), InventoryError> {
        let left = subtract(self.quantity, pieces)?;
        if left == 0 {
            self.is_open = false;
        } else {
            self.quantity = left;
        }
        Ok(())
    }

    /// Reserves pieces again.
    fn restore(&mut self, pieces: i64) -> Result<(), InventoryError> {
        self.quantity = if self.is_open { add(self.quantity, pieces)? } else { pieces };
        self.is_open = true;
        Ok(())
    }
}

/// Returns the changed rows; new rows are at the end.
fn changed(before: &[OrderReservation], after: Vec<OrderReservation>) -> Vec<OrderReservation> {
    let rows = after.into_iter().enumerate();
    rows.filter(|(index, row)| before.get(*index) != Some(row)).map(|(_, row)| row).collect()
}

/// Returns the distinct items of a line, with the pieces in one piece of the line.
fn components(
    reservations: &[OrderReservation],
    line_id: &OrderLineId,
) -> Vec<(InventoryItemId, i64)> {
    let of_line = reservations.iter().filter(|row| row.line_id == *line_id);
    let mut components: Vec<_> = of_line.map(|row| (row.item_id.clone(), row.required)).collect();
    // Reservations by staff may say one piece where the line needs more, so the largest number counts.
    components.sort_by(|left, right| right.cmp(left));
    components.dedup_by(|left, right| left.0 == right.0);
    components
}

fn positive(quantity: i64) -> Result<i64, InventoryError> {
    if quantity < 1 {
        return Err(InventoryError::Invalid(format!("{quantity} pieces cannot be sent")));
    }
    Ok(quantity)
}

/// Pieces that leave a location, and how many of them their own lines had reserved there without backorder.
#[derive(Debug, Default)]
struct Leaving(std::collections::BTreeMap<InventoryItemId, (i64, i64)>);

impl Leaving {
    fn add(
        &mut self,
        item_id: &InventoryItemId,
        pieces: i64,
        own: i64,
    ) -> Result<(), InventoryError> {
        let so_far = self.0.entry(item_id.clone()).or_default();
        *so_far = (add(so_far.0, pieces)?, add(so_far.1, own)?);
        Ok(())
    }

    /// Checks that the pieces are in stock and not reserved by others without backorder.
    fn check(&self, tx: &Tx<'_>, location_id: &StockLocationId) -> Result<(), InventoryError> {
        let items: Vec<&InventoryItemId> = self.0.keys().collect();
        let on_hand = levels::on_hand(tx, location_id, &items)?;
        for (item_id, (pieces, own)) in &self.0 {
            let here = on_hand.get(item_id).copied().unwrap_or_default();
            let available = subtract(here.stocked, subtract(here.promised, *own)?)?;
            level::check_available(item_id, location_id, available.max(0), *pieces)?;
        }
        Ok(())
    }
}
