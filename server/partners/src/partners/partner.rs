//! A partner, with its audit entries.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::audit_log::{self, EntityType};
use crate::auth::{Email, Secret, partners as tokens};
use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx, Word};
use crate::error::PartnerError;
use crate::http::{Resource, Text, ToSchema, request};
use crate::ids::PartnerId;
use crate::metadata::{Metadata, MetadataPatch};

/// Whether a partner's links work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum PartnerStatus {
    Active,
    /// The links do not work for now; earnings stay.
    Paused,
    /// The links no longer work; earnings stay.
    Closed,
}

/// Somebody who refers shoppers and earns commissions.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "partner p", title = "Partner")]
#[record(list(plural = "partners", search = ["p.name", "p.email"], order = "-created_at", limit = 50))]
#[resource(name = "partner", error = PartnerError)]
pub struct Partner {
    #[column(filter, order)]
    pub id: PartnerId,
    #[column(filter, order)]
    #[schema(example = "Mountain blog")]
    pub name: String,
    #[column(filter)]
    pub email: Email,
    #[column(filter)]
    pub status: PartnerStatus,
    /// The token with which partners read their own statement; only in the response that creates the partner or
    /// replaces the token.
    #[column(sql = "null")]
    #[schema(example = "ptok_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub token: Option<String>,
    /// The admin or API key that created the partner.
    #[column(once)]
    pub created_by: Option<String>,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter, order)]
    pub updated_at: Timestamp,
    /// Always null: deleted partners are never returned.
    pub deleted_at: Option<Timestamp>,
}

/// A new partner.
#[request]
#[schema(example = json!({ "name": "Mountain blog", "email": "ada@blog.example" }))]
pub(super) struct CreatePartnerRequest {
    name: Text<120>,
    email: Email,
    /// Defaults to `active`.
    status: Option<PartnerStatus>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a partner to change.
#[request]
#[schema(example = json!({ "status": "paused" }))]
pub(super) struct UpdatePartnerRequest {
    name: Option<Text<120>>,
    email: Option<Email>,
    status: Option<PartnerStatus>,
    metadata: Option<MetadataPatch>,
}

impl CreatePartnerRequest {
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        by: &str,
        token: &Secret,
    ) -> Result<Partner, PartnerError> {
        let partner = Partner {
            id: PartnerId::new(),
            name: self.name.into(),
            email: self.email,
            status: self.status.unwrap_or(PartnerStatus::Active),
            token: Some(token.reveal().to_owned()),
            created_by: Some(by.to_owned()),
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
            deleted_at: None,
        };
        partner.insert(tx)?;
        tokens::replace(tx, &partner.id, token)?;
        record(tx, "create", &partner.id, (None, Some(snapshot(&partner))), by)?;
        Ok(partner)
    }
}

impl UpdatePartnerRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &PartnerId, by: &str) -> Result<(), PartnerError> {
        let mut partner = Partner::require::<PartnerError>(tx, id)?;
        let before = snapshot(&partner);
        crate::assign!(self => partner: name, email, status);
        partner.metadata.merge(self.metadata)?;
        partner.update(tx)?;
        record(tx, "update", id, (Some(before), Some(snapshot(&partner))), by)
    }
}

/// Replaces a partner's token; the old one is rejected from then on.
pub(super) fn replace_token(
    tx: &Tx<'_>,
    id: &PartnerId,
    token: &Secret,
    by: &str,
) -> Result<Partner, PartnerError> {
    let partner = Partner::require::<PartnerError>(tx, id)?;
    tokens::replace(tx, id, token)?;
    let state = Some(snapshot(&partner));
    record(tx, "replace_token", id, (state.clone(), state), by)?;
    Ok(Partner { token: Some(token.reveal().to_owned()), ..partner })
}

/// Deletes a partner: the links and the token stop working, and earnings stay in the ledger.
pub(super) fn delete(tx: &Tx<'_>, id: &PartnerId, by: &str) -> Result<(), PartnerError> {
    let partner = Partner::require::<PartnerError>(tx, id)?;
    Partner::remove::<PartnerError>(tx, id)?;
    tokens::revoke(tx, id)?;
    record(tx, "delete", id, (Some(snapshot(&partner)), None), by)
}

fn record(
    tx: &Tx<'_>,
    action: &str,
    id: &PartnerId,
    states: (Option<Value>, Option<Value>),
    actor_id: &str,
) -> Result<(), PartnerError> {
    let entity = (EntityType::Partner, id.as_str());
    Ok(audit_log::record_change(tx, entity, action, states, actor_id)?)
}

/// Returns the partner as the audit log stores it: without personal data, because entries are never changed.
fn snapshot(partner: &Partner) -> Value {
    json!({ "status": partner.status })
}
