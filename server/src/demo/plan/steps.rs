//! When what happens: every step of every order in the order of their times, up to the end of the history.

use super::{Plan, PlannedOrder};
use crate::clock::Timestamp;
use crate::demo::people::RegionKind;
use crate::demo::seed::Seed;

const HOUR_MS: i64 = 60 * 60 * 1_000;
const DAY_HOURS: i64 = 24;

/// What happens to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StepKind {
    /// It is placed and paid.
    Place,
    /// Its goods are packed.
    Pack,
    /// Its parcel leaves.
    Ship,
    /// Its parcel arrives.
    Deliver,
    /// Something is taken back: the place of its reversal.
    TakeBack(usize),
}

/// A step of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    /// When.
    pub(crate) at: Timestamp,
    /// The order's place in the plan.
    pub(crate) order: usize,
    /// What.
    pub(crate) kind: StepKind,
}

/// Every step before the end of the history, in the order of their times.
pub(crate) fn steps(plan: &Plan, ends: Timestamp) -> Vec<Step> {
    let mut steps = Vec::with_capacity(plan.orders.len().saturating_mul(5));
    for (place, order) in plan.orders.iter().enumerate() {
        let mut add = |at, kind| steps.push(Step { at, order: place, kind });
        add(order.at, StepKind::Place);
        let [packed, shipped, delivered] = parcel(order);
        if order.lines.iter().any(|line| line.good.is_some()) {
            add(packed, StepKind::Pack);
            add(shipped, StepKind::Ship);
            add(delivered, StepKind::Deliver);
        }
        for (index, reversal) in order.reversals.iter().enumerate() {
            add(reversal.at, StepKind::TakeBack(index));
        }
    }
    steps.retain(|step| step.at < ends);
    steps.sort_unstable();
    steps
}

/// When a parcel is packed, leaves and arrives: some hours and days after the order, and before anything of it comes back.
fn parcel(order: &PlannedOrder) -> [Timestamp; 3] {
    let key = order.number.bytes().fold(0_u64, |key, byte| key.wrapping_mul(31).wrapping_add(byte.into()));
    let mut seed = Seed::of("parcel", key);
    let (quickest_days, slowest_days): (i64, i64) = match order.place.region {
        RegionKind::Britain => (1, 3),
        RegionKind::Europe => (3, 6),
        RegionKind::World => (5, 12),
    };
    let placed = order.at.as_millis();
    let packed = placed.saturating_add(seed.between(2, 30).saturating_mul(HOUR_MS));
    let shipped = packed.saturating_add(seed.between(1, 8).saturating_mul(HOUR_MS));
    let hours = seed.between(quickest_days.saturating_mul(DAY_HOURS), slowest_days.saturating_mul(DAY_HOURS));
    let delivered = shipped.saturating_add(hours.saturating_mul(HOUR_MS));
    let returned = order.reversals.iter().find(|reversal| !reversal.returned.is_empty());
    let times = match returned.map(|reversal| reversal.at.as_millis()) {
        // What was called off soon was on its way faster than that.
        Some(returned) if returned <= delivered => {
            let quarter = returned.saturating_sub(placed).checked_div(4).unwrap_or(0);
            [1, 2, 3].map(|part| placed.saturating_add(quarter.saturating_mul(part)))
        }
        _ => [packed, shipped, delivered],
    };
    times.map(Timestamp::from_millis)
}
