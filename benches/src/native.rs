//! The workloads as hand-written Rust, on decimals and on floats.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::float_arithmetic,
    reason = "this is what the engine is measured against"
)]

use rust_decimal::{Decimal, RoundingStrategy};

/// Rounds an amount to cents.
fn cents(value: Decimal) -> Decimal {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// Rounds a float to cents.
pub(crate) fn cents_float(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

pub(crate) fn average(values: &[Decimal]) -> Decimal {
    let [revenue, refunds, orders] = values else { return Decimal::MAX };
    (revenue - refunds) / orders
}

pub(crate) fn average_float(values: &[f64]) -> f64 {
    let [revenue, refunds, orders] = values else { return f64::NAN };
    (revenue - refunds) / orders
}

pub(crate) fn guarded(values: &[Decimal]) -> Decimal {
    let [revenue, refunds, orders, discounts] = values else { return Decimal::MAX };
    if *orders <= Decimal::ZERO {
        return Decimal::ZERO;
    }
    cents((revenue - refunds - discounts) / orders)
}

pub(crate) fn guarded_float(values: &[f64]) -> f64 {
    let [revenue, refunds, orders, discounts] = values else { return f64::NAN };
    if *orders <= 0.0 {
        return 0.0;
    }
    cents_float((revenue - refunds - discounts) / orders)
}

pub(crate) fn tiered(values: &[Decimal]) -> Decimal {
    let [revenue, refunds, orders, rest @ ..] = values else { return Decimal::MAX };
    let [discounts, shipping_income, rest @ ..] = rest else { return Decimal::MAX };
    let [cost_of_goods, shipping_cost, payment_fees, packaging, returned_orders, target, tax_rate] =
        rest
    else {
        return Decimal::MAX;
    };
    if orders <= returned_orders {
        return Decimal::ZERO;
    }
    let margin = revenue - refunds - discounts + shipping_income
        - cost_of_goods
        - shipping_cost
        - payment_fees
        - packaging;
    let tier = if *revenue >= target * Decimal::TWO {
        Decimal::new(105, 2)
    } else if revenue >= target {
        Decimal::ONE
    } else {
        Decimal::new(95, 2)
    };
    cents(margin * (Decimal::ONE - tax_rate) * tier / (orders - returned_orders))
}

pub(crate) fn tiered_float(values: &[f64]) -> f64 {
    let [revenue, refunds, orders, rest @ ..] = values else { return f64::NAN };
    let [discounts, shipping_income, rest @ ..] = rest else { return f64::NAN };
    let [cost_of_goods, shipping_cost, payment_fees, packaging, returned_orders, target, tax_rate] =
        rest
    else {
        return f64::NAN;
    };
    if orders <= returned_orders {
        return 0.0;
    }
    let margin = revenue - refunds - discounts + shipping_income
        - cost_of_goods
        - shipping_cost
        - payment_fees
        - packaging;
    let tier = if *revenue >= target * 2.0 {
        1.05
    } else if revenue >= target {
        1.0
    } else {
        0.95
    };
    cents_float(margin * (1.0 - tax_rate) * tier / (orders - returned_orders))
}

/// Returns a sum of a thousand products that cycle through the inputs.
pub(crate) fn sum(values: &[Decimal]) -> Decimal {
    let factor = Decimal::new(15, 1);
    values.iter().cycle().take(1_000).fold(Decimal::ZERO, |total, value| total + value * factor)
}

pub(crate) fn sum_float(values: &[f64]) -> f64 {
    values.iter().cycle().take(1_000).fold(0.0, |total, value| total + value * 1.5)
}
