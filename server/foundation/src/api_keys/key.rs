//! API keys: publishable keys identify a storefront's sales channels, secret keys have the permissions of an admin.

use serde::{Deserialize, Serialize};

use super::error::ApiKeyError;
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::auth::Secret;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Record, Table, Tx, Word, first_missing};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ApiKeyId, SalesChannelId};
use crate::resource::View;

/// The permissions of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
pub enum KeyKind {
    /// Identifies a storefront's sales channels.
    Publishable,
    /// Has the permissions of an admin.
    Secret,
}

impl KeyKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Publishable => "pk_",
            Self::Secret => "sk_",
        }
    }
}

/// A sales channel that a key is linked to.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "sales_channel c")]
#[resource(name = "sales channel")]
pub struct LinkedChannel {
    pub id: SalesChannelId,
    #[schema(example = "Web shop")]
    pub name: String,
}

/// An API key.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "api_key k", title = "API key", soft_delete)]
#[record(list(
    plural = "api_keys",
    usual,
    search = ["k.title", "k.redacted"],
    order = "-created_at",
    columns = [Column::filter("created_by", "k.created_by", Kind::Id)]
))]
#[resource(name = "API key")]
pub struct ApiKey {
    pub id: ApiKeyId,
    #[schema(example = "Web shop")]
    #[column(filter, order)]
    pub title: String,
    /// The key itself. A secret key is returned once, when it is created; afterwards it is redacted.
    #[schema(example = "pk_894ad41eabc0c90a8a2b804e4f5fc731365960f61ca8df3febb73c3ac88eb13d")]
    #[column(sql = "coalesce(k.token, k.redacted)")]
    pub token: String,
    /// Start and end of the key.
    #[schema(example = "pk_894***13d")]
    pub redacted: String,
    #[serde(rename = "type")]
    #[column(filter)]
    pub kind: KeyKind,
    /// The time of the last use, to the hour.
    #[column(filter, order)]
    pub last_used_at: Option<Timestamp>,
    /// Id of the creator; empty for the server itself.
    #[column(sql = "coalesce(k.created_by, '')")]
    pub created_by: String,
    pub revoked_by: Option<String>,
    /// The time from which the key is refused.
    #[column(filter, order)]
    pub revoked_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Channels of a publishable key.
    #[field(relation)]
    pub sales_channels: Vec<LinkedChannel>,
}

impl View for ApiKey {
    type Row = Self;
    type Error = ApiKeyError;

    fn attach(tx: &Tx<'_>, keys: &mut [Self], _selection: &Selection) -> Result<(), ApiKeyError> {
        Ok(queries::attach_channels(tx, keys)?)
    }
}

impl ApiKey {
    #[must_use]
    pub(super) fn redact(self) -> Self {
        match self.kind {
            KeyKind::Secret => Self { token: self.redacted.clone(), ..self },
            KeyKind::Publishable => self,
        }
    }
}

#[derive(Debug, Clone)]
pub struct NewKey {
    pub title: String,
    pub kind: KeyKind,
    /// Id of the creator; empty for the server itself.
    pub created_by: String,
    pub sales_channel_ids: Vec<SalesChannelId>,
}

/// Creates a key. [`ApiKey::token`] has the key itself, for a secret key only this once.
///
/// # Errors
/// [`ApiKeyError::UnknownChannel`]; [`ApiKeyError::NotPublishable`] for a secret key with channels.
pub fn create(tx: &Tx<'_>, new: NewKey) -> Result<ApiKey, ApiKeyError> {
    let NewKey { title, kind, created_by, sales_channel_ids } = new;
    let secret = Secret::generate(kind.prefix())?;
    let key = ApiKey {
        id: ApiKeyId::new(),
        title,
        token: secret.reveal().to_owned(),
        redacted: secret.redacted(),
        kind,
        last_used_at: None,
        created_by,
        revoked_by: None,
        revoked_at: None,
        created_at: tx.now(),
        updated_at: tx.now(),
        sales_channels: Vec::new(),
    };
    queries::insert(tx, &key, secret.digest())?;
    let linked = if sales_channel_ids.is_empty() {
        Vec::new()
    } else {
        link(tx, &key.id, &sales_channel_ids, &[])?.sales_channels
    };
    let key = ApiKey { sales_channels: linked, ..key };
    note(tx, "create", None, Some(&key), &key.created_by)?;
    Ok(key)
}

