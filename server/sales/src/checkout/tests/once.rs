//! Under any number of concurrent requests, everything happens once.

use super::shop::{MUG, ONE_MUG, POSTAGE, TestShop, Wish};
use crate::checkout::{CheckoutError, Completion};
use crate::ids::CartId;
use crate::inventory::InventoryError;
use crate::orders::OrderError;

/// Completes carts concurrently and returns the outcomes.
async fn all_at_once(
    shop: &TestShop,
    carts: impl IntoIterator<Item = CartId>,
) -> Vec<Result<Completion, CheckoutError>> {
    let calls: Vec<_> = carts
        .into_iter()
        .map(|cart| {
            let shop = shop.clone();
            tokio::spawn(async move { shop.complete(&cart).await })
        })
        .collect();
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(call.await.unwrap());
    }
    outcomes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_completions_of_one_cart_give_one_order_and_one_capture() {
    let shop = TestShop::with_mugs(100).await;
    let cart =
        shop.ready(Wish { quantity: 3, has_promotion: true, ..ONE_MUG }, "pm_card_visa").await;

    let outcomes = all_at_once(&shop, vec![cart; 64]).await;

    let mut orders: Vec<_> = outcomes
        .into_iter()
        .map(|outcome| match outcome.unwrap() {
            Completion::Placed(order) => order,
            Completion::Refused { message, .. } => panic!("{message}"),
        })
        .collect();
    orders.dedup();
    assert_eq!(orders.len(), 1);
    let paid = 3 * MUG * 9 / 10 + POSTAGE;
    for (sql, expected) in [
        ("select count(*) from orders where status = 'pending' and payment_status = 'captured'", 1),
        ("select count(*) from capture", 1),
        ("select paid_minor from orders", paid),
        ("select cost_minor from orders", 1_200),
        ("select sum(reserved_quantity) from inventory_level", 3),
        ("select used_count from promotion", 1),
        ("select count(*) from event where name = 'order.placed'", 1),
        ("select count(*) from event where name = 'payment.captured'", 1),
        ("select count(*) from order_transition where aspect = 'status'", 2),
        (
            "select count(*) from order_transition where aspect = 'payment' and to_state = 'captured'",
            1,
        ),
    ] {
        assert_eq!(shop.number(sql).await, expected, "{sql}");
    }
    shop.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_carts_racing_for_ten_pieces_give_ten_orders_and_clean_errors() {
    let shop = TestShop::with_mugs(10).await;
    let mut carts = Vec::new();
    for _ in 0..32 {
        carts.push(shop.ready(ONE_MUG, "pm_card_visa").await);
    }

    let outcomes = all_at_once(&shop, carts).await;

    let placed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let is_short = |outcome: &&Result<_, CheckoutError>| {
        matches!(
            outcome,
            Err(CheckoutError::Order(OrderError::Inventory(
                InventoryError::InsufficientInventory { .. }
            )))
        )
    };
    assert_eq!((placed, outcomes.iter().filter(is_short).count()), (10, 22));
    assert_eq!(shop.number("select count(*) from orders").await, 10);
    assert_eq!(shop.number("select sum(reserved_quantity) from inventory_level").await, 10);
    shop.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_promotion_is_used_as_often_as_its_limit_says() {
    let shop = TestShop::with_mugs(100).await;
    shop.change("update promotion set limit_count = 5").await;
    let mut carts = Vec::new();
    for _ in 0..16 {
        carts.push(shop.ready(Wish { has_promotion: true, ..ONE_MUG }, "pm_card_visa").await);
    }

    let outcomes = all_at_once(&shop, carts).await;

    let is_placed = |outcome: &&Result<_, _>| matches!(outcome, Ok(Completion::Placed(_)));
    // The later ones are shown the cart's total without the promotion.
    let is_dearer = |outcome: &&Result<_, _>| matches!(outcome, Ok(Completion::Refused { .. }));
    let placed = outcomes.iter().filter(is_placed).count();
    assert_eq!((placed, outcomes.iter().filter(is_dearer).count()), (5, 11), "{outcomes:?}");
    assert_eq!(shop.number("select used_count from promotion").await, 5);
    assert_eq!(shop.number("select sum(reserved_quantity) from inventory_level").await, 5);
    shop.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn credit_for_ten_carts_pays_ten_of_thirty_two() {
    let shop = TestShop::with_mugs(100).await;
    let price = MUG + POSTAGE;
    let account = shop.account(10 * price).await;
    let mut carts = Vec::new();
    for _ in 0..32 {
        carts.push(shop.cart(Wish { credit: Some((&account, price)), ..ONE_MUG }).await);
    }

    let outcomes = all_at_once(&shop, carts).await;

    let placed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let is_poor =
        |outcome: &&Result<_, CheckoutError>| matches!(outcome, Err(CheckoutError::CreditSpent));
    assert_eq!((placed, outcomes.iter().filter(is_poor).count()), (10, 22));
    assert_eq!(shop.number("select balance_minor from credit_account").await, 0);
    let free = "select count(*) from orders where payment_status = 'captured' and total_minor = 0";
    assert_eq!(shop.number(free).await, 10);
    assert_eq!(shop.number("select count(*) from payment").await, 0);
    shop.assert_sound().await;
}

#[tokio::test]
async fn a_call_continues_after_its_client_disconnects() {
    let shop = TestShop::with_mugs(1).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    {
        let call = shop.complete(&cart);
        tokio::pin!(call);
        // One poll starts the call; then it is dropped.
        assert!(futures_are_pending(call.as_mut()).await);
    }

    let order = shop.complete(&cart).await.unwrap();

    assert!(matches!(order, Completion::Placed(_)));
    assert_eq!(shop.number("select count(*) from capture").await, 1);
    shop.assert_sound().await;
}

/// Polls a future once and returns whether it is pending.
async fn futures_are_pending<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(future.as_mut().poll(context).is_pending())
    })
    .await
}
