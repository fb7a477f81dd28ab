//! What the headers of a request say about a visitor.

use crate::ids::CustomerId;

/// Limit: the minimum and maximum length of a visit's id, in characters.
const SESSION_CHARS: std::ops::RangeInclusive<usize> = 16..=64;

#[derive(Debug, Clone, Default)]
pub(super) struct Visitor {
    /// The id of the visit, which the storefront generates.
    pub(super) session_id: Option<String>,
    pub(super) device: Option<&'static str>,
    /// A two-letter code, in lower case.
    pub(super) country: Option<String>,
    /// Whether the browser asks not to be tracked (`Sec-GPC`).
    pub(super) opts_out: bool,
    pub(super) is_crawler: bool,
}

/// Returns whether a text can be the id of a visit. The id of a customer cannot: it identifies the customer's
/// wishlist.
pub(super) fn is_session(text: &str) -> bool {
    SESSION_CHARS.contains(&text.len())
        && text.parse::<CustomerId>().is_err()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Returns a country in lower case, if it is a two-letter code.
pub(super) fn country(text: &str) -> Option<String> {
    let is_code = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_sixteen_to_sixty_four_characters() {
        for (text, expected) in [
            ("abcdefghijklmnop", true),
            ("abcdefghijklmno", false),
            ("abcdefghijklmno!", false),
            (CustomerId::new().as_str(), false),
            (&*"a".repeat(64), true),
            (&*"a".repeat(65), false),
        ] {
            assert_eq!(is_session(text), expected, "{text}");
        }
    }
}
