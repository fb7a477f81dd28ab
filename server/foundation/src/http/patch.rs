//! A field of an update: left alone, emptied, or set.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use utoipa::__dev::ComposeSchema;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A field of an update. Mark it `#[serde(default)]`, or a field that is not sent is called missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Not sent: leave it as it is.
    #[default]
    Absent,
    /// Sent as `null`: empty it.
    Null,
    /// Sent: set it.
    Value(T),
}

impl<T> Patch<T> {
    /// What it is after the update, from what it was.
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Absent => before,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The new value, if one was sent.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// What was sent: `None` when nothing was, `Some(None)` for `null`.
    pub fn sent(self) -> Option<Option<T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }

    /// The same, with another value.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)),
        }
    }

    /// The same, with another value.
    ///
    /// # Errors
    /// What `change` answers.
    pub fn try_map<U, E>(self, change: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)?),
        })
    }
}

impl<T> From<Option<T>> for Patch<T> {
    /// The field of a whole that replaces what was: empty where there is nothing.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

/// A field as it is sent, which a record takes over.
pub trait AssignTo<F> {
    /// Sets the field of the record, if one was sent.
    fn assign_to(self, field: &mut F);
}

impl<T, F: From<T>> AssignTo<F> for Option<T> {
    fn assign_to(self, field: &mut F) {
        if let Some(sent) = self {
            *field = sent.into();
        }
    }
}

impl<T, F: From<T>> AssignTo<Option<F>> for Patch<T> {
    fn assign_to(self, field: &mut Option<F>) {
        self.map(F::from).sent().assign_to(field);
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Null, Self::Value))
    }
}

// What utoipa's derive asks of a generic type; from it follows `PartialSchema`.
impl<T: PartialSchema> ComposeSchema for Patch<T> {
    fn compose(_generics: Vec<RefOr<Schema>>) -> RefOr<Schema> {
        let null = ObjectBuilder::new().schema_type(Type::Null);
        OneOfBuilder::new().item(null).item(T::schema()).into()
    }
}

impl<T: ToSchema> ToSchema for Patch<T> {
    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}
