//! Locales, such as `de-AT`, and which one a shopper is shown.

use crate::http::ToSchema;
use serde::{Deserialize, Serialize};

/// Limit: characters of a locale.
const MAX_CHARS: usize = 35;

/// A language with its script and region, in the usual case: `zh-Hant-TW`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(max_length = 35, pattern = "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$", examples("de-AT"))]
pub(crate) struct Locale(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a locale such as en or de-AT")]
pub(crate) struct LocaleError;

impl Locale {
    /// Reads a locale in any case, with `-` or `_`.
    fn parse(text: &str) -> Result<Self, LocaleError> {
        if text.len() > MAX_CHARS {
            return Err(LocaleError);
        }
        let mut parts = text.split(['-', '_']);
        let language = parts.next().unwrap_or_default();
        let is_language = (2..=3).contains(&language.len()) && is_alphabetic(language);
        if !is_language {
            return Err(LocaleError);
        }
        let mut canonical = language.to_ascii_lowercase();
        for part in parts {
            if !(2..=8).contains(&part.len()) || !part.bytes().all(|b| b.is_ascii_alphanumeric()) {
                return Err(LocaleError);
            }
            canonical.push('-');
            match part.len() {
                2 => canonical.push_str(&part.to_ascii_uppercase()),
                4 if is_alphabetic(part) => canonical.push_str(&titled(part)),
                _ => canonical.push_str(&part.to_ascii_lowercase()),
            }
        }
        Ok(Self(canonical))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn language(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }
}

fn is_alphabetic(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn titled(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (first, rest) = lower.split_at_checked(1).unwrap_or_default();
    format!("{}{rest}", first.to_ascii_uppercase())
}

/// Returns the locales that a shopper may be shown, in order of preference: the exact one, its language, the site's
/// own, and none.
pub(crate) fn preferences<'l>(
    requested: Option<&'l Locale>,
    of_site: Option<&'l str>,
) -> Vec<Option<&'l str>> {
    let exact = requested.map(Locale::as_str);
    let language = requested.map(Locale::language);
    let named = [exact, language, of_site].into_iter().flatten().map(Some);
    named.chain([None]).collect()
}

impl From<Locale> for String {
    fn from(locale: Locale) -> Self {
        locale.0
    }
}

impl From<Locale> for Option<String> {
    fn from(locale: Locale) -> Self {
        Some(locale.0)
    }
}

impl TryFrom<String> for Locale {
    type Error = LocaleError;

    fn try_from(text: String) -> Result<Self, LocaleError> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_are_read_in_any_case_and_written_in_one() {
        for (text, expected) in [
            ("de", Some("de")),
            ("DE_at", Some("de-AT")),
            ("zh-hant-tw", Some("zh-Hant-TW")),
            ("es-419", Some("es-419")),
            ("", None),
            ("d", None),
            ("de-", None),
            ("de-A", None),
            ("de AT", None),
        ] {
            assert_eq!(Locale::parse(text).ok().as_ref().map(Locale::as_str), expected, "{text}");
        }
    }

    #[test]
    fn the_exact_locale_comes_first_and_no_locale_last() {
        let requested = Locale::parse("de-AT").unwrap();
        let best = preferences(Some(&requested), Some("en"));
        assert_eq!(best, [Some("de-AT"), Some("de"), Some("en"), None]);
        assert_eq!(preferences(None, None), [None]);
    }
}
