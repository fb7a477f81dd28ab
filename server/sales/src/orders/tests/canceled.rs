//! Tests of canceled orders.

use std::sync::atomic::Ordering;

use super::{ADMIN, PROMISE, Sold, VISA, refusal};
use crate::checkout::tests::shop::{BEGIN, MUG, POSTAGE, TestShop, Wish};
use crate::clock::Clock;
use crate::database::{Db, Error};
use crate::http::HttpError;
use crate::jobs::{Kind, Worker};
use crate::orders::admin::cancel;
use crate::orders::{refunding, reversal};
use crate::payments::PaymentGateway;

/// The jobs that the server runs for a canceled order.
const KINDS: &[Kind<(Db, PaymentGateway)>] = &[
    Kind {
        name: reversal::REVERSE,
        every_ms: None,
        run: |(db, gateway), job| Box::pin(reversal::reverse_again(db, gateway, job)),
    },
    Kind {
        name: refunding::REFUND,
        every_ms: None,
        run: |(db, gateway), job| Box::pin(refunding::refund_again(db, gateway, job)),
    },
];

pub(super) async fn call_off(sold: &Sold) -> Result<(), HttpError> {
    sold.write(|tx, order| cancel::cancel(tx, order, Some(ADMIN))).await?;
    sold.reverse().await
}

/// Returns a worker for the jobs, with a clock.
pub(super) fn worker(sold: &Sold, clock: &Clock) -> Worker<(Db, PaymentGateway)> {
    let (db, gateway) = (sold.shop.db.clone(), sold.shop.gateway.clone());
    Worker::new(db.clone(), clock.clone(), (db, gateway), KINDS)
}

async fn with_credit(card: &str) -> Sold {
    let shop = TestShop::with_mugs(10).await;
    let account = shop.account(500).await;
    let credit = Some((&account, 500));
    let wish = Wish { quantity: 2, has_promotion: true, credit, is_shipped: true };
    Sold::by(shop, wish, card).await
}

#[tokio::test]
async fn a_canceled_order_returns_stock_promotion_credit_and_money_once() {
    for (card, payment_status) in [(VISA, "refunded"), (PROMISE, "canceled")] {
        let sold = with_credit(card).await;
        assert_eq!(sold.number("select balance_minor from credit_account").await, 0);

        call_off(&sold).await.unwrap();
        call_off(&sold).await.unwrap();

        let (status, payment, fulfillment) = sold.states().await;
        assert_eq!((status.as_str(), payment.as_str()), ("canceled", payment_status));
        assert_eq!(fulfillment, "not_fulfilled");
        assert_eq!(sold.number("select paid_minor - refunded_minor from orders").await, 0);
        assert_eq!(sold.number("select reserved_quantity from inventory_level").await, 0);
        assert_eq!(sold.number("select used_count from promotion").await, 0);
        assert_eq!(sold.number("select balance_minor from credit_account").await, 500);
        let events = "select count(*) from event where name = 'order.canceled'";
        assert_eq!(sold.number(events).await, 1);
        sold.shop.assert_sound().await;
    }
}

#[tokio::test]
async fn a_canceled_order_returns_its_share_of_a_budget() {
    let campaigns = "insert into campaign (id, name, campaign_identifier, budget_type, budget_currency, budget_limit,
                                           created_at, updated_at)
        values ('procamp_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Spend', 'spend', 'spend', 'gbp', 1000, 0, 0),
               ('procamp_01JD2Q8Z5M6T3W9XKCV4B7N0RF', 'Usage', 'usage', 'usage', null, 10, 0, 0)";
    for (id, taken) in [
        ("procamp_01JD2Q8Z5M6T3W9XKCV4B7N0RE", MUG / 10),
        ("procamp_01JD2Q8Z5M6T3W9XKCV4B7N0RF", 1),
    ] {
        let shop = TestShop::with_mugs(10).await;
        shop.db
            .write::<_, Error>(move |tx| {
                tx.sql(campaigns).run([])?;
                tx.sql("update promotion set campaign_id = ?1").run([id])
            })
            .await
            .unwrap();
        let wish = Wish { quantity: 1, has_promotion: true, credit: None, is_shipped: true };
        let sold = Sold::by(shop, wish, VISA).await;
        let used = "select sum(budget_used) from campaign";
        assert_eq!(sold.number(used).await, taken);
        call_off(&sold).await.unwrap();
        assert_eq!(sold.number(used).await, 0);
    }
}

