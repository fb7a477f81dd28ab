//! A claim survives a crash and an unresponsive provider, and is settled later with the same key.

use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::timeout;

use super::shop::{BEGIN, ONE_MUG, TestShop, Wish};
use crate::checkout::claim::{ClaimOutcome, PendingOrder};
use crate::checkout::confirm::ConfirmError;
use crate::checkout::finish::{FINISH, finish, schedule};
use crate::checkout::settle::settle;
use crate::checkout::{
    COMPLETE_PAID, CheckoutError, Completion, complete_later, complete_paid, recover,
};
use crate::database::{Db, Error, Record as _, Tx};
use crate::ids::OrderId;
use crate::jobs::{Kind, Worker};
use crate::payments::payment::Session;
use crate::payments::provider::{Data, Outcome};
use crate::payments::{self, PaymentError, PaymentGateway, parking};

const LATER_MS: i64 = 3_600_000;

/// Subscribes the lines of all carts with a trial.
const TRIAL: &str = "
insert into subscription_plan (id, name, interval, trial_days, created_at, updated_at)
  values ('subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Monthly', 'month', 7, 1, 1);
insert into account_holder (id, customer_id, provider_id, external_id, created_at, updated_at)
  values ('acchld_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_mute', 'ada', 1, 1);
update cart_line set plan_id = 'subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE';
";

/// The jobs that complete paid carts and cancel parked sessions.
const KINDS: &[Kind<(Db, PaymentGateway)>] = &[
    Kind {
        name: COMPLETE_PAID,
        every_ms: None,
        run: |(db, gateway), job| Box::pin(complete_paid(db, gateway, job)),
    },
    Kind {
        name: FINISH,
        every_ms: None,
        run: |(db, gateway), job| Box::pin(finish(db, gateway, job)),
    },
    Kind {
        name: parking::CANCEL,
        every_ms: None,
        run: |(db, gateway), job| Box::pin(parking::cancel(db, gateway, job)),
    },
];

const FINISHING: &str = "select count(*) from job where kind = 'checkout.finish_paid'";

#[tokio::test]
async fn a_claim_that_a_crash_left_is_settled_by_the_next_start() {
    for (card, orders) in [("pm_card_visa", 1), ("pm_card_declined", 0)] {
        let shop = TestShop::with_mugs(5).await;
        let cart = shop.ready(Wish { has_promotion: true, ..ONE_MUG }, card).await;
        let crashed = shop.claim(&cart).await.unwrap();
        assert!(matches!(crashed, ClaimOutcome::AwaitsPayment(_)));
        shop.assert_sound().await;

        let settled = recover(&shop.db, &shop.gateway, BEGIN.plus_ms(LATER_MS)).await.unwrap();

        assert_eq!(settled, 1);
        assert_eq!(shop.number("select count(*) from orders").await, orders);
        assert_eq!(shop.number("select count(*) from capture").await, orders);
        assert_eq!(shop.number("select sum(reserved_quantity) from inventory_level").await, orders);
        assert_eq!(shop.number("select used_count from promotion").await, orders);
        let left = "select count(*) from cart_completion where state = 'claimed'";
        assert_eq!(shop.number(left).await, 0);
        shop.assert_sound().await;
        let again = recover(&shop.db, &shop.gateway, BEGIN.plus_ms(LATER_MS)).await.unwrap();
        assert_eq!(again, 0);
    }
}

#[tokio::test]
async fn a_call_without_an_answer_is_repeated_and_pays_once() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.cart(ONE_MUG).await;
    shop.pay(&cart, "pp_mute", "any").await;

    let first = shop.complete(&cart).await;

    assert!(matches!(first, Err(CheckoutError::Unconfirmed(_))), "{first:?}");
    shop.assert_sound().await;
    let still = recover(&shop.db, &shop.gateway, BEGIN.plus_ms(LATER_MS)).await.unwrap();
    assert_eq!(still, 0);
    shop.mute.speaks.store(true, Ordering::SeqCst);
    let second = shop.complete(&cart).await.unwrap();
    assert!(matches!(second, Completion::Placed(_)));
    assert_eq!(shop.complete(&cart).await.unwrap(), second);
    assert_eq!(shop.mute.request_count.load(Ordering::SeqCst), 3);
    assert_eq!(shop.number("select count(*) from capture").await, 1);
    shop.assert_sound().await;
}

