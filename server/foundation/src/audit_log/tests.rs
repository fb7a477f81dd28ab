//! Tests of the audit log.

use serde_json::{Value, json};

use super::{AuditEntry, Break, EntityType, Entry, listed, record, refused, verify};
use crate::clock::{Clock, Timestamp};
use crate::database::listing::ListQuery;
use crate::database::{Db, Error, Listable as _, Tx, temporary};
use crate::ids;

fn database() -> Db {
    Db::open(&temporary::options(&Clock::fixed(Timestamp::from_millis(1_000)))).unwrap()
}

fn entry(entity_id: &str) -> Entry<'_> {
    Entry {
        entity_type: EntityType::Metric,
        entity_id,
        action: "update",
        actor_id: "user_1",
        before: json!({ "a": 1, "b": "x" }),
        after: json!({ "b": "x", "a": 2, "c": 12.50 }),
    }
}

async fn three() -> Db {
    let db = database();
    for id in ["met_1", "met_2", "met_3"] {
        db.write::<_, Error>(move |tx| record(tx, &entry(id))).await.unwrap();
    }
    db
}

async fn verified(db: &Db) -> Result<i64, Break> {
    db.read(verify).await.unwrap().map(|head| head.seq)
}

/// Tampers with the log by SQL, and verifies the chain.
async fn tampered(sql: &'static str) -> Result<i64, Break> {
    let db = three().await;
    db.write::<_, Error>(move |tx: &Tx<'_>| {
        tx.execute_batch("drop trigger audit_entry_stays; drop trigger audit_entry_is_fixed;")?;
        Ok(tx.execute_batch(sql)?)
    })
    .await
    .unwrap();
    verified(&db).await
}

#[tokio::test]
async fn entries_make_a_chain() {
    assert_eq!(verified(&three().await).await, Ok(3));
    assert_eq!(verified(&database()).await, Ok(0));
}

#[tokio::test]
async fn an_entry_says_what_differs() {
    let db = three().await;
    let changed = db
        .read::<_, Error>(|tx| {
            tx.sql("select changed from audit_entry limit 1").one([], |row| row.get::<_, String>(0))
        })
        .await
        .unwrap();
    assert_eq!(changed, r#"["a","c"]"#);
}

#[tokio::test]
async fn any_changed_or_missing_entry_is_found() {
    let changed = |seq, sql| async move {
        let found = tampered(sql).await;
        assert!(
            matches!(found, Err(Break::Changed { seq: of, .. }) if of == seq),
            "{sql}: {found:?}"
        );
    };
    changed(2, "update audit_entry set actor_id = 'user_2' where seq = 2").await;
    changed(2, "update audit_entry set at = at + 1 where seq = 2").await;
    changed(1, "update audit_entry set before = null where seq = 1").await;
    changed(3, "update audit_entry set after = replace(after, '12.5', '13.5') where seq = 3").await;
    changed(1, "update audit_entry set changed = 'nonsense' where seq = 1").await;
    changed(3, "update audit_entry set previous_hash = '' where seq = 3").await;
    let missing = Err(Break::Missing(2));
    assert_eq!(tampered("delete from audit_entry where seq = 2").await, missing);
    assert_eq!(tampered("delete from audit_entry where seq > 1").await, missing);
    assert_eq!(tampered("update audit_entry set seq = 9 where seq = 2").await, missing);
}

#[tokio::test]
async fn entries_are_neither_changed_nor_removed() {
    let db = three().await;
    for sql in ["update audit_entry set at = 0", "delete from audit_entry"] {
        let done = db.write::<_, Error>(move |tx| Ok(tx.execute(sql, [])?)).await;
        assert!(done.is_err(), "{sql}");
    }
    assert_eq!(verified(&db).await, Ok(3));
}

#[tokio::test]
async fn undone_writes_leave_no_entry_and_refused_ones_leave_one() {
    let db = database();
    let undone: Result<(), Error> =
        db.write(|tx| record(tx, &entry("met_1")).and(Err(Error::Busy))).await;
    assert!(undone.is_err());
    assert_eq!(verified(&db).await, Ok(0));

    let refusal: Result<(), Error> = db
        .write(|tx| {
            record(tx, &entry("met_1"))?;
            refused(tx, (EntityType::Metric, "met_1"), "update", "user_1", "it is locked");
            Err(Error::Busy)
        })
        .await;
    assert!(refusal.is_err());
    assert_eq!(verified(&db).await, Ok(1));
    let (action, after) = db
        .read::<_, Error>(|tx| {
            tx.sql("select action, after from audit_entry")
                .one([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        })
        .await
        .unwrap();
    assert_eq!(action, "refused_update");
    assert_eq!(
        serde_json::from_str::<Value>(&after).unwrap(),
        json!({ "refused": "it is locked" })
    );
}

#[tokio::test]
async fn entries_of_one_instant_are_listed_in_the_order_of_the_chain() {
    let listed = database()
        .write::<_, Error>(|tx| {
            let mut bits: u128 = 4;
            let falling = move || {
                bits = bits.saturating_sub(1);
                bits
            };
            ids::within(1_000, falling, || {
                ["met_1", "met_2", "met_3"].iter().try_for_each(|id| record(tx, &entry(id)))
            })?;
            let by_time = AuditEntry::LISTING.columns.first().unwrap();
            Ok(listed(tx, &ListQuery::new(AuditEntry::LISTING, by_time))?.0)
        })
        .await
        .unwrap();

    assert!(listed.iter().rev().is_sorted_by_key(|entry| &entry.id));
    let entities: Vec<&str> = listed.iter().map(|entry| entry.entity_id.as_str()).collect();
    assert_eq!(entities, ["met_1", "met_2", "met_3"]);
}
