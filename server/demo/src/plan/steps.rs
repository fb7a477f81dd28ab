//! When what happens: how far each parcel comes before the history ends, and what moves stock in which order.

use super::{Delivery, Plan, PlannedOrder};
use crate::clock::Timestamp;
use crate::people::RegionKind;
use crate::seed::Seed;

const HOUR_MS: i64 = 60 * 60 * 1_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const DAY_HOURS: i64 = 24;
/// An order is done when this long has passed since it arrived.
const DONE_MS: i64 = 14 * DAY_MS;

/// How far a parcel comes before the history ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "each is when something happens")]
pub(crate) struct Parcel {
    /// When it is packed.
    pub(crate) packed_at: Option<Timestamp>,
    /// When it leaves.
    pub shipped_at: Option<Timestamp>,
    /// When it arrives.
    pub delivered_at: Option<Timestamp>,
    /// When its order is done.
    pub completed_at: Option<Timestamp>,
}

/// What moves stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Move {
    /// A delivery arrives: its place among the deliveries.
    Arrive(usize),
    /// An order that stays unsent is promised its goods: its place in the plan.
    Promise(usize),
    /// An order is packed: its place in the plan.
    Pack(usize),
    /// Something of an order is taken back: the places of the order and of its reversal.
    TakeBack(usize, usize),
}

/// Everything that moves stock before the history ends, in the order of its times.
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

/// When a parcel is packed, leaves and arrives: some hours and days after the order, and before anything of it comes
/// back.
pub(crate) fn parcel(order: &PlannedOrder, ends: Timestamp) -> Parcel {
    let key = order
        .number
        .bytes()
        .fold(0_u64, |key, byte| key.wrapping_mul(31).wrapping_add(byte.into()));
    let mut seed = Seed::of("parcel", key);
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
        // What was called off soon was on its way faster than that.
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
