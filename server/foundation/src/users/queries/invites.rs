//! Queries for invitations.

use rusqlite::named_params;

use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::InviteId;
use crate::users::invite::Invite;

pub(crate) fn insert(tx: &Tx<'_>, invite: &Invite, digest: SecretDigest) -> Result<(), Error> {
    tx.insert(
        "invite",
        named_params! {
            ":id": invite.id, ":email": invite.email, ":role": invite.role, ":token_hash": digest,
            ":expires_at": invite.expires_at, ":metadata": invite.metadata,
            ":created_at": invite.created_at, ":updated_at": invite.created_at,
        },
    )
}

pub(crate) fn set_token(
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

pub(crate) fn set_mail_token(
    tx: &Tx<'_>,
    id: &InviteId,
    digest: SecretDigest,
) -> Result<(), Error> {
    let sql = "update invite set mail_token_hash = :digest where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":digest": digest })
}

pub(crate) fn set_accepted(tx: &Tx<'_>, id: &InviteId) -> Result<(), Error> {
    let sql = "update invite set accepted_at = :now, updated_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":now": tx.now() })
}
