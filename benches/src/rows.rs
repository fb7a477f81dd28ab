//! A million rows by a rule that `columns_peers.py` knows too, and loops written by hand over them.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::float_arithmetic,
    reason = "the loops are what the engine is measured against"
)]

use rust_decimal::Decimal;

use crate::Failure;
use crate::native::cents_float;

/// Columns of integers: amounts in cents, and a count.
#[derive(Debug, Clone, Default)]
pub struct Cents {
    /// From 10 to 10,010 dollars.
    pub revenue: Vec<i64>,
    /// Up to 50 dollars, sometimes more than the revenue.
    pub refunds: Vec<i64>,
    /// From 1 to 97.
    pub orders: Vec<i64>,
}

impl Cents {
    /// That many rows.
    pub fn new(rows: usize) -> Result<Self, Failure> {
        let mut cents = Self::default();
        for row in 0..i64::try_from(rows)? {
            cents.revenue.push(1_000 + row * 7_919 % 1_000_000);
            cents.refunds.push(row * 104_729 % 5_000);
            cents.orders.push(1 + row * 31 % 97);
        }
        Ok(cents)
    }

    /// A row after the other.
    pub fn iter(&self) -> impl Iterator<Item = (i64, i64, i64)> {
        let amounts = self.revenue.iter().zip(&self.refunds);
        amounts.zip(&self.orders).map(|((revenue, refunds), orders)| (*revenue, *refunds, *orders))
    }

    /// The ratio of two sums, exact until it is divided.
    pub fn ratio(&self) -> Decimal {
        let add =
            |(net, count), (revenue, refunds, orders)| (net + revenue - refunds, count + orders);
        let (net, count): (i64, i64) = self.iter().fold((0, 0), add);
        Decimal::new(net, 2) / Decimal::from(count)
    }

    /// The first rows as decimals.
    pub fn decimals(&self, rows: usize) -> Vec<[Decimal; 3]> {
        let row = |(revenue, refunds, orders)| {
            [Decimal::new(revenue, 2), Decimal::new(refunds, 2), Decimal::from(orders)]
        };
        self.iter().take(rows).map(row).collect()
    }
}

/// A quotient of integers, rounded with ties away from zero.
fn rounded(top: i64, bottom: i64) -> i64 {
    let half = if top < 0 { -bottom / 2 } else { bottom / 2 };
    (top + half) / bottom
}

/// A formula over the rows with the loop that someone would write for it, in cents.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// The formula.
    pub text: &'static str,
    /// The loop.
    pub run: fn(&Cents) -> Vec<i64>,
}

/// What the engine is measured beside, formula by formula. The first is W1 at a declared scale.
pub const KERNELS: &[Kernel] = &[
    Kernel {
        text: "round((revenue - refunds) / orders, 2)",
        run: |cents| {
            let row =
                |(revenue, refunds, orders): (i64, i64, i64)| rounded(revenue - refunds, orders);
            cents.iter().map(row).collect()
        },
    },
    Kernel {
        text: "revenue - refunds",
        run: |cents| cents.iter().map(|(revenue, refunds, _)| revenue - refunds).collect(),
    },
    Kernel {
        text: "round(revenue * 0.19, 2)",
        run: |cents| cents.revenue.iter().map(|revenue| rounded(revenue * 19, 100)).collect(),
    },
    Kernel {
        text: "if(revenue > refunds * 2, revenue - refunds, 0)",
        run: |cents| {
            let row = |(revenue, refunds, _): (i64, i64, i64)| {
                if revenue > refunds * 2 { revenue - refunds } else { 0 }
            };
            cents.iter().map(row).collect()
        },
    },
    Kernel {
        text: "if(orders > 10, round((revenue - refunds) * 0.81 / orders, 2), 0)",
        run: |cents| {
            let row = |(revenue, refunds, orders): (i64, i64, i64)| {
                if orders > 10 { rounded((revenue - refunds) * 81, orders * 100) } else { 0 }
            };
            cents.iter().map(row).collect()
        },
    },
];

/// W1 with all digits that decimals have.
pub fn quotients(rows: &[[Decimal; 3]]) -> Vec<Decimal> {
    rows.iter().map(|[revenue, refunds, orders]| (revenue - refunds) / orders).collect()
}

/// The columns as floats.
#[derive(Debug, Clone)]
pub struct Floats {
    revenue: Vec<f64>,
    refunds: Vec<f64>,
    orders: Vec<f64>,
}

impl Floats {
    /// The same rows.
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "integers below 2^24, in the floats they would be kept as"
    )]
    pub fn new(cents: &Cents) -> Self {
        let dollars = |column: &[i64]| column.iter().map(|cents| *cents as f64 / 100.0).collect();
        Self {
            revenue: dollars(&cents.revenue),
            refunds: dollars(&cents.refunds),
            orders: cents.orders.iter().map(|count| *count as f64).collect(),
        }
    }

    fn rows(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let amounts = self.revenue.iter().zip(&self.refunds);
        amounts.zip(&self.orders).map(|((revenue, refunds), orders)| (*revenue, *refunds, *orders))
    }

    /// W1 rounded to cents.
    pub fn averages(&self) -> Vec<f64> {
        let row = |(revenue, refunds, orders)| cents_float((revenue - refunds) / orders);
        self.rows().map(row).collect()
    }

    /// The ratio of two sums.
    pub fn ratio(&self) -> f64 {
        let add =
            |(net, count), (revenue, refunds, orders)| (net + revenue - refunds, count + orders);
        let (net, count) = self.rows().fold((0.0, 0.0), add);
        net / count
    }
}
