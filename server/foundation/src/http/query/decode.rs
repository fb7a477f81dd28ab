//! A tree of texts as a serde deserializer: numbers and booleans are parsed from text on demand.

use serde::de::{Deserializer, Error as _, IntoDeserializer as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::Node;
use crate::http::located::{Items, LocatedError as Error, Members};

/// Parses a number from text; a text that is not a number is left to the visitor to reject.
macro_rules! numbers {
    ($($method:ident $visit:ident $number:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            if let Self::Text(text) = &self
                && let Ok(number) = text.parse::<$number>()
            {
                return visitor.$visit(number);
            }
            self.deserialize_any(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Node {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => visitor.visit_string(text),
            Self::List(items) => visitor.visit_seq(Items::new(items.into_iter())),
            Self::Map(members) => visitor.visit_map(Members::new(members.into_iter())),
        }
    }

    numbers! {
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_bool visit_bool bool,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Text(_) => visitor.visit_seq(Items::new([self].into_iter())),
            Self::List(_) | Self::Map(_) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Map(members) => visitor.visit_map(Members::new(members.into_iter())),
            Self::Text(text) => Err(Error::invalid_type(Unexpected::Str(&text), &visitor)),
            Self::List(_) => Err(Error::invalid_type(Unexpected::Seq, &visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
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
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => visitor.visit_enum(text.into_deserializer()),
            Self::List(_) | Self::Map(_) => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}
