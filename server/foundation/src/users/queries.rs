//! Queries for admins and invitations.

use rusqlite::named_params;

use super::invite::Invite;
use crate::auth::{Email, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::{AlertId, InviteId, MetricId, UserId};

/// Returns whether there is an admin of any role.
pub fn exist(tx: &Tx<'_>) -> Result<bool, Error> {
    tx.sql("select 1 from user where deleted_at is null limit 1").exists([])
}

/// Returns whether there is an admin of any role with an id.
pub fn has(tx: &Tx<'_>, id: &str) -> Result<bool, Error> {
    let sql = "select 1 from user where id = :id and deleted_at is null";
    tx.sql(sql).exists(named_params! { ":id": id })
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

/// Returns the admin to whom a deleted user's private metrics pass: the deleter, if that is an admin, else the first one.
pub(crate) fn heir(tx: &Tx<'_>, deleter_id: &str) -> Result<Option<UserId>, Error> {
    let sql = "select id from user where role = 'admin' and deleted_at is null
                order by id = :deleter desc, created_at, id limit 1";
    tx.sql(sql).first(named_params! { ":deleter": deleter_id }, |row| row.get(0))
}

/// Returns the private metrics of a user.
pub(crate) fn private_metrics(tx: &Tx<'_>, owner_id: &UserId) -> Result<Vec<MetricId>, Error> {
    tx.sql("select id from metric where owner_id = :owner and visibility = 'private' order by seq")
        .all(named_params! { ":owner": owner_id }, |row| row.get(0))
}

/// Returns the active alerts about a metric.
pub(crate) fn active_alerts(tx: &Tx<'_>, metric_id: &MetricId) -> Result<Vec<AlertId>, Error> {
    tx.sql("select id from metric_alert where metric_id = :metric and is_active = 1 order by id")
        .all(named_params! { ":metric": metric_id }, |row| row.get(0))
}

/// Gives a metric to another owner.
pub(crate) fn set_owner(tx: &Tx<'_>, id: &MetricId, owner_id: &UserId) -> Result<(), Error> {
    tx.sql("update metric set owner_id = :owner, updated_at = :now where id = :id")
        .run(named_params! { ":id": id, ":owner": owner_id, ":now": tx.now() })
}

/// Makes every process read the metrics again.
pub(crate) fn renew_metric_stamp(tx: &Tx<'_>) -> Result<(), Error> {
    tx.sql("update metric_stamp set stamp = lower(hex(randomblob(16)))").run([])
}

pub(crate) fn pause_alert(tx: &Tx<'_>, id: &AlertId) -> Result<(), Error> {
    tx.sql("update metric_alert set is_active = 0, updated_at = :now where id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}