/// Records a change in the audit log, with secret keys redacted.
fn note(
    tx: &Tx<'_>,
    action: &str,
    before: Option<&ApiKey>,
    after: Option<&ApiKey>,
    actor_id: &str,
) -> Result<(), ApiKeyError> {
    let Some(key) = before.or(after) else { return Ok(()) };
    let entity = (EntityType::ApiKey, key.id.as_str());
    let redacted = |key: &ApiKey| key.clone().redact();
    let change = (before.map(redacted), after.map(redacted));
    Ok(audit_log::record_change(tx, entity, action, change, actor_id)?)
}

/// Returns the key with an id, with its channels.
pub fn find(tx: &Tx<'_>, id: &ApiKeyId) -> Result<ApiKey, ApiKeyError> {
    let mut key = ApiKey::require::<ApiKeyError>(tx, id)?;
    queries::attach_channels(tx, std::slice::from_mut(&mut key))?;
    Ok(key)
}

/// Changes the title of a key.
pub(super) fn rename(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    title: &str,
    actor_id: &str,
) -> Result<(), ApiKeyError> {
    let before = find(tx, id)?;
    queries::set_title(tx, id, title)?;
    let after = find(tx, id)?;
    note(tx, "update", Some(&before), Some(&after), actor_id)
}

/// Revokes a key as of an instant. A revoked key does not change, unless the new instant is earlier.
/// Must be run by [`crate::auth::Credentials::change`].
pub fn revoke(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    revoked_by: &str,
    at: Timestamp,
) -> Result<ApiKey, ApiKeyError> {
    let key = find(tx, id)?;
    if key.revoked_at.is_some_and(|revoked_at| revoked_at <= at) {
        return Ok(key);
    }
    queries::set_revoked(tx, id, revoked_by, at)?;
    let after = find(tx, id)?;
    note(tx, "revoke", Some(&key), Some(&after), revoked_by)?;
    Ok(after)
}

/// Deletes a revoked key. Must be run by [`crate::auth::Credentials::change`].
pub(super) fn delete(tx: &Tx<'_>, id: &ApiKeyId, actor_id: &str) -> Result<(), ApiKeyError> {
    let key = find(tx, id)?;
    if key.revoked_at.is_none_or(|revoked_at| revoked_at > tx.now()) {
        return Err(ApiKeyError::NotRevoked);
    }
    ApiKey::remove::<ApiKeyError>(tx, id)?;
    note(tx, "delete", Some(&key), None, actor_id)
}

/// Links a publishable key to channels and unlinks others. Must be run by [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`ApiKeyError::NotFound`]; [`ApiKeyError::NotPublishable`]; [`ApiKeyError::UnknownChannel`] for the first unknown
/// channel.
pub fn change_channels(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    add: &[SalesChannelId],
    remove: &[SalesChannelId],
    actor_id: &str,
) -> Result<ApiKey, ApiKeyError> {
    let before = find(tx, id)?;
    let after = link(tx, id, add, remove)?;
    note(tx, "update", Some(&before), Some(&after), actor_id)?;
    Ok(after)
}

fn link(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    add: &[SalesChannelId],
    remove: &[SalesChannelId],
) -> Result<ApiKey, ApiKeyError> {
    if find(tx, id)?.kind != KeyKind::Publishable {
        return Err(ApiKeyError::NotPublishable);
    }
    if let Some(unknown) = first_missing(tx, "sales_channel", add)? {
        return Err(ApiKeyError::UnknownChannel(unknown));
    }
    queries::CHANNELS.remove(tx, &[id], remove)?;
    queries::CHANNELS.add(tx, &[id], add)?;
    find(tx, id)
}
