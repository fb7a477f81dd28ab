//! Tests of alerts.

use super::AlertError;
use super::alert::{Alert, AlertState, Window};
use super::channel::{Channel, ChannelPolicy};
use super::edit::{self, AlertChange, AlertEditor, ComparedValue, Condition};
use super::{Backtest, watch};
use crate::clock::{Clock, HOUR_MS, Timestamp};
use crate::database::{Db, Error, Tx};
use crate::registry::edit::{Editor, NewMetric};
use crate::registry::vocabulary::{Category, DataType, Lifecycle};
use crate::testing::{self, NOON as BEGIN};
use crate::{Evaluator, MetricError, MetricRegistry};

/// A store with the metric `joined`, which counts new carts.
async fn store() -> (Db, Clock) {
    let (db, clock) = testing::store(BEGIN);
    db.write(|tx| {
        let new = NewMetric::new("Joined", Category::Customers, "count(carts)", DataType::Integer);
        let editor = Editor { id: "user_1".to_owned(), is_admin: true };
        let registry = MetricRegistry::default();
        let made = crate::registry::edit::create(tx, &registry, new, &editor)?;
        crate::registry::edit::set_state(
            tx,
            &registry,
            (made.id.as_str(), Lifecycle::Active, false),
            &editor,
        )
        .map(drop)
    })
    .await
    .unwrap();
    (db, clock)
}

async fn join(db: &Db, at: Timestamp, count: usize) {
    db.write::<_, Error>(move |tx| {
        for _ in 0..count {
            tx.execute(
                "insert into cart (id, currency, created_at, updated_at)
                 values (hex(randomblob(8)), 'usd', ?1, ?1)",
                [at],
            )?;
        }
        Ok(())
    })
    .await
    .unwrap();
}

fn editor() -> AlertEditor {
    AlertEditor { id: "user_1".to_owned(), policy: ChannelPolicy::default() }
}

