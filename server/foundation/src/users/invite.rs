//! Invitations of new admins.
//!
//! Invariants: an invitation has two tokens, one in the response and one in the e-mail, of which only the digests are
//! stored. It is accepted at most once, before it expires, by the identity registered with its address.

use serde::Serialize;

use super::error::UserError;
use super::queries;
use super::user::{self, UpdateUserRequest, User};
use crate::audit_log::{self, EntityType};
use crate::auth::{ActorType, Email, Role, Secret, SecretDigest, identities};
use crate::clock::{DAY_MS, Timestamp};
use crate::config::MailSettings;
use crate::database::{self, Db, Record, Table, Tx};
use crate::events;
use crate::http::{Patch, Resource, ToSchema};
use crate::ids::{EventId, IdentityId, InviteId};
use crate::jobs::{self, Job, JobError};
use crate::mail::templates::Invitation;
use crate::mail::{Mailer, sent};
use crate::metadata::{Metadata, MetadataPatch};

/// The job kind of invitation e-mails.
pub const SEND_INVITATION: &str = "users.send_invitation";

/// The prefix of tokens, so that leaked ones are recognised.
const TOKEN_PREFIX: &str = "inv_";

const INVITE_MS: i64 = 7 * DAY_MS;

/// An invitation.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "invite i")]
#[record(list(plural = "invites", usual, search = ["i.email"], order = "-created_at"))]
#[resource(name = "invite", error = UserError)]
pub(super) struct Invite {
    pub(super) id: InviteId,
    #[column(filter, order)]
    pub(super) email: Email,
    /// The role of the invited admin.
    #[column(filter)]
    pub(super) role: Role,
    #[column(filter, sql = "(i.accepted_at is not null)")]
    pub(super) accepted: bool,
    /// The token that accepts it; returned only when it is created or resent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[column(skip)]
    pub(super) token: Option<String>,
    /// When it expires.
    #[column(filter, order)]
    pub(super) expires_at: Timestamp,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted invitations are not returned.
    pub(super) deleted_at: Option<Timestamp>,
}

