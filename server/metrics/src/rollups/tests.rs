//! Tests that rollups equal their rows after any sequence of writes.

#![expect(clippy::arithmetic_side_effects, reason = "a test may fail by overflow")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rusqlite::named_params;

use super::page::Page;
use super::prefix_sums::{PrefixSums, pending_deltas};
use super::queries::pending::pending_ids;
use super::{apply, build_all, differences, pending};
use crate::clock::{HOUR_MS, Timestamp};
use crate::database::{Db, Error, Tx};
use crate::testing::{self, NOON};
use quotient_demo::{self as demo, DemoOptions, Extent};
use quotient_foundation::testing::rounds;

/// An action on a store.
#[derive(Debug, Clone)]
enum StoreAction {
    /// Adds a customer without orders.
    Register {
        customer: u8,
    },
    /// Removes a customer; the orders stay.
    Forget {
        customer: u8,
    },
    /// Adds an order of a customer.
    Place {
        customer: u8,
        hours_ago: i64,
        lines: u8,
        channel: u8,
        minor: i64,
    },
    /// Adds a refund of an order.
    Refund {
        order: u8,
        hours_ago: i64,
        minor: i64,
    },
    Cancel {
        order: u8,
    },
    /// Edits a line.
    Edit {
        order: u8,
        minor: i64,
    },
    /// Moves an order to another customer and channel.
    Move {
        order: u8,
        customer: u8,
        channel: u8,
    },
    /// Changes the date of an order.
    Redate {
        order: u8,
        hours_ago: i64,
    },
    Remove {
        order: u8,
    },
    /// Adds an order and rolls it back.
    Undone {
        customer: u8,
    },
    /// Runs a step of the build.
    Count,
}

fn act() -> impl Strategy<Value = StoreAction> {
    let (order, customer, channel) = (0_u8..12, 0_u8..5, 0_u8..3);
    let hours_ago = prop_oneof![0_i64..30, 0_i64..2_000];
    prop_oneof![
        3 => customer.clone().prop_map(|customer| StoreAction::Register { customer }),
        1 => customer.clone().prop_map(|customer| StoreAction::Forget { customer }),
        6 => (customer.clone(), hours_ago.clone(), 0_u8..4, channel.clone(), 0_i64..50_000).prop_map(
            |(customer, hours_ago, lines, channel, minor)| StoreAction::Place { customer, hours_ago, lines, channel, minor }
        ),
        2 => (order.clone(), hours_ago.clone(), 1_i64..2_000)
            .prop_map(|(order, hours_ago, minor)| StoreAction::Refund { order, hours_ago, minor }),
        2 => order.clone().prop_map(|order| StoreAction::Cancel { order }),
        2 => (order.clone(), 0_i64..9_000).prop_map(|(order, minor)| StoreAction::Edit { order, minor }),
        1 => (order.clone(), customer.clone(), channel)
            .prop_map(|(order, customer, channel)| StoreAction::Move { order, customer, channel }),
        1 => (order.clone(), hours_ago).prop_map(|(order, hours_ago)| StoreAction::Redate { order, hours_ago }),
        1 => order.prop_map(|order| StoreAction::Remove { order }),
        1 => customer.prop_map(|customer| StoreAction::Undone { customer }),
        2 => Just(StoreAction::Count),
    ]
}

fn register(tx: &Tx<'_>, customer: u8, at: Timestamp) -> Result<String, Error> {
    let customer = format!("cus_{customer}");
    tx.execute(
        "insert or ignore into customer (id, email, has_account, created_at, updated_at) values (?1, ?1, 0, ?2, ?2)",
        (&customer, at),
    )?;
    Ok(customer)
}

fn place(
    tx: &Tx<'_>,
    (id, customer, channel): (i64, u8, u8),
    (at, lines, minor): (Timestamp, u8, i64),
) -> Result<(), Error> {
    let customer = register(tx, customer, at)?;
    let total = minor * i64::from(lines);
    tx.execute(
        "insert into orders (id, display_id, customer_id, sales_channel_id, region_id, currency, item_subtotal_minor,
           item_tax_minor, item_discount_minor, item_total_minor, shipping_subtotal_minor, shipping_tax_minor,
           shipping_discount_minor, shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor,
           tax_minor, original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at,
           updated_at)
         values (:id, :number, :customer, :channel, 'reg_1', case :number % 5 when 0 then 'eur' else 'gbp' end, :total, 0,
           0, :total, 0, 0, 0, 0, :total, 0, 0, 0, :total, 0, :total, :lines, :lines, :at, :at, :at)",
        named_params! {
            ":id": format!("order_{id}"), ":number": id, ":customer": customer, ":total": total,
            ":channel": (channel > 0).then(|| format!("sc_{channel}")), ":lines": lines, ":at": at,
        },
    )?;
    for line in 0..lines {
        tx.execute(
            "insert into order_line (order_id, id, position, product_id, title, quantity, unit_price_minor,
               subtotal_minor, total_minor, original_total_minor, created_at, updated_at)
             values (:order, :order || '/' || :line, :line, 'prod_' || :line, 'x', 1, :minor, :minor, :minor, :minor, :at, :at)",
            named_params! {
                ":order": format!("order_{id}"), ":line": line, ":minor": minor, ":at": at,
            },
        )?;
    }
    Ok(())
}

