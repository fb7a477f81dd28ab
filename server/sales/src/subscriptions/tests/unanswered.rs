//! An unanswered charge is repeated with the same key, and settled once.

use std::sync::atomic::Ordering;

use super::Wish;
use crate::checkout::tests::shop::{BEGIN, TestShop};
use crate::clock::MINUTE_MS;
use crate::plans::{Interval, Unit};
use crate::subscriptions::subscription::SubscriptionKind;

fn silent() -> Wish<'static> {
    Wish {
        interval: Interval { unit: Unit::Month, count: 1 },
        kind: SubscriptionKind::Delivery,
        anchor_at: BEGIN.plus_ms(MINUTE_MS),
        zone: "UTC",
        unit_price_minor: 1_000,
        quantity: 1,
        method: 'F',
    }
}

#[tokio::test]
async fn a_silent_provider_is_called_again_for_the_same_attempt_and_pays_once() {
    let shop = TestShop::with_subscribers().await;
    let id = shop.begin(silent()).await;
    for _ in 0..5 {
        shop.clock.advance(MINUTE_MS);
        shop.renew().await;
    }
    assert_eq!(shop.mute.request_count.load(Ordering::SeqCst), 5);
    assert_eq!(
        shop.number("select count(*) from subscription_attempt where status = 'pending'").await,
        1
    );
    assert_eq!(shop.number("select count(*) from orders where status = 'draft'").await, 1);
    assert_eq!(shop.paid(&id).await, []);
    shop.assert_sound().await;

    shop.mute.speaks.store(true, Ordering::SeqCst);
    shop.clock.advance(MINUTE_MS);
    shop.renew().await;
    shop.renew().await;

    assert_eq!(shop.paid(&id).await, [(1, BEGIN.plus_ms(MINUTE_MS).as_millis(), 1_395)]);
    assert_eq!(shop.mute.request_count.load(Ordering::SeqCst), 6);
    assert_eq!(shop.number("select count(*) from subscription_attempt").await, 1);
    assert_eq!(shop.number("select count(*) from capture").await, 1);
    shop.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn runs_at_the_same_time_bill_a_cycle_once() {
    let shop = TestShop::with_subscribers().await;
    let id = shop.begin(Wish { method: 'E', ..silent() }).await;
    shop.clock.advance(MINUTE_MS);
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let shop = shop.clone();
        running.spawn(async move { shop.renew().await });
    }
    running.join_all().await;

    assert_eq!(shop.paid(&id).await.len(), 1);
    assert_eq!(shop.number("select count(*) from subscription_attempt").await, 1);
    assert_eq!(shop.number("select count(*) from payment").await, 1);
    shop.assert_sound().await;
}
