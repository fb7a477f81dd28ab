//! The SQL of subscriptions.

use std::collections::BTreeSet;

use rusqlite::named_params;

use super::cycle::{Attempt, Cycle};
use super::status::SubscriptionStatus;
use super::subscription::{Item, Subscription};
use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{
    self, CustomerId, OrderId, PaymentMethodId, SubscriptionAttemptId, SubscriptionCycleId,
    SubscriptionId,
};
use crate::plans::Plan;

/// Returns the items of subscriptions in their order.
pub(super) fn items(
    tx: &Tx<'_>,
    subscriptions: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<Item>, Error> {
    let rest = "where i.subscription_id in (select value from json_each(:ids))
                order by i.subscription_id, i.position";
    Item::select(tx, rest, named_params! { ":ids": ids::list(subscriptions) })
}

/// Returns the subscriptions that the server has something to do about, the longest due first.
pub(super) fn due(tx: &Tx<'_>, limit: u32) -> Result<Vec<SubscriptionId>, Error> {
    tx.sql("select id from subscription where acts_at <= :now order by acts_at limit :limit")
        .all(named_params! { ":now": tx.now(), ":limit": limit }, |row| row.get(0))
}

/// Schedules an immediate retry of every unanswered charge.
pub(super) fn ask_again_now(tx: &Tx<'_>) -> Result<(), Error> {
    tx.sql(
        "update subscription set acts_at = :now
          where acts_at > :now
            and id in (select subscription_id from subscription_cycle
                        where id in (select cycle_id from subscription_attempt where status = 'pending'))",
    )
    .run(named_params! { ":now": tx.now() })
}

/// Postpones the next work on a subscription.
pub(super) fn put_off(tx: &Tx<'_>, id: &SubscriptionId, until: Timestamp) -> Result<(), Error> {
    tx.sql("update subscription set acts_at = :until where id = :id and acts_at is not null")
        .run(named_params! { ":id": id, ":until": until })
}

/// Returns the cycle that is claimed or unpaid.
pub(super) fn open_cycle(tx: &Tx<'_>, id: &SubscriptionId) -> Result<Option<Cycle>, Error> {
    let rest = "where c.subscription_id = :id and c.status in ('billing', 'unpaid')";
    Cycle::select_one(tx, rest, named_params! { ":id": id })
}

pub(super) fn cycle(tx: &Tx<'_>, id: &SubscriptionId, number: i64) -> Result<Option<Cycle>, Error> {
    let rest = "where c.subscription_id = :id and c.number = :number";
    Cycle::select_one(tx, rest, named_params! { ":id": id, ":number": number })
}

/// Returns the last cycles of each of some subscriptions, newest first.
pub(super) fn last_cycles(
    tx: &Tx<'_>,
    ids: impl IntoIterator<Item: AsRef<str>>,
    limit: i64,
) -> Result<Vec<Cycle>, Error> {
    let rest = "where c.id in (
                  select l.id from json_each(:ids) s join subscription_cycle l on l.id in (
                    select id from subscription_cycle where subscription_id = s.value order by number desc limit :limit))
                order by c.number desc";
    Cycle::select(tx, rest, named_params! { ":ids": ids::list(ids), ":limit": limit })
}

/// Returns the numbers of the cycles after `number` that are skipped ahead.
pub(super) fn skipped_after(
    tx: &Tx<'_>,
    id: &SubscriptionId,
    number: i64,
) -> Result<BTreeSet<i64>, Error> {
    tx.sql("select number from subscription_cycle where subscription_id = :id and number > :number")
        .all(named_params! { ":id": id, ":number": number }, |row| row.get(0))
}

/// Reverts the skips of cycles after `number`, or of one cycle.
pub(super) fn unskip(
    tx: &Tx<'_>,
    id: &SubscriptionId,
    after: i64,
    only: Option<i64>,
) -> Result<(), Error> {
    tx.sql(
        "delete from subscription_cycle
          where subscription_id = :id and number > :after and status = 'skipped'
            and (:only is null or number = :only)",
    )
    .run(named_params! { ":id": id, ":after": after, ":only": only })
}