fn apply(tx: &Tx<'_>, number: i64, act: &StoreAction) -> Result<(), Error> {
    let ago = |hours: i64| tx.now().plus_ms(-hours * HOUR_MS - number);
    let own = |order: u8| -> Option<String> {
        let known = "select id from orders order by display_id limit 1 offset ?1";
        tx.query_row(known, [order], |row| row.get(0)).ok()
    };
    match act {
        StoreAction::Register { customer } => drop(register(tx, *customer, tx.now())?),
        StoreAction::Forget { customer } => {
            let customer = format!("cus_{customer}");
            tx.execute("update orders set customer_id = null where customer_id = ?1", [&customer])?;
            tx.execute("delete from customer where id = ?1", [&customer])?;
        }
        StoreAction::Place { customer, hours_ago, lines, channel, minor } => {
            place(tx, (number, *customer, *channel), (ago(*hours_ago), *lines, *minor))?;
        }
        StoreAction::Refund { order, hours_ago, minor } => {
            let Some(order) = own(*order) else { return Ok(()) };
            tx.execute(
                "insert into order_transaction (id, order_id, amount_minor, reference, reference_id, created_at)
                 values (?1, ?2, ?3, 'refund', ?1, ?4)",
                (format!("ortx_{number}"), order, -*minor, ago(*hours_ago)),
            )?;
        }
        StoreAction::Cancel { order } => {
            let text = "update orders set status = case status when 'canceled' then 'pending' else 'canceled' end where id = ?1";
            tx.execute(text, [own(*order)])?;
        }
        StoreAction::Edit { order, minor } => {
            let text =
                "update order_line set subtotal_minor = ?2, total_minor = ?2, product_id = 'prod_9'
                where order_id = ?1 and position = 0";
            tx.execute(text, (own(*order), minor))?;
        }
        StoreAction::Move { order, customer, channel } => {
            let text = "update orders set sales_channel_id = ?2,
                customer_id = coalesce((select id from customer where id = ?3), customer_id) where id = ?1";
            tx.execute(text, (own(*order), format!("sc_{channel}"), format!("cus_{customer}")))?;
        }
        StoreAction::Redate { order, hours_ago } => {
            tx.execute(
                "update orders set placed_at = ?2 where id = ?1",
                (own(*order), ago(*hours_ago)),
            )?;
        }
        StoreAction::Remove { order } => {
            tx.execute("delete from orders where id = ?1", [own(*order)])?;
        }
        StoreAction::Undone { customer } => {
            place(tx, (number, *customer, 1), (tx.now(), 2, 100))?;
            return Err(Error::Busy);
        }
        StoreAction::Count => {}
    }
    Ok(())
}

/// Recounts the tables, each in its own write; returns their number, and the differences.
async fn recount(db: &Db) -> (i64, Vec<String>) {
    let (mut count, mut all, mut after) = (0, Vec::new(), 0);
    loop {
        let next = db.write(move |tx| differences(tx, after)).await.expect("a recount");
        let Some((seq, found)) = next else { return (count, all) };
        assert!(seq > after, "{seq} after {after}");
        all.extend(found);
        (count, after) = (count + 1, seq);
    }
}

/// Asserts that all tables are complete and agree with their rows. A failed fold would have dropped them.
async fn assert_equal(db: &Db, when: &str) {
    let open = "select count(*) from metric_rollup_table where built_from <> -2147483648";
    let open = db.read(move |tx| Ok::<i64, Error>(tx.query_row(open, [], |row| row.get(0))?));
    assert_eq!(open.await.expect("a count"), 0, "{when}");
    let (count, found) = recount(db).await;
    assert!(found.is_empty(), "{when}: {found:#?}");
    let all = "select count(*) from metric_rollup_table";
    let all = db.read(move |tx| Ok::<i64, Error>(tx.query_row(all, [], |row| row.get(0))?));
    assert_eq!(count, all.await.expect("a count"), "{when}");
}

/// Returns the number of stored partial aggregates.
async fn partial_count(db: &Db) -> usize {
    let bodies = db.read(|tx| {
        let mut statement = tx.prepare("select body from metric_rollup_page")?;
        let rows = statement.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
        Ok::<_, Error>(rows.collect::<Result<Vec<_>, _>>()?)
    });
    let keys = |body: &Vec<u8>| -> BTreeSet<u8> {
        let page = Page::read(body).expect("a page");
        page.partials().map(|(_, key, _)| key).collect()
    };
    bodies.await.expect("pages").iter().map(|body| keys(body).len()).sum()
}

