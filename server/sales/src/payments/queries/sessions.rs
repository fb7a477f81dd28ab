//! Statements on payment sessions.

use rusqlite::named_params;

use crate::database::{self, Record as _, Stored, Tx};
use crate::ids::{PaymentCollectionId, PaymentSessionId};
use crate::payments::payment::Session;
use crate::payments::provider::Data;
use crate::statuses::SessionStatus;

/// Returns the sessions of a list of collections, oldest first, without parked ones.
pub(crate) fn of_collections(
    tx: &Tx<'_>,
    collections: &str,
) -> Result<Vec<Session>, database::Error> {
    let rest = "where s.payment_collection_id in (select value from json_each(:collections)) and s.parked_at is null
                order by s.created_at, s.id";
    Session::select(tx, rest, named_params! { ":collections": collections })
}

/// Returns all sessions of a collection, oldest first, parked ones too.
pub fn sessions_of(
    tx: &Tx<'_>,
    collection: &PaymentCollectionId,
) -> Result<Vec<Session>, database::Error> {
    let rest = "where s.payment_collection_id = :collection order by s.created_at, s.id";
    Session::select(tx, rest, named_params! { ":collection": collection })
}

/// Updates the status of a session, and the provider's data if given.
pub(crate) fn progress(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
    status: SessionStatus,
    data: Option<&Data>,
) -> Result<(), database::Error> {
    tx.sql(
        "update payment_session
            set status = :status, data = coalesce(:data, data), updated_at = :now,
                authorized_at = case when :status in ('authorized', 'captured') then coalesce(authorized_at, :now)
                                     else authorized_at end
          where id = :id",
    )
    .run(named_params! {
        ":id": id, ":status": status, ":data": data.map(Stored), ":now": tx.now(),
    })
}
