//! The rules of returns: which pieces may be returned, their value, and the status of a return. Pure functions.

use std::collections::BTreeSet;

use crate::database::FromRow;
use crate::http::Refusal;
use crate::ids::OrderLineId;
use crate::proportion::{OutOfRange, add, slice};
use crate::statuses::{OrderStatus, ReturnStatus};

use super::ReturnError;

/// The fields of an order line that returns need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, FromRow)]
pub(super) struct Returnable {
    pub(super) quantity: i64,
    /// Pieces shipped or picked up.
    pub(super) shipped_quantity: i64,
    /// Pieces in requested returns that are not received yet.
    #[column(name = "return_requested_quantity")]
    pub(super) requested_quantity: i64,
    #[column(name = "return_received_quantity")]
    pub(super) received_quantity: i64,
    /// Pieces returned damaged.
    #[column(name = "return_dismissed_quantity")]
    pub(super) dismissed_quantity: i64,
    /// The total of the whole line with tax, after discounts, in minor units.
    pub(super) total_minor: i64,
}

impl Returnable {
    /// Returns the number of pieces that a return may still request.
    pub(super) fn left(self) -> i64 {
        self.shipped_quantity
            .saturating_sub(self.requested_quantity)
            .saturating_sub(self.received_quantity)
            .saturating_sub(self.dismissed_quantity)
            .max(0)
    }

    /// Returns the amount owed to the customer for `more_quantity` further returned pieces, in minor units. The values
    /// of all pieces add up to the line's total, however they are spread over returns.
    pub(super) fn value_of(self, more_quantity: i64) -> Result<i64, OutOfRange> {
        let after_quantity = add(self.received_quantity, more_quantity)?;
        slice(self.total_minor, self.received_quantity, after_quantity, self.quantity)
    }
}

/// The progress of a line of a return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, FromRow)]
pub(super) struct Progress {
    pub(super) quantity: i64,
    pub(super) received_quantity: i64,
    /// Pieces returned damaged.
    pub(super) damaged_quantity: i64,
}

impl Progress {
    /// Returns the number of pieces still awaited.
    pub(super) fn left(self) -> i64 {
        self.quantity
            .saturating_sub(self.received_quantity)
            .saturating_sub(self.damaged_quantity)
            .max(0)
    }
}

/// Checks that items of an order with this status may be returned.
pub(super) fn check_order(status: OrderStatus) -> Result<(), ReturnError> {
    match status {
        OrderStatus::Pending
        | OrderStatus::RequiresAction
        | OrderStatus::Completed
        | OrderStatus::Archived => Ok(()),
        OrderStatus::Draft | OrderStatus::Canceled => {
            let status = status.as_str();
            let message = format!("items of an order that is {status} cannot be returned");
            Err(Refusal::not_allowed(message).into())
        }
    }
}

/// Checks that each quantity is between one and what is left of its line, and that no line is named twice.
pub(super) fn check_quantities(
    requested: &[(&OrderLineId, i64)],
    left: impl Fn(&OrderLineId) -> Option<i64>,
) -> Result<(), ReturnError> {
    let mut seen = BTreeSet::new();
    for (line_id, quantity) in requested.iter().copied() {
        let left = left(line_id).ok_or_else(|| no_item(line_id))?;
        if quantity < 1 {
            let message = format!("a quantity of `{quantity}` cannot be returned");
            return Err(Refusal::invalid(message).into());
        }
        if !seen.insert(line_id) {
            return Err(Refusal::invalid(format!("item `{line_id}` is named twice")).into());
        }
        if quantity > left {
            let message =
                format!("item `{line_id}` has {left} that can be returned, not {quantity}");
            return Err(Refusal::invalid(message).into());
        }
    }
    if seen.is_empty() { Err(no_pieces()) } else { Ok(()) }
}

/// Rejects a line that cannot be returned.
pub(super) fn no_item(line_id: &OrderLineId) -> ReturnError {
    Refusal::invalid(format!("there is no item `{line_id}` to return")).into()
}

/// Rejects a return without items.
pub(super) fn no_pieces() -> ReturnError {
    Refusal::invalid("a return needs at least one item").into()
}

/// Returns the status of a return whose lines have this progress.
pub(super) fn status_of(lines: &[Progress]) -> ReturnStatus {
    let is_complete = lines.iter().all(|line| line.left() == 0);
    if is_complete { ReturnStatus::Received } else { ReturnStatus::PartiallyReceived }
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINE: Returnable = Returnable {
        quantity: 3,
        shipped_quantity: 3,
        requested_quantity: 1,
        received_quantity: 0,
        dismissed_quantity: 0,
        total_minor: 1_000,
    };

    #[test]
    fn only_delivered_items_that_are_not_on_their_way_back_can_be_announced() {
        for (line, left) in [
            (LINE, 2),
            (Returnable { shipped_quantity: 0, ..LINE }, 0),
            (Returnable { received_quantity: 1, ..LINE }, 1),
            (Returnable { dismissed_quantity: 2, ..LINE }, 0),
        ] {
            assert_eq!(line.left(), left, "{line:?}");
        }
    }

    #[test]
    fn quantities_are_checked_one_by_one() {
        let id = OrderLineId::seeded(0, 1);
        let other = OrderLineId::seeded(0, 2);
        let left = |line: &OrderLineId| (*line == id).then_some(2);
        assert!(check_quantities(&[(&id, 2)], left).is_ok());
        for requested in [
            vec![],
            vec![(&id, 0)],
            vec![(&id, 3)],
            vec![(&id, i64::MAX)],
            vec![(&id, 1), (&id, 1)],
            vec![(&other, 1)],
        ] {
            assert!(check_quantities(&requested, left).is_err(), "{requested:?}");
        }
    }

    #[test]
    fn a_return_is_received_when_nothing_is_awaited() {
        let half = Progress { quantity: 2, received_quantity: 1, damaged_quantity: 0 };
        let whole = Progress { damaged_quantity: 1, ..half };
        assert_eq!(status_of(&[half, whole]), ReturnStatus::PartiallyReceived);
        assert_eq!(status_of(&[whole]), ReturnStatus::Received);
    }

    #[test]
    fn goods_of_an_order_that_was_placed_may_come_back() {
        assert!(check_order(OrderStatus::Completed).is_ok());
        assert!(check_order(OrderStatus::Canceled).is_err());
        assert!(check_order(OrderStatus::Draft).is_err());
    }

    proptest! {
        #[test]
        fn the_values_of_all_pieces_add_up_to_the_line(
            total_minor in 0_i64..10_000_000,
            parts in prop::collection::vec(1_i64..5, 1..6),
        ) {
            let quantity = parts.iter().sum();
            let mut line = Returnable { quantity, total_minor, ..Returnable::default() };
            let mut value = 0;
            for part in parts {
                value += line.value_of(part).unwrap();
                line.received_quantity += part;
            }
            prop_assert_eq!(value, total_minor);
        }
    }
}
