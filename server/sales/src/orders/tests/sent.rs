//! Tests of items that are packed, shipped and delivered.

use super::{Sold, VISA, line, new_fulfillment, refusal};
use crate::database::Error;
use crate::fulfillment::steps::{Label, NewFulfillment};
use crate::fulfillment::{self, FulfillmentError, Pieces};
use crate::orders::admin::cancel;
use crate::orders::{addition, change_status};
use crate::statuses::OrderStatus;

fn label() -> Label {
    let tracking_number = "TRK1".to_owned();
    Label { tracking_number, tracking_url: String::new(), print_url: String::new() }
}

async fn stock(sold: &Sold) -> (i64, i64) {
    (
        sold.number("select stocked_quantity from inventory_level").await,
        sold.number("select reserved_quantity from inventory_level").await,
    )
}

#[tokio::test]
async fn packing_takes_goods_out_of_stock_and_calling_it_off_puts_them_back() {
    let sold = Sold::mugs(3, VISA).await;
    assert_eq!(stock(&sold).await, (10, 3));

    let packed = sold.pack(2).await.unwrap();
    assert_eq!(stock(&sold).await, (8, 1));
    assert_eq!(sold.states().await.2, "partially_fulfilled");

    sold.write(move |tx, order| fulfillment::steps::cancel(tx, order, &packed)).await.unwrap();
    assert_eq!(stock(&sold).await, (10, 3));
    assert_eq!(sold.states().await.2, "canceled");
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn no_piece_is_packed_twice() {
    let sold = Sold::mugs(3, VISA).await;
    sold.pack(2).await.unwrap();

    let (status, message) = refusal(sold.pack(2).await);

    assert_eq!(status, 400);
    assert!(message.ends_with("has 1 left to fulfill, not 2"), "{message}");
    assert_eq!(sold.number("select count(*) from fulfillment").await, 1);
}

#[tokio::test]
async fn goods_are_not_sent_by_a_deleted_shipping_option() {
    let sold = Sold::mugs(1, VISA).await;
    sold.shop.change("update shipping_option set deleted_at = 1").await;

    let packed = sold.write(|tx, order| {
        let line_id = line(tx, order)?;
        let shipping_option_id =
            tx.query_row("select id from shipping_option", [], |row| row.get(0));
        let new = NewFulfillment {
            shipping_option_id: shipping_option_id.map_err(Error::from)?,
            ..new_fulfillment(order, vec![Pieces { line_id, quantity: 1 }])
        };
        fulfillment::steps::pack(tx, new)
    });

    assert_eq!(refusal(packed.await).0, 400);
}

#[tokio::test]
async fn an_order_follows_its_fulfillments_step_by_step() {
    let sold = Sold::mugs(3, VISA).await;
    let (first, second) = (sold.pack(1).await.unwrap(), sold.pack(2).await.unwrap());
    assert_eq!(sold.states().await.2, "fulfilled");

    for (id, expected) in [(first.clone(), "partially_shipped"), (second.clone(), "shipped")] {
        sold.write(move |tx, order| {
            fulfillment::steps::ship(tx, (order, &id), None, &[label()], false)
        })
        .await
        .unwrap();
        assert_eq!(sold.states().await.2, expected);
    }
    for (id, expected) in [(first.clone(), "partially_delivered"), (second, "delivered")] {
        sold.write(move |tx, order| fulfillment::steps::deliver(tx, order, &id)).await.unwrap();
        assert_eq!(sold.states().await.2, expected);
    }

    let again = sold.write(move |tx, order| fulfillment::steps::cancel(tx, order, &first)).await;
    let expected = "A fulfillment that is delivered cannot become canceled".to_owned();
    assert_eq!(refusal(again), (400, expected));
    for event in ["fulfillment.created", "shipment.created", "delivery.created"] {
        let sql = match event {
            "fulfillment.created" => {
                "select count(*) from event where name = 'fulfillment.created'"
            }
            "shipment.created" => "select count(*) from event where name = 'shipment.created'",
            _ => "select count(*) from event where name = 'delivery.created'",
        };
        assert_eq!(sold.number(sql).await, 2, "{event}");
    }
}

#[tokio::test]
async fn goods_that_were_fetched_left_the_house_without_being_sent() {
    let sold = Sold::mugs(1, VISA).await;
    let packed = sold.pack(1).await.unwrap();

    sold.write(move |tx, order| fulfillment::steps::deliver(tx, order, &packed)).await.unwrap();

    assert_eq!(sold.states().await.2, "delivered");
    assert_eq!(sold.number("select shipped_quantity from order_line").await, 1);
    assert_eq!(sold.number("select count(shipped_at) from fulfillment").await, 0);
}

#[tokio::test]
async fn a_whole_order_is_packed_sent_and_delivered_at_its_own_time() {
    let sold = Sold::mugs(3, VISA).await;

    sold.write::<_, FulfillmentError>(|tx, order| {
        let day = 86_400_000;
        let at = |days: i64| tx.at(tx.now().plus_ms(days * day));
        let packed = fulfillment::fulfil_all(&at(1), order, None)?.unwrap();
        fulfillment::steps::ship(&at(2), (order, &packed), None, &[], false)?;
        fulfillment::steps::deliver(&at(3), order, &packed)?;
        assert_eq!(fulfillment::fulfil_all(tx, order, None)?, None);
        Ok(())
    })
    .await
    .unwrap();

    let days = "select (delivered_at - packed_at) / 86400000 from fulfillment where shipped_at > packed_at";
    assert_eq!(sold.number(days).await, 2);
    assert_eq!(sold.states().await.2, "delivered");
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn an_order_gains_lines_until_it_is_completed_packed_or_canceled() {
    let is_open = async |sold: &Sold| {
        sold.write(|tx, order| addition::is_open(tx, &addition::placed(tx, order)?)).await.unwrap()
    };
    let packed = Sold::mugs(2, VISA).await;
    assert!(is_open(&packed).await);
    packed.pack(1).await.unwrap();
    assert!(!is_open(&packed).await);

    let completed = Sold::mugs(2, VISA).await;
    completed.write(|tx, order| change_status(tx, order, OrderStatus::Completed)).await.unwrap();
    assert!(!is_open(&completed).await);

    let canceled = Sold::mugs(2, VISA).await;
    canceled.write(|tx, order| cancel::cancel(tx, order, None)).await.unwrap();
    assert!(!is_open(&canceled).await);
}