/// Returns the attempt that the provider has not answered.
pub(super) fn pending_attempt(tx: &Tx<'_>, id: &SubscriptionId) -> Result<Option<Attempt>, Error> {
    let rest = "where a.status = 'pending'
                  and a.cycle_id in (select id from subscription_cycle where subscription_id = :id)";
    Attempt::select_one(tx, rest, named_params! { ":id": id })
}

/// Returns the last attempt of a cycle with a method.
pub(super) fn last_attempt_with(
    tx: &Tx<'_>,
    cycle: &SubscriptionCycleId,
    method: &PaymentMethodId,
) -> Result<Option<Attempt>, Error> {
    let rest = "where a.cycle_id = :cycle and a.payment_method_id = :method order by a.number desc limit 1";
    Attempt::select_one(tx, rest, named_params! { ":cycle": cycle, ":method": method })
}

/// Returns the last attempt of a cycle that was refused for a given reason and was the latest one with its
/// method.
pub(super) fn last_refused_for(
    tx: &Tx<'_>,
    cycle: &SubscriptionCycleId,
    reason: &str,
) -> Result<Option<Attempt>, Error> {
    let rest = "where a.cycle_id = :cycle and a.reason = :reason
                  and not exists (select 1 from subscription_attempt later
                                   where later.cycle_id = a.cycle_id and later.number > a.number
                                     and later.payment_method_id = a.payment_method_id)
                order by a.number desc limit 1";
    Attempt::select_one(tx, rest, named_params! { ":cycle": cycle, ":reason": reason })
}

/// Returns the cycle of an attempt.
pub(super) fn cycle_of(
    tx: &Tx<'_>,
    attempt: &SubscriptionAttemptId,
) -> Result<Option<Cycle>, Error> {
    let rest = "where c.id = (select cycle_id from subscription_attempt where id = :attempt)";
    Cycle::select_one(tx, rest, named_params! { ":attempt": attempt })
}

/// Counts a customer's attempts at a cycle since an instant.
pub(super) fn attempts_by_customer(
    tx: &Tx<'_>,
    cycle: &SubscriptionCycleId,
    since: Timestamp,
) -> Result<i64, Error> {
    tx.sql(
        "select count(*) from subscription_attempt
          where cycle_id = :cycle and cause = 'customer' and requested_at > :since",
    )
    .one(named_params! { ":cycle": cycle, ":since": since }, |row| row.get(0))
}

/// Returns whether the customer of a subscription had other revenue-generating ones, which have all ended.
pub(super) fn is_return(tx: &Tx<'_>, subscription: &Subscription) -> Result<bool, Error> {
    tx.sql(
        "select 1 from subscription where customer_id = :customer and id <> :id and started_at is not null
          group by customer_id having min(ended_at is not null)",
    )
    .exists(named_params! { ":customer": subscription.customer_id, ":id": subscription.id })
}

/// Returns the active subscriptions that pay with a method, or those of them with a status.
pub(super) fn paid_with(
    tx: &Tx<'_>,
    method: &PaymentMethodId,
    status: Option<SubscriptionStatus>,
) -> Result<Vec<SubscriptionId>, Error> {
    tx.sql(
        "select id from subscription
          where payment_method_id = :method and ended_at is null and (:status is null or status = :status)
          order by id",
    )
    .all(named_params! { ":method": method, ":status": status }, |row| row.get(0))
}

/// Returns those subscriptions of a method's owner that are past due, or whose own method has ended.
pub(super) fn unpayable_of_owner(
    tx: &Tx<'_>,
    method: &PaymentMethodId,
) -> Result<Vec<SubscriptionId>, Error> {
    tx.sql(
        "select s.id from payment_method m
           join account_holder h on h.id = m.account_holder_id
           join subscription s on s.customer_id = h.customer_id and s.ended_at is null
           left join payment_method own on own.id = s.payment_method_id
          where m.id = :method and m.deleted_at is null
            and (s.status = 'past_due' or own.deleted_at is not null)
          order by s.id",
    )
    .all(named_params! { ":method": method }, |row| row.get(0))
}

