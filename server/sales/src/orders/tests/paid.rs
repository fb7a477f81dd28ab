//! Tests of payments of placed orders.

use super::{ADMIN, PROMISE, Sold, VISA, refusal};
use crate::money::Major;
use crate::orders::{OrderError, refunding, settle};
use crate::payments::{self, NewRefund, balance_due};

#[tokio::test]
async fn a_promise_is_captured_and_refunded_in_parts_and_never_beyond() {
    let sold = Sold::mugs(1, PROMISE).await;
    assert_eq!(sold.states().await.1, "authorized");
    for (step, amount, expected) in [
        ("capture", Some(295), "partially_captured"),
        ("capture", None, "captured"),
        ("refund", Some(95), "partially_refunded"),
        ("refund", None, "refunded"),
    ] {
        match step {
            "capture" => sold.capture(amount).await.unwrap(),
            _ => {
                sold.refund(amount).await.unwrap();
            }
        }
        assert_eq!(sold.states().await.1, expected);
    }
    assert_eq!(refusal(sold.capture(None).await).0, 400);
    assert_eq!(refusal(sold.refund(Some(1)).await).0, 400);
    assert_eq!(refusal(sold.refund(Some(0)).await).0, 400);
    assert_eq!(sold.number("select paid_minor - refunded_minor from orders").await, 0);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn simultaneous_refunds_never_exceed_the_payment() {
    let sold = Sold::mugs(1, VISA).await;
    let paid = sold.number("select paid_minor from orders").await;
    let payment = sold.payment().await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (db, gateway) = (sold.shop.db.clone(), sold.shop.gateway.clone());
            let new = NewRefund { amount_minor: Some(200), ..NewRefund::default() };
            tokio::spawn(refunding::refund(db, gateway, payment.clone(), new))
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += i64::from(task.await.unwrap().is_ok());
    }

    assert_eq!(done, paid / 200);
    assert_eq!(sold.number("select refunded_minor from orders").await, done * 200);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn an_order_whose_promised_payment_was_called_off_is_collected_by_hand() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.cancel_payment().await.unwrap();
    assert_eq!(sold.states().await.1, "canceled");

    let too_much: Major = serde_json::from_str("1000").unwrap();
    let refused = sold.write(move |tx, order| balance_due::open(tx, order, Some(too_much))).await;
    assert_eq!(refusal(refused).0, 400);
    let opened = sold
        .write(|tx, order| {
            let id = balance_due::open(tx, order, None)?;
            settle(tx, order)?;
            Ok::<_, OrderError>(id)
        })
        .await
        .unwrap();
    assert_eq!(sold.states().await.1, "not_paid");

    sold.write(move |tx, order| {
        payments::mark_as_paid(tx, &opened, order, ADMIN)?;
        settle(tx, order)
    })
    .await
    .unwrap();

    assert_eq!(sold.states().await.1, "captured");
    let again = sold.write(move |tx, order| balance_due::open(tx, order, None)).await;
    assert_eq!(refusal(again), (400, "Nothing is to be paid".to_owned()));
    sold.shop.assert_sound().await;
}
