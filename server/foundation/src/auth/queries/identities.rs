//! Queries for identities.

use rusqlite::{Row, named_params};

use crate::auth::actor::ActorType;
use crate::auth::email::Email;
use crate::auth::identities::Identity;
use crate::auth::password::PasswordHash;
use crate::database::{self, Tx};
use crate::ids::IdentityId;

pub(crate) fn identity(tx: &Tx<'_>, id: &IdentityId) -> Result<Option<Identity>, database::Error> {
    let sql = "select id, actor_type, email, password_hash, actor_id from identity where id = :id";
    tx.sql(sql).first(named_params! { ":id": id }, read)
}

pub(crate) fn identity_by_email(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
) -> Result<Option<Identity>, database::Error> {
    let sql = "select id, actor_type, email, password_hash, actor_id from identity
                where actor_type = :actor_type and email = :email";
    let parameters = named_params! { ":actor_type": actor_type, ":email": email };
    tx.sql(sql).first(parameters, read)
}

/// Returns the identity of an actor.
pub(crate) fn identity_of(
    tx: &Tx<'_>,
    actor_type: ActorType,
    actor_id: &str,
) -> Result<Option<Identity>, database::Error> {
    let sql = "select id, actor_type, email, password_hash, actor_id from identity
                where actor_id = :actor_id and actor_type = :actor_type";
    tx.sql(sql).first(named_params! { ":actor_type": actor_type, ":actor_id": actor_id }, read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Identity> {
    Ok(Identity {
        id: row.get(0)?,
        actor_type: row.get(1)?,
        email: row.get(2)?,
        password_hash: PasswordHash(row.get(3)?),
        actor_id: row.get(4)?,
    })
}

pub(crate) fn insert_identity(tx: &Tx<'_>, identity: &Identity) -> Result<(), database::Error> {
    tx.insert(
        "identity",
        named_params! {
            ":id": identity.id, ":actor_type": identity.actor_type, ":email": identity.email,
            ":password_hash": identity.password_hash.0, ":actor_id": identity.actor_id,
            ":created_at": tx.now(), ":updated_at": tx.now(),
        },
    )
}

/// Links the identity to an actor; returns whether it had none before.
pub(crate) fn set_actor(
    tx: &Tx<'_>,
    id: &IdentityId,
    actor_id: &str,
) -> Result<bool, database::Error> {
    let sql = "update identity set actor_id = :actor_id, updated_at = :now where id = :id and actor_id is null";
    let changed = tx
        .sql(sql)
        .execute(named_params! { ":id": id, ":actor_id": actor_id, ":now": tx.now() })?;
    Ok(changed == 1)
}

pub(crate) fn set_password(
    tx: &Tx<'_>,
    id: &IdentityId,
    hash: &PasswordHash,
) -> Result<(), database::Error> {
    let sql = "update identity set password_hash = :hash, updated_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":hash": hash.0, ":now": tx.now() })
}

/// Deletes the identity of an address that has no actor.
pub(crate) fn delete_unclaimed(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
) -> Result<(), database::Error> {
    let sql = "delete from identity
                where actor_type = :actor_type and email = :email and actor_id is null";
    tx.sql(sql).run(named_params! { ":actor_type": actor_type, ":email": email })
}

/// Deletes the identities of an actor; their tokens are deleted by cascade.
pub(crate) fn delete_identities(
    tx: &Tx<'_>,
    actor_type: ActorType,
    actor_id: &str,
) -> Result<(), database::Error> {
    let sql = "delete from identity where actor_id = :actor_id and actor_type = :actor_type";
    tx.sql(sql).run(named_params! { ":actor_type": actor_type, ":actor_id": actor_id })
}
