//! What admins ask of payments, and what orders owe.

use rusqlite::named_params;

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{OrderId, PaymentCollectionId};
use crate::money::Currency;
use crate::payments::payment::Payment;
use crate::statuses::{CollectionStatus, OrderStatus};

use super::payments::{COLUMNS, read};

/// What payments can be asked for.
pub(in crate::payments) static ADMIN_PAYMENTS: Listing = Listing {
    plural: "payments",
    table: "payment p",
    id: "p.id",
    columns: &[
        Column::new("id", "p.id", Kind::Id),
        Column::filter("payment_session_id", "p.payment_session_id", Kind::Id),
        Column::filter("payment_collection_id", "p.payment_collection_id", Kind::Id),
        Column::filter("order_id", "p.order_id", Kind::Id),
        Column::filter("provider_id", "p.provider_id", Kind::Text),
        Column::filter("currency_code", "p.currency", Kind::Text),
        Column::filter("captured_at", "p.captured_at", Kind::Time),
        Column::filter("canceled_at", "p.canceled_at", Kind::Time),
        Column::new("created_at", "p.created_at", Kind::Time),
        Column::filter("updated_at", "p.updated_at", Kind::Time),
    ],
    search: &["p.id", "p.order_id"],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

/// A page of payments, and how many there are.
pub(in crate::payments) fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<Payment>, u64), Error> {
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// What an order costs, as far as a new collection must know it.
#[derive(Debug)]
pub(in crate::payments) struct BalanceDueRow {
    /// Where it stands; canceled also once it is put away.
    pub(in crate::payments) status: Option<OrderStatus>,
    /// What it is paid in.
    pub(in crate::payments) currency: Currency,
    /// What it costs.
    pub(in crate::payments) total_minor: i64,
    /// What its collections that were not called off collect.
    pub(in crate::payments) collected_minor: i64,
}

/// What an order costs, if there is one.
pub(in crate::payments) fn balance_due(
    tx: &Tx<'_>,
    order_id: &OrderId,
) -> Result<Option<BalanceDueRow>, Error> {
    let mut statement = tx.prepare_cached(
        "select case when canceled_at is null then status else 'canceled' end, currency, total_minor,
                (select coalesce(sum(amount_minor), 0) from payment_collection
                  where order_id = orders.id and status <> 'canceled')
           from orders where id = :id",
    )?;
    let mut rows = statement.query_map(named_params! { ":id": order_id }, |row| {
        Ok(BalanceDueRow {
            status: OrderStatus::parse(row.get_ref(0)?.as_str()?),
            currency: row.get(1)?,
            total_minor: row.get(2)?,
            collected_minor: row.get(3)?,
        })
    })?;
    Ok(rows.next().transpose()?)
}

/// Changes what a collection collects.
pub(in crate::payments) fn set_amount(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    amount_minor: i64,
    status: CollectionStatus,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update payment_collection
            set amount_minor = :amount, status = :status, updated_at = :now,
                completed_at = case when :status = 'completed' then :now else completed_at end
          where id = :id",
    )?
    .execute(named_params! {
        ":id": id, ":amount": amount_minor, ":status": status.as_str(), ":now": tx.now(),
    })?;
    Ok(())
}
