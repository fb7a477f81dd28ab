//! The expected result of an example, as it is sent.

use serde::Deserialize;
use serde_json::Number;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::http::{HttpError, Text};
use crate::money::exact;

/// The expected result of an example.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a number, or a text with a constant")]
pub(crate) enum Expected {
    /// A constant as in formulas, or `null (reason)`.
    Text(Text<200>),
    Number(Number),
}

impl PartialSchema for Expected {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Number);
        OneOfBuilder::new().item(Text::<200>::schema()).item(number).into()
    }
}

impl ToSchema for Expected {}

impl Expected {
    /// Returns the constant as formulas write it; 400 if a number has more than 28 digits.
    pub(crate) fn constant(self) -> Result<String, HttpError> {
        match self {
            Self::Text(text) => Ok(text.into()),
            Self::Number(number) => {
                exact(&number).map(|decimal| decimal.normalize().to_string()).ok_or_else(|| {
                    HttpError::invalid_data("Field 'expected': a number of at most 28 digits")
                })
            }
        }
    }
}
