//! Totals of lines, shipping methods, carts and orders, exact to the minor unit.
//!
//! Every tax line is rounded separately, half away from zero, and everything else is a sum or a difference of whole
//! minor units; so `total = subtotal - discount_subtotal + tax_total` and all sums over lines hold exactly. A price
//! that includes tax keeps its gross amount: its subtotal is the gross less the rounded tax. Likewise, a discount that
//! includes tax takes exactly its amount off the gross.

use thiserror::Error;

use crate::database::FromRow;
use crate::proportion::{OutOfRange, PPM, add, multiply, slice, split, subtract, sum};
use crate::taxes::amounts::{in_gross, on_net};
use crate::taxes::rates::MAX_RATE_PPM;

/// Limit: tax lines on one line or shipping method.
pub(crate) const MAX_TAX_LINES: usize = 10;

/// Limit: adjustments on one line or shipping method.
pub(crate) const MAX_ADJUSTMENTS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TotalsError {
    #[error("a total is out of range")]
    OutOfRange(#[from] OutOfRange),
    #[error("the {what} `{value}` is out of range")]
    BadInput { what: &'static str, value: i64 },
    #[error("{count} {what} are more than {limit}")]
    TooMany { what: &'static str, count: usize, limit: usize },
}

/// A line or a shipping method (with a quantity of one) to compute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Charge {
    /// The price of one piece, in minor units.
    pub unit_price_minor: i64,
    pub quantity: i64,
    /// Whether the price includes tax.
    pub is_tax_inclusive: bool,
    /// The rates of its tax lines, in millionths.
    pub rates_ppm: Vec<i64>,
    /// The discounts for the whole quantity.
    pub adjustments: Vec<Adjustment>,
}

/// A promotion's discount on a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjustment {
    /// In minor units, not negative.
    pub amount_minor: i64,
    /// Whether it is taken off the gross amount.
    pub is_tax_inclusive: bool,
}

/// The amounts of a line, of a shipping method or of a sum of them, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, FromRow)]
pub struct Amounts {
    /// Without tax, before discounts; also the original subtotal.
    #[column(name = "subtotal_minor")]
    pub subtotal: i64,
    /// The discounts without tax.
    #[column(name = "discount_subtotal_minor")]
    pub discount_subtotal: i64,
    /// The tax that the discounts save.
    #[column(name = "discount_tax_minor")]
    pub(crate) discount_tax_total: i64,
    /// The discounts with tax.
    #[column(name = "discount_minor")]
    pub discount_total: i64,
    /// The tax after discounts.
    #[column(name = "tax_minor")]
    pub tax_total: i64,
    /// With tax, after discounts.
    #[column(name = "total_minor")]
    pub total: i64,
    /// The tax before discounts.
    #[column(name = "original_tax_minor")]
    pub(crate) original_tax_total: i64,
    /// With tax, before discounts.
    #[column(name = "original_total_minor")]
    pub original_total: i64,
}

/// The amounts of a tax line, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaxLineTotals {
    /// After discounts.
    pub total: i64,
    /// Before discounts.
    pub subtotal: i64,
}

/// The amounts of an adjustment, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdjustmentTotals {
    /// With tax.
    pub total: i64,
    /// Without tax.
    pub subtotal: i64,
}

/// A computed line or shipping method; tax lines and adjustments in the order they were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChargeTotals {
    pub amounts: Amounts,
    /// Its tax lines; their totals add up to the tax total.
    pub tax_lines: Vec<TaxLineTotals>,
    /// Its adjustments; they add up to the discounts.
    pub adjustments: Vec<AdjustmentTotals>,
}

/// The totals of a cart or an order, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CartTotals {
    pub items: Amounts,
    pub shipping: Amounts,
    /// Lines and shipping methods together, before credit.
    pub all: Amounts,
    pub(crate) credit_line_total: i64,
    /// The amount left to pay: `all.total - credit_line_total`.
    pub total: i64,
}

impl Amounts {
    /// Adds the amounts field by field.
    pub(crate) fn plus(self, other: Self) -> Result<Self, OutOfRange> {
        self.with(other, add)
    }

    /// Subtracts the amounts field by field.
    pub(crate) fn minus(self, other: Self) -> Result<Self, OutOfRange> {
        self.with(other, subtract)
    }

