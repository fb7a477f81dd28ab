//! Phone numbers in the E.164 format of ITU-T, such as +4915112345678.

use serde::Serialize;

use super::calling_codes;
use crate::auth::Pseudonym;
use crate::database::Filtered;
use crate::database::listing::Kind;
use crate::http::ToSchema;

/// Limit: the minimum and maximum number of digits.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;

/// Countries where a number keeps its leading 0.
const WITH_ZERO: [&str; 3] = ["it", "sm", "va"];

/// The calling code of North America, where the national prefix equals the code.
const NORTH_AMERICA: &str = "1";

/// A phone number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, pattern = r"^\\+[1-9][0-9]{7,14}$", example = "+4915112345678")]
pub(super) struct Phone(String);

/// A phone number with its keyed digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) phone: Phone,
    pub(super) digest: Pseudonym,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhoneError {
    #[error("The phone number is not valid")]
    Malformed,
    #[error("The phone number needs a country: send country_code, or begin with +")]
    NoCountry,
}

impl Phone {
    /// Parses a number; without a + it is a national number of a country, given as a two-letter
    /// code in lower case.
    pub(super) fn read(text: &str, country: Option<&str>) -> Result<Self, PhoneError> {
        let text = text.trim();
        let (is_international, rest) =
            match text.strip_prefix('+').or_else(|| text.strip_prefix("00")) {
                Some(rest) => (true, rest),
                None => (false, text),
            };
        let is_number =
            rest.chars().all(|letter| letter.is_ascii_digit() || " ()-./\u{a0}".contains(letter));
        let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
        if !is_number || digits.is_empty() {
            return Err(PhoneError::Malformed);
        }
        if is_international {
            return Self::of(&digits);
        }
        let country = country.ok_or(PhoneError::NoCountry)?;
        let code = calling_codes::of_country(country).ok_or(PhoneError::NoCountry)?;
        let national = if WITH_ZERO.contains(&country) {
            digits.as_str()
        } else if code == NORTH_AMERICA {
            digits.strip_prefix('1').filter(|rest| rest.len() == 10).unwrap_or(&digits)
        } else {
            digits.strip_prefix('0').unwrap_or(&digits)
        };
        Self::of(&format!("{code}{national}"))
    }

    fn of(digits: &str) -> Result<Self, PhoneError> {
        if !DIGITS.contains(&digits.len()) || digits.starts_with('0') {
            return Err(PhoneError::Malformed);
        }
        Ok(Self(format!("+{digits}")))
    }

    /// Returns whether this is the placeholder of an erased number.
    pub(super) fn is_erased(&self) -> bool {
        !self.0.starts_with('+')
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

quotient_foundation::stored_as_inner!(Phone(String));

impl Filtered for Phone {
    const KIND: Kind = Kind::Id;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, country, expected) in [
            ("+49 151 12345678", None, Ok("+4915112345678")),
            ("0049 151 12345678", Some("gb"), Ok("+4915112345678")),
            ("0151/123-456 78", Some("de"), Ok("+4915112345678")),
            ("(555) 010-9999", Some("us"), Ok("+15550109999")),
            ("1 555 010 9999", Some("us"), Ok("+15550109999")),
            ("06 1234 5678", Some("it"), Ok("+390612345678")),
            ("0151 12345678", None, Err(PhoneError::NoCountry)),
            ("0151 12345678", Some("xx"), Err(PhoneError::NoCountry)),
            ("+49 151 x", None, Err(PhoneError::Malformed)),
            ("+49", None, Err(PhoneError::Malformed)),
            ("+1234567890123456", None, Err(PhoneError::Malformed)),
            ("", Some("de"), Err(PhoneError::Malformed)),
        ] {
            let found = Phone::read(text, country);
            assert_eq!(
                found.as_ref().map(Phone::as_str),
                expected.as_ref().map(|text| *text),
                "{text}"
            );
        }
    }
}
