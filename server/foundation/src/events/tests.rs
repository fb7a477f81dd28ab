//! Tests of the outbox and its subscribers.

use std::time::Duration;

use super::{Event, Subscriber, Subscribers, record};
use crate::clock::{Clock, Timestamp};
use crate::database::{Db, Error, Tx, temporary};

fn open() -> Db {
    Db::open(&temporary::options(&Clock::fixed(Timestamp::from_millis(1_000)))).unwrap()
}

async fn subscribed(list: &'static [Subscriber]) -> (Db, Subscribers) {
    let db = open();
    let subscribers = Subscribers::new(db.clone(), list);
    subscribers.prepare().await.unwrap();
    (db, subscribers)
}

fn note(tx: &Tx<'_>, event: &Event) -> Result<(), Error> {
    tx.execute(
        "insert into refund_reason (id, label, code, created_at, updated_at) values (?1, ?2, ?3, 0, 0)",
        (event.id.as_str(), &event.name, &event.payload),
    )?;
    if event.payload == "\"poison\"" { Err(Error::Busy) } else { Ok(()) }
}

const NOTES: &[Subscriber] = &[Subscriber { name: "notes", events: &["a.happened"], handle: note }];

async fn notes(db: &Db) -> Vec<String> {
    db.read::<_, Error>(|tx| {
        let mut statement = tx.prepare("select code from refund_reason order by rowid")?;
        let codes = statement.query_map([], |row| row.get(0))?;
        Ok(codes.collect::<Result<_, _>>()?)
    })
    .await
    .unwrap()
}

async fn happen(db: &Db, names: &[(&'static str, &'static str)]) {
    let names = names.to_vec();
    db.write::<_, Error>(move |tx| {
        names.iter().try_for_each(|(name, payload)| record(tx, name, payload))
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn a_subscriber_sees_each_event_it_wants_once_and_in_order() {
    let (db, subscribers) = subscribed(NOTES).await;
    happen(&db, &[("a.happened", "1"), ("b.happened", "2"), ("a.happened", "3")]).await;

    assert_eq!(subscribers.catch_up().await.unwrap(), 3);
    assert_eq!(subscribers.catch_up().await.unwrap(), 0);

    assert_eq!(notes(&db).await, ["\"1\"", "\"3\""]);
}

#[tokio::test]
async fn a_subscriber_of_everything_sees_every_event() {
    const ALL: &[Subscriber] = &[Subscriber { name: "all", events: super::EVERY, handle: note }];
    let (db, subscribers) = subscribed(ALL).await;
    happen(&db, &[("a.happened", "1"), ("b.happened", "2")]).await;

    subscribers.catch_up().await.unwrap();

    assert_eq!(notes(&db).await, ["\"1\"", "\"2\""]);
}

#[tokio::test]
async fn a_failing_subscriber_leaves_no_half_effect_and_is_called_again() {
    let (db, subscribers) = subscribed(NOTES).await;
    happen(&db, &[("a.happened", "1"), ("a.happened", "poison")]).await;

    assert!(subscribers.catch_up().await.is_err());
    assert!(subscribers.catch_up().await.is_err());

    assert_eq!(notes(&db).await, <[&str; 0]>::default());
}

#[tokio::test]
async fn a_failing_subscriber_does_not_hold_up_the_others() {
    fn fail(_: &Tx<'_>, _: &Event) -> Result<(), Error> {
        Err(Error::Busy)
    }
    const FIRST_FAILS: &[Subscriber] = &[
        Subscriber { name: "fails", events: super::EVERY, handle: fail },
        Subscriber { name: "notes", events: super::EVERY, handle: note },
    ];
    let (db, subscribers) = subscribed(FIRST_FAILS).await;
    happen(&db, &[("a.happened", "1"), ("b.happened", "2")]).await;

    assert!(subscribers.catch_up().await.is_err());

    assert_eq!(notes(&db).await, ["\"1\"", "\"2\""]);
    let backlog = db.read(super::backlog).await.unwrap();
    assert_eq!((backlog.waiting, backlog.slowest.as_deref()), (2, Some("fails")));
}

#[tokio::test]
async fn subscribers_catch_up_beside_one_that_is_not_among_them() {
    const BOTH: &[Subscriber] =
        &[NOTES[0], Subscriber { name: "mail", events: super::EVERY, handle: note }];
    let (db, _both) = subscribed(BOTH).await;
    happen(&db, &[("a.happened", "1")]).await;

    let one = Subscribers::new(db.clone(), NOTES);

    let caught_up = tokio::time::timeout(Duration::from_secs(5), one.catch_up());
    assert_eq!(caught_up.await.unwrap().unwrap(), 1);
    assert_eq!(notes(&db).await, ["\"1\""]);
}

#[tokio::test]
async fn an_event_of_a_failed_transaction_never_happened() {
    let db = open();
    let failed =
        db.write::<(), Error>(|tx| record(tx, "a.happened", &1).and(Err(Error::Busy))).await;
    assert!(failed.is_err());
    let events = db.read(|tx| super::queries::after(tx, 0, 10)).await.unwrap();
    assert_eq!(events, []);
}

#[tokio::test]
async fn events_are_pruned_only_after_every_subscriber_has_seen_them() {
    let (db, subscribers) = subscribed(NOTES).await;
    happen(&db, &[("a.happened", "1"), ("a.happened", "2")]).await;
    let later = Timestamp::from_millis(2_000);

    assert_eq!(subscribers.prune(later).await.unwrap(), 0);
    subscribers.catch_up().await.unwrap();
    assert_eq!(subscribers.prune(later).await.unwrap(), 1);
}

#[tokio::test]
async fn an_event_after_a_long_silence_is_delivered() {
    let (db, subscribers) = subscribed(NOTES).await;
    happen(&db, &[("a.happened", "1"), ("a.happened", "2")]).await;
    subscribers.catch_up().await.unwrap();
    subscribers.prune(Timestamp::from_millis(2_000)).await.unwrap();

    happen(&db, &[("a.happened", "3")]).await;
    subscribers.catch_up().await.unwrap();

    assert_eq!(notes(&db).await, ["\"1\"", "\"2\"", "\"3\""]);
}
