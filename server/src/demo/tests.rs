//! What the demo store promises.

use std::fmt::Write as _;

use rusqlite::types::ValueRef;

use super::*;
use crate::clock::{Clock, Timestamp};
use crate::database::{Error, Tx, temporary};

const NOW: &str = "2026-11-21T10:00:00Z";

fn open(now: &str) -> Db {
    let clock = Clock::fixed(now.parse::<Timestamp>().unwrap());
    Db::open(&temporary::options(&clock)).unwrap()
}

async fn number(db: &Db, sql: &'static str) -> i64 {
    db.read::<_, Error>(move |tx| Ok(tx.query_row(sql, [], |row| row.get(0))?)).await.unwrap()
}

fn sample(extent: Extent) -> DemoOptions {
    DemoOptions { extent, ..DemoOptions::default() }
}

/// Every table's name, with its rows in the order in which they lie.
fn dump(tx: &Tx<'_>) -> Vec<(String, Vec<String>)> {
    let mut tables =
        tx.prepare("select name from sqlite_schema where type = 'table' order by name").unwrap();
    let names = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let dump = names.map(|name| {
        let name = name.unwrap();
        let mut statement = tx.prepare(&format!("select * from {name}")).unwrap();
        let width = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let mut text = String::new();
            for column in 0..width {
                match row.get_ref(column)? {
                    ValueRef::Text(value) => text.push_str(&String::from_utf8_lossy(value)),
                    value => write!(text, "{value:?}").unwrap(),
                }
                text.push('|');
            }
            Ok(text)
        };
        let rows = statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap();
        (name, rows)
    });
    dump.collect()
}

async fn loaded(now: &str) -> Vec<(String, Vec<String>)> {
    let db = open(now);
    load(&db, &sample(Extent::Invoices(400))).await.unwrap();
    db.read::<_, Error>(|tx| Ok(dump(tx))).await.unwrap()
}

#[tokio::test]
async fn a_sample_is_a_sound_store_and_every_line_is_accounted_for() {
    let db = open(NOW);
    let summary = load(&db, &sample(Extent::Invoices(400))).await.unwrap();

    let lines =
        source::read(Some(400)).unwrap().invoices.iter().map(|i| i.lines.len()).sum::<usize>();
    assert_eq!(summary.accounts.line_count(), u64::try_from(lines).unwrap());
    assert_eq!(db.read(database::audit).await.unwrap(), []);
    let sold = summary.accounts.sold.mills + summary.accounts.charged.mills;
    assert_eq!(number(&db, "select sum(item_subtotal_minor) from orders").await * 10, sold);
    let postage = summary.accounts.postage.mills;
    assert_eq!(number(&db, "select sum(shipping_subtotal_minor) from orders").await * 10, postage);
}

#[tokio::test]
async fn the_same_day_gives_the_same_store_with_its_ids() {
    let (store, again) = (loaded(NOW).await, loaded("2026-11-21T22:00:00Z").await);

    let rows: usize = store.iter().map(|(_, rows)| rows.len()).sum();
    assert!(rows > 10_000, "{rows} rows");
    for ((name, rows), (_, others)) in store.iter().zip(&again) {
        let differs = rows.iter().zip(others).find(|(row, other)| row != other);
        assert_eq!(differs, None, "{name}");
        assert_eq!(rows.len(), others.len(), "{name}");
    }
}
