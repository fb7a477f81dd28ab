//! Statements on the reports of processors.

use rusqlite::named_params;

use crate::database::{self, Record as _, Tx};
use crate::ids::{PaymentId, PaymentSessionId};
use crate::payments::payment::Payment;

/// Returns the session whose payment has an id at its processor.
pub fn session_of(tx: &Tx<'_>, intent: &str) -> Result<Option<PaymentSessionId>, database::Error> {
    tx.sql(
        "select coalesce((select id from payment_session where data ->> 'id' = :intent order by id limit 1),
                         (select session_id from payment_report where intent_id = :intent order by session_id limit 1))",
    )
    .one(named_params! { ":intent": intent }, |row| row.get(0))
}

pub(crate) fn payment_of(
    tx: &Tx<'_>,
    session: &PaymentSessionId,
) -> Result<Option<Payment>, database::Error> {
    let rest = "where p.payment_session_id = :session";
    Payment::select_one(tx, rest, named_params! { ":session": session })
}

/// Takes the cancellation of a payment back, whose money has arrived nevertheless.
pub(crate) fn revive(tx: &Tx<'_>, payment: &PaymentId) -> Result<(), database::Error> {
    tx.sql("update payment set canceled_at = null, updated_at = :now where id = :payment")
        .run(named_params! { ":payment": payment, ":now": tx.now() })
}
