//! Exchange rates by day.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::types::{Currency, Reason};

/// Exchange rates: how much of the store's currency one unit of another is worth, from a day on.
#[derive(Debug, Clone, Default)]
pub struct Rates {
    by_currency: BTreeMap<Currency, BTreeMap<Date, Decimal>>,
}

impl Rates {
    /// Creates an empty set of rates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the rate from `day` on, in units of the store's currency per unit of `currency`.
    ///
    /// # Errors
    /// The rate itself, if it is not positive.
    pub fn set(&mut self, day: Date, currency: Currency, rate: Decimal) -> Result<(), Decimal> {
        if rate <= Decimal::ZERO {
            return Err(rate);
        }
        self.by_currency.entry(currency).or_default().insert(day, rate);
        Ok(())
    }

    /// Returns the units of the store's currency per unit of `currency` on a day: the last rate set
    /// on that day or before.
    pub fn rate(&self, day: Date, currency: Currency, store: Currency) -> Result<Decimal, Reason> {
        if currency == store {
            return Ok(Decimal::ONE);
        }
        let rates = self.by_currency.get(&currency).ok_or(Reason::NoRate)?;
        rates.range(..=day).next_back().map(|(_, rate)| *rate).ok_or(Reason::NoRate)
    }
}
