//! The rules for packing the pieces of an order, and the limits of labels. Pure functions.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::database::FromRow;
use crate::http::Refusal;
use crate::ids::OrderLineId;
use crate::statuses::OrderStatus;

use super::FulfillmentError;

/// Limit: labels on one fulfillment.
pub(super) const MAX_LABELS: usize = 100;

/// A number of pieces of one line.
#[derive(Debug, Clone, PartialEq, Eq, FromRow, Serialize)]
pub struct Pieces {
    pub line_id: OrderLineId,
    /// Greater than zero.
    pub quantity: i64,
}

/// The fields of an order line that packing needs.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub(super) struct PackableLine {
    pub(super) id: OrderLineId,
    /// The number of pieces ordered.
    pub(super) quantity: i64,
    /// The number of pieces in uncanceled fulfillments.
    pub(super) fulfilled_quantity: i64,
    pub(super) requires_shipping: bool,
}

impl PackableLine {
    /// Returns the number of pieces not packed yet.
    fn left(&self) -> i64 {
        self.quantity.saturating_sub(self.fulfilled_quantity).max(0)
    }
}

/// Checks that an order with this status may be packed.
pub(super) fn check_order(status: OrderStatus) -> Result<(), FulfillmentError> {
    match status {
        OrderStatus::Pending | OrderStatus::RequiresAction | OrderStatus::Completed => Ok(()),
        OrderStatus::Draft | OrderStatus::Archived | OrderStatus::Canceled => {
            let status = status.as_str();
            Err(Refusal::not_allowed(format!("an order that is {status} cannot be fulfilled"))
                .into())
        }
    }
}

/// Checks that the requested pieces are not packed yet, and returns whether any of them needs shipping.
pub(super) fn check_pieces(
    lines: &[PackableLine],
    requested: &[Pieces],
) -> Result<bool, FulfillmentError> {
    if requested.is_empty() {
        return Err(Refusal::invalid("an order needs at least one item to be fulfilled").into());
    }
    let mut requires_shipping = false;
    let mut seen = BTreeSet::new();
    for Pieces { line_id, quantity } in requested {
        let line = lines.iter().find(|line| line.id == *line_id);
        let line =
            line.ok_or_else(|| Refusal::invalid(format!("the order has no item `{line_id}`")))?;
        if *quantity < 1 {
            let message = format!("a quantity of `{quantity}` cannot be fulfilled");
            return Err(Refusal::invalid(message).into());
        }
        if !seen.insert(line_id) {
            return Err(Refusal::invalid(format!("item `{line_id}` is named twice")).into());
        }
        if *quantity > line.left() {
            let left = line.left();
            let message = format!("item `{line_id}` has {left} left to fulfill, not {quantity}");
            return Err(Refusal::invalid(message).into());
        }
        requires_shipping |= line.requires_shipping;
    }
    Ok(requires_shipping)
}

/// Returns all pieces that are not packed yet.
pub(super) fn all_left(lines: &[PackableLine]) -> Vec<Pieces> {
    lines
        .iter()
        .filter(|line| line.left() > 0)
        .map(|line| Pieces { line_id: line.id.clone(), quantity: line.left() })
        .collect()
}

/// Checks that a shipment names exactly the pieces of its fulfillment, because it ships as a whole.
pub(super) fn check_whole(contents: &[Pieces], named: &[Pieces]) -> Result<(), FulfillmentError> {
    let sorted = |pieces: &[Pieces]| {
        let mut pairs: Vec<(OrderLineId, i64)> =
            pieces.iter().map(|one| (one.line_id.clone(), one.quantity)).collect();
        pairs.sort();
        pairs
    };
    if sorted(contents) == sorted(named) {
        return Ok(());
    }
    let message =
        "a shipment holds all items of its fulfillment: leave `items` out, or name them all";
    Err(Refusal::invalid(message).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seed: u128, quantity: i64, fulfilled_quantity: i64) -> PackableLine {
        let id = OrderLineId::seeded(0, seed);
        PackableLine { id, quantity, fulfilled_quantity, requires_shipping: seed == 1 }
    }

    fn pieces(seed: u128, quantity: i64) -> Pieces {
        Pieces { line_id: OrderLineId::seeded(0, seed), quantity }
    }

    #[test]
    fn only_what_waits_can_be_packed() {
        let lines = [line(1, 3, 1), line(2, 2, 2)];
        for (requested, expected) in [
            (vec![pieces(1, 2)], Ok(true)),
            (vec![pieces(1, 1)], Ok(true)),
            (vec![], Err("an order needs at least one item to be fulfilled".to_owned())),
            (vec![pieces(1, 0)], Err("a quantity of `0` cannot be fulfilled".to_owned())),
            (vec![pieces(1, -1)], Err("a quantity of `-1` cannot be fulfilled".to_owned())),
        ] {
            let found = check_pieces(&lines, &requested).map_err(|error| error.to_string());
            assert_eq!(found, expected, "{requested:?}");
        }
        for requested in [
            vec![pieces(1, 3)],
            vec![pieces(2, 1)],
            vec![pieces(3, 1)],
            vec![pieces(1, 1), pieces(1, 1)],
            vec![pieces(1, i64::MAX)],
        ] {
            assert!(check_pieces(&lines, &requested).is_err(), "{requested:?}");
        }
    }

    #[test]
    fn everything_not_yet_packed_is_waiting() {
        let lines = [line(1, 3, 1), line(2, 2, 2)];
        assert_eq!(all_left(&lines), [pieces(1, 2)]);
    }

    #[test]
    fn a_parcel_leaves_as_a_whole() {
        let contents = [pieces(1, 2), pieces(2, 1)];
        assert!(check_whole(&contents, &[pieces(2, 1), pieces(1, 2)]).is_ok());
        assert!(check_whole(&contents, &[pieces(1, 2)]).is_err());
        assert!(check_whole(&contents, &[pieces(1, 1), pieces(2, 1)]).is_err());
    }

    #[test]
    fn only_an_order_that_is_placed_and_open_is_packed() {
        for status in OrderStatus::ALL {
            let is_open = matches!(
                status,
                OrderStatus::Pending | OrderStatus::RequiresAction | OrderStatus::Completed
            );
            assert_eq!(check_order(*status).is_ok(), is_open, "{status:?}");
        }
    }
}
