//! Audit entries: changes as domains report them, and stored entries.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical::{CanonicalJson, quoted};
use super::queries;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Error, Filtered as _, Record, Table as _, Tx, Word};
use crate::digest::sha256_hex;
use crate::http::{Resource, ToSchema};
use crate::ids::AuditEntryId;

/// The type of the changed entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum EntityType {
    Metric,
    Placeholder,
    Alert,
    /// A store credit account.
    CreditAccount,
    SubscriptionPlan,
    Flow,
    ApiKey,
    /// An admin.
    User,
    /// An invitation of an admin.
    Invite,
    /// An endpoint that events are sent to.
    WebhookEndpoint,
    /// A delivery of a webhook.
    WebhookDelivery,
    Customer,
    Partner,
    PartnerOffer,
    PartnerConversion,
    PartnerPayout,
    Site,
    Banner,
    ContentPage,
    MembershipTier,
    /// What a sales channel publishes to its storefronts.
    StorefrontSetting,
    BundleProduct,
    /// A program that gets tokens for itself.
    OauthClient,
}

/// A change as its domain reports it.
#[derive(Debug)]
pub struct Entry<'a> {
    pub entity_type: EntityType,
    pub entity_id: &'a str,
    /// The action, such as `update`.
    pub action: &'a str,
    /// The actor's id; empty for the server itself.
    pub actor_id: &'a str,
    /// The state before, without secrets; null for a new entity.
    pub before: Value,
    /// The state after, without secrets; null for a removed entity.
    pub after: Value,
}

/// A stored entry. `before`, `after` and `changed` are canonical JSON.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[schema(as = AuditChange)]
#[record(table = "audit_entry e")]
#[record(list(
    plural = "changes",
    order = "-at",
    columns = [
        Column::new("at", "e.at", Kind::Time),
        Column::filter("id", "e.id", Kind::Id),
        Column::filter("entity_type", "e.entity_type", EntityType::KIND),
        Column::filter("entity_id", "e.entity_id", Kind::Id),
        Column::filter("action", "e.action", Kind::Text),
        Column::filter("actor_id", "e.actor_id", Kind::Id),
    ]
))]
#[resource(name = "change")]
pub struct AuditEntry {
    /// The position in the chain, from 1.
    #[serde(skip)]
    #[column(key)]
    pub(super) seq: i64,
    /// The entry's id.
    pub id: AuditEntryId,
    /// The type of the changed entity.
    pub entity_type: EntityType,
    /// The entity's id.
    #[schema(example = "met_01K9AVJ7W3S4T5X6Y7Z8A9B0C1")]
    pub entity_id: String,
    /// The action: `create`, `update`, `delete` …; prefixed with `forced_` if a lock was overridden, or `refused_` if
    /// the change was refused.
    #[schema(example = "update")]
    pub action: String,
    /// `user`, `api-key`, `oauth-client`, `customer` or `system`.
    #[schema(example = "user")]
    pub actor_type: String,
    /// The actor's id; empty for the server itself.
    #[schema(example = "user_01K9AVJ7W3S4T5X6Y7Z8A9B0C1")]
    pub actor_id: String,
    /// The id of the request; empty outside of requests.
    pub request_id: String,
    /// The state before; null for a new entity.
    #[schema(value_type = Option<Object>)]
    pub before: Option<CanonicalJson>,
    /// The state after; null for a removed entity.
    #[schema(value_type = Option<Object>)]
    pub after: Option<CanonicalJson>,
    /// The names of the fields that differ.
    #[schema(value_type = Vec<String>, example = json!(["formula", "version"]))]
    pub changed: CanonicalJson,
    /// When the change was made.
    pub at: Timestamp,
    /// The hash of the previous entry; empty for the first.
    pub previous_hash: String,
    /// The SHA-256 of this entry as canonical JSON without `hash`.
    #[schema(example = "894ad41eabc0c90a8a2b804e4f5fc731365960f61ca8df3febb73c3ac88eb13d")]
    pub hash: String,
}

