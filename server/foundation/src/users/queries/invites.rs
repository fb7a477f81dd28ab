//! Invitations.

use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::InviteId;
use crate::users::invite::Invite;

/// What admins can ask of the list.
pub(in crate::users) static INVITES: Listing = Listing {
    plural: "invites",
    table: "invite i",
    id: "i.id",
    columns: &[
        Column::new("id", "i.id", Kind::Id),
        Column::new("email", "i.email", Kind::Text),
        Column::filter("role", "i.role", Kind::Word(&["admin", "analyst", "viewer"])),
        Column::filter("accepted", "(i.accepted_at is not null)", Kind::Boolean),
        Column::new("expires_at", "i.expires_at", Kind::Time),
        Column::new("created_at", "i.created_at", Kind::Time),
        Column::new("updated_at", "i.updated_at", Kind::Time),
    ],
    search: &["i.email"],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

const COLUMNS: &str = "i.id, i.email, i.role, i.accepted_at is not null, i.expires_at, i.metadata, i.created_at, \
                       i.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Invite> {
    Ok(Invite {
        id: row.get(0)?,
        email: row.get(1)?,
        role: row.get(2)?,
        accepted: row.get(3)?,
        token: None,
        expires_at: row.get(4)?,
        metadata: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        deleted_at: None,
    })
}

/// A page of invitations, and how many there are.
pub(in crate::users) fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Invite>, u64), Error> {
    let query = query.narrow("i.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

pub(in crate::users) fn find(tx: &Tx<'_>, id: &InviteId) -> Result<Option<Invite>, Error> {
    let sql = format!("select {COLUMNS} from invite i where i.id = :id and i.deleted_at is null");
    Ok(tx.prepare_cached(&sql)?.query_row(named_params! { ":id": id }, read).optional()?)
}

pub(in crate::users) fn by_token(
    tx: &Tx<'_>,
    digest: SecretDigest,
) -> Result<Option<Invite>, Error> {
    let sql = format!(
        "select {COLUMNS} from invite i where i.token_hash = :digest and i.deleted_at is null"
    );
    Ok(tx.prepare_cached(&sql)?.query_row(named_params! { ":digest": digest }, read).optional()?)
}

pub(in crate::users) fn insert(
    tx: &Tx<'_>,
    invite: &Invite,
    digest: SecretDigest,
) -> Result<(), Error> {
    let sql = "insert into invite (id, email, role, token_hash, expires_at, metadata, created_at, updated_at)
               values (:id, :email, :role, :digest, :expires_at, :metadata, :now, :now)";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": invite.id,
        ":email": invite.email,
        ":role": invite.role,
        ":digest": digest,
        ":expires_at": invite.expires_at,
        ":metadata": invite.metadata,
        ":now": invite.created_at,
    })?;
    Ok(())
}

pub(in crate::users) fn set_token(
    tx: &Tx<'_>,
    id: &InviteId,
    digest: SecretDigest,
    expires_at: Timestamp,
) -> Result<(), Error> {
    let sql = "update invite set token_hash = :digest, expires_at = :expires_at, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": id, ":digest": digest, ":expires_at": expires_at, ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::users) fn set_accepted(tx: &Tx<'_>, id: &InviteId) -> Result<(), Error> {
    let sql = "update invite set accepted_at = :now, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

pub(in crate::users) fn delete(tx: &Tx<'_>, id: &InviteId) -> Result<(), Error> {
    let sql = "update invite set deleted_at = :now, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}
