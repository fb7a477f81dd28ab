//! Amounts in the processor's units, which are not minor units for some currencies:
//! <https://docs.stripe.com/currencies#special-cases>.

use crate::money::Currency;
use crate::payments::provider::{ProviderError, Request, check};

/// The processor's unit of a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Minor,
    /// Hundredths, although the currency has none.
    Hundredth,
    /// Whole units, although the currency has hundredths.
    Whole,
    /// Thousandths, with a zero as the last digit.
    Thousandth,
}

impl Unit {
    fn of(currency: Currency) -> Self {
        match currency.upper() {
            "ISK" | "UGX" => Self::Hundredth,
            "MGA" => Self::Whole,
            _ if currency.digits() == 3 => Self::Thousandth,
            _ => Self::Minor,
        }
    }
}

/// Returns the amount of a request in the processor's units.
///
/// # Errors
/// Those of [`check`]; [`ProviderError::Invalid`] for an amount that the processor cannot charge.
pub(super) fn amount(request: &Request<'_>) -> Result<i64, ProviderError> {
    check(request)?;
    let minor = request.amount_minor;
    let amount = match Unit::of(request.currency) {
        Unit::Minor => Some(minor),
        Unit::Hundredth => minor.checked_mul(100),
        Unit::Whole if minor.checked_rem(100) == Some(0) => minor.checked_div(100),
        Unit::Thousandth if minor.checked_rem(10) == Some(0) => Some(minor),
        Unit::Whole | Unit::Thousandth => None,
    };
    amount.ok_or_else(|| {
        let written = request.currency.written(minor);
        ProviderError::Invalid { reason: format!("cards cannot be charged {written}: round it") }
    })
}

/// Returns an amount of the processor in minor units.
pub(crate) fn to_minor(amount: i64, currency: &str) -> i64 {
    match Currency::from_code(currency).map_or(Unit::Minor, Unit::of) {
        Unit::Minor | Unit::Thousandth => amount,
        // Fractions of a currency without decimals are not charged.
        Unit::Hundredth => amount.div_euclid(100),
        Unit::Whole => amount.saturating_mul(100),
    }
}

#[cfg(test)]
mod tests {
    use super::{amount, to_minor};
    use crate::money::Currency;
    use crate::payments::provider::{Data, Request};

    fn request<'a>(amount_minor: i64, currency: &str, data: &'a Data) -> Request<'a> {
        let currency = Currency::from_code(currency).unwrap();
        Request { idempotency_key: "payses_1", amount_minor, currency, data }
    }

    #[test]
    fn an_amount_is_sent_as_the_processor_counts_its_currency_and_read_back() {
        let data = Data::new();
        for (amount_minor, currency, sent) in [
            (1_250, "usd", Some(1_250)),
            (1_250, "jpy", Some(1_250)),
            (1_250, "twd", Some(1_250)),
            (1_250, "isk", Some(125_000)),
            (1_250, "ugx", Some(125_000)),
            (i64::MAX, "isk", None),
            (1_200, "mga", Some(12)),
            (1_250, "mga", None),
            (1_250, "kwd", Some(1_250)),
            (1_255, "kwd", None),
        ] {
            let request = request(amount_minor, currency, &data);
            let asked = amount(&request);
            assert_eq!(asked.ok(), sent, "{amount_minor} {currency}");
            if let Some(sent) = sent {
                assert_eq!(to_minor(sent, currency), amount_minor, "{sent} {currency}");
            }
        }
        let refused = amount(&request(1_255, "kwd", &data)).unwrap_err().to_string();
        assert_eq!(refused, "cards cannot be charged 1.255 KWD: round it");
    }
}
