//! What is sent to make and change profiles and types of options.

use serde::Deserialize;
use utoipa::ToSchema;

pub(super) use super::option_requests::{CreateShippingOptionRequest, UpdateShippingOptionRequest};
use crate::database::Tx;
use crate::http::{Patch, Text};
use crate::ids::{ShippingOptionTypeId, ShippingProfileId};
use crate::metadata::MetadataPatch;
use crate::shipping::{
    NewOptionType, NewProfile, ShippingError, create_option_type, create_profile, stored,
};

/// What a new shipping profile is made of.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Fragile", "type": "fragile" }))]
pub(super) struct CreateShippingProfileRequest {
    name: Text<255>,
    #[serde(rename = "type")]
    kind: Text<64>,
    metadata: Option<MetadataPatch>,
}

impl CreateShippingProfileRequest {
    /// Makes the profile.
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<ShippingProfileId, ShippingError> {
        let metadata = self.metadata.unwrap_or_default().create()?;
        create_profile(tx, &NewProfile { name: self.name.into(), kind: self.kind.into(), metadata })
    }
}

/// What changes of a shipping profile; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Very fragile" }))]
pub(super) struct UpdateShippingProfileRequest {
    name: Option<Text<255>>,
    #[serde(rename = "type")]
    kind: Option<Text<64>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateShippingProfileRequest {
    /// Changes the profile.
    pub(super) fn apply(self, tx: &Tx<'_>, id: &ShippingProfileId) -> Result<(), ShippingError> {
        let names = (self.name.map(String::from), self.kind.map(String::from));
        stored::change_profile(tx, id, names, self.metadata)
    }
}

/// What a new type of options is made of.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "label": "Express", "description": "Tomorrow", "code": "express" }))]
pub(super) struct CreateShippingOptionTypeRequest {
    label: Text<255>,
    description: Option<Text<2000>>,
    code: Text<64>,
}

impl CreateShippingOptionTypeRequest {
    /// Makes the type.
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<ShippingOptionTypeId, ShippingError> {
        let description = self.description.map(String::from);
        let (label, code) = (self.label.into(), self.code.into());
        create_option_type(tx, &NewOptionType { label, description, code })
    }
}

/// What changes of a type of options; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "label": "Overnight" }))]
pub(super) struct UpdateShippingOptionTypeRequest {
    label: Option<Text<255>>,
    #[serde(default)]
    description: Patch<Text<2000>>,
    code: Option<Text<64>>,
}

impl UpdateShippingOptionTypeRequest {
    /// Changes the type.
    pub(super) fn apply(self, tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<(), ShippingError> {
        let names = (self.label.map(String::from), self.code.map(String::from));
        let description = self.description.sent().map(|text| text.map(String::from));
        stored::change_type(tx, id, names, description)
    }
}
