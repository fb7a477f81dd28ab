//! Tests of refunds whose provider does not answer, or whose processor reports them in the
//! meantime.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use rusqlite::OptionalExtension as _;

use super::canceled::worker;
use super::{Sold, refusal};
use crate::checkout::Completion;
use crate::checkout::tests::shop::{MUG, ONE_MUG, POSTAGE, TestShop};
use crate::context::Context;
use crate::orders::queries::refunds;
use crate::orders::refunding::{self, Refunded};
use crate::orders::{OrderError, settle};
use crate::payments::{self, NewRefund};

const PAID: i64 = MUG + POSTAGE;

impl Sold {
    /// A mug paid through a provider that makes refunds without answering.
    pub(super) async fn silently() -> Self {
        let shop = TestShop::with_mugs(5).await;
        shop.mute.speaks.store(true, Ordering::SeqCst);
        let cart = shop.cart(ONE_MUG).await;
        shop.pay(&cart, "pp_mute", "pm_card_visa").await;
        let Completion::Placed(order) = shop.complete(&cart).await.unwrap() else {
            panic!("the cart is not paid");
        };
        Self { shop, order }
    }

    fn hear(&self) {
        self.shop.mute.pays_back.store(true, Ordering::SeqCst);
    }

    /// Returns what the provider has refunded, and what is recorded of it.
    async fn refunded(&self) -> (i64, i64) {
        let there = self.shop.mute.refunds.lock().unwrap().values().sum();
        (there, self.number("select refunded_minor from orders").await)
    }

    /// Starts the server again after a crash.
    async fn restart(&self) {
        refunding::recover(self.shop.db.clone()).await;
        worker(self, &self.shop.clock).run_due().await.unwrap();
    }
}

#[tokio::test]
async fn a_refund_without_an_answer_is_made_once_and_so_is_another_amount_after_it() {
    let sold = Sold::silently().await;
    assert_eq!(sold.refund(Some(200)).await.unwrap(), Refunded::UnderWay);
    assert_eq!(refusal(sold.refund(Some(200)).await).0, 503, "another waits for it");
    assert_eq!(sold.refunded().await, (200, 0));

    sold.hear();
    sold.refund(Some(300)).await.unwrap();

    assert_eq!(sold.refunded().await, (500, 500));
    assert_eq!(sold.number("select count(*) from refund").await, 2);
    assert_eq!(sold.refund(Some(200)).await.unwrap(), Refunded::Done);
    assert_eq!(sold.refunded().await, (700, 700));
    assert_eq!(sold.number("select count(*) from job").await, 0);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn a_request_has_not_taken_effect_when_only_the_refund_before_it_is_made() {
    let sold = Sold::silently().await;
    sold.refund(Some(200)).await.unwrap();
    sold.hear();
    let promised = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&promised);
    let request = Context::new("").with_mark(move |tx| {
        let sql = "select payload ->> 'amount_minor' from job where kind = 'payments.refund'";
        seen.lock().unwrap().push(tx.query_row(sql, [], |row| row.get(0)).optional()?);
        Ok(())
    });

    request.run(sold.refund(Some(300))).await.unwrap();

    assert_eq!(*promised.lock().unwrap(), [Some(300), None::<i64>], "promised, then made");
}

#[tokio::test]
async fn a_refund_that_a_crash_interrupts_is_ended_after_the_restart() {
    let sold = Sold::silently().await;
    sold.refund(Some(200)).await.unwrap();
    sold.restart().await;
    assert_eq!(sold.refunded().await, (200, 0), "the provider is still silent");

    sold.hear();
    sold.shop.clock.advance(60_000);
    sold.restart().await;

    assert_eq!(sold.refunded().await, (200, 200));
    assert_eq!(sold.number("select count(*) from job").await, 0);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn a_payment_reported_before_its_answer_is_counted_once() {
    for (reported, refunds) in [(200, 1), (50, 2)] {
        let sold = Sold::silently().await;
        sold.refund(Some(200)).await.unwrap();
        let payment = sold.payment().await;
        sold.write(move |tx, order| {
            let new = NewRefund { amount_minor: Some(reported), ..NewRefund::default() };
            payments::refund(tx, &payment, new)?;
            settle(tx, order)?;
            Ok::<_, OrderError>(())
        })
        .await
        .unwrap();

        sold.hear();
        sold.restart().await;

        assert_eq!(sold.refunded().await, (200, 200), "{reported} reported");
        assert_eq!(sold.number("select count(*) from refund").await, refunds);
        sold.shop.assert_sound().await;
    }
}

#[tokio::test]
async fn a_pending_refund_is_not_refunded_by_other_means() {
    let sold = Sold::silently().await;
    sold.refund(Some(PAID)).await.unwrap();
    let left = sold.write(|tx, order| Ok::<_, OrderError>(refunds::left(tx, order)?));
    assert_eq!(left.await.unwrap(), 0);
    sold.refund(Some(1)).await.unwrap_err();

    sold.hear();
    assert_eq!(refusal(sold.refund(Some(1)).await).0, 400);
    assert_eq!(sold.refunded().await, (PAID, PAID));
}