#[test]
fn after_any_writes_states_are_what_a_recount_gives() {
    let config = Config { cases: rounds(10, 32), failure_persistence: None, ..Config::default() };
    let acts = prop::collection::vec((act(), any::<bool>()), 1..40);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    TestRunner::new(config)
        .run(&acts, |acts| {
            runtime.block_on(async {
                let (db, clock) = testing::store(NOON);
                // The first orders, one in each currency, start the tables.
                let at = clock.now().plus_ms(-HOUR_MS);
                let first = db.write(move |tx| {
                    place(tx, (0, 0, 1), (at, 2, 500))?;
                    place(tx, (-1, 1, 2), (at, 1, 700))
                });
                first.await.expect("two orders");
                let mut writes = Vec::new();
                for (number, (act, waits)) in (1_i64..).zip(acts) {
                    if matches!(act, StoreAction::Count) {
                        // Concurrently with the writes.
                        let running: Vec<_> = writes.drain(..).map(tokio::spawn).collect();
                        build_all(&db).await.expect("rollups");
                        for one in running {
                            let _undone: Result<Result<(), Error>, _> = one.await;
                        }
                        continue;
                    }
                    let db = db.clone();
                    writes.push(async move { db.write(move |tx| apply(tx, number, &act)).await });
                    // Concurrent writes share a group.
                    if waits {
                        let running: Vec<_> = writes.drain(..).map(tokio::spawn).collect();
                        for one in running {
                            let _undone: Result<Result<(), Error>, _> = one.await;
                        }
                    }
                }
                for write in writes {
                    let _undone = write.await;
                }
                assert_equal(&db, "as they were kept").await;
                build_all(&db).await.expect("rollups");
                assert_equal(&db, "counted").await;
            });
            Ok(())
        })
        .expect("rollups as a recount gives them");
}

/// Returns the number of pending orders and of stored partial aggregates.
async fn pending_and_stored(db: &Db) -> (usize, usize) {
    let pending =
        db.read(|tx| Ok::<_, Error>(pending_ids(tx)?.orders.len())).await.expect("a list");
    (pending, partial_count(db).await)
}

#[tokio::test]
async fn new_orders_are_pending_until_they_are_too_many_or_it_is_time() {
    let (db, clock) = testing::store(NOON);
    let write = async |numbers: std::ops::Range<i64>| {
        let at = clock.now();
        let all = move |tx: &Tx<'_>| {
            numbers.clone().try_for_each(|number| place(tx, (number, 1, 1), (at, 2, 500)))
        };
        db.write(all).await.expect("orders");
    };
    // One in each currency, to start the tables.
    write(0..2).await;
    let (pending, before) = pending_and_stored(&db).await;
    assert_eq!(pending, 2);

    write(2..128).await;
    assert_eq!(pending_and_stored(&db).await, (128, before));
    write(128..129).await;
    let (pending, after) = pending_and_stored(&db).await;
    assert_eq!(pending, 0);
    assert!(after > before, "{after} cells");

    write(129..130).await;
    assert_eq!(pending_and_stored(&db).await, (1, after));
    pending::flush_all(&db).await.expect("rollups");
    assert_eq!(pending_and_stored(&db).await.0, 0);
    assert_equal(&db, "put in").await;
}

#[tokio::test]
async fn a_reader_of_many_pending_orders_asks_for_a_flush() {
    let (db, clock) = testing::store(NOON);
    let prefix_sums = Arc::new(PrefixSums::default());
    let plan = apply::plan_of("GBP", "UTC").expect("what is kept");
    for (numbers, is_many) in [(0..7, false), (7..8, true)] {
        let at = clock.now();
        db.write(move |tx| {
            numbers.clone().try_for_each(|number| place(tx, (number, 1, 1), (at, 2, 500)))
        })
        .await
        .expect("orders");
        let (plan, own) = (Arc::clone(&plan), Arc::clone(&prefix_sums));
        let count = db.read(move |tx| {
            pending_deltas(tx, &plan, Some(own.as_of(0))).map_err(Error::from).map(drop)
        });
        count.await.expect("what waits");

        let flush_due = tokio::time::timeout(Duration::ZERO, prefix_sums.flush_due()).await;
        assert_eq!(flush_due.is_ok(), is_many);
    }
}

#[tokio::test]
async fn the_rollups_of_the_demo_store_are_what_a_recount_gives() {
    let (db, _clock) = testing::store(NOON);
    let options = DemoOptions { extent: Extent::Invoices(300), ..DemoOptions::default() };
    demo::load(&db, &options).await.expect("a demo store");
    build_all(&db).await.expect("rollups");
    assert!(partial_count(&db).await > 1_000);
    assert_equal(&db, "after the demo store").await;
    // Another zone has other days, so its tables are built again.
    db.write(|tx| {
        Ok::<_, Error>(tx.execute("update store set time_zone = 'America/New_York'", [])?)
    })
    .await
    .expect("another zone");
    build_all(&db).await.expect("rollups");
    assert_equal(&db, "in another zone").await;
}