impl AuditEntry {
    /// Returns the entry in the canonical form that is hashed.
    fn canonical(&self) -> String {
        let or_null = |value: &Option<CanonicalJson>| {
            value.as_ref().map_or("null", CanonicalJson::get).to_owned()
        };
        let members = [
            ("action", quoted(&self.action)),
            ("actor_id", quoted(&self.actor_id)),
            ("actor_type", quoted(&self.actor_type)),
            ("after", or_null(&self.after)),
            ("at", quoted(&self.at.to_string())),
            ("before", or_null(&self.before)),
            ("changed", self.changed.get().to_owned()),
            ("entity_id", quoted(&self.entity_id)),
            ("entity_type", quoted(self.entity_type.as_str())),
            ("id", quoted(self.id.as_str())),
            ("previous_hash", quoted(&self.previous_hash)),
            ("request_id", quoted(&self.request_id)),
        ];
        let members = members.map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{{}}}", members.join(","))
    }

    pub(super) fn hashed(&self) -> String {
        sha256_hex(self.canonical())
    }
}

/// Records an entry in the transaction of the change.
pub fn record(tx: &Tx<'_>, change: &Entry<'_>) -> Result<(), Error> {
    let head = queries::head(tx)?;
    let mut entry = AuditEntry {
        seq: head.seq.saturating_add(1),
        id: AuditEntryId::new(),
        entity_type: change.entity_type,
        entity_id: change.entity_id.to_owned(),
        action: change.action.to_owned(),
        actor_type: actor_type(change.actor_id).to_owned(),
        actor_id: change.actor_id.to_owned(),
        request_id: tx.request_id().to_owned(),
        before: unless_null(&change.before)?,
        after: unless_null(&change.after)?,
        changed: CanonicalJson::of(&changed(&change.before, &change.after).into())?,
        at: tx.now(),
        previous_hash: head.hash,
        hash: String::new(),
    };
    entry.hash = entry.hashed();
    entry.insert(tx)?;
    queries::set_head(tx, &entry)
}

/// Records a change of an entity, given its state before and after, without secrets; none of them for one that is created
/// or removed.
pub fn record_change<T: Serialize>(
    tx: &Tx<'_>,
    (entity_type, entity_id): (EntityType, &str),
    action: &str,
    (before, after): (Option<T>, Option<T>),
    actor_id: &str,
) -> Result<(), Error> {
    let (before, after) = (serde_json::to_value(before)?, serde_json::to_value(after)?);
    record(tx, &Entry { entity_type, entity_id, action, actor_id, before, after })
}

/// Records that a change was refused, even if the transaction is rolled back.
pub fn refused(
    tx: &Tx<'_>,
    entity: (EntityType, &str),
    action: &str,
    actor_id: &str,
    reason: &str,
) {
    let (entity_type, entity_id) = (entity.0, entity.1.to_owned());
    let (action, actor_id) = (format!("refused_{action}"), actor_id.to_owned());
    let after = serde_json::json!({ "refused": reason });
    tx.despite(move |tx| {
        let (entity_id, action, actor_id) = (&*entity_id, &*action, &*actor_id);
        record(tx, &Entry { entity_type, entity_id, action, actor_id, before: Value::Null, after })
    });
}

/// Returns the type of an actor, derived from the prefix of the id.
fn actor_type(actor_id: &str) -> &'static str {
    match actor_id.split_once('_') {
        Some(("user", _)) => "user",
        Some(("apk", _)) => "api-key",
        Some(("cus", _)) => "customer",
        Some(("oac", _)) => "oauth-client",
        Some(_) | None => "system",
    }
}

fn unless_null(value: &Value) -> serde_json::Result<Option<CanonicalJson>> {
    (!value.is_null()).then(|| CanonicalJson::of(value)).transpose()
}

/// Returns the names of the fields that differ.
fn changed(before: &Value, after: &Value) -> Vec<String> {
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default()
    };
    let all: BTreeSet<String> = keys(before).union(&keys(after)).cloned().collect();
    all.into_iter().filter(|key| before.get(key) != after.get(key)).collect()
}
