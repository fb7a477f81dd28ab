//! Money: whole minor units with a currency internally, JSON numbers in major units in the API.
//!
//! Invariant: no amount is ever a float. Input is parsed as a decimal and refused if it has more digits than its
//! currency; output is formatted from the integer.

use std::fmt;
use std::str::FromStr;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;
use utoipa::openapi::schema::Type;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoneyError {
    /// It has more decimal places than its currency.
    #[error("`{amount}` has more digits after the point than {currency} has ({digits})")]
    TooPrecise { amount: Decimal, currency: Currency, digits: u32 },
    /// It does not fit into 64 bits of minor units.
    #[error("the amount is too large")]
    OutOfRange,
}

/// An ISO 4217 currency, in lower case as commerce clients write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(quotient::types::Currency);

/// A text that is not a currency.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no currency of ISO 4217")]
pub struct CurrencyError(String);

impl Currency {
    /// Parses a three-letter code, in either case.
    pub fn from_code(code: &str) -> Result<Self, CurrencyError> {
        quotient::types::Currency::from_code(&code.to_ascii_uppercase())
            .map(Self)
            .ok_or_else(|| CurrencyError(code.chars().take(16).collect()))
    }

    /// Returns every currency in alphabetical order.
    pub fn all() -> impl Iterator<Item = Self> {
        quotient::types::Currency::all().map(Self)
    }

    /// Returns the code in upper case, as in formulas.
    pub fn upper(self) -> &'static str {
        self.0.code()
    }

    /// Returns the decimal places: 2 for USD, 0 for JPY, 3 for KWD.
    pub fn digits(self) -> u32 {
        self.0.digits()
    }

    /// Returns the symbol before the amount, or the code if there is none.
    pub fn symbol(self) -> &'static str {
        self.0.symbol().unwrap_or_else(|| self.0.code())
    }

    /// Returns an amount with all its digits, and the code: `12.90 GBP`.
    pub fn written(self, minor: i64) -> String {
        format!("{} {}", self.amount(minor).0, self.0.code())
    }

    /// Returns an amount of minor units, to serialize as JSON.
    pub fn amount(self, minor: i64) -> Amount {
        Amount(Decimal::new(minor, self.digits()))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.code().to_ascii_lowercase())
    }
}

impl FromStr for Currency {
    type Err = CurrencyError;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::from_code(code)
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::from_code(&code).map_err(serde::de::Error::custom)
    }
}

impl ToSql for Currency {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for Currency {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str().and_then(|code| {
            Self::from_code(code).map_err(|error| FromSqlError::Other(Box::new(error)))
        })
    }
}

impl utoipa::PartialSchema for Currency {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(
                quotient::types::Currency::all().map(|currency| Self(currency).to_string()),
            ))
            .examples(["gbp"])
            .into()
    }
}

impl utoipa::ToSchema for Currency {}

/// An amount in major units to serialize: a JSON number without trailing zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount(Decimal);

impl Amount {
    /// Returns the number as text, without trailing zeros.
    pub fn text(self) -> String {
        self.0.normalize().to_string()
    }
}

impl From<Decimal> for Amount {
    fn from(number: Decimal) -> Self {
        Self(number)
    }
}

/// Reads what the SQL function `amount` returns.
impl FromSql for Amount {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_str()?.parse::<Decimal>();
        number.map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        Self(amounts.fold(Decimal::ZERO, |sum, amount| sum.saturating_add(amount.0)))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number: serde_json::Number = self.text().parse().map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl utoipa::PartialSchema for Amount {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(Type::Number)
            .examples([serde_json::json!(12.99)])
            .into()
    }
}

impl utoipa::ToSchema for Amount {}

/// An amount in major units in a request: a JSON number, stored as a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Major(Decimal);

/// The largest absolute amount in a request, in major units.
const MAJOR_MAX: i64 = 1_000_000_000_000_000;

/// The maximum number of characters of a number in a request.
const NUMBER_MAX_LEN: usize = 40;

/// Returns a JSON number with all its digits; `None` if a decimal does not hold it exactly.
pub fn exact(number: &serde_json::Number) -> Option<Decimal> {
    let text = number.as_str();
    let parsed = match text.split_once(['e', 'E']) {
        // The digits before an exponent would be rounded.
        Some((digits, _exponent)) => {
            Decimal::from_str_exact(digits).and_then(|_| Decimal::from_scientific(text))
        }
        None => Decimal::from_str_exact(text),
    };
    parsed.ok()
}

impl Major {
    pub const fn decimal(self) -> Decimal {
        self.0
    }

