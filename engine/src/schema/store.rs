//! Settings of the store that every computation shares.

use crate::calendar::Calendar;
use crate::types::Currency;

/// Settings that every computation shares.
#[derive(Debug, Clone)]
pub struct Store {
    /// The reporting currency.
    pub currency: Currency,
    /// Zone, first weekday, fiscal and retail years.
    pub calendar: Calendar,
    /// What the sum of several currencies is.
    pub mixed_currency: MixedCurrency,
}

/// What happens when amounts of several currencies are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MixedCurrency {
    /// Each row is converted at its own day's rate.
    #[default]
    Convert,
    /// The answer is a list, one amount for each currency.
    Split,
    /// The answer is null.
    Refuse,
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