    fn with(
        self,
        other: Self,
        both: fn(i64, i64) -> Result<i64, OutOfRange>,
    ) -> Result<Self, OutOfRange> {
        Ok(Self {
            subtotal: both(self.subtotal, other.subtotal)?,
            discount_subtotal: both(self.discount_subtotal, other.discount_subtotal)?,
            discount_tax_total: both(self.discount_tax_total, other.discount_tax_total)?,
            discount_total: both(self.discount_total, other.discount_total)?,
            tax_total: both(self.tax_total, other.tax_total)?,
            total: both(self.total, other.total)?,
            original_tax_total: both(self.original_tax_total, other.original_tax_total)?,
            original_total: both(self.original_total, other.original_total)?,
        })
    }

    /// Returns the amounts of the first `pieces` of a line. Only the amounts with and without tax, before and after
    /// discounts, are rounded, so that a line without tax or discount still has none.
    pub(crate) fn of_pieces(self, pieces: i64, quantity: i64) -> Result<Self, OutOfRange> {
        if pieces == 0 {
            return Ok(Self::default());
        }
        let part = |amount: i64| slice(amount, 0, pieces, quantity);
        let net = subtract(self.subtotal, self.discount_subtotal)?;
        difference(part(self.subtotal)?, part(self.original_total)?, part(net)?, part(self.total)?)
    }
}

impl CartTotals {
    /// Returns the totals without the returned goods.
    pub(crate) fn less_items(self, returned: Amounts) -> Result<Self, OutOfRange> {
        Ok(Self {
            items: self.items.minus(returned)?,
            all: self.all.minus(returned)?,
            total: subtract(self.total, returned.total)?,
            ..self
        })
    }
}

/// Computes a line or a shipping method.
///
/// Adjustments of the same kind as the price (gross or net) are subtracted first, then those of the other kind;
/// together they never exceed the charge.
pub fn charge(charge: &Charge) -> Result<ChargeTotals, TotalsError> {
    check(charge)?;
    let price = multiply(charge.unit_price_minor, charge.quantity)?;
    let of_kind = |is_tax_inclusive: bool| {
        let same_kind = charge.adjustments.iter();
        sum(same_kind
            .filter(|adjustment| adjustment.is_tax_inclusive == is_tax_inclusive)
            .map(|adjustment| adjustment.amount_minor))
    };
    let (net_off, gross_off) = (of_kind(false)?, of_kind(true)?);
    let rates = charge.rates_ppm.as_slice();
    let (original, after) = if charge.is_tax_inclusive {
        let original = Taxed::gross(price, rates)?;
        (original.clone(), original.less_gross(gross_off, rates)?.less_net(net_off, rates)?)
    } else {
        let original = Taxed::net(price, rates)?;
        (original.clone(), original.less_net(net_off, rates)?.less_gross(gross_off, rates)?)
    };
    let amounts = difference(original.net, original.gross, after.net, after.gross)?;
    let tax_lines = original.taxes.iter().zip(&after.taxes);
    Ok(ChargeTotals {
        amounts,
        tax_lines: tax_lines
            .map(|(subtotal, total)| TaxLineTotals { total: *total, subtotal: *subtotal })
            .collect(),
        adjustments: shares(charge, &amounts)?,
    })
}

/// Adds up a cart or an order. Credit is negative if an order returns money.
pub fn cart(
    items: impl IntoIterator<Item = Amounts>,
    shipping: impl IntoIterator<Item = Amounts>,
    credit_minor: impl IntoIterator<Item = i64>,
) -> Result<CartTotals, TotalsError> {
    let items = items.into_iter().try_fold(Amounts::default(), Amounts::plus)?;
    let shipping = shipping.into_iter().try_fold(Amounts::default(), Amounts::plus)?;
    let all = items.plus(shipping)?;
    let credit_line_total = sum(credit_minor)?;
    let total = subtract(all.total, credit_line_total)?;
    Ok(CartTotals { items, shipping, all, credit_line_total, total })
}

/// An amount with its tax. Invariant: `net + taxes = gross`.
#[derive(Clone)]
struct Taxed {
    net: i64,
    gross: i64,
    taxes: Vec<i64>,
}

impl Taxed {
    fn net(net: i64, rates: &[i64]) -> Result<Self, OutOfRange> {
        let taxes = on_net(net, rates)?;
        Ok(Self { net, gross: add(net, sum(taxes.iter().copied())?)?, taxes })
    }

