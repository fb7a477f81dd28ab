//! What the demo store promises.

use super::*;
use crate::clock::{Clock, Timestamp};
use crate::database::{Error, Options};

const NOW: &str = "2026-11-21T10:00:00Z";

fn open(name: &str) -> Db {
    let path = std::env::temp_dir().join(format!("quotient-demo-{}-{name}.db", std::process::id()));
    for suffix in ["", "-wal", "-shm"] {
        let _absent = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    Db::open(&Options::new(path, Clock::fixed(NOW.parse::<Timestamp>().unwrap()))).unwrap()
}

async fn number(db: &Db, sql: &'static str) -> i64 {
    db.read::<_, Error>(move |tx| Ok(tx.query_row(sql, [], |row| row.get(0))?)).await.unwrap()
}

fn sample(extent: Extent) -> DemoOptions {
    DemoOptions { extent, ..DemoOptions::default() }
}

#[tokio::test]
async fn a_sample_is_a_sound_store_and_every_line_is_accounted_for() {
    let db = open("sample");
    let started = std::time::Instant::now();
    let summary = load(&db, &sample(Extent::Invoices(400))).await.unwrap();
    println!("{summary} {:?}", started.elapsed());

    let lines =
        source::read(Some(400)).unwrap().invoices.iter().map(|i| i.lines.len()).sum::<usize>();
    assert_eq!(summary.accounts.line_count(), u64::try_from(lines).unwrap());
    assert_eq!(db.read(database::audit).await.unwrap(), []);
    let sold = summary.accounts.sold.mills + summary.accounts.charged.mills;
    assert_eq!(number(&db, "select sum(item_subtotal_minor) from orders").await * 10, sold);
    let postage = summary.accounts.postage.mills;
    assert_eq!(number(&db, "select sum(shipping_subtotal_minor) from orders").await * 10, postage);
}