#[tokio::test]
async fn a_paid_cart_is_completed_when_the_provider_answers_and_money_without_an_order_is_reported()
{
    let shop = TestShop::with_mugs(5).await;
    let silent = shop.cart(ONE_MUG).await;
    shop.pay(&silent, "pp_mute", "any").await;
    let unsent = shop.ready(Wish { is_shipped: false, ..ONE_MUG }, "pm_card_visa").await;
    let told = "select count(*) from event where name = 'alert.payment_without_order'";
    let clock = shop.clock.clone();
    let (db, gateway) = (shop.db.clone(), shop.gateway.clone());
    let worker = Worker::new(db.clone(), clock.clone(), (db, gateway), KINDS);
    let scheduled = [silent, unsent];
    shop.db
        .write::<_, Error>(move |tx| scheduled.iter().try_for_each(|cart| complete_later(tx, cart)))
        .await
        .unwrap();

    clock.advance(LATER_MS);
    worker.run_due().await.unwrap();
    assert_eq!(shop.number(told).await, 1);
    assert_eq!(shop.number("select count(*) from job").await, 1);
    shop.mute.speaks.store(true, Ordering::SeqCst);
    clock.advance(LATER_MS);
    worker.run_due().await.unwrap();

    assert_eq!(shop.number(told).await, 1);
    assert_eq!(shop.number("select count(*) from job").await, 0);
    assert_eq!(shop.number("select count(*) from orders").await, 1);
    shop.assert_sound().await;
}

#[tokio::test]
async fn a_confirmation_without_an_answer_is_finished_by_the_job() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.cart(ONE_MUG).await;
    let (db, gateway) = (shop.db.clone(), shop.gateway.clone());
    let worker = Worker::new(db.clone(), shop.clock.clone(), (db, gateway), KINDS);

    let silent = shop.confirm(&cart, "pp_mute", "ctoken_1").await;
    assert!(matches!(silent, Err(ConfirmError::Silent(_))), "{silent:?}");
    for (speaks, orders) in [(false, 0), (true, 1)] {
        shop.mute.speaks.store(speaks, Ordering::SeqCst);
        shop.clock.advance(LATER_MS);
        worker.run_due().await.unwrap();
        let placed = "select count(*) from orders where status <> 'draft'";
        assert_eq!(shop.number(placed).await, orders);
    }

    assert_eq!(shop.number("select count(*) from capture").await, 1);
    assert_eq!(shop.number(FINISHING).await, 0);
    shop.assert_sound().await;
}

#[tokio::test]
async fn the_saved_method_of_a_trial_outlasts_a_silent_provider() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.cart(ONE_MUG).await;
    shop.change(TRIAL).await;
    shop.pay(&cart, "pp_mute", "any").await;
    let (db, gateway) = (shop.db.clone(), shop.gateway.clone());
    let worker = Worker::new(db.clone(), shop.clock.clone(), (db, gateway), KINDS);
    shop.db.write(move |tx| schedule(tx, &cart)).await.unwrap();

    shop.clock.advance(LATER_MS);
    worker.run_due().await.unwrap();

    let kept = "select count(*) from payment_session where parked_at is null";
    assert_eq!(shop.number(kept).await, 1);
    assert_eq!(shop.number("select attempt_count from job").await, 1);
}

#[tokio::test]
async fn no_job_ends_the_session_of_a_refused_card() {
    for (first, kept) in [(None, 0), (Some("ctoken_card_requires_action"), 1)] {
        let shop = TestShop::with_mugs(5).await;
        let cart = shop.cart(ONE_MUG).await;
        if let Some(token) = first {
            shop.confirm(&cart, "pp_sandbox", token).await.unwrap();
        }

        for token in ["ctoken_card_declined", "unknown"] {
            let refused = shop.confirm(&cart, "pp_sandbox", token).await;
            assert!(
                matches!(refused, Err(ConfirmError::Declined(_) | ConfirmError::Token(_))),
                "{refused:?}"
            );
        }
        assert_eq!(shop.number(FINISHING).await, kept);

        // It replaces the session.
        let unsupported = shop.confirm(&cart, "pp_system_default", "ctoken_2").await;
        assert!(matches!(unsupported, Err(ConfirmError::NoProvider(_))), "{unsupported:?}");
        assert_eq!(shop.number(FINISHING).await, 0);
    }
}

