//! Payment sessions.

use rusqlite::{Row, named_params};

use super::{stored, word};
use crate::database::{self, Stored, Tx};
use crate::ids::{PaymentCollectionId, PaymentSessionId};
use crate::payments::payment::Session;
use crate::payments::provider::Data;
use crate::statuses::SessionStatus;

const COLUMNS: &str =
    "id, payment_collection_id, provider_id, currency, amount_minor, status, data, authorized_at, created_at,
     updated_at";

/// Writes a session as it is.
pub(in crate::payments) fn insert(tx: &Tx<'_>, session: &Session) -> Result<(), database::Error> {
    tx.prepare_cached(
        "insert into payment_session
           (id, payment_collection_id, provider_id, currency, amount_minor, status, data, authorized_at, created_at,
            updated_at)
         values (:id, :collection, :provider, :currency, :amount, :status, :data, :authorized, :created, :updated)",
    )?
    .execute(named_params! {
        ":id": session.id,
        ":collection": session.collection_id,
        ":provider": session.provider_id,
        ":currency": session.currency,
        ":amount": session.amount_minor,
        ":status": session.status.as_str(),
        ":data": Stored(&session.data),
        ":authorized": session.authorized_at,
        ":created": session.created_at,
        ":updated": session.updated_at,
    })?;
    Ok(())
}

/// A session.
pub(in crate::payments) fn find(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
) -> Result<Option<Session>, database::Error> {
    let sql = format!("select {COLUMNS} from payment_session where id = :id");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

/// The sessions of a list of collections, the oldest first.
pub(in crate::payments) fn of_collections(
    tx: &Tx<'_>,
    collections: &str,
) -> Result<Vec<Session>, database::Error> {
    let sql = format!(
        "select {COLUMNS} from payment_session
          where payment_collection_id in (select value from json_each(:collections)) order by created_at, id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(named_params! { ":collections": collections }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Takes away the sessions of a collection.
pub(in crate::payments) fn clear(
    tx: &Tx<'_>,
    collection: &PaymentCollectionId,
) -> Result<(), database::Error> {
    tx.prepare_cached("delete from payment_session where payment_collection_id = :collection")?
        .execute(named_params! { ":collection": collection })?;
    Ok(())
}

/// Writes how far a session has come, with what the provider keeps if it said so.
pub(in crate::payments) fn progress(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
    status: SessionStatus,
    data: Option<&Data>,
) -> Result<(), database::Error> {
    tx.prepare_cached(
        "update payment_session
            set status = :status, data = coalesce(:data, data), updated_at = :now,
                authorized_at = case when :status in ('authorized', 'captured') then coalesce(authorized_at, :now)
                                     else authorized_at end
          where id = :id",
    )?
    .execute(named_params! {
        ":id": id, ":status": status.as_str(), ":data": data.map(Stored), ":now": tx.now(),
    })?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        id: row.get("id")?,
        collection_id: row.get("payment_collection_id")?,
        provider_id: row.get("provider_id")?,
        currency: row.get("currency")?,
        amount_minor: row.get("amount_minor")?,
        status: word(row, "status", SessionStatus::parse)?,
        data: stored(row, "data")?.unwrap_or_default(),
        authorized_at: row.get("authorized_at")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
