//! A JSON document as a serde deserializer, both stricter and more lenient than serde's own.
//!
//! Objects must be objects, whereas serde also reads an array into a struct, member by member. Integers may be any
//! whole numbers, as in JSON Schema, whereas serde accepts none with a decimal point or an exponent.

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeOwned, Deserializer, Error as _, Expected, IntoDeserializer as _, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use super::located::{Items, LocatedError as Error, Members};
use super::{HttpError, explain};

#[derive(Debug)]
pub(super) struct Document(pub(super) Value);

impl Document {
    pub(super) fn into_type<T: DeserializeOwned>(self) -> Result<T, HttpError> {
        T::deserialize(self).map_err(|error| explain::refusal(&error))
    }
}

/// Reads an integer in any notation; a non-integer is left to the visitor to reject.
macro_rules! integers {
    ($($method:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let Value::Number(number) = self.0 else { return self.deserialize_any(visitor) };
            let digits = digits(number.as_str());
            let digits = digits.as_deref().unwrap_or(number.as_str());
            if let Ok(count) = digits.parse() {
                visitor.visit_u64(count)
            } else if let Ok(integer) = digits.parse() {
                visitor.visit_i64(integer)
            } else {
                visitor.visit_f64(digits.parse().map_err(Error::custom)?)
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Document {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(truth),
            Value::Number(number) => number.deserialize_any(visitor).map_err(Error::custom),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => visitor.visit_seq(Items::new(items.into_iter().map(Self))),
            Value::Object(all) => visitor.visit_map(members(all)),
        }
    }

    integers! {
        deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64,
        deserialize_u8, deserialize_u16, deserialize_u32, deserialize_u64,
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::String(text) = self.0 else { return Err(wrong_type(&self.0, &visitor)) };
        visitor.visit_string(text)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Array(items) = self.0 else { return Err(wrong_type(&self.0, &visitor)) };
        visitor.visit_seq(Items::new(items.into_iter().map(Self)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Object(all) = self.0 else { return Err(wrong_type(&self.0, &visitor)) };
        visitor.visit_map(members(all))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(text.into_deserializer()),
            Value::Object(all) if all.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(members(all)))
            }
            other @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_)) => {
                other.deserialize_enum(name, variants, visitor).map_err(Error::custom)
            }
        }
    }

    forward_to_deserialize_any! {
        i128 u128 bool f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// Returns the error for a value of the wrong type. Not generic, unlike `deserialize_any`, which is compiled for each
/// visitor.
fn wrong_type(value: &Value, expected: &dyn Expected) -> Error {
    let unexpected = match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(truth) => Unexpected::Bool(*truth),
        Value::Number(number) => Unexpected::Other(number.as_str()),
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Error::invalid_type(unexpected, expected)
}

fn members(all: Map<String, Value>) -> Members<impl Iterator<Item = (String, Document)>, Document> {
    Members::new(all.into_iter().map(|(name, value)| (name, Document(value))))
}

/// Limit: digits of a number that is expanded; no 64-bit integer has more.
const MAX_DIGITS: usize = 20;

/// Returns the plain digits of a whole number, which may have a decimal point or an exponent.
fn digits(text: &str) -> Option<String> {
    let (sign, unsigned) = text.strip_prefix('-').map_or(("", text), |unsigned| ("-", unsigned));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa = format!("{whole}{fraction}");
    let significant = mantissa.trim_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    let zeros_behind = mantissa.len().checked_sub(mantissa.trim_end_matches('0').len())?;
    let shift =
        i64::try_from(zeros_behind).ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let zeros = usize::try_from(exponent.parse::<i64>().ok()?.checked_add(shift)?).ok()?;
    let is_small = zeros.saturating_add(significant.len()) <= MAX_DIGITS;
    is_small.then(|| format!("{sign}{significant}{}", "0".repeat(zeros)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Whole {
        count: i64,
        inner: Option<Box<Whole>>,
    }

    fn read(json: &str) -> Result<Whole, Error> {
        Whole::deserialize(Document(serde_json::from_str(json).map_err(Error::custom)?))
    }

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_spelled() {
        for (text, expected) in [
            ("3", Some(3)),
            ("3.0", Some(3)),
            ("-3.000", Some(-3)),
            ("3e0", Some(3)),
            ("30e-1", Some(3)),
            ("1.5E+1", Some(15)),
            ("1e16", Some(10_000_000_000_000_000)),
            ("9223372036854775807.0", Some(i64::MAX)),
            ("9223372036854775808.0", None),
            ("-0.0", Some(0)),
            ("-0", Some(0)),
            ("0e5", Some(0)),
            ("12.5", None),
            ("1e-2", None),
            ("1e400", None),
            ("1e99999999999999999999", None),
        ] {
            let read = read(&format!(r#"{{"count":{text}}}"#));
            assert_eq!(read.ok().map(|whole| whole.count), expected, "{text}");
        }
    }

    #[test]
    fn an_array_is_not_an_object_at_any_depth() {
        assert!(read(r#"{"count":1,"inner":{"count":2.0}}"#).unwrap().inner.is_some());
        for json in ["[1,null]", r#"{"count":1,"inner":[2,null]}"#] {
            assert_eq!(
                read(json).unwrap_err().to_string(),
                "invalid type: sequence, expected struct Whole",
                "{json}"
            );
        }
    }
}
