//! Currencies as clients show them.

use serde::Serialize;
use utoipa::ToSchema;

use super::currency_names::NAMES;
use crate::money::Currency;

/// A currency as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CurrencyView {
    /// Three letters.
    pub(crate) code: Currency,
    /// What is written before an amount.
    #[schema(example = "£")]
    pub(crate) symbol: &'static str,
    /// What is written before an amount where the currency is at home.
    #[schema(example = "£")]
    pub(crate) symbol_native: &'static str,
    /// What it is called.
    #[schema(example = "British Pound")]
    pub(crate) name: &'static str,
    /// Digits after the point.
    #[schema(example = 2)]
    pub(crate) decimal_digits: u32,
    /// The smallest amount of cash, where it is more than one minor unit; 0 where it is not.
    pub(crate) rounding: u32,
}

impl From<Currency> for CurrencyView {
    fn from(code: Currency) -> Self {
        let symbol = code.symbol();
        Self {
            code,
            symbol,
            symbol_native: symbol,
            name: name(code),
            decimal_digits: code.digits(),
            rounding: 0,
        }
    }
}

/// What a currency is called; its letters, where nobody has told.
fn name(currency: Currency) -> &'static str {
    let code = currency.upper();
    let found = NAMES.binary_search_by(|(listed, _)| (*listed).cmp(code)).ok();
    found.and_then(|index| NAMES.get(index)).map_or(code, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_currency_has_a_name() {
        for currency in Currency::all() {
            assert_ne!(name(currency), currency.upper());
        }
        assert_eq!(name(Currency::from_code("usd").unwrap()), "US Dollar");
    }
}
