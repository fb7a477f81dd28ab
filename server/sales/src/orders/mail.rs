//! Letters about orders: the confirmation, and a shipment.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::queries::{letters, load, lookup};
use crate::database::{self, Db, Tx};
use crate::events::Subscriber;
use crate::ids::{FulfillmentId, OrderId};
use crate::jobs::{self, Job, JobError};
use crate::mail::templates::{ORDER_PLACED, ORDER_SHIPPED};
use crate::mail::{Letter, Mailer};

/// The job kind of letters about orders.
pub const SEND: &str = "orders.send_letter";

/// Schedules a letter for each event that customers are told of. Needed only where there is a mail server.
pub const SUBSCRIBER: Subscriber = Subscriber {
    name: "orders.letters",
    events: &["order.placed", "shipment.created"],
    handle: |tx, event| jobs::schedule(tx, SEND, event.id.as_str(), tx.now(), &event.payload),
};

/// What a letter is about.
#[derive(Debug, Serialize, Deserialize)]
struct Subject {
    #[serde(alias = "id")]
    order_id: OrderId,
    fulfillment_id: Option<FulfillmentId>,
    #[serde(default)]
    no_notification: bool,
}

/// Writes and sends a letter.
///
/// # Errors
/// If the mail server does not take it; the job is tried again.
pub async fn send(db: Db, mailer: Option<Mailer>, job: Job) -> Result<(), JobError> {
    let (Some(mailer), Ok(subject)) = (mailer, serde_json::from_str::<Subject>(&job.payload))
    else {
        return Ok(());
    };
    let (shop, id) = (mailer.shop().to_owned(), job.key.clone());
    let letter = db.read(move |tx| letter(tx, &subject, (&shop, id))).await?;
    let sent = match letter {
        Some(Ok(letter)) => mailer.send(letter).await,
        Some(Err(reason)) => Err(reason),
        None => Ok(()),
    };
    job.delivered(sent)
}

/// Returns the letter; none for an order without an e-mail address, or without letters.
fn letter(
    tx: &Tx<'_>,
    subject: &Subject,
    (shop, id): (&str, String),
) -> Result<Option<Result<Letter, String>>, database::Error> {
    let Some(order) = lookup::order(tx, &subject.order_id)? else { return Ok(None) };
    let Some(email) = order.email.clone() else { return Ok(None) };
    if subject.no_notification || letters::is_muted(tx, &order.id)? {
        return Ok(None);
    }
    let written = |minor| order.currency.written(minor);
    let letter = match &subject.fulfillment_id {
        None => {
            let lines = load::lines(tx, &load::list([&order.id]))?;
            let lines: Vec<Value> = lines
                .into_iter()
                .map(|(_, line)| {
                    let total = written(line.amounts.total);
                    json!({ "title": line.item.title, "quantity": line.quantity.to_string(), "total": total })
                })
                .collect();
            let (shipping, total) =
                (written(order.totals.shipping.total), written(order.totals.total));
            let values = json!({
                "shop": shop, "number": order.display_id.to_string(), "lines": lines, "shipping": shipping, "total": total,
            });
            ORDER_PLACED.letter((email, id), &values)
        }
        Some(fulfillment_id) => {
            let lines: Vec<Value> = letters::parcel(tx, fulfillment_id)?
                .into_iter()
                .map(
                    |(title, quantity)| json!({ "title": title, "quantity": quantity.to_string() }),
                )
                .collect();
            let tracking = letters::tracking_numbers(tx, fulfillment_id)?;
            let values = json!({
                "shop": shop, "number": order.display_id.to_string(), "lines": lines, "tracking": tracking,
            });
            ORDER_SHIPPED.letter((email, id), &values)
        }
    };
    Ok(Some(letter))
}
