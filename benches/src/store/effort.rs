//! The extent of a measurement, and the names of its two stores with the goal of their ratio.

use std::time::Duration;

use super::orders::Extent;
use crate::goals::Goal;

/// The extent of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of samples of each contestant.
    pub rounds: u32,
    /// The minimum processor time of a sample: the system counts that of a server in ticks of 10 ms.
    pub batch: Duration,
    /// The number of orders in a sample of writing.
    pub orders: u32,
    /// The number of orders in a sample of placing.
    pub placed: u32,
    /// The store with few orders, and that with many.
    pub extents: [Extent; 2],
    /// Whether everything is done only once, to check that it is answered.
    pub once: bool,
}

impl Effort {
    /// Enough for ratios that vary by a few per cent between runs.
    pub const FULL: Self = Self {
        rounds: 7,
        batch: Duration::from_millis(400),
        orders: 2_000,
        placed: 400,
        extents: [
            Extent { orders: 25_900, customers: 5_000 },
            Extent { orders: 1_000_000, customers: 200_000 },
        ],
        once: false,
    };
    /// One call each, in small stores.
    pub const ONCE: Self = Self {
        rounds: 1,
        batch: Duration::ZERO,
        orders: 64,
        placed: 2,
        extents: [Extent { orders: 600, customers: 120 }, Extent { orders: 2_400, customers: 480 }],
        once: true,
    };
}

/// The names of the stores in the table.
pub(super) const FEW: &str = "25,900 orders";
pub(super) const MANY: &str = "1,000,000 orders";

/// The goal with many orders: a request reads the partial aggregates of its days, however many orders they are of.
pub(super) const GROWTH: Goal = Goal::Within(1.2);
