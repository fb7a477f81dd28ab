//! Queries for the addresses that log-ins came from.

use std::net::IpAddr;

use rusqlite::named_params;

use crate::auth::actor::ActorType;
use crate::auth::email::Email;
use crate::database::{self, Tx};
use crate::ids::IdentityId;

/// Limit: addresses of an identity; the oldest are forgotten.
const MAX_ADDRESSES: i64 = 20;

/// Records that an identity has logged in from an address.
pub(crate) fn note_address(
    tx: &Tx<'_>,
    id: &IdentityId,
    address: IpAddr,
) -> Result<(), database::Error> {
    let address = address.to_string();
    tx.put(
        "login_address",
        &["identity_id", "address"],
        &[],
        named_params! {
            ":identity_id": id, ":address": address, ":seen_at": tx.now(),
        },
    )?;
    let sql = "delete from login_address where identity_id = :id and address in
                 (select address from login_address where identity_id = :id
                   order by seen_at desc limit -1 offset :kept)";
    tx.sql(sql).run(named_params! { ":id": id, ":kept": MAX_ADDRESSES })
}

/// Returns whether the identity of an e-mail address has logged in from a network address.
pub(crate) fn is_known(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
    address: IpAddr,
) -> Result<bool, database::Error> {
    let sql = "select 1 from identity i join login_address a on a.identity_id = i.id
                where i.actor_type = :actor_type and i.email = :email and a.address = :address";
    let address = address.to_string();
    tx.sql(sql)
        .exists(named_params! { ":actor_type": actor_type, ":email": email, ":address": address })
}
