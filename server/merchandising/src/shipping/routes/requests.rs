//! Request bodies of profiles and option types.

use crate::database::{Table, Tx};
use crate::http::{Patch, Text, request};
use crate::ids::{ShippingOptionTypeId, ShippingProfileId};
use crate::metadata::MetadataPatch;
use crate::shipping::model::{ShippingOptionType, ShippingProfile};
use crate::shipping::{NewProfile, ShippingError, create_profile};

/// A shipping profile to create.
#[request]
#[schema(example = json!({ "name": "Fragile", "type": "fragile" }))]
pub(super) struct CreateShippingProfileRequest {
    name: Text<255>,
    #[serde(rename = "type")]
    kind: Text<64>,
    metadata: Option<MetadataPatch>,
}

impl CreateShippingProfileRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<ShippingProfileId, ShippingError> {
        let metadata = self.metadata.unwrap_or_default().create()?;
        create_profile(tx, &NewProfile { name: self.name.into(), kind: self.kind.into(), metadata })
    }
}

/// The fields of a shipping profile to change; absent fields stay.
#[request]
#[schema(example = json!({ "name": "Very fragile" }))]
pub(super) struct UpdateShippingProfileRequest {
    name: Option<Text<255>>,
    #[serde(rename = "type")]
    kind: Option<Text<64>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateShippingProfileRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &ShippingProfileId) -> Result<(), ShippingError> {
        let mut profile = ShippingProfile::require::<ShippingError>(tx, id)?;
        crate::assign!(self => profile: name, kind);
        profile.metadata.merge(self.metadata)?;
        Ok(profile.update(tx)?)
    }
}

/// A shipping option type to create.
#[request]
#[schema(example = json!({ "label": "Express", "description": "Tomorrow", "code": "express" }))]
pub(super) struct CreateShippingOptionTypeRequest {
    label: Text<255>,
    description: Option<Text<2000>>,
    code: Text<64>,
}

impl CreateShippingOptionTypeRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        _actor: &str,
    ) -> Result<ShippingOptionTypeId, ShippingError> {
        let option_type = ShippingOptionType {
            id: ShippingOptionTypeId::new(),
            label: self.label.into(),
            description: self.description.map(String::from),
            code: self.code.into(),
            created_at: tx.now(),
            updated_at: tx.now(),
            deleted_at: None,
        };
        option_type.insert(tx)?;
        Ok(option_type.id)
    }
}

/// The fields of a shipping option type to change; absent fields stay.
#[request]
#[schema(example = json!({ "label": "Overnight" }))]
pub(super) struct UpdateShippingOptionTypeRequest {
    label: Option<Text<255>>,
    description: Patch<Text<2000>>,
    code: Option<Text<64>>,
}

impl UpdateShippingOptionTypeRequest {
    pub(super) fn update(
        self,
        tx: &Tx<'_>,
        id: &ShippingOptionTypeId,
    ) -> Result<(), ShippingError> {
        let mut option_type = ShippingOptionType::require::<ShippingError>(tx, id)?;
        crate::assign!(self => option_type: label, code, description);
        Ok(option_type.update(tx)?)
    }
}
