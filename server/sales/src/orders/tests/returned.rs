//! Tests of returned items.

use super::{ADMIN, Sold, VISA, line, refusal};
use crate::fulfillment;
use crate::returns::{self, ReturnError};

async fn sent(quantity: i64) -> Sold {
    let sold = Sold::mugs(quantity, VISA).await;
    send(&sold).await;
    sold
}

/// Ships all of an order.
pub(super) async fn send(sold: &Sold) {
    sold.write(|tx, order| {
        let packed = fulfillment::fulfil_all(tx, order, None)?.unwrap();
        fulfillment::steps::ship(tx, (order, &packed), None, &[], false)
    })
    .await
    .unwrap();
}

/// Returns pieces; the result is their value.
pub(super) async fn come_back(sold: &Sold, quantity: i64) -> Result<i64, crate::http::HttpError> {
    sold.write(move |tx, order| {
        let lines = [(line(tx, order)?, quantity)];
        Ok::<_, ReturnError>(returns::return_lines(tx, order, &lines, None)?.refund_minor)
    })
    .await
}

#[tokio::test]
async fn goods_that_come_back_are_in_stock_again_and_their_price_is_owed_to_the_penny() {
    let sold = sent(3).await;
    assert_eq!(sold.number("select total_minor from order_line").await, 2_700);

    let owed = come_back(&sold, 1).await.unwrap() + come_back(&sold, 2).await.unwrap();

    assert_eq!(owed, 2_700);
    assert_eq!(sold.number("select stocked_quantity from inventory_level").await, 10);
    assert_eq!(sold.number("select refunded_minor from order_line").await, 2_700);
    assert_eq!(sold.number("select sum(refund_minor) from order_return").await, 2_700);
    assert_eq!(sold.states().await.2, "shipped");
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn unshipped_items_cannot_be_returned_nor_any_item_twice() {
    let sold = Sold::mugs(2, VISA).await;
    sold.pack(2).await.unwrap();
    assert_eq!(refusal(come_back(&sold, 1).await).0, 400);

    let sold = sent(2).await;
    come_back(&sold, 2).await.unwrap();
    let (status, message) = refusal(come_back(&sold, 1).await);
    assert_eq!(status, 400);
    assert!(message.ends_with("has 0 that can be returned, not 1"), "{message}");
}

#[tokio::test]
async fn a_return_is_received_in_parts_and_damaged_goods_are_neither_stocked_nor_owed() {
    let sold = sent(3).await;
    let received = sold
        .write(|tx, order| {
            let line_id = line(tx, order)?;
            let id = super::machine::announce(tx, order, 3)?;
            returns::steps::unpack(tx, &id, &[(line_id.clone(), 1)], false)?;
            let first = returns::steps::confirm_receipt(tx, &id, Some(ADMIN))?;
            returns::steps::unpack(tx, &id, &[(line_id.clone(), 1)], false)?;
            returns::steps::unpack(tx, &id, &[(line_id, 1)], true)?;
            let second = returns::steps::confirm_receipt(tx, &id, Some(ADMIN))?;
            Ok::<_, ReturnError>((first.refund_minor, second.refund_minor))
        })
        .await
        .unwrap();

    assert_eq!(received, (900, 900));
    assert_eq!(sold.number("select stocked_quantity from inventory_level").await, 9);
    let done =
        "select count(*) from order_return where status = 'received' and received_at is not null";
    assert_eq!(sold.number(done).await, 1);
    let steps = "select count(*) from order_transition where aspect = 'return'";
    assert_eq!(sold.number(steps).await, 4);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn damaged_goods_alone_are_received_without_stock_or_refund() {
    let sold = sent(1).await;
    let received = sold
        .write(|tx, order| {
            let id = super::machine::announce(tx, order, 1)?;
            returns::steps::unpack(tx, &id, &[(line(tx, order)?, 1)], true)?;
            returns::steps::confirm_receipt(tx, &id, Some(ADMIN))
        })
        .await
        .unwrap();

    assert_eq!(received.refund_minor, 0);
    assert_eq!(sold.number("select stocked_quantity from inventory_level").await, 9);
    let done = "select count(*) from order_return where status = 'received'";
    assert_eq!(sold.number(done).await, 1);
    sold.shop.assert_sound().await;
}

#[tokio::test]
async fn an_unpacked_return_is_discarded_until_confirmed() {
    let sold = sent(2).await;
    let id = sold.write(|tx, order| super::machine::announce(tx, order, 2)).await.unwrap();
    let (first, again) = (id.clone(), id.clone());
    sold.write(move |tx, order| {
        returns::steps::unpack(tx, &first, &[(line(tx, order)?, 2)], false)?;
        returns::steps::begin_receipt(tx, &first, None)
    })
    .await
    .unwrap();
    let nothing = sold
        .write(move |tx, _| returns::steps::confirm_receipt(tx, &again, Some(ADMIN)).map(drop))
        .await;
    assert_eq!(refusal(nothing).0, 400);

    let received = id.clone();
    sold.write(move |tx, order| {
        returns::steps::unpack(tx, &received, &[(line(tx, order)?, 2)], false)?;
        returns::steps::confirm_receipt(tx, &received, Some(ADMIN))
    })
    .await
    .unwrap();
    let recorded = "select sum(action.value ->> '$.details.quantity')
          from order_change, json_each(actions) action
         where action.value ->> 'action' = 'RECEIVE_ITEM' and action.value ->> 'reference' = 'return'";
    assert_eq!(sold.number(recorded).await, 2);
    let late = sold.write(move |tx, _| returns::steps::begin_receipt(tx, &id, None)).await;
    assert_eq!(refusal(late), (400, "A return that is received cannot be received".to_owned()));
}

#[tokio::test]
async fn a_return_that_is_called_off_lets_its_goods_be_announced_again() {
    let sold = sent(2).await;
    let id = sold.write(|tx, order| super::machine::announce(tx, order, 2)).await.unwrap();
    assert_eq!(refusal(come_back(&sold, 1).await).0, 400);

    let (again, first) = (id.clone(), id);
    sold.write(move |tx, _| returns::steps::cancel(tx, &first, None)).await.unwrap();
    let twice = sold.write(move |tx, _| returns::steps::cancel(tx, &again, None)).await;

    assert_eq!(refusal(twice), (400, "A return that is canceled cannot be canceled".to_owned()));
    assert_eq!(come_back(&sold, 2).await.unwrap(), 1_800);
}
