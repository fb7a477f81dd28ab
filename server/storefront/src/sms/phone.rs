//! Phone numbers in the E.164 format of ITU-T, such as +4915112345678.

use serde::Serialize;

use super::calling_codes;
use crate::auth::Pseudonym;
use crate::database::Filtered;
use crate::database::listing::Kind;
use crate::http::ToSchema;

/// Limit: the minimum and maximum number of digits.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;

/// The calling codes of Italy and San Marino, where a number keeps its leading 0.
const WITH_ZERO: [&str; 2] = ["39", "378"];

/// The calling codes of North America, and of Russia and Kazakhstan, where a national number has ten digits, of which the
/// first ones may equal the national prefix.
const WITH_TEN_DIGITS: [&str; 2] = ["1", "7"];

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
        // In +49 (0)151 the zero is only for callers within the country.
        let own = rest.trim_start_matches([' ', '(']);
        let keeps_zero = !is_international || WITH_ZERO.iter().any(|code| own.starts_with(code));
        let rest = if keeps_zero { rest.to_owned() } else { rest.replacen("(0)", "", 1) };
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
        let is_national = |rest: &&str| !WITH_TEN_DIGITS.contains(&code) || rest.len() == 10;
        let national = digits.strip_prefix(national_prefix(code)).filter(is_national);
        Self::of(&format!("{code}{}", national.unwrap_or(&digits)))
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

/// Returns what is dialled before a national number of the country with a calling code, which is no part of it.
fn national_prefix(code: &str) -> &'static str {
    match code {
        "1" => "1",
        "7" => "8",
        "36" => "06",
        code if WITH_ZERO.contains(&code) => "",
        _ => "0",
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
            ("+49 (0)151 12345678", None, Ok("+4915112345678")),
            ("0040 (0)21 123 4567", None, Ok("+40211234567")),
            ("+39 (0)6 1234 5678", None, Ok("+390612345678")),
            ("+(39) (0)6 1234 5678", None, Ok("+390612345678")),
            ("8 (912) 345-67-89", Some("ru"), Ok("+79123456789")),
            ("812 345 67 89", Some("ru"), Ok("+78123456789")),
            ("06 20 123 4567", Some("hu"), Ok("+36201234567")),
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
