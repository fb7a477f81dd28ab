//! Orders that were added and wait to be put into cells.

use rusqlite::named_params;

use crate::database::{Error, Tx};

/// Their ids, in order.
pub(in crate::metrics) fn waiting(tx: &Tx<'_>) -> Result<Vec<String>, Error> {
    let mut statement =
        tx.prepare_cached("select order_id from metric_waiting_order order by order_id")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Who placed some orders, each with the number that states have.
pub(in crate::metrics) fn buyers(tx: &Tx<'_>, orders: &str) -> Result<Vec<(String, i64)>, Error> {
    let mut statement = tx.prepare_cached(
        "select distinct c.id, c.number from orders o join customer c on c.id = o.customer_id
          where o.id in (select value from json_each(:orders))",
    )?;
    let rows = statement
        .query_map(named_params! { ":orders": orders }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Has some orders wait.
pub(in crate::metrics) fn wait(tx: &Tx<'_>, orders: &str) -> Result<(), Error> {
    // One that was taken away and comes again may still wait.
    tx.prepare_cached(
        "insert or ignore into metric_waiting_order select value from json_each(:orders)",
    )?
    .execute(named_params! { ":orders": orders })?;
    Ok(())
}

/// Has none wait any more.
pub(in crate::metrics) fn forget_waiting(tx: &Tx<'_>) -> Result<(), Error> {
    tx.prepare_cached("delete from metric_waiting_order")?.execute([])?;
    Ok(())
}
