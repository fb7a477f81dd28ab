//! Deserialization of bodies and queries that reports where a value could not be read.

use std::fmt::{self, Display, Write as _};

use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected,
};

/// Why a value could not be read, and where it is.
#[derive(Debug)]
pub(crate) struct LocatedError {
    message: String,
    /// The keys that lead to the value, innermost first.
    keys: Vec<Key>,
}

#[derive(Debug)]
enum Key {
    Field(String),
    Index(usize),
}

impl LocatedError {
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the value: `items[0].quantity`; empty for the whole document.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for key in self.keys.iter().rev() {
            // Writing to a string cannot fail.
            let _written = match key {
                Key::Field(name) if path.is_empty() => write!(path, "{name}"),
                Key::Field(name) => write!(path, ".{name}"),
                Key::Index(index) => write!(path, "[{index}]"),
            };
        }
        path
    }

    fn inside(mut self, key: Key) -> Self {
        self.keys.push(key);
        self
    }
}

impl Display for LocatedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for LocatedError {}

impl Error for LocatedError {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string(), keys: Vec::new() }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        if unexpected == Unexpected::Unit {
            return Self::custom(format_args!("invalid type: null, expected {expected}"));
        }
        Self::custom(format_args!("invalid type: {unexpected}, expected {expected}"))
    }
}

#[derive(Debug)]
pub(super) struct Members<I, D> {
    all: I,
    /// The member whose key has been read.
    current: Option<(String, D)>,
}

impl<I, D> Members<I, D> {
    pub(super) const fn new(all: I) -> Self {
        Self { all, current: None }
    }
}

impl<'de, I, D> MapAccess<'de> for Members<I, D>
where
    I: Iterator<Item = (String, D)>,
    D: Deserializer<'de, Error = LocatedError>,
{
    type Error = LocatedError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, LocatedError> {
        self.current = self.all.next();
        let Some((name, _)) = &self.current else { return Ok(None) };
        seed.deserialize(name.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, LocatedError> {
        let missing = || LocatedError::custom("a value was read before its key");
        let (name, value) = self.current.take().ok_or_else(missing)?;
        seed.deserialize(value).map_err(|error| error.inside(Key::Field(name)))
    }
}

#[derive(Debug)]
pub(super) struct Items<I> {
    all: I,
    index: usize,
}

impl<I> Items<I> {
    pub(super) const fn new(all: I) -> Self {
        Self { all, index: 0 }
    }
}

impl<'de, I, D> SeqAccess<'de> for Items<I>
where
    I: Iterator<Item = D>,
    D: Deserializer<'de, Error = LocatedError>,
{
    type Error = LocatedError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, LocatedError> {
        let Some(item) = self.all.next() else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        seed.deserialize(item).map(Some).map_err(|error| error.inside(Key::Index(index)))
    }
}
