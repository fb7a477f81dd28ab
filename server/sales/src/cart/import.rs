//! Imported carts.

use super::contents::{Item, Line};
use super::error::CartError;
use super::queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{CartId, CartLineId, CustomerId, RegionId, SalesChannelId};
use crate::money::Currency;

#[derive(Debug, Clone)]
pub struct ImportedCart {
    pub id: CartId,
    pub region_id: RegionId,
    pub sales_channel_id: SalesChannelId,
    /// The owner; none if the shopper never identified themselves.
    pub customer_id: Option<CustomerId>,
    pub currency: Currency,
    /// The remaining lines; empty for a cart that became an order, which has the lines instead.
    pub lines: Vec<ImportedLine>,
    /// When it became an order, if it did.
    pub completed_at: Option<Timestamp>,
}

/// A line of an imported cart, as of its last refresh.
#[derive(Debug, Clone)]
pub struct ImportedLine {
    pub id: CartLineId,
    pub item: Item,
    pub quantity: i64,
    pub unit_price_minor: i64,
}

/// Writes a cart at the transaction's time, without an event.
pub fn import(tx: &Tx<'_>, cart: ImportedCart) -> Result<(), CartError> {
    queries::insert_imported(tx, &cart)?;
    let line = |(position, line): (i64, ImportedLine)| Line {
        unit_price_minor: line.unit_price_minor,
        ..Line::new(line.id, position, line.item, line.quantity, tx.now())
    };
    let lines: Vec<Line> = (0..).zip(cart.lines).map(line).collect();
    let added = (Vec::<CartLineId>::new(), lines.iter().collect());
    Ok(queries::write_parts(tx, &cart.id, &queries::LINES, added)?)
}
