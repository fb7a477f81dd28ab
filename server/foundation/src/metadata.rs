//! Metadata: a JSON object that callers attach to a resource, stored as written.
//!
//! Invariant: the stored value is an object of at most [`MAX_BYTES`], or null.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::describe::ToSchema;

/// Limit: bytes of one resource's metadata.
pub(crate) const MAX_BYTES: usize = 16 * 1024;

/// The metadata exceeds [`MAX_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("metadata is larger than {MAX_BYTES} bytes")]
pub struct MetadataError;

/// The stored metadata of a resource: an object, or null.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Option<Object>)]
pub struct Metadata(Option<Box<RawValue>>);

impl Metadata {
    pub fn merge(&mut self, patch: Option<MetadataPatch>) -> Result<(), MetadataError> {
        if let Some(patch) = patch {
            *self = patch.merge(self)?;
        }
        Ok(())
    }

    pub fn text(&self) -> Option<&str> {
        self.0.as_deref().map(RawValue::get)
    }
}

impl FromSql for Metadata {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let Some(text) = value.as_str_or_null()? else { return Ok(Self(None)) };
        RawValue::from_string(text.to_owned())
            .map(|raw| Self(Some(raw)))
            .map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

impl ToSql for Metadata {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match &self.0 {
            Some(raw) => ToSqlOutput::from(raw.get()),
            None => ToSqlOutput::from(rusqlite::types::Null),
        })
    }
}

/// A metadata patch: its keys are merged into the existing ones, and `null` or `""` removes one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"season": "summer"}))]
pub struct MetadataPatch(Map<String, Value>);

impl MetadataPatch {
    pub fn merge(self, before: &Metadata) -> Result<Metadata, MetadataError> {
        // The stored text was written by this program, so it is an object.
        let before = before.text().and_then(|text| serde_json::from_str(text).ok());
        let Some(merged) = self.apply(before)? else { return Ok(Metadata(None)) };
        let raw = RawValue::from_string(Value::Object(merged).to_string());
        raw.map(|raw| Metadata(Some(raw))).map_err(|_not_json| MetadataError)
    }

    /// Applies the patch to an object; returns none if no key is left.
    pub fn apply(
        self,
        before: Option<Map<String, Value>>,
    ) -> Result<Option<Map<String, Value>>, MetadataError> {
        let mut merged = before.unwrap_or_default();
        for (key, value) in self.0 {
            if value.is_null() || value == "" {
                merged.remove(&key);
            } else {
                merged.insert(key, value);
            }
        }
        if merged.is_empty() {
            return Ok(None);
        }
        let size = serde_json::to_string(&merged).map_or(usize::MAX, |text| text.len());
        if size > MAX_BYTES { Err(MetadataError) } else { Ok(Some(merged)) }
    }

    /// Returns the metadata of a new resource.
    pub fn create(self) -> Result<Metadata, MetadataError> {
        self.merge(&Metadata::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(json: &str) -> MetadataPatch {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn keys_are_merged_and_an_empty_value_removes_one() {
        let before = patch(r#"{"a":1,"b":{"c":[2]},"gone":null}"#).create().unwrap();
        assert_eq!(before.text(), Some(r#"{"a":1,"b":{"c":[2]}}"#));

        let after = patch(r#"{"a":"","d":1.10}"#).merge(&before).unwrap();
        assert_eq!(after.text(), Some(r#"{"b":{"c":[2]},"d":1.10}"#));

        let none = patch(r#"{"b":null,"d":""}"#).merge(&after).unwrap();
        assert_eq!(none.text(), None);
    }

    #[test]
    fn metadata_has_a_largest_size() {
        let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_BYTES));
        assert_eq!(patch(&long).create().err(), Some(MetadataError));
    }
}
