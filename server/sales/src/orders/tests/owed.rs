//! Tests of amounts due: collections by hand, credit that lowers them, and the boundaries of every amount.

use super::returned::{come_back, send};
use super::{ADMIN, PROMISE, Sold, VISA, refusal};
use crate::http::HttpError;
use crate::ids::PaymentCollectionId;
use crate::money::{Currency, Major};
use crate::orders::OrderError;
use crate::payments::{self, balance_due};

/// Returns an order with nothing paid, since its promise was called off, and its total.
async fn unpaid(quantity: i64) -> (Sold, i64) {
    let sold = Sold::mugs(quantity, PROMISE).await;
    sold.cancel_payment().await.unwrap();
    let total_minor = sold.number("select total_minor from orders").await;
    (sold, total_minor)
}

async fn open(sold: &Sold, amount: Option<&str>) -> Result<PaymentCollectionId, HttpError> {
    let amount: Option<Major> = amount.map(|text| serde_json::from_str(text).unwrap());
    sold.write(move |tx, order| balance_due::open(tx, order, amount)).await
}

async fn pay(sold: &Sold, id: &PaymentCollectionId) -> Result<(), HttpError> {
    let id = id.clone();
    sold.write(move |tx, order| payments::mark_as_paid(tx, &id, order, ADMIN).map(drop)).await
}

/// Lowers the amount due; returns the remainder.
async fn lower(sold: &Sold, amount_minor: i64) -> i64 {
    sold.write(move |tx, order| balance_due::lower(tx, order, amount_minor)).await.unwrap()
}

#[tokio::test]
async fn an_amount_due_is_collected_in_parts_down_to_the_last_cent() {
    let (sold, total_minor) = unpaid(1).await;
    for amount in ["0", "-0.01"] {
        assert_eq!(refusal(open(&sold, Some(amount)).await).0, 400, "{amount}");
    }
    let cent = open(&sold, Some("0.01")).await.unwrap();
    let most = Currency::from_code("usd").unwrap().amount(total_minor - 2);
    let most = serde_json::to_string(&most).unwrap();
    let most = open(&sold, Some(&most)).await.unwrap();
    let last = open(&sold, None).await.unwrap();
    let nothing = (400, "Nothing is to be paid".to_owned());
    assert_eq!(refusal(open(&sold, None).await), nothing);

    for part in [&cent, &most, &last] {
        pay(&sold, part).await.unwrap();
        assert_eq!(refusal(pay(&sold, part).await), nothing);
    }
    let paid = "select sum(captured_minor) from payment_collection where status = 'completed'";
    assert_eq!(sold.number(paid).await, total_minor);
    let canceled = "select id from payment_collection where status = 'canceled'";
    let canceled =
        sold.write(move |tx, _order| tx.sql(canceled).one([], |row| row.get(0))).await.unwrap();
    assert_eq!(refusal(pay(&sold, &canceled).await), nothing);
}

#[tokio::test]
async fn credit_takes_what_nobody_collects_and_then_collections_without_a_promise() {
    let (sold, total_minor) = unpaid(1).await;
    let paid = open(&sold, Some("2.00")).await.unwrap();
    pay(&sold, &paid).await.unwrap();
    open(&sold, Some("1.00")).await.unwrap();
    let open_minor = async || {
        let open = "select amount_minor from payment_collection where status = 'not_paid'";
        sold.number(open).await
    };
    let uncollected_minor = total_minor - 300;

    assert_eq!(lower(&sold, uncollected_minor).await, 0);
    assert_eq!(open_minor().await, 100);
    assert_eq!(lower(&sold, uncollected_minor + 40).await, 0);
    assert_eq!(open_minor().await, 60);
    assert_eq!(lower(&sold, uncollected_minor + 40 + 65).await, 5);
    let left = "select sum(amount_minor) from payment_collection where status <> 'canceled'";
    assert_eq!(sold.number(left).await, 200);
    let called_off = "select amount_minor from payment_collection where status = 'canceled'";
    assert_eq!(sold.number(called_off).await, total_minor);
}

