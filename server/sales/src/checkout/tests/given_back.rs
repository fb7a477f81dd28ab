//! A failed payment releases everything, and the next attempt succeeds.

use super::shop::{MUG, ONE_MUG, POSTAGE, TestShop, Wish};
use crate::checkout::{CheckoutError, Completion};
use crate::orders::{self, OrderError};
use crate::payments::PaymentError;

#[tokio::test]
async fn a_declined_card_returns_stock_promotion_and_credit_and_the_next_card_pays() {
    let shop = TestShop::with_mugs(5).await;
    let account = shop.account(500).await;
    let wish =
        Wish { quantity: 2, has_promotion: true, credit: Some((&account, 500)), is_shipped: true };
    let cart = shop.ready(wish, "pm_card_declined").await;

    let refused = shop.complete(&cart).await.unwrap();

    assert_eq!(
        refused,
        Completion::Refused {
            requires_more: false,
            message: "Payment authorization failed: card_declined".to_owned(),
        }
    );
    shop.assert_nothing_taken().await;
    assert_eq!(shop.number("select balance_minor from credit_account").await, 500);
    assert_eq!(shop.number("select count(*) from credit_entry").await, 3);
    assert!(matches!(shop.complete(&cart).await, Err(CheckoutError::NoSession)));

    shop.pay(&cart, "pp_sandbox", "pm_card_visa").await;
    let placed = shop.complete(&cart).await.unwrap();

    assert!(matches!(placed, Completion::Placed(_)));
    assert_eq!(shop.number("select balance_minor from credit_account").await, 0);
    let left = 2 * MUG * 9 / 10 + POSTAGE - 500;
    assert_eq!(shop.number("select paid_minor from orders").await, left);
    assert_eq!(shop.number("select display_id from orders").await, 1);
    shop.assert_sound().await;
}

#[tokio::test]
async fn a_card_that_needs_more_leaves_a_cart_that_can_be_tried_again() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_requires_action").await;

    for _ in 0..2 {
        let refused = shop.complete(&cart).await.unwrap();
        assert!(matches!(refused, Completion::Refused { requires_more: true, .. }), "{refused:?}");
        shop.assert_nothing_taken().await;
    }

    let session = "select count(*) from payment_session where status = 'requires_more'
                      and data like '%next_action%'";
    assert_eq!(shop.number(session).await, 1);
}

#[tokio::test]
async fn a_promise_that_fails_at_its_capture_leaves_the_order_unpaid_and_sound() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_fails_late").await;
    let placed = shop.complete(&cart).await.unwrap();
    let Completion::Placed(order) = placed else { panic!("{placed:?}") };
    let payment =
        shop.db.read(move |tx| crate::payments::of_order(tx, &order)).await.unwrap().pop().unwrap();

    let (db, gateway) = (shop.db.clone(), shop.gateway.clone());
    let captured = orders::money::capture(db, gateway, payment.id, None, "user_1".to_owned()).await;

    assert!(matches!(captured, Err(OrderError::Payment(PaymentError::Refused { .. }))));
    let authorized =
        "select count(*) from orders where payment_status = 'authorized' and paid_minor = 0";
    assert_eq!(shop.number(authorized).await, 1);
    shop.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_authorization_is_captured_once_by_many_requests_and_refunded_at_most_in_full() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_authorize_only").await;
    let placed = shop.complete(&cart).await.unwrap();
    let Completion::Placed(order) = placed else { panic!("{placed:?}") };
    let payment =
        shop.db.read(move |tx| crate::payments::of_order(tx, &order)).await.unwrap().pop().unwrap();

    let calls: Vec<_> = (0..16)
        .map(|_| {
            let (db, gateway, id) = (shop.db.clone(), shop.gateway.clone(), payment.id.clone());
            tokio::spawn(orders::money::capture(db, gateway, id, None, "user_1".to_owned()))
        })
        .collect();
    let mut captured = 0;
    for call in calls {
        captured += u32::from(call.await.unwrap().is_ok());
    }
    let part = crate::payments::NewRefund { amount_minor: Some(900), ..Default::default() };
    let mut refunded = 0;
    for _ in 0..3 {
        let (db, gateway, id) = (shop.db.clone(), shop.gateway.clone(), payment.id.clone());
        refunded +=
            u32::from(orders::refunding::refund(db, gateway, id, part.clone()).await.is_ok());
    }

    assert_eq!((captured, refunded), (1, 1));
    let state = "select count(*) from orders
                  where payment_status = 'partially_refunded' and paid_minor = 1395 and refunded_minor = 900";
    assert_eq!(shop.number(state).await, 1);
    shop.assert_sound().await;
}
