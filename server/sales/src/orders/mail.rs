//! E-mails about orders: the confirmation, and a shipment.

use serde::{Deserialize, Serialize};

use super::queries::{load, lookup};
use crate::database::{self, Db, Tx};
use crate::events::Subscriber;
use crate::ids::{self, FulfillmentId, OrderId};
use crate::jobs::{self, Job, JobError};
use crate::mail::templates::{Mail as _, MailLine, OrderPlaced, OrderShipped};
use crate::mail::{MailMessage, Mailer, sent};

/// The job kind of e-mails about orders.
pub const SEND: &str = "orders.send_mail";

/// Schedules an e-mail for each event that customers are notified of. Needed only with a mail server.
pub const SUBSCRIBER: Subscriber = Subscriber {
    name: "orders.mail",
    events: &["order.placed", "shipment.created"],
    handle: |tx, event| jobs::schedule(tx, SEND, event.id.as_str(), tx.now(), &event.payload),
};

/// The subject of an e-mail: an order, or one of its shipments.
#[derive(Debug, Serialize, Deserialize)]
struct Subject {
    #[serde(alias = "id")]
    order_id: OrderId,
    fulfillment_id: Option<FulfillmentId>,
    #[serde(default)]
    no_notification: bool,
}

/// Writes and sends an e-mail.
///
/// # Errors
/// If the mail server does not accept it; the job is retried.
pub async fn send(db: Db, mailer: Option<Mailer>, job: Job) -> Result<(), JobError> {
    let (Some(mailer), Ok(subject)) = (mailer, serde_json::from_str::<Subject>(&job.payload))
    else {
        return Ok(());
    };
    let (shop, id) = (mailer.shop().to_owned(), job.key.clone());
    let order_id = subject.order_id.clone();
    let message = db.read(move |tx| message(tx, &subject, &shop, id)).await?;
    let outcome = match message {
        Some(Ok(message)) => mailer.send(message).await,
        Some(Err(reason)) => Err(reason),
        None => return Ok(()),
    };
    if outcome.is_ok() {
        let id = job.key.clone();
        db.write(move |tx| sent::note(tx, &id, Some(order_id.as_str()))).await?;
    }
    job.delivered(outcome)
}

/// Returns the e-mail; none for an order without an address or with e-mails disabled.
fn message(
    tx: &Tx<'_>,
    subject: &Subject,
    shop: &str,
    id: String,
) -> Result<Option<Result<MailMessage, String>>, database::Error> {
    let Some(order) = lookup::order(tx, &subject.order_id)? else { return Ok(None) };
    let Some(email) = order.email.clone() else { return Ok(None) };
    if subject.no_notification || lookup::is_muted(tx, &order.id)? {
        return Ok(None);
    }
    let written = |minor| order.currency.written(minor);
    let (number, to) = (order.display_id, (email, id));
    let message = match &subject.fulfillment_id {
        None => {
            let lines = load::lines(tx, &ids::list([&order.id]))?.into_iter();
            let lines: Vec<_> = lines
                .map(|(_, line)| MailLine {
                    title: line.item.title,
                    quantity: line.quantity.to_string(),
                    total: written(line.amounts.total),
                })
                .collect();
            let (shipping, total) =
                (&written(order.totals.shipping.total), &written(order.totals.total));
            OrderPlaced { shop, number, lines: &lines, shipping, total }.message(to)
        }
        Some(fulfillment_id) => {
            let lines = lookup::parcel(tx, fulfillment_id)?.into_iter();
            let lines: Vec<_> = lines
                .map(|(title, quantity)| MailLine {
                    title,
                    quantity: quantity.to_string(),
                    total: String::new(),
                })
                .collect();
            let tracking = &lookup::tracking_numbers(tx, fulfillment_id)?;
            OrderShipped { shop, number, lines: &lines, tracking }.message(to)
        }
    };
    Ok(Some(message))
}
