//! The price of a variant for shoppers, with and without tax.

use crate::pricing::{CalculatedPrice, PriceView};
use crate::taxes::amounts::BothWays;

/// A calculated and an original price with and without tax.
#[derive(Debug, Clone, Copy)]
pub struct Taxed {
    /// The price to pay.
    pub calculated: BothWays,
    /// The price without a sale.
    pub original: BothWays,
}

/// Returns the view of a price with its taxes.
pub(super) fn with_taxes(price: CalculatedPrice, taxed: Taxed) -> PriceView {
    let currency = price.currency;
    let amount = |minor| Some(currency.amount(minor));
    PriceView {
        calculated_amount_with_tax: amount(taxed.calculated.with_tax),
        calculated_amount_without_tax: amount(taxed.calculated.without_tax),
        original_amount_with_tax: amount(taxed.original.with_tax),
        original_amount_without_tax: amount(taxed.original.without_tax),
        ..price.into()
    }
}
