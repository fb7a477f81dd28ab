//! Admins.

use secrecy::SecretString;
use serde::Serialize;

use super::error::UserError;
use super::queries;
use crate::audit_log::{self, EntityType, Entry};
use crate::auth::identities::{self, Identity};
use crate::auth::{ActorType, AuthError, Email, NewPassword, Role};
use crate::clock::Timestamp;
use crate::database::listing::Kind;
use crate::database::{self, Record, Table, Tx};
use crate::http::{Patch, Resource, ToSchema};
use crate::ids::UserId;
use crate::metadata::{Metadata, MetadataPatch};

/// An admin.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "user u")]
#[record(list(
    plural = "users",
    search = ["u.email", "u.first_name", "u.last_name"],
    order = "-created_at"
))]
#[resource(name = "user", error = UserError)]
pub(super) struct User {
    #[column(filter, order)]
    pub(super) id: UserId,
    #[schema(example = "Grace")]
    #[column(filter, order)]
    pub(super) first_name: Option<String>,
    #[schema(example = "Hopper")]
    #[column(filter, order)]
    pub(super) last_name: Option<String>,
    /// The e-mail address to log in with.
    #[column(filter, order, kind = Kind::Text)]
    pub(super) email: Email,
    /// The URL of a picture.
    pub(super) avatar_url: Option<String>,
    #[column(filter)]
    pub(super) role: Role,
    pub(super) metadata: Metadata,
    #[column(filter, order)]
    pub(super) created_at: Timestamp,
    #[column(filter, order)]
    pub(super) updated_at: Timestamp,
    /// Always null: deleted admins are not returned.
    pub(super) deleted_at: Option<Timestamp>,
}

/// The fields of an admin to change; absent ones keep their value.
#[derive(Debug, Clone, Default)]
pub(crate) struct UserChange {
    pub first_name: Patch<String>,
    pub last_name: Patch<String>,
    pub(crate) avatar_url: Patch<String>,
    pub role: Option<Role>,
    /// Keys to merge; null clears all.
    pub metadata: Patch<MetadataPatch>,
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

    pub(super) fn change(&mut self, change: UserChange) -> Result<(), UserError> {
        let UserChange { first_name, last_name, avatar_url, role, metadata } = change;
        self.first_name = first_name.apply(self.first_name.take());
        self.last_name = last_name.apply(self.last_name.take());
        self.avatar_url = avatar_url.apply(self.avatar_url.take());
        self.role = role.unwrap_or(self.role);
        match metadata {
            Patch::Absent => {}
            Patch::Null => self.metadata = Metadata::default(),
            Patch::Value(patch) => self.metadata = patch.merge(&self.metadata)?,
        }
        Ok(())
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
    // Who merely registered the address cannot keep it from an admin.
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

/// Returns whether there is an admin of any role.
pub fn exist(tx: &Tx<'_>) -> Result<bool, database::Error> {
    queries::any_user(tx)
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
    note(tx, "create", (None, Some(&user)), actor_id)?;
    Ok(user)
}

/// Records a change in the audit log.
fn note(
    tx: &Tx<'_>,
    action: &str,
    (before, after): (Option<&User>, Option<&User>),
    actor_id: &str,
) -> Result<(), UserError> {
    let Some(user) = before.or(after) else { return Ok(()) };
    let (entity_type, entity_id) = (EntityType::User, user.id.as_str());
    let (before, after) = (serde_json::json!(before), serde_json::json!(after));
    Ok(audit_log::record(tx, &Entry { entity_type, entity_id, action, actor_id, before, after })?)
}

/// Changes an admin. Must be run by [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`UserError::NotFound`]; [`UserError::LastAdmin`].
pub(super) fn update(
    tx: &Tx<'_>,
    id: &UserId,
    change: UserChange,
    actor_id: &str,
) -> Result<User, UserError> {
    let mut user = User::require::<UserError>(tx, id)?;
    let before = user.clone();
    let was_admin = user.role == Role::Admin;
    user.change(change)?;
    if was_admin && user.role != Role::Admin && !queries::has_other_admin(tx, id)? {
        return Err(UserError::LastAdmin);
    }
    user.updated_at = tx.now();
    user.update(tx)?;
    note(tx, "update", (Some(&before), Some(&user)), actor_id)?;
    Ok(user)
}

/// Deletes an admin and the account. Must be run by [`crate::auth::Credentials::change`].
///
/// # Errors
/// [`UserError::NotFound`]; [`UserError::LastAdmin`].
pub(super) fn delete(tx: &Tx<'_>, id: &UserId, actor_id: &str) -> Result<(), UserError> {
    let user = User::require::<UserError>(tx, id)?;
    if user.role == Role::Admin && !queries::has_other_admin(tx, id)? {
        return Err(UserError::LastAdmin);
    }
    User::remove::<UserError>(tx, id)?;
    identities::remove(tx, ActorType::User, id.as_str())?;
    note(tx, "delete", (Some(&user), None), actor_id)
}
