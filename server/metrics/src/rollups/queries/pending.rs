//! Queries for pending deltas.

use rusqlite::named_params;

use crate::database::{Error, Tx};

/// Pending orders and customers, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PendingIds {
    pub orders: Vec<String>,
    /// Customers whose first order was added.
    pub customers: Vec<String>,
}

impl PendingIds {
    pub(crate) fn is_empty(&self) -> bool {
        let Self { orders, customers } = self;
        orders.is_empty() && customers.is_empty()
    }
}

pub(crate) fn pending_ids(tx: &Tx<'_>) -> Result<PendingIds, Error> {
    let mut statement =
        tx.prepare_cached("select kind, id from metric_rollup_pending order by kind, id")?;
    let mut rows = statement.query([])?;
    let mut list = PendingIds::default();
    while let Some(row) = rows.next()? {
        let kind = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        let ids = if kind == "order" { &mut list.orders } else { &mut list.customers };
        ids.push(row.get(1)?);
    }
    Ok(list)
}

pub(crate) fn pending_order_count(tx: &Tx<'_>) -> Result<i64, Error> {
    tx.sql("select count(*) from metric_rollup_pending where kind = 'order'")
        .one([], |row| row.get(0))
}

/// Returns the customers of some orders, with their key numbers.
pub(crate) fn buyers(tx: &Tx<'_>, orders: &str) -> Result<Vec<(String, i64)>, Error> {
    tx.sql(
        "select distinct c.id, c.number from orders o join customer c on c.id = o.customer_id
          where o.id in (select value from json_each(:orders))",
    )
    .all(named_params! { ":orders": orders }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Adds pending orders and customers, given as JSON lists.
pub(crate) fn add_pending(tx: &Tx<'_>, orders: &str, customers: &str) -> Result<(), Error> {
    // An order that was removed and added again may still be pending.
    tx.sql(
        "insert or ignore into metric_rollup_pending select 'order', value from json_each(:orders)
         union all select 'customer', value from json_each(:customers)",
    )
    .run(named_params! { ":orders": orders, ":customers": customers })
}

/// Removes customers, given as a JSON list.
pub(crate) fn forget_customers(tx: &Tx<'_>, customers: &str) -> Result<(), Error> {
    tx.sql("delete from metric_rollup_pending where kind = 'customer' and id in (select value from json_each(:customers))")
        .run(named_params! { ":customers": customers })
}

pub(crate) fn forget_pending(tx: &Tx<'_>) -> Result<(), Error> {
    tx.sql("delete from metric_rollup_pending").run([])
}
