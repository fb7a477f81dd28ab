//! The statements of a renewal, against the completion of a cart.

use super::Wish;
use crate::checkout::Completion;
use crate::checkout::tests::shop::{BEGIN, ONE_MUG, TestShop};
use crate::clock::DAY_MS;
use crate::plans::{Interval, SubscriptionKind, Unit};

const COUNT: i64 = 40;

const DAYS: i64 = 30;

/// A completion is only the last of the eight calls of a checkout. Statements are compared, because times differ from run to
/// run.
#[tokio::test]
async fn a_renewal_takes_fewer_statements_than_three_checkouts() {
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
    for round in 1..=5 {
        shop.clock.advance(DAYS * DAY_MS);
        let before = shop.db.statement_count();
        shop.renew().await;
        let renewing = shop.db.statement_count() - before;
        let paid = "select count(*) from subscription_cycle where status = 'paid'";
        assert_eq!(shop.number(paid).await, round * COUNT);

        let mut carts = Vec::new();
        for _ in 0..COUNT {
            carts.push(shop.ready(ONE_MUG, "pm_card_visa").await);
        }
        let before = shop.db.statement_count();
        for cart in &carts {
            assert!(matches!(shop.complete(cart).await, Ok(Completion::Placed(_))));
        }
        let completing = shop.db.statement_count() - before;
        assert!(0 < renewing && renewing < completing * 3, "{renewing} against {completing}");
    }
}
