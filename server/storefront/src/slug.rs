//! Slugs: names in URLs, such as `about/team`.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Limit: characters of a slug.
const MAX_CHARS: usize = 200;

/// Matches slugs.
const PATTERN: &str = "^[a-z0-9]+([-_][a-z0-9]+)*(/[a-z0-9]+([-_][a-z0-9]+)*)*$";

/// Words of lower-case letters and digits, joined by `-`, `_` and `/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Slug(String);

/// A text that is not a slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be words of a-z and 0-9, joined by `-`, `_` or `/`")]
pub(crate) struct SlugError;

fn is_slug(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= MAX_CHARS && text.split(['-', '_', '/']).all(is_word)
}

/// Returns whether a text may be looked up as a slug; one that is no slug is not found.
pub(crate) fn is_findable(text: &str) -> bool {
    let is_clean = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    !text.is_empty() && text.chars().count() <= MAX_CHARS && is_clean
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

impl<'de> Deserialize<'de> for Slug {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if is_slug(&text) { Ok(Self(text)) } else { Err(serde::de::Error::custom(SlugError)) }
    }
}

impl PartialSchema for Slug {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(MAX_CHARS))
            .pattern(Some(PATTERN))
            .examples(["about-us"])
            .into()
    }
}

impl ToSchema for Slug {
    fn name() -> Cow<'static, str> {
        "Slug".into()
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