fn more_than(threshold: u32) -> AlertChange {
    AlertChange {
        metric_id: Some("joined".to_owned()),
        condition: Some(Condition::Threshold(ComparedValue::Value(">"), threshold.into())),
        window: Some(Window::Current),
        channels: Some(vec![
            Channel::Log {},
            Channel::Webhook {
                url: "https://hooks.shop.example/".to_owned(),
                secret: Some("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned()),
            },
        ]),
        ..AlertChange::default()
    }
}

async fn made(db: &Db, change: AlertChange) -> Result<(Alert, Backtest), AlertError> {
    let tried = change.clone();
    let backtest =
        db.read(move |tx| edit::try_new(tx, &Evaluator::default(), tried, &editor())).await?;
    let create = move |tx: &Tx<'_>| edit::create(tx, &MetricRegistry::default(), change, &editor());
    Ok((db.write(create).await?, backtest))
}

async fn state(db: &Db, alert: &Alert) -> AlertState {
    let id = alert.id.clone();
    db.read(move |tx| edit::find(tx, &MetricRegistry::default(), &id, "user_1"))
        .await
        .unwrap()
        .state
}

async fn number(db: &Db, sql: &'static str) -> i64 {
    db.read::<_, Error>(move |tx| Ok(tx.query_row(sql, [], |row| row.get(0))?)).await.unwrap()
}

#[tokio::test]
async fn an_alert_fires_once_and_resolves_with_an_event_a_turn_and_a_delivery_each() {
    let (db, clock) = store().await;
    let (alert, _) = made(&db, more_than(2)).await.unwrap();
    assert_eq!(alert.condition, "joined > 2");
    let evaluator = Evaluator::default();

    assert_eq!(watch::run(&db, &evaluator).await.unwrap(), 1);
    assert_eq!(state(&db, &alert).await, AlertState::Ok);
    join(&db, BEGIN, 3).await;
    assert_eq!(watch::run(&db, &evaluator).await.unwrap(), 0, "it is not due");
    for _ in 0..3 {
        clock.advance(watch::EVERY_MS);
        assert_eq!(watch::run(&db, &evaluator).await.unwrap(), 1);
        assert_eq!(state(&db, &alert).await, AlertState::Firing);
    }
    let fired = "select count(*) from event where name = 'metric.alert.fired'";
    assert_eq!(number(&db, fired).await, 1);
    clock.advance(13 * HOUR_MS);
    watch::run(&db, &evaluator).await.unwrap();

    assert_eq!(state(&db, &alert).await, AlertState::Ok);
    let resolved = "select count(*) from event where name = 'metric.alert.resolved'";
    assert_eq!(number(&db, resolved).await, 1);
    assert_eq!(number(&db, "select count(*) from metric_alert_history").await, 2);
    assert_eq!(
        number(&db, "select count(*) from job where kind = 'metrics.deliver_alert'").await,
        2
    );
    let leaked = "select count(*) from job where instr(payload, 'whsec_') > 0";
    assert_eq!(number(&db, leaked).await, 0);
    let leaked = "select count(*) from audit_entry where instr(after, 'whsec_') > 0";
    assert_eq!(number(&db, leaked).await, 0);
}

#[tokio::test]
async fn null_never_fires_nor_does_what_rests_on_too_few_rows() {
    let (db, _) = store().await;
    join(&db, BEGIN.plus_ms(-HOUR_MS), 3).await;
    let null = AlertChange {
        condition: Some(Condition::Formula("1 / (joined - joined) > 0".to_owned())),
        ..more_than(0)
    };
    let (null, _) = made(&db, null).await.unwrap();
    let (few, _) = made(&db, AlertChange { min_sample: Some(4), ..more_than(2) }).await.unwrap();
    let (enough, _) = made(&db, AlertChange { min_sample: Some(3), ..more_than(2) }).await.unwrap();

    watch::run(&db, &Evaluator::default()).await.unwrap();

    assert_ne!(state(&db, &null).await, AlertState::Firing);
    assert_eq!(state(&db, &few).await, AlertState::NoData);
    assert_eq!(state(&db, &enough).await, AlertState::Firing);
}

#[tokio::test]
async fn a_new_alert_shows_when_it_would_have_fired() {
    let (db, _) = store().await;
    let day_ms = 24 * HOUR_MS;
    for days_ago in [1, 2, 40, 89, 90] {
        join(&db, BEGIN.plus_ms(-days_ago * day_ms), 3).await;
    }
    let change = AlertChange { window: Some(Window::LastComplete), ..more_than(2) };

    let (_, backtest) = made(&db, change).await.unwrap();

    let midnight = BEGIN.plus_ms(-12 * HOUR_MS);
    let at = [89, 40, 2].map(|days_ago| midnight.plus_ms(-days_ago * day_ms));
    assert_eq!((backtest.days, backtest.would_have_fired), (90, 3));
    assert_eq!(backtest.at, at);
}

#[tokio::test]
async fn other_formulas_and_unreachable_channels_are_refused() {
    let (db, _) = store().await;
    let formula = |text: &str| AlertChange {
        condition: Some(Condition::Formula(text.to_owned())),
        ..more_than(0)
    };
    let of_channel = |channel| AlertChange { channels: Some(vec![channel]), ..more_than(0) };

    let refused = made(&db, formula("joined + 1")).await;
    assert!(matches!(refused, Err(AlertError::NotACondition(_))));
    let refused = made(&db, formula("joind > 1")).await;
    assert!(matches!(refused, Err(AlertError::Metric(MetricError::Unsound { .. }))));
    let unknown = AlertChange { metric_id: Some("nothing".to_owned()), ..more_than(0) };
    let refused = made(&db, unknown).await;
    assert!(matches!(refused, Err(AlertError::Metric(MetricError::NotFound(_)))));
    for channel in [
        Channel::Email { to: "a@shop.example".to_owned() },
        Channel::Webhook { url: "https://a.example/".to_owned(), secret: None },
        Channel::Webhook {
            url: "http://127.0.0.1/".to_owned(),
            secret: Some("0123456789abcdef".to_owned()),
        },
    ] {
        let refused = made(&db, of_channel(channel)).await;
        assert!(matches!(refused, Err(AlertError::Channel(_))));
    }
    assert_eq!(number(&db, "select count(*) from metric_alert").await, 0);
}

#[tokio::test]
async fn every_alert_is_looked_at_every_minute_however_many_there_are() {
    let (db, clock) = store().await;
    let (daily, _) = made(&db, AlertChange { window: Some(Window::LastComplete), ..more_than(2) })
        .await
        .unwrap();
    let copied = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 249)
        insert into metric_alert (id, name, metric_id, condition, granularity, window, severity, channels,
            cooldown_minutes, min_sample, is_active, state, next_at, created_at, updated_at)
        select substr(id, 1, length(id) - 26) || printf('%026d', n.i), name, metric_id, condition, granularity, window, severity, channels, cooldown_minutes,
            min_sample, is_active, state, next_at, created_at, updated_at from metric_alert, n";
    db.write::<_, Error>(move |tx| Ok(tx.execute_batch(copied)?)).await.unwrap();
    let evaluator = Evaluator::default();
    for _ in 0..3 {
        assert_eq!(watch::run(&db, &evaluator).await.unwrap(), 250);
        clock.advance(watch::EVERY_MS);
    }
    join(&db, BEGIN.plus_ms(-24 * HOUR_MS), 3).await;

    // Rows of yesterday that arrive late are seen within a minute.
    assert_eq!(watch::run(&db, &evaluator).await.unwrap(), 250);

    assert_eq!(state(&db, &daily).await, AlertState::Firing);
}

#[tokio::test]
async fn an_alert_that_takes_too_long_is_an_error_and_waits_for_a_quarter_of_an_hour() {
    let (db, clock) = store().await;
    let (alert, _) = made(&db, more_than(2)).await.unwrap();
    let (slow, late) = (alert.clone(), Err(MetricError::Db(Error::Late)));
    db.write(move |tx| watch::write(tx, (slow, late))).await.unwrap();
    assert_eq!(state(&db, &alert).await, AlertState::Error);

    let evaluator = Evaluator::default();
    let mut evaluated = Vec::new();
    for _ in 0..15 {
        clock.advance(watch::EVERY_MS);
        evaluated.push(watch::run(&db, &evaluator).await.unwrap());
    }
    assert_eq!(evaluated, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(state(&db, &alert).await, AlertState::Ok);
}
