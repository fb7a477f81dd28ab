//! Optional text: forms send blanks if nothing was entered.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::text;

/// Text of at most `MAX` characters; a blank means none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionalText<const MAX: usize = 255>(Option<String>);

impl<const MAX: usize> PartialSchema for OptionalText<MAX> {
    fn schema() -> RefOr<Schema> {
        text::described(MAX).into()
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

impl<'de, const MAX: usize> Deserialize<'de> for OptionalText<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = String::deserialize(deserializer)?;
        let text = text::clean(&raw, MAX).map_err(serde::de::Error::custom)?;
        Ok(Self(Some(text).filter(|text| !text.is_empty())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_and_overlong_texts_are_refused() {
        let read = |json: &str| serde_json::from_str::<OptionalText<3>>(json).ok();

        assert_eq!(read(r#"" a ""#), Some(OptionalText(Some("a".to_owned()))));
        assert_eq!(read(r#""  ""#), Some(OptionalText(None)));
        assert_eq!(read(r#""abcd""#), None);
    }
}