#[tokio::test]
async fn nothing_is_due_for_what_came_back() {
    let (sold, total_minor) = unpaid(2).await;
    send(&sold).await;
    let left_minor = total_minor - come_back(&sold, 1).await.unwrap();

    assert_eq!(lower(&sold, left_minor + 7).await, 7);
    open(&sold, None).await.unwrap();
    assert_eq!(refusal(open(&sold, None).await), (400, "Nothing is to be paid".to_owned()));
    let due = "select amount_minor from payment_collection where status = 'not_paid'";
    assert_eq!(sold.number(due).await, left_minor);
    come_back(&sold, 1).await.unwrap();
    assert_eq!(lower(&sold, 1).await, 0);
    assert_eq!(sold.number(due).await, total_minor - 2 * (total_minor - left_minor) - 1);
}

#[tokio::test]
async fn credit_takes_nothing_of_a_promise() {
    let sold = Sold::mugs(1, PROMISE).await;
    let promised = "select amount_minor from payment_collection";
    let before = sold.number(promised).await;
    assert_eq!(lower(&sold, 5).await, 5);
    assert_eq!(sold.number(promised).await, before);
}

#[tokio::test]
async fn an_order_of_nothing_has_a_collection_that_is_complete() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.write(|tx, order| {
        balance_due::record_nothing_due(tx, order, Currency::from_code("usd").unwrap())
    })
    .await
    .unwrap();
    let complete = "select count(*) from payment_collection join orders on orders.id = order_id
        where amount_minor = 0 and payment_collection.status = 'completed'
          and payment_collection.completed_at is not null";
    assert_eq!(sold.number(complete).await, 1);
}

#[tokio::test]
async fn a_promise_is_captured_and_refunded_down_to_the_last_cent() {
    let sold = Sold::mugs(1, PROMISE).await;
    let total_minor = sold.number("select total_minor from orders").await;
    let completed = "select coalesce(max(completed_at), 0) from payment_collection";
    for amount in [Some(1), Some(total_minor - 2), None] {
        assert_eq!(sold.number(completed).await, 0);
        for (refused, reason) in
            [(0, "more than zero"), (-1, "more than zero"), (total_minor + 1, "is left")]
        {
            let message = refusal(sold.capture(Some(refused)).await).1;
            assert!(message.contains(reason), "{refused}: {message}");
        }
        sold.capture(amount).await.unwrap();
    }
    let completed_at = sold.number(completed).await;
    assert!(completed_at > 0);
    sold.shop.clock.advance(1_000);
    for amount in [Some(1), Some(total_minor - 2), None] {
        sold.refund(amount).await.unwrap();
    }
    let nothing_left = refusal(sold.refund(None).await);
    assert_eq!(nothing_left, (400, "Nothing is left to refund".to_owned()));
    assert_eq!(sold.number(completed).await, completed_at);

    let parts = "select sum(tax_minor) - (select tax_minor from orders)
          from order_transaction where amount_minor < 0";
    assert_eq!(sold.number(parts).await, 0);
    let unsplit = "select count(*) from order_transaction
        where amount_minor < 0 and (tax_minor is null or shipping_minor is null)";
    assert_eq!(sold.number(unsplit).await, 0);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn a_partly_captured_payment_is_not_canceled() {
    let sold = Sold::mugs(1, PROMISE).await;
    sold.capture(Some(1)).await.unwrap();

    let refused = refusal(sold.cancel_payment().await);

    let payment = sold.payment().await;
    let message = format!("Payment {payment} is captured and cannot be canceled");
    assert_eq!(refused.1, message);
}

#[tokio::test]
async fn the_refund_of_a_canceled_order_names_who_canceled_it() {
    let sold = Sold::mugs(1, VISA).await;
    sold.reverse().await.unwrap();
    let by: String = sold
        .write(|tx, _order| {
            tx.sql("select created_by from refund")
                .one([], |row| row.get(0))
                .map_err(OrderError::from)
        })
        .await
        .unwrap();
    assert_eq!(by, ADMIN);
}
