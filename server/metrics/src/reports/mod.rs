//! Reports: tables of values over a range, by period, product, promotion or location.
//!
//! The engine computes sums and ratios; totals are recomputed over all rows and never added up from ratios. Tax reports
//! add up the tax lines of orders and agree with the orders to the minor unit.

pub(crate) mod cogs;
pub(crate) mod custom;
pub(crate) mod fulfillment;
pub(crate) mod products;
pub(crate) mod promotions;
pub(crate) mod queries;
mod returned;
pub(crate) mod routes;
mod sales;
pub mod snapshots;
pub(crate) mod stock;
pub(crate) mod tax_export;
pub(crate) mod taxes;

pub(crate) use routes::router;

/// What goods are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SoldBy {
    Product,
    Variant,
    Category,
}

impl SoldBy {
    /// Returns the dimension that is read: a category is the sum of its products.
    const fn dimension(self) -> &'static str {
        match self {
            Self::Product | Self::Category => "product",
            Self::Variant => "variant",
        }
    }
}