#[tokio::test]
async fn an_order_whose_cancellation_was_interrupted_is_refunded_by_its_job() {
    let sold = with_credit(VISA).await;
    sold.write(|tx, order| cancel::cancel(tx, order, Some(ADMIN))).await.unwrap();
    let clock = Clock::fixed(BEGIN);
    let worker = worker(&sold, &clock);
    clock.advance(60_000);
    assert_eq!(worker.run_due().await.unwrap(), 1);
    assert_eq!(sold.states().await.1, "refunded");
    assert_eq!(sold.number("select paid_minor - refunded_minor from orders").await, 0);
}

#[tokio::test]
async fn a_refund_without_an_answer_is_repeated_until_it_works() {
    let sold = Sold::silently().await;
    let clock = Clock::fixed(BEGIN);
    let worker = worker(&sold, &clock);
    let due = async || worker.run_due().await.unwrap();
    let left = "select paid_minor - refunded_minor from orders";

    assert_eq!(refusal(call_off(&sold).await).0, 503);
    assert_eq!(sold.states().await.0, "canceled");
    assert_eq!(due().await, 0);
    clock.advance(60_000);
    assert_eq!(due().await, 2);
    assert_eq!(sold.number(left).await, MUG + POSTAGE);

    sold.shop.mute.pays_back.store(true, Ordering::SeqCst);
    assert_eq!(due().await, 0);
    // The two jobs may collide, and the later one retries.
    for _ in 0..3 {
        clock.advance(60_000);
        due().await;
    }

    assert_eq!(sold.number(left).await, 0);
    assert_eq!(sold.states().await.1, "refunded");
    assert_eq!(sold.number("select count(*) from refund").await, 1);
    assert_eq!(sold.number("select count(*) from job").await, 0);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn nothing_more_is_captured_for_an_order_that_was_called_off() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.capture(Some(295)).await.unwrap();
    call_off(&sold).await.unwrap();

    let (status, message) = refusal(sold.capture(None).await);

    assert_eq!(status, 400);
    assert!(message.ends_with("nothing is captured for it"), "{message}");
    assert_eq!(sold.number("select paid_minor - refunded_minor from orders").await, 0);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn a_captured_payment_is_not_canceled_and_its_provider_not_called() {
    let sold = Sold::silently().await;
    let canceled = sold.cancel_payment().await;

    // The provider would answer with 503.
    assert_eq!(refusal(canceled).0, 400);
}

#[tokio::test]
async fn a_packed_order_is_not_canceled() {
    let sold = Sold::mugs(2, VISA).await;
    let packed = sold.pack(1).await.unwrap();

    let (status, message) = refusal(call_off(&sold).await);
    assert_eq!(status, 400);
    assert!(message.contains("must be canceled before"), "{message}");
    assert_eq!(sold.states().await.0, "pending");

    sold.write(move |tx, order| crate::fulfillment::steps::cancel(tx, order, &packed))
        .await
        .unwrap();
    call_off(&sold).await.unwrap();
    assert_eq!(sold.number("select stocked_quantity from inventory_level").await, 10);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn completed_and_archived_orders_stay_so() {
    let sold = Sold::mugs(1, VISA).await;
    sold.write(cancel::complete).await.unwrap();
    sold.write(cancel::complete).await.unwrap();
    assert_eq!(refusal(call_off(&sold).await).0, 400);

    sold.write(cancel::archive).await.unwrap();
    assert_eq!(refusal(sold.write(cancel::complete).await).0, 400);
    assert_eq!(refusal(sold.pack(1).await).0, 400);
}

#[tokio::test]
async fn an_archived_order_reserves_no_stock() {
    let sold = Sold::mugs(3, VISA).await;
    let packed = sold.pack(1).await.unwrap();
    let reserved = "select reserved_quantity from inventory_level";
    assert_eq!(sold.number(reserved).await, 2);

    sold.write(cancel::complete).await.unwrap();
    sold.write(cancel::archive).await.unwrap();
    assert_eq!(sold.number(reserved).await, 0);
    sold.write(move |tx, order| crate::fulfillment::steps::cancel(tx, order, &packed))
        .await
        .unwrap();

    assert_eq!(sold.number(reserved).await, 0);
    assert_eq!(sold.number("select stocked_quantity from inventory_level").await, 10);
    sold.shop.assert_sound().await;
}
