//! API keys: publishable ones name a storefront's sales channels, secret ones may do what an admin may.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::ApiKeyError;
use super::queries;
use crate::auth::Secret;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{ApiKeyId, SalesChannelId};
use crate::trail::{self, EntityType, Entry};

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyKind {
    /// Name a storefront's sales channels.
    Publishable,
    /// Everything an admin may.
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

crate::stored_as_word!(KeyKind: Publishable = "publishable", Secret = "secret");

/// A sales channel that a key is linked to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LinkedChannel {
    /// Its id.
    pub id: SalesChannelId,
    /// What people call it.
    #[schema(example = "Web shop")]
    pub name: String,
}

/// An API key.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// What it is for.
    #[schema(example = "Web shop")]
    pub title: String,
    /// The key itself. Of a secret key it is shown once, when it is made; afterwards it is redacted.
    #[schema(example = "pk_894ad41eabc0c90a8a2b804e4f5fc731365960f61ca8df3febb73c3ac88eb13d")]
    pub token: String,
    /// Its beginning and its end.
    #[schema(example = "pk_894***13d")]
    pub redacted: String,
    /// What it may do.
    #[serde(rename = "type")]
    pub kind: KeyKind,
    /// When it was used last, to the hour.
    pub last_used_at: Option<Timestamp>,
    /// Who made it; empty for the server itself.
    pub created_by: String,
    /// Who revoked it.
    pub revoked_by: Option<String>,
    /// From when on it is worthless.
    pub revoked_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// The channels of a publishable key.
    pub sales_channels: Vec<LinkedChannel>,
}

impl ApiKey {
    /// The key as it is shown after it was made.
    #[must_use]
    pub(super) fn afterwards(self) -> Self {
        match self.kind {
            KeyKind::Secret => Self { token: self.redacted.clone(), ..self },
            KeyKind::Publishable => self,
        }
    }
}

/// What a new key is made of.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// What it is for.
    pub title: String,
    /// What it may do.
    pub kind: KeyKind,
    /// Who makes it; empty for the server itself.
    pub created_by: String,
    /// The channels of a publishable key.
    pub sales_channel_ids: Vec<SalesChannelId>,
}

/// Makes a key. [`ApiKey::token`] holds it, of a secret key this once.
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
    note(tx, "create", (None, Some(&key)), &key.created_by)?;
    Ok(key)
}

/// Writes a change into the trail. Of a key that is shown once, the trail has what is shown afterwards.
fn note(
    tx: &Tx<'_>,
    action: &str,
    (before, after): (Option<&ApiKey>, Option<&ApiKey>),
    actor_id: &str,
) -> Result<(), ApiKeyError> {
    let Some(key) = before.or(after) else { return Ok(()) };
    let shown = |key: Option<&ApiKey>| {
        key.map_or(serde_json::Value::Null, |key| serde_json::json!(key.clone().afterwards()))
    };
    let (before, after) = (shown(before), shown(after));
    let (entity_type, entity_id) = (EntityType::ApiKey, key.id.as_str());
    Ok(trail::record(tx, &Entry { entity_type, entity_id, action, actor_id, before, after })?)
}

/// The key of this id with its channels.
///
/// # Errors
/// [`ApiKeyError::NotFound`].
pub fn find(tx: &Tx<'_>, id: &ApiKeyId) -> Result<ApiKey, ApiKeyError> {
    let mut key = queries::find(tx, id)?.ok_or_else(|| ApiKeyError::NotFound(id.clone()))?;
    queries::attach_channels(tx, std::slice::from_mut(&mut key))?;
    Ok(key)
}

/// Gives a key another title.
///
/// # Errors
/// [`ApiKeyError::NotFound`].
pub(super) fn rename(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    title: &str,
    actor_id: &str,
) -> Result<ApiKey, ApiKeyError> {
    let before = find(tx, id)?;
    queries::set_title(tx, id, title)?;
    let after = find(tx, id)?;
    note(tx, "update", (Some(&before), Some(&after)), actor_id)?;
    Ok(after)
}

/// Makes a key worthless from an instant on. One that is worthless already stays as it is, and an earlier instant wins.
/// Write it through [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`ApiKeyError::NotFound`].
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
    note(tx, "revoke", (Some(&key), Some(&after)), revoked_by)?;
    Ok(after)
}

/// Deletes a revoked key. Write it through [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`ApiKeyError::NotFound`]; [`ApiKeyError::NotRevoked`] while it holds.
pub(super) fn delete(tx: &Tx<'_>, id: &ApiKeyId, actor_id: &str) -> Result<(), ApiKeyError> {
    let key = find(tx, id)?;
    if key.revoked_at.is_none_or(|revoked_at| revoked_at > tx.now()) {
        return Err(ApiKeyError::NotRevoked);
    }
    queries::delete(tx, id)?;
    note(tx, "delete", (Some(&key), None), actor_id)
}

/// Links a publishable key to channels and takes others from it. Write it through [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`ApiKeyError::NotFound`]; [`ApiKeyError::NotPublishable`]; [`ApiKeyError::UnknownChannel`] for the first that does
/// not exist.
pub fn change_channels(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    add: &[SalesChannelId],
    remove: &[SalesChannelId],
    actor_id: &str,
) -> Result<ApiKey, ApiKeyError> {
    let before = find(tx, id)?;
    let after = link(tx, id, add, remove)?;
    note(tx, "update", (Some(&before), Some(&after)), actor_id)?;
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
    if let Some(unknown) = queries::first_unknown_channel(tx, add)? {
        return Err(ApiKeyError::UnknownChannel(unknown));
    }
    queries::unlink(tx, id, remove)?;
    queries::link(tx, id, add)?;
    find(tx, id)
}
