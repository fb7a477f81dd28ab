//! The parts of a refund: items first, then shipping, each with its tax.
//!
//! The parts of a refund are the parts of everything refunded up to it minus those of everything refunded before it, so
//! that they add up to the order's own amounts for any number of refunds.

use crate::database::FromRow;
use crate::proportion::{OutOfRange, add, portion, subtract};

/// The amounts of an order, in minor units; totals include tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
#[expect(clippy::struct_field_names, reason = "the names of amounts end in their unit")]
pub(super) struct RefundableTotals {
    pub(super) item_total_minor: i64,
    pub(super) item_tax_minor: i64,
    pub(super) shipping_total_minor: i64,
    pub(super) shipping_tax_minor: i64,
}

/// The parts of a refund other than items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RefundParts {
    /// Tax, including the tax on shipping.
    pub(super) tax_minor: i64,
    /// Shipping without its tax.
    pub(super) shipping_minor: i64,
}

impl RefundableTotals {
    /// Returns the parts of a refund that raises the refunded amount from `before` to `after`.
    pub(super) fn parts_between(&self, before: i64, after: i64) -> Result<RefundParts, OutOfRange> {
        let (before, after) = (self.parts_of(before)?, self.parts_of(after)?);
        Ok(RefundParts {
            tax_minor: subtract(after.tax_minor, before.tax_minor)?,
            shipping_minor: subtract(after.shipping_minor, before.shipping_minor)?,
        })
    }

    fn parts_of(&self, refunded: i64) -> Result<RefundParts, OutOfRange> {
        let goods = refunded.min(self.item_total_minor);
        let shipping = subtract(refunded, goods)?.min(self.shipping_total_minor);
        let shipping_tax = tax_in(shipping, self.shipping_tax_minor, self.shipping_total_minor)?;
        Ok(RefundParts {
            tax_minor: add(
                tax_in(goods, self.item_tax_minor, self.item_total_minor)?,
                shipping_tax,
            )?,
            shipping_minor: subtract(shipping, shipping_tax)?,
        })
    }
}

/// Returns the tax in a part of an amount that includes tax.
fn tax_in(part: i64, tax: i64, total: i64) -> Result<i64, OutOfRange> {
    if total <= 0 { Ok(0) } else { portion(part, tax, total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: RefundableTotals = RefundableTotals {
        item_total_minor: 11_900,
        item_tax_minor: 1_900,
        shipping_total_minor: 595,
        shipping_tax_minor: 95,
    };

    #[test]
    fn goods_go_back_before_shipping_and_each_takes_its_tax_along() {
        let parts = |before, after| ORDER.parts_between(before, after);
        let is = |tax_minor, shipping_minor| Ok(RefundParts { tax_minor, shipping_minor });
        assert_eq!(parts(0, 1_190), is(190, 0));
        assert_eq!(parts(1_190, 11_900), is(1_710, 0));
        assert_eq!(parts(11_900, 12_495), is(95, 500));
        assert_eq!(parts(0, 12_495), is(1_995, 500));
    }

    #[test]
    fn parts_of_many_refunds_add_up_to_the_orders_own() {
        let mut tax_minor = 0;
        let mut shipping_minor = 0;
        for cent in 0..12_495 {
            let parts = ORDER.parts_between(cent, cent + 1).expect("amounts in range");
            tax_minor += parts.tax_minor;
            shipping_minor += parts.shipping_minor;
        }
        assert_eq!((tax_minor, shipping_minor), (1_995, 500));
    }

    #[test]
    fn an_amount_beyond_the_order_is_neither_tax_nor_shipping() {
        let beyond = ORDER.parts_between(12_495, 20_000);
        assert_eq!(beyond, Ok(RefundParts { tax_minor: 0, shipping_minor: 0 }));
    }
}
