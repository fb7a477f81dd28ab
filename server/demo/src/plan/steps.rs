//! The schedule: the progress of each parcel by the end of the history, and the order of stock movements.

use super::{Delivery, Plan, PlannedOrder};
use crate::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::people::RegionKind;
use crate::seed::Seed;

const DAY_HOURS: i64 = 24;
/// How long after its delivery an order is completed.
const DONE_MS: i64 = 14 * DAY_MS;

/// The progress of a parcel by the end of the history.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "each field is a time")]
pub(crate) struct Parcel {
    pub(crate) packed_at: Option<Timestamp>,
    pub shipped_at: Option<Timestamp>,
    pub delivered_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
}

/// A stock movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Move {
    /// A delivery arrives: its index in the deliveries.
    Arrive(usize),
    /// The stock of an order that has not shipped by the end is reserved: its index in the plan.
    Promise(usize),
    /// An order is packed: its index in the plan.
    Pack(usize),
    /// A part of an order is reversed: the indexes of the order and of its reversal.
    TakeBack(usize, usize),
}

/// Returns all stock movements before the end of the history, by time.
pub(crate) fn moves(
    plan: &Plan,
    deliveries: &[Delivery],
    parcels: &[Parcel],
    ends: Timestamp,
) -> Vec<(Timestamp, Move)> {
    let arriving =
        deliveries.iter().enumerate().map(|(place, delivery)| (delivery.at, Move::Arrive(place)));
    let mut moves: Vec<(Timestamp, Move)> = arriving.collect();
    for ((place, order), parcel) in plan.orders.iter().enumerate().zip(parcels) {
        if parcel.shipped_at.is_none() {
            moves.push((order.at, Move::Promise(place)));
        }
        if let Some(at) = parcel.packed_at {
            moves.push((at, Move::Pack(place)));
        }
        let taken = order.reversals.iter().enumerate();
        moves.extend(taken.map(|(index, reversal)| (reversal.at, Move::TakeBack(place, index))));
    }
    moves.retain(|(at, what)| *at < ends || matches!(what, Move::Arrive(_)));
    moves.sort_unstable();
    moves
}

/// Returns when a parcel is packed, shipped and delivered: some hours and days after the order, and before any part of
/// it is returned.
pub(crate) fn parcel(order: &PlannedOrder, ends: Timestamp) -> Parcel {
    let mut seed = Seed::of_text("parcel", &order.number);
    let (quickest_days, slowest_days): (i64, i64) = match order.place.region {
        RegionKind::Britain => (1, 3),
        RegionKind::Europe => (3, 6),
        RegionKind::World => (5, 12),
    };
    let placed = order.at.as_millis();
    let packed = placed.saturating_add(seed.between(2, 30).saturating_mul(HOUR_MS));
    let shipped = packed.saturating_add(seed.between(1, 8).saturating_mul(HOUR_MS));
    let hours = seed
        .between(quickest_days.saturating_mul(DAY_HOURS), slowest_days.saturating_mul(DAY_HOURS));
    let delivered = shipped.saturating_add(hours.saturating_mul(HOUR_MS));
    let returned = order.reversals.iter().find(|reversal| !reversal.returned.is_empty());
    let [packed, shipped, delivered] = match returned.map(|reversal| reversal.at.as_millis()) {
        // A parcel that was returned early is shipped faster.
        Some(returned) if returned <= delivered => {
            let quarter = returned.saturating_sub(placed).saturating_div(4);
            [1, 2, 3].map(|part| placed.saturating_add(quarter.saturating_mul(part)))
        }
        _ => [packed, shipped, delivered],
    };
    let before = |at_ms: i64| Some(Timestamp::from_millis(at_ms)).filter(|at| *at < ends);
    Parcel {
        packed_at: before(packed),
        shipped_at: before(shipped),
        delivered_at: before(delivered),
        completed_at: before(delivered.saturating_add(DONE_MS)),
    }
}
