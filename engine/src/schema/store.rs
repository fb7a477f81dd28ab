//! Settings of the store, common to all computations.

use crate::calendar::Calendar;
use crate::types::Currency;

/// Settings common to all computations.
#[derive(Debug, Clone)]
pub struct Store {
    /// The reporting currency.
    pub currency: Currency,
    /// Zone, first weekday, fiscal and retail years.
    pub calendar: Calendar,
    /// The treatment of sums over several currencies.
    pub mixed_currency: MixedCurrency,
}

/// The treatment of sums over several currencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MixedCurrency {
    /// Each row is converted at the rate of its own day.
    #[default]
    Convert,
    /// The answer is a list, one amount for each currency.
    Split,
    /// The answer is null.
    Refuse,
}

impl MixedCurrency {
    /// Returns whether amounts of several currencies become amounts of one.
    pub(crate) const fn converts(self) -> bool {
        matches!(self, Self::Convert)
    }
}

impl Default for Store {
    fn default() -> Self {
        Self {
            currency: Currency::USD,
            calendar: Calendar::default(),
            mixed_currency: MixedCurrency::default(),
        }
    }
}
