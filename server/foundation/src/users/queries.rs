//! Queries for admins and invitations.

use rusqlite::named_params;

use super::invite::Invite;
use crate::auth::{Email, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::{InviteId, UserId};

/// Returns whether there is an admin of any role.
pub fn exist(tx: &Tx<'_>) -> Result<bool, Error> {
    tx.sql("select 1 from user where deleted_at is null limit 1").exists([])
}

pub(crate) fn has_email(tx: &Tx<'_>, email: &Email) -> Result<bool, Error> {
    let sql = "select 1 from user where email = :email and deleted_at is null";
    tx.sql(sql).exists(named_params! { ":email": email })
}

/// Returns whether there is another user with the role `admin`.
pub(crate) fn has_other_admin(tx: &Tx<'_>, id: &UserId) -> Result<bool, Error> {
    let sql =
        "select 1 from user where role = 'admin' and deleted_at is null and id <> :id limit 1";
    tx.sql(sql).exists(named_params! { ":id": id })
}

pub(crate) fn insert_invite(
    tx: &Tx<'_>,
    invite: &Invite,
    digest: SecretDigest,
) -> Result<(), Error> {
    tx.insert(
        "invite",
        named_params! {
            ":id": invite.id, ":email": invite.email, ":role": invite.role, ":token_hash": digest,
            ":expires_at": invite.expires_at, ":metadata": invite.metadata,
            ":created_at": invite.created_at, ":updated_at": invite.created_at,
        },
    )
}

pub(crate) fn set_invite_token(
    tx: &Tx<'_>,
    id: &InviteId,
    digest: SecretDigest,
    expires_at: Timestamp,
) -> Result<(), Error> {
    let sql =
        "update invite set token_hash = :digest, mail_token_hash = null, expires_at = :expires_at,
                      updated_at = :now where id = :id";
    tx.sql(sql).run(named_params! {
        ":id": id, ":digest": digest, ":expires_at": expires_at, ":now": tx.now(),
    })
}

pub(crate) fn set_invite_mail_token(
    tx: &Tx<'_>,
    id: &InviteId,
    digest: SecretDigest,
) -> Result<(), Error> {
    let sql = "update invite set mail_token_hash = :digest where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":digest": digest })
}

pub(crate) fn set_invite_accepted(tx: &Tx<'_>, id: &InviteId) -> Result<(), Error> {
    let sql = "update invite set accepted_at = :now, updated_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":now": tx.now() })
}
