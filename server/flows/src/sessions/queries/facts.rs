//! Statements on what the record of a visitor is made of.

use rusqlite::named_params;
use serde_json::Value;

use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::{CustomerId, FlowSessionId, OrderId, RegionId, SalesChannelId};

/// A line of a cart or an order.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct LineRow {
    pub(crate) sku: Option<String>,
    pub(crate) product_id: Option<String>,
    pub(crate) quantity: i64,
}

pub(crate) fn order_lines(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<LineRow>, Error> {
    tx.sql(
        "select variant_sku as sku, product_id, quantity from order_line where order_id = :order order by position",
    )
    .all(named_params! { ":order": order }, LineRow::from_row)
}

/// Returns the codes of the promotions on an order.
pub(crate) fn order_codes(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<String>, Error> {
    tx.sql("select code from order_promotion where order_id = :order order by code")
        .all(named_params! { ":order": order }, |row| row.get(0))
}

pub(crate) fn category_handles(tx: &Tx<'_>, products: &str) -> Result<Vec<String>, Error> {
    tx.sql(
        "select distinct c.handle from product_category_product l
           join product_category c on c.id = l.product_category_id
          where l.product_id in (select value from json_each(:products)) and c.deleted_at is null
          order by c.handle",
    )
    .all(named_params! { ":products": products }, |row| row.get(0))
}

/// Returns the names of a region and a sales channel.
pub(crate) fn names(
    tx: &Tx<'_>,
    (region, channel): (Option<&RegionId>, Option<&SalesChannelId>),
) -> Result<(Option<String>, Option<String>), Error> {
    tx.sql(
        "select (select name from region where id = :region), (select name from sales_channel where id = :channel)",
    )
    .one(named_params! { ":region": region, ":channel": channel }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// What is known of a customer.
#[derive(Debug, Clone, Copy, FromRow)]
pub(crate) struct PersonRow {
    pub(crate) has_account: bool,
    pub(crate) is_subscriber: bool,
    /// Orders that are not canceled, and were placed before `order`.
    pub(crate) orders_before: i64,
}

pub(crate) fn person(
    tx: &Tx<'_>,
    customer: Option<&CustomerId>,
    order: Option<&OrderId>,
) -> Result<PersonRow, Error> {
    tx.sql(
        "select coalesce((select has_account from customer where id = :customer), 0) as has_account,
                exists (select 1 from subscription where customer_id = :customer and ended_at is null) as is_subscriber,
                (select count(*) from orders
                  where customer_id = :customer and status <> 'draft' and canceled_at is null
                    and (:order is null
                         or (placed_at, id) < (select placed_at, id from orders where id = :order))) as orders_before",
    )
    .one(named_params! { ":customer": customer, ":order": order }, PersonRow::from_row)
}

/// How far a session is.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct ProgressRow {
    pub(crate) accepted_count: i64,
    pub(crate) declined_count: i64,
    pub(crate) step: i64,
    pub(crate) last_action: Option<String>,
}

pub(crate) fn progress(tx: &Tx<'_>, session: &FlowSessionId) -> Result<ProgressRow, Error> {
    tx.sql(
        "select count(*) filter (where action = 'accepted' and state = 'settled') as accepted_count,
                count(*) filter (where action = 'declined') as declined_count,
                count(*) filter (where action <> 'shown' and state in ('settled', 'closed')) as step,
                (select action from flow_press
                  where session_id = :session and action <> 'shown' and state in ('settled', 'closed')
                  order by rowid desc limit 1) as last_action
           from flow_press
          where session_id = :session",
    )
    .one(named_params! { ":session": session }, ProgressRow::from_row)
}

/// Returns the answers of a session that hold no personal data.
pub(crate) fn answers(tx: &Tx<'_>, session: &FlowSessionId) -> Result<Vec<(String, Value)>, Error> {
    tx.sql(
        "select a.field_key, a.value from flow_press p join flow_answer a on a.press_id = p.id
          where p.session_id = :session and a.pii = 'none'",
    )
    .all(named_params! { ":session": session }, |row| {
        Ok((row.get(0)?, row.get::<_, Stored<Value>>(1)?.0))
    })
}