    /// Converts to minor units of a currency; rejects more decimal places than the currency has.
    pub fn minor(self, currency: Currency) -> Result<i64, MoneyError> {
        let amount = self.0.normalize();
        let digits = currency.digits();
        if amount.scale() > digits {
            return Err(MoneyError::TooPrecise { amount, currency, digits });
        }
        let missing = digits.saturating_sub(amount.scale());
        10_i128
            .checked_pow(missing)
            .and_then(|factor| amount.mantissa().checked_mul(factor))
            .and_then(|minor| i64::try_from(minor).ok())
            .ok_or(MoneyError::OutOfRange)
    }
}

impl From<Decimal> for Major {
    /// Converts an amount that was stored as requested.
    fn from(decimal: Decimal) -> Self {
        Self(decimal)
    }
}

impl Serialize for Major {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Amount(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Major {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        let text = number.as_str();
        if text.len() > NUMBER_MAX_LEN {
            return Err(serde::de::Error::custom("the number is too long"));
        }
        exact(&number)
            .filter(|decimal| decimal.abs() <= Decimal::from(MAJOR_MAX))
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("the number is out of range"))
    }
}

impl utoipa::PartialSchema for Major {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(-MAJOR_MAX))
            .maximum(Some(MAJOR_MAX))
            .multiple_of(Some(0.0001))
            .examples([serde_json::json!(12.99)])
            .into()
    }
}

impl utoipa::ToSchema for Major {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Major> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn an_amount_is_read_by_the_digits_of_its_currency() {
        for (json, code, minor) in [
            ("12.99", "usd", Some(1_299)),
            ("12.990", "USD", Some(1_299)),
            ("12", "jpy", Some(12)),
            ("1.5", "jpy", None),
            ("1.234", "kwd", Some(1_234)),
            ("1.999", "usd", None),
            ("1e2", "usd", Some(10_000)),
            ("-0", "usd", Some(0)),
            ("1000000000000000", "usd", Some(100_000_000_000_000_000)),
            ("1000000000000000.01", "usd", None),
        ] {
            let currency = Currency::from_code(code).unwrap();
            let found = read(json).and_then(|major| major.minor(currency).ok());
            assert_eq!(found, minor, "{json} {code}");
        }
    }

    #[test]
    fn overlong_and_invalid_numbers_are_refused() {
        let long = "1".repeat(100);
        let digits = "1.9900000000000000000000000000001";
        let [rounded, scaled] = ["e0", "e-2"].map(|exponent| format!("{digits}{exponent}"));
        for json in [
            "1e400",
            "\"1\"",
            "null",
            "1e-400",
            long.as_str(),
            digits,
            &rounded,
            &scaled,
            "1.5e-28",
        ] {
            assert!(read(json).is_none(), "{json}");
        }
    }

    #[test]
    fn an_amount_leaves_as_a_number_with_the_digits_it_needs() {
        for (minor, code, json) in
            [(1_299, "usd", "12.99"), (1_200, "usd", "12"), (-5, "kwd", "-0.005"), (7, "jpy", "7")]
        {
            let currency = Currency::from_code(code).unwrap();
            assert_eq!(serde_json::to_string(&currency.amount(minor)).unwrap(), json);
        }
    }

    #[test]
    fn a_written_amount_has_all_its_digits() {
        for (minor, code, text) in [
            (1_290, "gbp", "12.90 GBP"),
            (-5, "eur", "-0.05 EUR"),
            (1_200, "jpy", "1200 JPY"),
            (5, "kwd", "0.005 KWD"),
        ] {
            assert_eq!(Currency::from_code(code).unwrap().written(minor), text);
        }
    }

    #[test]
    fn a_currency_is_written_as_each_reader_needs_it() {
        let [pound, yen] = ["gbp", "JPY"].map(|code| Currency::from_code(code).unwrap());
        assert_eq!(
            (pound.upper(), pound.to_string().as_str(), pound.symbol()),
            ("GBP", "gbp", "£")
        );
        assert_eq!((pound.digits(), yen.digits()), (2, 0));
        assert!(Currency::all().any(|currency| currency == pound));
        assert!(Currency::all().count() > 100);
    }

    #[test]
    fn a_number_in_a_request_has_at_most_forty_characters_and_may_be_negative() {
        let of_length = |length: usize| read(&format!("1e+{}", "0".repeat(length - 3)));
        assert_eq!(of_length(NUMBER_MAX_LEN).map(Major::decimal), Some(Decimal::ONE));
        assert_eq!(of_length(NUMBER_MAX_LEN + 1), None);
        assert!(read("-1000000000000000").is_some());
        let schema = serde_json::to_value(<Major as utoipa::PartialSchema>::schema()).unwrap();
        assert_eq!(schema["minimum"], serde_json::json!(-MAJOR_MAX));
    }
}
