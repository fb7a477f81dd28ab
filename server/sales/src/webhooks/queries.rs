//! The SQL of webhooks: deliveries, endpoints, and the orders that deliveries are about.

use rusqlite::named_params;

use super::delivery::{Attempt, Delivery};
use super::outbound::endpoint::WebhookEndpoint;
use super::vocabulary::{Direction, Receiver, Status};
use crate::clock::{DAY_MS, Timestamp};
use crate::database::{Error, Record as _, Tx, Word as _};
use crate::ids::{self, OrderId, UserId, WebhookDeliveryId};

/// Which of many are delivered again.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    pub(super) direction: Option<Direction>,
    pub(super) receiver: Option<Receiver>,
    pub(super) endpoint_id: Option<String>,
    pub(super) event: Option<String>,
    pub(super) statuses: Vec<Status>,
    pub(super) order_id: Option<OrderId>,
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
    pub(super) limit: u32,
}

/// Stores the body of a delivery.
pub(crate) fn put_body(tx: &Tx<'_>, id: &WebhookDeliveryId, body: &[u8]) -> Result<(), Error> {
    tx.sql("update webhook_delivery set body = :body where id = :id")
        .run(named_params! { ":id": id, ":body": body })
}

/// Returns the body of a delivery, until it is deleted.
pub(crate) fn body(tx: &Tx<'_>, id: &WebhookDeliveryId) -> Result<Option<Vec<u8>>, Error> {
    let body = tx
        .sql("select body from webhook_delivery where id = :id")
        .first(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(body.flatten())
}

/// Returns whether the body of a delivery is stored.
pub(crate) fn has_body(tx: &Tx<'_>, id: &WebhookDeliveryId) -> Result<bool, Error> {
    tx.sql("select 1 from webhook_delivery where id = :id and body is not null")
        .exists(named_params! { ":id": id })
}

/// Returns a receiver's delivery with the sender's id, among the verified or the unverified ones.
pub(crate) fn received(
    tx: &Tx<'_>,
    receiver: Receiver,
    is_verified: bool,
    external_id: &str,
) -> Result<Option<Delivery>, Error> {
    let rest = "where d.receiver = :receiver and d.is_verified = :is_verified and d.external_id = :external_id
                  and d.direction = 'inbound'";
    Delivery::select_one(
        tx,
        rest,
        named_params! { ":receiver": receiver, ":is_verified": is_verified, ":external_id": external_id },
    )
}

pub(crate) fn add_attempt(tx: &Tx<'_>, attempt: &Attempt) -> Result<(), Error> {
    tx.sql(
        "insert into webhook_attempt (delivery_id, number, at, duration_ms, status, error, answer)
         values (:delivery_id, :number, :at, :duration_ms, :status, :error, :answer)
         on conflict (delivery_id, number) do nothing",
    )
    .run(named_params! {
        ":delivery_id": attempt.delivery_id,
        ":number": attempt.number,
        ":at": attempt.at,
        ":duration_ms": attempt.duration_ms,
        ":status": attempt.status,
        ":error": attempt.error,
        ":answer": attempt.answer,
    })
}

/// Returns the attempts of a delivery, the first one first.
pub(crate) fn attempts(tx: &Tx<'_>, id: &WebhookDeliveryId) -> Result<Vec<Attempt>, Error> {
    let rest = "where a.delivery_id = :id order by a.number";
    Attempt::select(tx, rest, named_params! { ":id": id })
}

/// Limit: deliveries of each kind that one write changes, so that other writes do not wait: anybody can send forged ones.
const CHUNK_LEN: u32 = 1_000;

/// Deletes some data whose retention has ended: forged deliveries after a day, bodies after 30 days (those of dead letters
/// after 90), and everything after 400, so that a late repetition is still recognised. Returns the number of changed
/// deliveries.
pub fn prune(tx: &Tx<'_>) -> Result<usize, Error> {
    let before = |days: i64| tx.now().minus_ms(days.saturating_mul(DAY_MS));
    let invalid = tx
        .sql(
            "delete from webhook_delivery where id in
               (select id from webhook_delivery where signature = 'invalid' and received_at < :before limit :limit)",
        )
        .execute(named_params! { ":before": before(1), ":limit": CHUNK_LEN })?;
    let bodies = tx
        .sql(
            "update webhook_delivery set body = null where id in
               (select id from webhook_delivery
                 where body is not null and received_at < :before and (status <> 'dead' or received_at < :dead)
                 limit :limit)",
        )
        .execute(named_params! { ":before": before(30), ":dead": before(90), ":limit": CHUNK_LEN })?;
    let rows = tx
        .sql(
            "delete from webhook_delivery where id in
               (select id from webhook_delivery where received_at < :before limit :limit)",
        )
        .execute(named_params! { ":before": before(400), ":limit": CHUNK_LEN })?;
    Ok(invalid.saturating_add(bodies).saturating_add(rows))
}

/// Returns the deliveries of a selection that have a body, oldest first.
pub(crate) fn selected(
    tx: &Tx<'_>,
    selection: &Selection,
) -> Result<Vec<WebhookDeliveryId>, Error> {
    let statuses = ids::list(selection.statuses.iter().map(|status| status.as_str()));
    tx.sql(
        "select id from webhook_delivery
          where received_at >= :from and received_at <= :to and body is not null
            and (direction = 'outbound' or is_verified = 1)
            and status in (select value from json_each(:statuses))
            and (:direction is null or direction = :direction) and (:receiver is null or receiver = :receiver)
            and (:endpoint_id is null or endpoint_id = :endpoint_id) and (:event is null or event = :event)
            and (:order_id is null or order_id = :order_id)
          order by received_at, id limit :limit",
    )
    .all(
        named_params! {
            ":from": selection.from, ":to": selection.to, ":statuses": statuses,
            ":direction": selection.direction, ":receiver": selection.receiver,
            ":endpoint_id": selection.endpoint_id, ":event": selection.event,
            ":order_id": selection.order_id, ":limit": selection.limit,
        },
        |row| row.get(0),
    )
}

/// Returns the endpoints that are switched on.
pub(crate) fn active_endpoints(tx: &Tx<'_>) -> Result<Vec<WebhookEndpoint>, Error> {
    WebhookEndpoint::select(tx, "where e.is_active = 1 order by e.id", [])
}

/// Returns the administrators who may switch an endpoint on.
pub(crate) fn administrators(tx: &Tx<'_>) -> Result<Vec<UserId>, Error> {
    tx.sql("select id from user where role = 'admin' and deleted_at is null order by id")
        .all([], |row| row.get(0))
}

/// Returns the e-mail address of somebody who is still an administrator.
pub(crate) fn email_of(tx: &Tx<'_>, user: &UserId) -> Result<Option<String>, Error> {
    tx.sql("select email from user where id = :id and role = 'admin' and deleted_at is null")
        .first(named_params! { ":id": user }, |row| row.get(0))
}

/// Returns the placed order with an id or a number.
pub(crate) fn order_by_reference(tx: &Tx<'_>, reference: &str) -> Result<Option<OrderId>, Error> {
    let number: Option<i64> = reference.trim_start_matches('#').parse().ok();
    tx.sql(
        "select id from orders where id = :reference and status <> 'draft'
         union all
         select id from orders where display_id = :number and status <> 'draft'
          limit 1",
    )
    .first(named_params! { ":reference": reference, ":number": number }, |row| row.get(0))
}

/// Returns the order of the newest parcel with a tracking number.
pub(crate) fn order_by_tracking_number(
    tx: &Tx<'_>,
    number: &str,
) -> Result<Option<OrderId>, Error> {
    tx.sql(
        "select order_id from (
            select order_id, created_at from parcel where tracking_number = :number
            union all
            select f.order_id, f.created_at from fulfillment_label l
              join fulfillment f on f.id = l.fulfillment_id where l.tracking_number = :number)
          order by created_at desc limit 1",
    )
    .first(named_params! { ":number": number }, |row| row.get(0))
}