/// Invites a new admin.
///
/// # Errors
/// [`UserError::EmailTaken`] for the address of an admin, [`UserError::Invited`] for that of another invitation.
pub(super) fn invite(
    tx: &Tx<'_>,
    email: Email,
    role: Role,
    metadata: Patch<MetadataPatch>,
    actor_id: &str,
) -> Result<Invite, UserError> {
    if queries::has_email(tx, &email)? {
        return Err(UserError::EmailTaken(email));
    }
    let secret = Secret::generate(TOKEN_PREFIX)?;
    let metadata = match metadata {
        Patch::Absent | Patch::Null => Metadata::default(),
        Patch::Value(patch) => patch.create()?,
    };
    let invite = Invite {
        id: InviteId::new(),
        email,
        role,
        accepted: false,
        token: Some(secret.reveal().to_owned()),
        expires_at: tx.now().plus_ms(INVITE_MS),
        metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    queries::insert_invite(tx, &invite, secret.digest())
        .map_err(|error| error.or_taken(|| UserError::Invited(invite.email.clone())))?;
    announce(tx, "invite.created", &invite)?;
    note(tx, "create", (None, Some(&invite)), actor_id)?;
    Ok(invite)
}

/// Records a change in the audit log, without the token.
fn note(
    tx: &Tx<'_>,
    action: &str,
    (before, after): (Option<&Invite>, Option<&Invite>),
    actor_id: &str,
) -> Result<(), UserError> {
    let Some(invite) = before.or(after) else { return Ok(()) };
    let entity = (EntityType::Invite, invite.id.as_str());
    let without_token = |invite: &Invite| Invite { token: None, ..invite.clone() };
    let change = (before.map(without_token), after.map(without_token));
    Ok(audit_log::record_change(tx, entity, action, change, actor_id)?)
}

/// Resends an invitation, with another token and a new expiry.
pub(super) fn resend(tx: &Tx<'_>, id: &InviteId, actor_id: &str) -> Result<Invite, UserError> {
    let before = Invite::require::<UserError>(tx, id)?;
    let invite = before.clone();
    if invite.accepted {
        return Err(UserError::InvalidInvite);
    }
    let secret = Secret::generate(TOKEN_PREFIX)?;
    let expires_at = tx.now().plus_ms(INVITE_MS);
    queries::set_invite_token(tx, id, secret.digest(), expires_at)?;
    let token = Some(secret.reveal().to_owned());
    let invite = Invite { token, expires_at, updated_at: tx.now(), ..invite };
    announce(tx, "invite.resent", &invite)?;
    note(tx, "resend", (Some(&before), Some(&invite)), actor_id)?;
    Ok(invite)
}

/// Records an event, and schedules the e-mail.
fn announce(tx: &Tx<'_>, name: &'static str, invite: &Invite) -> Result<(), database::Error> {
    let Invite { id, email, .. } = invite;
    events::record(tx, name, &serde_json::json!({ "id": id, "email": email }))?;
    jobs::schedule(tx, SEND_INVITATION, id.as_str(), tx.now(), "")
}

/// Sends a token to the invited address, if there is a mail server.
///
/// # Errors
/// If the mail server does not accept it; the job is retried with another token.
pub async fn send(
    db: Db,
    mailer: Option<Mailer>,
    settings: MailSettings,
    job: Job,
) -> Result<(), JobError> {
    let Some(mailer) = mailer else { return Ok(()) };
    let Ok(id) = job.key.parse::<InviteId>() else { return Ok(()) };
    let Some((invite, secret)) = db.write(move |tx| issue_mail_token(tx, &id)).await? else {
        return Ok(());
    };
    let (token, base) = (secret.reveal(), settings.admin_url);
    let link = base.map(|base| format!("{base}/invite?token={token}"));
    let mail =
        Invitation { shop: mailer.shop(), token, link: link.as_deref(), days: INVITE_MS / DAY_MS };
    let message_id = EventId::new().to_string();
    let to = (invite.email.to_string(), message_id.clone());
    let outcome = mailer.write(&mail, to).await;
    if outcome.is_ok() {
        db.write(move |tx| sent::note(tx, &message_id, None)).await?;
    }
    job.delivered(outcome)
}

/// Issues the token of an e-mail, which invalidates that of the previous one; `None` if the invitation was accepted,
/// deleted or has expired.
fn issue_mail_token(tx: &Tx<'_>, id: &InviteId) -> Result<Option<(Invite, Secret)>, UserError> {
    let invite = Invite::select_one(
        tx,
        "where i.id = :id and i.accepted_at is null and i.deleted_at is null",
        &[(":id", id)],
    )?;
    let Some(invite) = invite.filter(|invite| invite.expires_at > tx.now()) else {
        return Ok(None);
    };
    let secret = Secret::generate(TOKEN_PREFIX)?;
    queries::set_invite_mail_token(tx, id, secret.digest())?;
    Ok(Some((invite, secret)))
}

pub(super) fn delete(tx: &Tx<'_>, id: &InviteId, actor_id: &str) -> Result<(), UserError> {
    let invite = Invite::require::<UserError>(tx, id)?;
    Invite::remove::<UserError>(tx, id)?;
    note(tx, "delete", (Some(&invite), None), actor_id)
}

/// Creates the admin of an invitation from the identity registered with its address. Must be run by
/// [`crate::auth::Credentials::change`].
pub(super) fn accept(
    tx: &Tx<'_>,
    token: SecretDigest,
    identity_id: &IdentityId,
    email: Option<Email>,
    change: UpdateUserRequest,
) -> Result<User, UserError> {
    let invite = Invite::select_one(
        tx,
        "where (i.token_hash = :digest or i.mail_token_hash = :digest) and i.deleted_at is null",
        &[(":digest", &token)],
    )?
    .filter(|invite| !invite.accepted && invite.expires_at > tx.now())
    .ok_or(UserError::InvalidInvite)?;
    let identity = identities::find(tx, identity_id)?
        .filter(|identity| identity.actor_type == ActorType::User && identity.email == invite.email)
        .filter(|identity| email.is_none_or(|address| address == identity.email))
        .ok_or(UserError::OtherEmail)?;
    let mut user = User::new(invite.email.clone(), invite.role, tx.now());
    user.change(change)?;
    let actor_id = user.id.to_string();
    let user = user::insert(tx, user, &identity, &actor_id)?;
    queries::set_invite_accepted(tx, &invite.id)?;
    let accepted = Invite { accepted: true, ..invite.clone() };
    note(tx, "accept", (Some(&invite), Some(&accepted)), &actor_id)?;
    Ok(user)
}
