//! The SQL of e-mails that were sent.

use rusqlite::named_params;

use super::sent::{MailState, SentMail};
use crate::database::{Error, Tx};

/// Records that an e-mail was sent; a resent one stays unchanged.
pub fn note(tx: &Tx<'_>, id: &str, order_id: Option<&str>) -> Result<(), Error> {
    let state = MailState::Sent;
    tx.sql(
        "insert into sent_mail (id, order_id, state, state_at, sent_at) values (:id, :order_id, :state, :now, :now)
         on conflict (id) do nothing",
    )
    .run(named_params! { ":id": id, ":order_id": order_id, ":state": state, ":now": tx.now() })
}

pub(super) fn find(tx: &Tx<'_>, id: &str) -> Result<Option<(SentMail, MailState)>, Error> {
    tx.sql("select id, order_id, state from sent_mail where id = :id")
        .first(named_params! { ":id": id }, |row| {
            Ok((SentMail { id: row.get(0)?, order_id: row.get(1)? }, row.get(2)?))
        })
}

pub(super) fn set_state(tx: &Tx<'_>, id: &str, state: MailState) -> Result<(), Error> {
    tx.sql("update sent_mail set state = :state, state_at = :now where id = :id")
        .run(named_params! { ":id": id, ":state": state, ":now": tx.now() })
}
