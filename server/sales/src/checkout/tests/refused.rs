//! An incomplete cart is refused with the missing part, and nothing is charged or reserved.

use super::shop::{MUG, ONE_MUG, POSTAGE, TestShop, Wish};
use crate::checkout::CheckoutError;
use crate::ids::CartId;

#[tokio::test]
async fn missing_parts_of_a_checkout_are_named() {
    let shop = TestShop::with_mugs(5).await;

    let unpaid = shop.cart(ONE_MUG).await;
    assert!(matches!(shop.complete(&unpaid).await, Err(CheckoutError::NoCollection)));
    let unsent = shop.ready(Wish { is_shipped: false, ..ONE_MUG }, "pm_card_visa").await;
    assert!(matches!(shop.complete(&unsent).await, Err(CheckoutError::NoShippingMethod)));
    let unknown = shop.complete(&CartId::new()).await;
    assert!(matches!(unknown, Err(CheckoutError::Cart(_))));
    let empty = shop.ready(ONE_MUG, "pm_card_visa").await;
    shop.change(format!("delete from cart_line where cart_id = '{empty}'")).await;
    assert!(matches!(shop.complete(&empty).await, Err(CheckoutError::NoItems)));

    shop.assert_nothing_taken().await;
}

#[tokio::test]
async fn a_session_of_another_amount_is_refused_and_a_new_one_pays() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    shop.change("update cart_line set quantity = 2").await;

    let refused = shop.complete(&cart).await;

    assert!(matches!(refused, Err(CheckoutError::AnotherAmount { .. })), "{refused:?}");
    shop.assert_nothing_taken().await;
    shop.pay(&cart, "pp_sandbox", "pm_card_visa").await;
    assert!(shop.complete(&cart).await.is_ok());
    assert_eq!(shop.number("select paid_minor from orders").await, 2 * MUG + POSTAGE);
}

#[tokio::test]
async fn a_provider_removed_from_the_region_is_not_called() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    shop.change("delete from region_payment_provider").await;

    let refused = shop.complete(&cart).await;

    assert!(matches!(refused, Err(CheckoutError::ProviderDisabled(_))), "{refused:?}");
    shop.assert_nothing_taken().await;
}

#[tokio::test]
async fn a_variant_that_was_taken_out_of_the_shop_is_not_sold() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    shop.change("update product_variant set deleted_at = 1").await;

    let refused = shop.complete(&cart).await;

    assert!(matches!(refused, Err(CheckoutError::NotSold(_))), "{refused:?}");
    shop.assert_nothing_taken().await;
}
