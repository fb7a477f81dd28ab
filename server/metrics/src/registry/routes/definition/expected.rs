//! The expected result of an example, as it is sent.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Number;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::http::{HttpError, Text};

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
        let number = match self {
            Self::Text(text) => return Ok(text.into()),
            Self::Number(number) => number.to_string(),
        };
        let decimal = number.parse().or_else(|_plain| Decimal::from_scientific(&number));
        let decimal: Decimal = decimal.map_err(|_too_long| {
            HttpError::invalid_data("Field 'expected': a number of at most 28 digits")
        })?;
        Ok(decimal.normalize().to_string())
    }
}
