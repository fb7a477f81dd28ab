//! A field of an update: unchanged, cleared, or set.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use utoipa::__dev::ComposeSchema;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::metadata::{Metadata, MetadataError, MetadataPatch};

/// A field of an update. Mark it `#[serde(default)]`, otherwise an absent field is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Absent: unchanged.
    #[default]
    Absent,
    /// `null`: cleared.
    Null,
    Value(T),
}

impl<T> Patch<T> {
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Absent => before,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Returns `None` if absent, `Some(None)` for `null`.
    pub fn sent(self) -> Option<Option<T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }

    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)),
        }
    }

    pub fn try_map<U, E>(self, change: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)?),
        })
    }
}

impl Metadata {
    /// Applies the metadata of an update: `null` clears it.
    ///
    /// # Errors
    /// If it becomes larger than the limit of metadata.
    pub fn set(&mut self, sent: Patch<MetadataPatch>) -> Result<(), MetadataError> {
        match sent {
            Patch::Absent => {}
            Patch::Null => *self = Self::default(),
            Patch::Value(patch) => *self = patch.merge(self)?,
        }
        Ok(())
    }
}

impl<T> From<Option<T>> for Patch<T> {
    /// Converts a field of a complete replacement: none clears it.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

/// A field of a request that is assigned to a field of a record.
pub trait AssignTo<F> {
    fn assign_to(self, field: &mut F);
}

/// Sets the fields of a record that a request has under the same names, unless absent:
/// `assign!(self => page: slug, locale);`.
#[macro_export]
macro_rules! assign {
    ($request:ident => $record:ident: $($field:ident),+ $(,)?) => {
        $($crate::http::AssignTo::assign_to($request.$field, &mut $record.$field);)+
    };
}

impl<T, F: From<T>> AssignTo<F> for Option<T> {
    fn assign_to(self, field: &mut F) {
        if let Some(value) = self {
            *field = value.into();
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

// Required by utoipa's derive for a generic type; implies `PartialSchema`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_merges_clears_or_keeps_metadata() {
        let patch = |json| Patch::Value(serde_json::from_str(json).unwrap());
        let mut metadata = Metadata::default();
        for (sent, expected) in [
            (patch(r#"{"a":1}"#), Some(r#"{"a":1}"#)),
            (patch(r#"{"b":2}"#), Some(r#"{"a":1,"b":2}"#)),
            (Patch::Absent, Some(r#"{"a":1,"b":2}"#)),
            (Patch::Null, None),
        ] {
            metadata.set(sent).unwrap();
            assert_eq!(metadata.text(), expected);
        }
    }
}
