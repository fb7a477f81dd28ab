//! Tags and types as they are sent.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::{Patch, Text};
use crate::metadata::MetadataPatch;

/// A new tag or type.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "value": "organic" }))]
pub(in crate::catalog) struct CreateValueRequest {
    /// Its name, which no other has.
    pub(super) value: Text,
    /// The caller's own data.
    pub(super) metadata: Option<MetadataPatch>,
}

/// What is to be set of a tag or type.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "value": "organic" }))]
pub(in crate::catalog) struct UpdateValueRequest {
    /// Its name, which no other has.
    pub(super) value: Option<Text>,
    /// The caller's own data: keys are merged, null removes one.
    #[serde(default)]
    pub(super) metadata: Patch<MetadataPatch>,
}