    fn gross(gross: i64, rates: &[i64]) -> Result<Self, OutOfRange> {
        let taxes = in_gross(gross, rates)?;
        Ok(Self { net: subtract(gross, sum(taxes.iter().copied())?)?, gross, taxes })
    }

    fn less_net(self, off: i64, rates: &[i64]) -> Result<Self, OutOfRange> {
        // Without a discount the taxes stay unchanged: recomputing them from the net could differ by a unit.
        if off == 0 { Ok(self) } else { Self::net(subtract(self.net, off)?.max(0), rates) }
    }

    fn less_gross(self, off: i64, rates: &[i64]) -> Result<Self, OutOfRange> {
        if off == 0 { Ok(self) } else { Self::gross(subtract(self.gross, off)?.max(0), rates) }
    }
}

/// Returns all amounts, computed from those without and with tax, before and after discounts.
fn difference(
    original_net: i64,
    original_gross: i64,
    net: i64,
    gross: i64,
) -> Result<Amounts, OutOfRange> {
    let original_tax_total = subtract(original_gross, original_net)?;
    let tax_total = subtract(gross, net)?;
    Ok(Amounts {
        subtotal: original_net,
        discount_subtotal: subtract(original_net, net)?,
        discount_tax_total: subtract(original_tax_total, tax_total)?,
        discount_total: subtract(original_gross, gross)?,
        tax_total,
        total: gross,
        original_tax_total,
        original_total: original_gross,
    })
}

/// Distributes the discounts over the adjustments that caused them.
fn shares(charge: &Charge, amounts: &Amounts) -> Result<Vec<AdjustmentTotals>, OutOfRange> {
    let whole = add(PPM, sum(charge.rates_ppm.iter().copied())?)?;
    let weigh = |is_net_wanted: bool| -> Result<Vec<i64>, OutOfRange> {
        let adjustments = charge.adjustments.iter();
        adjustments
            .map(|adjustment| match (adjustment.is_tax_inclusive, is_net_wanted) {
                (true, true) => crate::proportion::portion(adjustment.amount_minor, PPM, whole),
                (false, false) => crate::proportion::portion(adjustment.amount_minor, whole, PPM),
                (true, false) | (false, true) => Ok(adjustment.amount_minor),
            })
            .collect()
    };
    let subtotals = fair(amounts.discount_subtotal, weigh(true)?)?;
    let totals = fair(amounts.discount_total, weigh(false)?)?;
    let pairs = subtotals.into_iter().zip(totals);
    Ok(pairs.map(|(subtotal, total)| AdjustmentTotals { total, subtotal }).collect())
}

/// Splits `total` by weight. Weights that already add up are used unchanged, so an adjustment keeps its own
/// amount if possible.
fn fair(total: i64, weights: Vec<i64>) -> Result<Vec<i64>, OutOfRange> {
    let whole = sum(weights.iter().copied())?;
    if whole == total {
        return Ok(weights);
    }
    if whole == 0 {
        // Rounding left a unit that no weight claims: the first adjustment gets it.
        let first = std::iter::once(total);
        return Ok(first.chain(std::iter::repeat(0)).take(weights.len()).collect());
    }
    split(total, &weights)
}

fn check(charge: &Charge) -> Result<(), TotalsError> {
    let positive = |what: &'static str, value: i64| {
        if value < 0 { Err(TotalsError::BadInput { what, value }) } else { Ok(()) }
    };
    let few = |what: &'static str, count: usize, limit: usize| {
        if count > limit { Err(TotalsError::TooMany { what, count, limit }) } else { Ok(()) }
    };
    few("tax lines", charge.rates_ppm.len(), MAX_TAX_LINES)?;
    few("adjustments", charge.adjustments.len(), MAX_ADJUSTMENTS)?;
    positive("price", charge.unit_price_minor)?;
    positive("quantity", charge.quantity)?;
    for adjustment in &charge.adjustments {
        positive("adjustment", adjustment.amount_minor)?;
    }
    for rate in &charge.rates_ppm {
        if !(0..=MAX_RATE_PPM).contains(rate) {
            return Err(TotalsError::BadInput { what: "rate", value: *rate });
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests;
