//! Queries for what writes have touched, and for changes of sources.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{Error, Tx};

/// Limit: stored changes.
const MAX_CHANGES: i64 = 10_000;

/// The ids that a group of writes has touched.
#[derive(Debug, Default)]
pub struct ChangedIds {
    pub(crate) added: Vec<String>,
    /// Orders whose amount, status, customer or destination changed, or that were removed.
    pub changed: Vec<String>,
    /// Orders with other changes.
    pub(crate) restated: Vec<String>,
    /// Customers that were added or removed.
    pub customers: Vec<String>,
}

/// Customers with a new order that is earlier than all their others.
#[derive(Debug, Default)]
pub struct FirstBuyers {
    /// Customers without earlier orders.
    pub new: Vec<String>,
    pub earlier: Vec<String>,
}

impl FirstBuyers {
    pub fn is_empty(&self) -> bool {
        let Self { new, earlier } = self;
        new.is_empty() && earlier.is_empty()
    }
}

impl ChangedIds {
    pub fn is_empty(&self) -> bool {
        let Self { added, changed, restated, customers } = self;
        [added, changed, restated, customers].iter().all(|ids| ids.is_empty())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    pub source: String,
    /// Whether rows were added that no row of another source refers to yet.
    pub(crate) is_added: bool,
    /// The first and the last day of the rows, counted from 1970-01-01; none for all rows.
    pub days: Option<(i64, i64)>,
}

/// Returns what was touched since the last commit.
pub(crate) fn touched(tx: &Tx<'_>) -> Result<ChangedIds, Error> {
    let mut statement = tx.prepare_cached("select kind, id from metric_touched")?;
    let mut rows = statement.query([])?;
    let mut touched = ChangedIds::default();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(0)?;
        let ids = match kind.as_str() {
            "added" => &mut touched.added,
            "changed" => &mut touched.changed,
            "restated" => &mut touched.restated,
            _ => &mut touched.customers,
        };
        ids.push(row.get(1)?);
    }
    Ok(touched)
}

pub(crate) fn forget_touched(tx: &Tx<'_>) -> Result<(), Error> {
    tx.sql("delete from metric_touched").run([])
}

/// Returns the tables written since the last commit, and resets the list.
pub(crate) fn take_written(tx: &Tx<'_>) -> Result<Vec<String>, Error> {
    let names: Vec<String> = tx
        .sql("select name from metric_data_version where version <> committed_version")
        .all([], |row| row.get(0))?;
    if !names.is_empty() {
        tx.sql("update metric_data_version set committed_version = version where version <> committed_version").run([])?;
    }
    Ok(names)
}

pub(crate) fn placed(tx: &Tx<'_>, orders: &str) -> Result<Vec<Timestamp>, Error> {
    tx.sql("select placed_at from orders where id in (select value from json_each(:orders))")
        .all(named_params! { ":orders": orders }, |row| row.get(0))
}

/// Returns the customers whose first order is among some new ones.
pub(crate) fn first_buyers(tx: &Tx<'_>, orders: &str) -> Result<FirstBuyers, Error> {
    let mut statement = tx.prepare_cached(
        "with own as materialized (select value as id from json_each(:orders)),
              buyer as (
                select o.customer_id as id, min(o.placed_at) as ordered_at from own join orders o on o.id = own.id
                 where o.customer_id is not null group by o.customer_id),
              known as (
                select b.id, b.ordered_at,
                       (select e.placed_at from orders e
                         where e.customer_id = b.id and e.status <> 'draft' and e.id not in (select id from own)
                         order by e.placed_at limit 1) as known_at
                  from buyer b)
         select id, known_at is null from known where known_at is null or known_at > ordered_at",
    )?;
    let mut rows = statement.query(named_params! { ":orders": orders })?;
    let mut buyers = FirstBuyers::default();
    while let Some(row) = rows.next()? {
        let is_new = row.get(1)?;
        let ids = if is_new { &mut buyers.new } else { &mut buyers.earlier };
        ids.push(row.get(0)?);
    }
    Ok(buyers)
}

/// Returns the sources with rows that refer to any of these orders, except those whose rows are added with an order.
pub(crate) fn leading_to(tx: &Tx<'_>, orders: &str) -> Result<Vec<String>, Error> {
    tx.sql(
        "with own as (select value as id from json_each(:orders))
         select 'refunds' where exists (
           select 1 from own join order_transaction t on t.order_id = own.id where t.amount_minor < 0)
         union all select 'fulfillments' where exists (
           select 1 from own join fulfillment f on f.order_id = own.id)
         union all select 'payments' where exists (select 1 from own join payment p on p.order_id = own.id)",
    )
    .all(named_params! { ":orders": orders }, |row| row.get(0))
}

pub(crate) fn note(tx: &Tx<'_>, changes: &BTreeSet<Change>) -> Result<(), Error> {
    let mut insert = tx.prepare_cached(
        "insert into metric_change (source, is_added, first_day, last_day)
         values (:source, :is_added, :first, :last)",
    )?;
    for change in changes {
        insert.execute(named_params! {
            ":source": change.source, ":is_added": change.is_added,
            ":first": change.days.map(|(first, _)| first), ":last": change.days.map(|(_, last)| last),
        })?;
    }
    let oldest = tx.last_insert_rowid().saturating_sub(MAX_CHANGES);
    tx.sql("delete from metric_change where seq <= :oldest")
        .run(named_params! { ":oldest": oldest })
}

/// Returns the number of the last change in a snapshot.
pub(crate) fn last(tx: &Tx<'_>) -> Result<i64, Error> {
    Ok(tx
        .sql("select max(seq) from metric_change")
        .one([], |row| row.get::<_, Option<i64>>(0))?
        .unwrap_or(0))
}

/// Returns the changes after one of them, by number.
pub(crate) fn since(tx: &Tx<'_>, seq: i64) -> Result<BTreeMap<i64, Change>, Error> {
    tx.sql("select seq, source, is_added, first_day, last_day from metric_change where seq > :seq")
        .all(named_params! { ":seq": seq }, |row| {
            let days: (Option<i64>, Option<i64>) = (row.get(3)?, row.get(4)?);
            let change =
                Change { source: row.get(1)?, is_added: row.get(2)?, days: days.0.zip(days.1) };
            Ok((row.get(0)?, change))
        })
}
