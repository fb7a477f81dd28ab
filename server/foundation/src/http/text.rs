//! Text in requests: trimmed, in normal form C, without control characters, of limited length.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::{AssignTo, Patch};

/// Text of one to `MAX` characters, in normal form C.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Text<const MAX: usize = 255>(String);

impl<const MAX: usize> PartialSchema for Text<MAX> {
    fn schema() -> RefOr<Schema> {
        described(MAX).min_length(Some(1)).pattern(Some(NOT_BLANK)).into()
    }
}

impl<const MAX: usize> ToSchema for Text<MAX> {
    fn name() -> Cow<'static, str> {
        format!("Text{MAX}").into()
    }
}

/// Returns the characters of a text without accents on Latin, Greek and Cyrillic letters. Marks of other scripts
/// distinguish letters, and stay.
pub fn without_accents(text: &str) -> impl Iterator<Item = char> {
    text.nfkd().filter(|letter| !matches!(letter, '\u{300}'..='\u{36f}')).nfc()
}

/// Returns the schema of the texts that [`clean`] accepts.
pub fn described(max_chars: usize) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).max_length(Some(max_chars)).pattern(Some(CLEAN))
}

/// Matches texts without characters rejected by [`is_refused`].
const CLEAN: &str = r"^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]*$";

/// The same, with at least one character that is not blank.
const NOT_BLANK: &str = concat!(
    r"^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]*",
    r"[^\u0000-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028-\u202F\u205F\u2066-\u2069\u3000]",
    r"[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]*$",
);

impl<const MAX: usize> Text<MAX> {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MAX: usize> From<Text<MAX>> for String {
    fn from(text: Text<MAX>) -> Self {
        text.0
    }
}

impl<const MAX: usize> From<Text<MAX>> for Option<String> {
    fn from(text: Text<MAX>) -> Self {
        Some(text.0)
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for Text<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let text = clean(&text, MAX).map_err(serde::de::Error::custom)?;
        if text.is_empty() {
            return Err(serde::de::Error::custom(TextError::Empty));
        }
        Ok(Self(text))
    }
}

/// Text of at most `MAX` characters; a blank means none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionalText<const MAX: usize = 255>(Option<String>);

impl<const MAX: usize> PartialSchema for OptionalText<MAX> {
    fn schema() -> RefOr<Schema> {
        described(MAX).into()
    }
}

impl<const MAX: usize> ToSchema for OptionalText<MAX> {
    fn name() -> Cow<'static, str> {
        format!("OptionalText{MAX}").into()
    }
}

impl<const MAX: usize> OptionalText<MAX> {
    /// Returns the text, unless it is blank.
    pub fn into_option(self) -> Option<String> {
        self.0
    }
}

impl<const MAX: usize> From<OptionalText<MAX>> for Option<String> {
    fn from(text: OptionalText<MAX>) -> Self {
        text.0
    }
}

impl<const MAX: usize> AssignTo<Option<String>> for Patch<OptionalText<MAX>> {
    fn assign_to(self, field: &mut Option<String>) {
        self.sent().map(|text| text.and_then(OptionalText::into_option)).assign_to(field);
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for OptionalText<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = String::deserialize(deserializer)?;
        let text = clean(&raw, MAX).map_err(serde::de::Error::custom)?;
        Ok(Self(Some(text).filter(|text| !text.is_empty())))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("must not be empty")]
    Empty,
    /// Longer than its field permits.
    #[error("longer than {max_chars} characters")]
    TooLong { max_chars: usize },
    /// A control character other than newline and tab, or one that changes the writing direction.
    #[error("has a control character")]
    Control,
}

/// Trims `text`, converts it to normal form C, and checks it. The result may be empty.
///
/// # Errors
/// If it is longer than `max_chars` characters or has a control character other than newline and tab.
pub fn clean(text: &str, max_chars: usize) -> Result<String, TextError> {
    let too_long = TextError::TooLong { max_chars };
    let trimmed = text.trim();
    // A UTF-8 character has at most four bytes, and normal form C at most triples the number of characters.
    if trimmed.len() > max_chars.saturating_mul(12) {
        return Err(too_long);
    }
    let mut clean = String::with_capacity(trimmed.len());
    let mut count = 0_usize;
    for character in trimmed.nfc() {
        count = count.saturating_add(1);
        if count > max_chars {
            return Err(too_long);
        }
        if is_refused(character) {
            return Err(TextError::Control);
        }
        clean.push(character);
    }
    Ok(clean)
}

/// Returns whether a character is a control character, or a mark that reverses the following text: these make one text
/// look like another.
fn is_refused(character: char) -> bool {
    let reverses = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reverses || (character.is_control() && !matches!(character, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_trimmed_and_in_one_normal_form() {
        assert_eq!(clean("  cafe\u{301}\n", 10), Ok("caf\u{e9}".to_owned()));
        assert_eq!(clean("a\tb\nc", 10), Ok("a\tb\nc".to_owned()));
    }

    #[test]
    fn control_characters_and_long_texts_are_refused() {
        for (text, expected) in [
            ("a\u{0}b", TextError::Control),
            ("a\rb", TextError::Control),
            ("a\u{202e}b", TextError::Control),
            ("12345678901", TextError::TooLong { max_chars: 10 }),
        ] {
            assert_eq!(clean(text, 10), Err(expected), "{text:?}");
        }
        assert!(serde_json::from_str::<Text<10>>(r#"" ""#).is_err());
    }

    #[test]
    fn blank_and_overlong_texts_are_refused() {
        let read = |json: &str| serde_json::from_str::<OptionalText<3>>(json).ok();

        assert_eq!(read(r#"" a ""#), Some(OptionalText(Some("a".to_owned()))));
        assert_eq!(read(r#""  ""#), Some(OptionalText(None)));
        assert_eq!(read(r#""abcd""#), None);
    }
}
