//! What a renewal costs, against the completion of a cart.

use std::time::{Duration, Instant};

use super::Wish;
use crate::checkout::Completion;
use crate::checkout::tests::shop::{BEGIN, ONE_MUG, TestShop};
use crate::plans::{Interval, SubscriptionKind, Unit};

const COUNT: i64 = 40;

const DAYS: i64 = 30;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A renewal takes about half as long as a completion (8 and 15 ms unoptimised), which is only the last of the eight calls of
/// a checkout. The rounds alternate and the fastest ones are compared, since other tests use the same processors.
#[tokio::test]
async fn a_renewal_takes_no_longer_than_three_checkouts() {
    let shop = TestShop::with_subscribers().await;
    for _ in 0..COUNT {
        let wish = Wish {
            interval: Interval { unit: Unit::Day, count: DAYS },
            kind: SubscriptionKind::Delivery,
            anchor_at: BEGIN.plus_ms(DAYS * DAY_MS),
            zone: "UTC",
            unit_price_minor: 1_000,
            quantity: 1,
            method: 'E',
        };
        shop.begin(wish).await;
    }
    let (mut renewing, mut completing) = (Duration::MAX, Duration::MAX);
    for round in 1..=5 {
        shop.clock.advance(DAYS * DAY_MS);
        let began = Instant::now();
        shop.renew().await;
        renewing = renewing.min(began.elapsed());
        let paid = "select count(*) from subscription_cycle where status = 'paid'";
        assert_eq!(shop.number(paid).await, round * COUNT);

        let mut carts = Vec::new();
        for _ in 0..COUNT {
            carts.push(shop.ready(ONE_MUG, "pm_card_visa").await);
        }
        let began = Instant::now();
        for cart in &carts {
            assert!(matches!(shop.complete(cart).await, Ok(Completion::Placed(_))));
        }
        completing = completing.min(began.elapsed());
    }

    println!("{COUNT} renewals in {renewing:?}, {COUNT} completions in {completing:?}");
    assert!(renewing < completing * 3, "{renewing:?} against {completing:?}");
}
