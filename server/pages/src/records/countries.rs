//! The names of countries.

use crate::regions::COUNTRIES;

/// Returns whether a place holds a country code.
pub(super) fn is_country(pointer: &str) -> bool {
    pointer.ends_with("country_code")
}

/// Returns the name of a country, or its code if it is unknown.
pub(crate) fn country(code: &str) -> String {
    let known = COUNTRIES.iter().find(|own| own.iso_2.eq_ignore_ascii_case(code));
    known.map_or_else(|| code.to_uppercase(), |own| own.display_name.to_owned())
}
