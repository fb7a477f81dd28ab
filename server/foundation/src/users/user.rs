//! Admins.

use secrecy::SecretString;
use serde::Serialize;
use serde_json::{Value, json};

use super::error::UserError;
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::auth::identities::{self, Identity};
use crate::auth::{ActorType, AuthError, Email, NewPassword, Role};
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Patch, PictureUrl, Resource, Text, ToSchema, request};
use crate::ids::UserId;
use crate::metadata::{Metadata, MetadataPatch};

/// An admin.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "user u")]
#[record(list(
    plural = "users",
    usual,
    search = ["u.email", "u.first_name", "u.last_name"],
    order = "-created_at"
))]
#[resource(name = "user", error = UserError)]
pub(super) struct User {
    pub(super) id: UserId,
    #[schema(example = "Grace")]
    #[column(filter, order)]
    pub(super) first_name: Option<String>,
    #[schema(example = "Hopper")]
    #[column(filter, order)]
    pub(super) last_name: Option<String>,
    /// The e-mail address to log in with.
    #[column(filter, order)]
    pub(super) email: Email,
    /// The URL of a picture.
    pub(super) avatar_url: Option<String>,
    #[column(filter)]
    pub(super) role: Role,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted admins are not returned.
    pub(super) deleted_at: Option<Timestamp>,
}

/// The fields of an admin to change.
#[request]
#[derive(Default)]
#[schema(example = json!({ "first_name": "Grace", "role": "analyst" }))]
pub(super) struct UpdateUserRequest {
    pub(super) first_name: Patch<Text>,
    pub(super) last_name: Patch<Text>,
    /// The URL of a picture.
    pub(super) avatar_url: Patch<PictureUrl>,
    pub(super) role: Option<Role>,
    /// Metadata keys to merge.
    #[schema(value_type = Option<MetadataPatch>)]
    pub(super) metadata: Patch<MetadataPatch>,
}

impl User {
    pub(super) fn new(email: Email, role: Role, now: Timestamp) -> Self {
        Self {
            id: UserId::new(),
            first_name: None,
            last_name: None,
            email,
            avatar_url: None,
            role,
            metadata: Metadata::default(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
        }
    }

    pub(super) fn change(&mut self, request: UpdateUserRequest) -> Result<(), UserError> {
        crate::assign!(request => self: first_name, last_name, avatar_url, role);
        Ok(self.metadata.set(request.metadata)?)
    }
}

/// Creates a user with the role `admin` who logs in with this password. The password is hashed on this thread, in about
/// 30 ms, so this is for the command line and the first start only.
///
/// # Errors
/// [`UserError::Email`] and [`UserError::Password`] for invalid ones; [`UserError::EmailTaken`].
pub fn create_admin(tx: &Tx<'_>, email: &str, password: SecretString) -> Result<UserId, UserError> {
    let email: Email = email.parse()?;
    let hash = NewPassword::try_from(password)?.hash().map_err(AuthError::from)?;
    // Somebody who merely registered the address cannot keep it from an admin.
    identities::release(tx, ActorType::User, &email)?;
    let identity = identities::create(tx, ActorType::User, &email, hash).map_err(|error| {
        if matches!(error, AuthError::EmailTaken) {
            UserError::EmailTaken(email.clone())
        } else {
            error.into()
        }
    })?;
    let user = User::new(email, Role::Admin, tx.now());
    Ok(insert(tx, user, &identity, "")?.id)
}

/// Inserts a new admin, and links the identity to log in with.
pub(super) fn insert(
    tx: &Tx<'_>,
    user: User,
    identity: &Identity,
    actor_id: &str,
) -> Result<User, UserError> {
    user.insert(tx)
        .map_err(|error| error.or_taken(|| UserError::EmailTaken(user.email.clone())))?;
    identities::link(tx, &identity.id, user.id.as_str())?;
    let entity = (EntityType::User, user.id.as_str());
    audit_log::record_change(tx, entity, "create", (None, Some(&user)), actor_id)?;
    Ok(user)
}

impl UpdateUserRequest {
    /// Changes an admin. Must be run by [`crate::auth::Credentials::change`].
    pub(super) fn update(self, tx: &Tx<'_>, id: &UserId, actor_id: &str) -> Result<(), UserError> {
        let before = User::require::<UserError>(tx, id)?;
        let mut user = User { updated_at: tx.now(), ..before.clone() };
        user.change(self)?;
        let is_demoted = before.role == Role::Admin && user.role != Role::Admin;
        if is_demoted && !queries::has_other_admin(tx, id)? {
            return Err(UserError::LastAdmin);
        }
        user.update(tx)?;
        let (entity, change) = ((EntityType::User, id.as_str()), (Some(&before), Some(&user)));
        Ok(audit_log::record_change(tx, entity, "update", change, actor_id)?)
    }
}

/// Deletes a user and the account. An admin gets the private metrics, which nobody else sees. Must be run by
/// [`crate::auth::Credentials::change`].
pub(super) fn delete(tx: &Tx<'_>, id: &UserId, actor_id: &str) -> Result<(), UserError> {
    let user = User::require::<UserError>(tx, id)?;
    if user.role == Role::Admin && !queries::has_other_admin(tx, id)? {
        return Err(UserError::LastAdmin);
    }
    User::remove::<UserError>(tx, id)?;
    identities::remove(tx, ActorType::User, id.as_str())?;
    hand_over(tx, id, actor_id)?;
    let entity = (EntityType::User, id.as_str());
    Ok(audit_log::record_change(tx, entity, "delete", (Some(&user), None), actor_id)?)
}

/// Gives the private metrics of a deleted user to an admin, and pauses their alerts.
fn hand_over(tx: &Tx<'_>, id: &UserId, actor_id: &str) -> Result<(), UserError> {
    let metrics = queries::private_metrics(tx, id)?;
    if metrics.is_empty() {
        return Ok(());
    }
    let Some(heir) = queries::heir(tx, actor_id)? else { return Ok(()) };
    let note = |entity: (EntityType, &str), field: &str, before: Value, after: Value| {
        let change = (Some(json!({ field: before })), Some(json!({ field: after })));
        audit_log::record_change(tx, entity, "update", change, actor_id)
    };
    for metric in metrics {
        for alert in queries::active_alerts(tx, &metric)? {
            queries::pause_alert(tx, &alert)?;
            note((EntityType::Alert, alert.as_str()), "is_active", true.into(), false.into())?;
        }
        queries::set_owner(tx, &metric, &heir)?;
        let (before, after) = (id.as_str().into(), heir.as_str().into());
        note((EntityType::Metric, metric.as_str()), "owner_id", before, after)?;
    }
    Ok(queries::renew_metric_stamp(tx)?)
}