#[tokio::test]
async fn a_claimed_cart_cannot_change_or_be_paid_again() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    shop.claim(&cart).await.unwrap();

    let changed = shop
        .db
        .write(move |tx| {
            let cart = crate::cart::load(tx, &cart)?;
            Ok::<_, CheckoutError>(payments::cart_changed(tx, &cart.id, cart.currency, 1)?)
        })
        .await;

    assert!(matches!(changed, Err(CheckoutError::Payment(PaymentError::BeingCompleted(_)))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_call_and_a_recovery_of_the_same_claim_ask_and_pay_once() {
    let shop = TestShop::with_mugs(5).await;
    shop.mute.speaks.store(true, Ordering::SeqCst);
    let cart = shop.cart(ONE_MUG).await;
    shop.pay(&cart, "pp_mute", "pm_card_visa").await;
    shop.claim(&cart).await.unwrap();

    let recovering = {
        let shop = shop.clone();
        tokio::spawn(async move {
            recover(&shop.db, &shop.gateway, BEGIN.plus_ms(LATER_MS)).await.unwrap()
        })
    };
    let completed = shop.complete(&cart).await.unwrap();
    recovering.await.unwrap();

    assert!(matches!(completed, Completion::Placed(_)));
    assert_eq!(shop.mute.request_count.load(Ordering::SeqCst), 1);
    assert_eq!(shop.number("select count(*) from capture").await, 1);
    shop.assert_sound().await;
}

#[tokio::test]
async fn an_attempt_is_settled_once_and_never_for_another_order() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    let ClaimOutcome::AwaitsPayment(pending) = shop.claim(&cart).await.unwrap() else {
        panic!("the cart is not claimed");
    };
    let settled = async |pending: PendingOrder, outcome: Outcome| {
        shop.db.write(move |tx| settle(tx, &pending, &outcome, None)).await.unwrap()
    };
    let paid = Outcome::Captured { data: Data::new() };
    let declined = Outcome::Declined { reason: "card_declined".to_owned() };

    let other = PendingOrder { order_id: OrderId::new(), ..(*pending).clone() };
    let refused = settled(other, paid.clone()).await;
    assert!(matches!(refused, Completion::Refused { .. }), "{refused:?}");
    assert_eq!(shop.number("select count(*) from payment").await, 0);
    for outcome in [paid.clone(), declined, paid] {
        let placed = settled((*pending).clone(), outcome).await;
        assert!(
            matches!(&placed, Completion::Placed(order) if *order == pending.order_id),
            "{placed:?}"
        );
    }
    assert_eq!(shop.number("select count(*) from capture").await, 1);
    shop.assert_sound().await;
}

#[tokio::test]
async fn a_parked_session_that_its_shopper_takes_up_is_not_canceled() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.cart(ONE_MUG).await;
    shop.pay(&cart, "pp_mute", "any").await;
    let park = |tx: &Tx<'_>| match Session::select_one(tx, "", [])? {
        Some(session) => parking::end(tx, session),
        None => Ok(()),
    };
    shop.db.write::<_, PaymentError>(park).await.unwrap();
    let (db, gateway) = (shop.db.clone(), shop.gateway.clone());
    let worker = Worker::new(db.clone(), shop.clock.clone(), (db, gateway), KINDS);

    // The shopper's request holds the lock.
    let lock = shop.gateway.locks.lock(cart.as_str(), Duration::from_secs(1)).await.unwrap();
    let mut canceling = pin!(worker.run_due());
    assert!(timeout(Duration::from_millis(200), &mut canceling).await.is_err());
    shop.change("update payment_session set parked_at = null").await;
    drop(lock);
    canceling.await.unwrap();

    // The provider would not have answered, and the job would wait for another attempt.
    assert_eq!(shop.number("select count(*) from job").await, 0);
    assert_eq!(shop.number("select count(*) from payment_session").await, 1);
}
