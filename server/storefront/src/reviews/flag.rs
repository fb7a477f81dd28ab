//! What a moderator should look at in a review. Flags decide nothing.

use serde::{Deserialize, Serialize};

use crate::database::Word;
use crate::http::ToSchema;
use crate::personal;

/// Limit: the number of reviews with the same text from which on it is flagged.
const MAX_SAME: u64 = 3;

/// Something suspicious.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum Flag {
    /// It contains a URL.
    Url,
    /// It contains an e-mail address.
    Email,
    /// It contains a number that looks like that of a phone.
    Phone,
    /// Several reviews have the same text.
    Repeated,
}

/// Returns the flags of a text that also occurs in `same_count` other reviews.
pub(super) fn flags(text: &str, same_count: u64) -> Vec<Flag> {
    [
        (Flag::Url, personal::has_url(text)),
        (Flag::Email, personal::has_email(text)),
        (Flag::Phone, personal::has_phone(text)),
        (Flag::Repeated, same_count.saturating_add(1) >= MAX_SAME),
    ]
    .into_iter()
    .filter_map(|(flag, is_set)| is_set.then_some(flag))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_repeated_from_the_third_review_on() {
        assert_eq!(flags("Lovely", 1), []);
        assert_eq!(flags("Lovely", 2), [Flag::Repeated]);
        assert_eq!(flags("www.x.example a@b.example", 0), [Flag::Url, Flag::Email]);
    }
}