pub(super) fn of_order(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<Subscription>, Error> {
    Subscription::select(
        tx,
        "where s.order_id = :order order by s.id",
        named_params! { ":order": order },
    )
}

pub(super) fn order_metadata(tx: &Tx<'_>, order: &OrderId) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> = tx
        .sql("select metadata from orders where id = :order")
        .first(named_params! { ":order": order }, |row| row.get(0))?;
    Ok(found.flatten())
}

/// Returns the discounts of an order's subscribed lines, and their refunds: beyond what the other lines and shipping cost, or
/// everything if the order is canceled. Orders of renewals have no cart and no other lines.
pub(super) fn discounts_and_refunds(tx: &Tx<'_>, order: &OrderId) -> Result<(i64, i64), Error> {
    tx.sql(
        "with subscribed as (select c.variant_id from orders o join cart_line c on c.cart_id = o.cart_id
                              where o.id = :order and c.plan_id is not null),
              line as (select original_total_minor - total_minor as discount, total_minor as total,
                              iif(not exists (select 1 from subscribed) or variant_id in subscribed, 1, 0) as is_own
                         from order_line where order_id = :order)
         select (select coalesce(sum(discount), 0) from line where is_own),
                iif(o.canceled_at is null,
                    max(o.refunded_minor - o.shipping_total_minor
                        - (select coalesce(sum(total), 0) from line where not is_own), 0),
                    o.original_total_minor)
           from orders o where o.id = :order",
    )
    .one(named_params! { ":order": order }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns what was refunded of the swaps that were paid within a cycle's period, less the part that earlier swaps within it
/// have already deducted from their credit.
pub(super) fn refunded_swaps(tx: &Tx<'_>, cycle: &Cycle) -> Result<i64, Error> {
    tx.sql(
        "select (select coalesce(sum(iif(o.canceled_at is null, o.refunded_minor, o.total_minor)), 0)
                   from subscription_attempt a join orders o on o.id = a.order_id
                  where a.cycle_id = :cycle and a.status = 'paid' and a.item_id is not null)
                - (select coalesce(sum(amount_minor), 0) from subscription_adjustment
                    where subscription_id = :subscription and cycle_id = :cycle and kind = 'paid_out')",
    )
    .one(named_params! { ":cycle": cycle.id, ":subscription": cycle.subscription_id }, |row| row.get(0))
}

/// Returns a method of one of the customer's account holders by the provider's id.
pub(super) fn method_by_reference(
    tx: &Tx<'_>,
    customer: &CustomerId,
    reference: &str,
) -> Result<Option<PaymentMethodId>, Error> {
    tx.sql(
        "select m.id from account_holder h
           join payment_method m on m.account_holder_id = h.id and m.reference = :reference and m.deleted_at is null
          where h.customer_id = :customer",
    )
    .first(named_params! { ":customer": customer, ":reference": reference }, |row| row.get(0))
}

/// Returns subscriptions that are billed before an instant, without their items: those after an id, sorted by id.
pub(super) fn billed_before(
    tx: &Tx<'_>,
    until: Timestamp,
    after: &str,
    limit: u32,
) -> Result<Vec<Subscription>, Error> {
    let rest = "where s.id > :after and s.next_billing_at < :until order by s.id limit :limit";
    let bound = named_params! { ":after": after, ":until": until, ":limit": limit };
    Subscription::select(tx, rest, bound)
}

/// Returns the numbers of the cycles ahead that are skipped, each with its subscription.
pub(super) fn skipped_of(
    tx: &Tx<'_>,
    subscriptions: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<(SubscriptionId, i64)>, Error> {
    tx.sql(
        "select s.id, c.number from json_each(:ids) chosen
           join subscription s on s.id = chosen.value
           join subscription_cycle c on c.subscription_id = s.id and c.number > s.cycle",
    )
    .all(named_params! { ":ids": ids::list(subscriptions) }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns plans by their ids, including those no longer offered.
pub(super) fn plans(
    tx: &Tx<'_>,
    ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<Plan>, Error> {
    let rest = "where p.id in (select value from json_each(:ids))";
    Plan::select(tx, rest, named_params! { ":ids": ids::list(ids) })
}
