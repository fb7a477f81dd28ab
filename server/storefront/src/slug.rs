//! Slugs: names in URLs, such as `about/team`.

use crate::http::ToSchema;
use serde::{Deserialize, Serialize};

/// Limit: characters of a slug.
const MAX_CHARS: usize = 200;

/// Words of lower-case letters and digits, joined by `-`, `_` and `/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(
    max_length = 200,
    pattern = "^[a-z0-9]+([-_][a-z0-9]+)*(/[a-z0-9]+([-_][a-z0-9]+)*)*$",
    examples("about-us")
)]
pub(crate) struct Slug(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be words of a-z and 0-9, joined by `-`, `_` or `/`")]
pub(crate) struct SlugError;

impl Slug {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_slug(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= MAX_CHARS && text.split(['-', '_', '/']).all(is_word)
}

/// Returns whether a text can be looked up as a slug; anything else is not found.
pub(crate) fn is_findable(text: &str) -> bool {
    let is_clean = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    !text.is_empty() && text.chars().count() <= MAX_CHARS && is_clean
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

impl TryFrom<String> for Slug {
    type Error = SlugError;

    fn try_from(text: String) -> Result<Self, SlugError> {
        if is_slug(&text) { Ok(Self(text)) } else { Err(SlugError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_has_words_and_one_sign_between_two() {
        for (text, expected) in [
            ("about", true),
            ("about-us/team_2", true),
            ("", false),
            ("About", false),
            ("a--b", false),
            ("/a", false),
            ("a/", false),
            ("a b", false),
            ("../a", false),
            ("é", false),
        ] {
            assert_eq!(is_slug(text), expected, "{text:?}");
        }
    }
}
