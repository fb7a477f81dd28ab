//! Imported carts.

use super::contents::{Item, Line};
use super::error::CartError;
use super::queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{CartId, CartLineId, CustomerId, RegionId, SalesChannelId};
use crate::money::Currency;

/// An imported cart.
#[derive(Debug, Clone)]
pub struct ImportedCart {
    pub id: CartId,
    /// Where it was sold to.
    pub region_id: RegionId,
    pub sales_channel_id: SalesChannelId,
    /// Whose it was; none of who never said.
    pub customer_id: Option<CustomerId>,
    /// What it was to be paid in.
    pub currency: Currency,
    /// What was left in it; nothing of a cart that became an order, which has its lines.
    pub lines: Vec<ImportedLine>,
    /// When it became an order, if it did.
    pub completed_at: Option<Timestamp>,
}

/// A line of a cart of an imported store, as it was last looked at.
#[derive(Debug, Clone)]
pub struct ImportedLine {
    pub id: CartLineId,
    /// What it is.
    pub item: Item,
    pub quantity: i64,
    pub unit_price_minor: i64,
}

/// Writes a cart at the transaction's instant, without an event.
pub fn import(tx: &Tx<'_>, cart: ImportedCart) -> Result<(), CartError> {
    queries::insert_imported(tx, &cart)?;
    let line = |(position, line): (i64, ImportedLine)| Line {
        unit_price_minor: line.unit_price_minor,
        ..Line::new(line.id, position, (line.item, line.quantity), tx.now())
    };
    let lines: Vec<Line> = (0..).zip(cart.lines).map(line).collect();
    if !lines.is_empty() {
        queries::put_lines(tx, &cart.id, &lines.iter().collect::<Vec<_>>())?;
    }
    Ok(())
}
