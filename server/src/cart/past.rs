//! Carts of a store whose history is written afterwards.

use super::contents::{Item, Line};
use super::error::CartError;
use super::queries;
use super::totals::ChargeTotals;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{CartId, CartLineId, CustomerId, RegionId, SalesChannelId};
use crate::money::Currency;

/// A cart of the past.
#[derive(Debug, Clone)]
pub(crate) struct PastCart {
    /// Its id.
    pub(crate) id: CartId,
    /// Where it was sold to.
    pub(crate) region_id: RegionId,
    /// Where it was sold.
    pub(crate) sales_channel_id: SalesChannelId,
    /// Whose it was; none of who never said.
    pub(crate) customer_id: Option<CustomerId>,
    /// What it was to be paid in.
    pub(crate) currency: Currency,
    /// What was left in it; nothing of a cart that became an order, which has its lines.
    pub(crate) lines: Vec<PastLine>,
    /// When it became an order, if it did.
    pub(crate) completed_at: Option<Timestamp>,
}

/// A line of a cart of the past, as it was last looked at.
#[derive(Debug, Clone)]
pub(crate) struct PastLine {
    /// Its id.
    pub(crate) id: CartLineId,
    /// What it is.
    pub(crate) item: Item,
    /// How many pieces.
    pub(crate) quantity: i64,
    /// What one costs, in minor units.
    pub(crate) unit_price_minor: i64,
}

/// Keeps a cart that was made at the transaction's instant, and tells nobody: nothing is happening.
///
/// # Errors
/// A database error.
pub(crate) fn past(tx: &Tx<'_>, cart: PastCart) -> Result<(), CartError> {
    queries::insert_past(tx, &cart)?;
    let line = |(position, line): (i64, PastLine)| Line {
        id: line.id,
        position,
        item: line.item,
        quantity: line.quantity,
        unit_price_minor: line.unit_price_minor,
        compare_at_unit_price_minor: None,
        is_custom_price: false,
        is_tax_inclusive: false,
        bundle_id: None,
        tax_lines: Vec::new(),
        adjustments: Vec::new(),
        metadata: None,
        created_at: tx.now(),
        updated_at: tx.now(),
        totals: ChargeTotals::default(),
    };
    let lines: Vec<Line> = (0..).zip(cart.lines).map(line).collect();
    if !lines.is_empty() {
        queries::put_lines(tx, &cart.id, &lines.iter().collect::<Vec<_>>())?;
    }
    Ok(())
}
