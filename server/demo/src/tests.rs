//! Tests of the demo store.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quotient_foundation::testing::rounds;
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

/// Returns the number of invoices of most samples.
fn invoices() -> usize {
    rounds(150, 400)
}

/// Returns all tables with their rows in storage order.
fn dump(tx: &Tx<'_>) -> Vec<(String, Vec<String>)> {
    // The rows of a virtual table are stored in separate tables.
    let of_rows = "select name from sqlite_schema
        where type = 'table' and sql not like 'create virtual table%' order by name";
    let mut tables = tx.prepare(of_rows).unwrap();
    let names = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let dump = names.map(|name| {
        let name = name.unwrap();
        let mut statement = tx.prepare(&format!("select * from {name}")).unwrap();
        let width = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let mut text = String::new();
            for column in 0..width {
                let value = row.get_ref(column)?;
                if let ValueRef::Text(value) = value {
                    text.push_str(&String::from_utf8_lossy(value));
                } else {
                    write!(text, "{value:?}").unwrap();
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
    load(&db, &sample(Extent::Invoices(invoices()))).await.unwrap();
    db.read::<_, Error>(|tx| Ok(dump(tx))).await.unwrap()
}

#[tokio::test]
async fn a_sample_is_a_sound_store_and_every_line_is_accounted_for() {
    let db = open(NOW);
    let summary = load(&db, &sample(Extent::Invoices(invoices()))).await.unwrap();

    let lines = source::read(Some(invoices()))
        .unwrap()
        .invoices
        .iter()
        .map(|i| i.lines.len())
        .sum::<usize>();
    assert_eq!(summary.accounts.line_count(), u64::try_from(lines).unwrap());
    assert_eq!(db.read(database::audit).await.unwrap(), []);
    let sold = summary.accounts.sold.mills + summary.accounts.charged.mills;
    assert_eq!(number(&db, "select sum(item_subtotal_minor) from orders").await * 10, sold);
    let postage = summary.accounts.postage.mills;
    assert_eq!(number(&db, "select sum(shipping_subtotal_minor) from orders").await * 10, postage);
}

#[tokio::test]
async fn the_schema_is_the_same_after_loading() {
    let schema = async |db: &Db| -> Vec<(String, Option<String>)> {
        let objects = "select name, sql from sqlite_schema order by name";
        let read = db.read(|tx| tx.sql(objects).all([], |row| Ok((row.get(0)?, row.get(1)?))));
        read.await.unwrap()
    };
    let db = open(NOW);
    let empty = schema(&db).await;
    load(&db, &sample(Extent::Invoices(10))).await.unwrap();
    assert_eq!(schema(&db).await, empty);
}

/// Orders, pieces, net value, shipping, tax and total, in pence.
type Figures = [i64; 6];

/// Invoices of three days.
const DAYS_INVOICES: usize = 400;

/// Counts each day of the data without the plan: in that year the rate was 17.5 %, only in Britain.
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
fn counted() -> BTreeMap<String, Figures> {
    let source = source::read(Some(DAYS_INVOICES)).unwrap();
    let mut days: BTreeMap<String, Figures> = BTreeMap::new();
    for invoice in &source.invoices {
        let worth: i64 = invoice.lines.iter().map(|line| line.quantity * line.price_mills).sum();
        if invoice.number.starts_with(['A', 'C']) || worth == 0 {
            continue;
        }
        let (mut pieces, mut goods, mut postage, mut tax) = (0, 0, 0, 0);
        let rate = if invoice.country == "United Kingdom" { 175 } else { 0 };
        for line in &invoice.lines {
            let net = line.quantity * (line.price_mills / 10);
            let code = &source.products[line.product].code;
            if ["POST", "DOT", "C2"].contains(&code.as_str()) {
                postage += net;
            } else {
                (pieces, goods) = (pieces + line.quantity, goods + net);
                tax += (net * rate + 500) / 1_000;
            }
        }
        tax += (postage * rate + 500) / 1_000;
        let day = invoice.at.to_string().chars().take(10).collect();
        let order = [1, pieces, goods, postage, tax, goods + postage + tax];
        let sums = days.entry(day).or_default();
        sums.iter_mut().zip(order).for_each(|(sum, figure)| *sum += figure);
    }
    days
}

#[tokio::test]
async fn every_day_sells_what_a_second_count_of_the_data_says() {
    let db = open(NOW);
    let options = DemoOptions { keep_dates: true, ..sample(Extent::Invoices(DAYS_INVOICES)) };
    load(&db, &options).await.unwrap();

    let sold = db.read::<_, Error>(|tx| {
        let mut statement = tx.prepare(
            "select date(placed_at / 1000, 'unixepoch'), count(*), sum(quantity), sum(item_subtotal_minor),
                    sum(shipping_subtotal_minor), sum(tax_minor), sum(total_minor)
               from orders group by 1",
        )?;
        let days = statement.query_map([], |row| {
            let figure = |index| row.get(index);
            Ok((row.get(0)?, [figure(1)?, figure(2)?, figure(3)?, figure(4)?, figure(5)?, figure(6)?]))
        })?;
        Ok(days.collect::<Result<BTreeMap<String, Figures>, _>>()?)
    });
    let sold = sold.await.unwrap();
    assert!(sold.len() > 2, "{sold:?}");
    assert_eq!(sold, counted());
    let paid = number(&db, "select sum(amount_minor) from capture").await;
    assert_eq!(paid, sold.values().map(|figures| figures[5]).sum::<i64>());
}

#[tokio::test]
async fn every_order_had_a_cart_and_some_carts_were_abandoned() {
    let db = open(NOW);
    load(&db, &sample(Extent::Invoices(100))).await.unwrap();

    let without = "select count(*) from orders where not exists
                     (select 1 from cart where id = orders.cart_id and completed_at = orders.placed_at)";
    assert_eq!(number(&db, without).await, 0);
    let left = "select count(*) from cart where completed_at is null
                  and exists (select 1 from cart_line where cart_id = cart.id and unit_price_minor > 0)";
    assert!(number(&db, left).await > 10);
    assert_eq!(db.read(database::audit).await.unwrap(), []);
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
