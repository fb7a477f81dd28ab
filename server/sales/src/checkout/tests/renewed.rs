//! A cart is not sold at outdated prices.

use super::shop::{MUG, ONE_MUG, POSTAGE, TestShop, Wish};
use crate::checkout::{CheckoutError, Completion};

#[tokio::test]
async fn an_offer_with_a_changed_price_is_shown_again_and_not_sold() {
    // The promotion takes a tenth off the mug, both at the higher and at the lower price.
    for (sql, dearer) in [
        ("update price set amount_minor = 1200 where amount_minor = 1000", 180),
        ("update price set amount_minor = 800 where amount_minor = 1000", -180),
        ("update price set amount_minor = 495 where amount_minor = 395", 100),
        ("update promotion set status = 'inactive'", 100),
        (
            "insert into tax_region (id, country, created_at, updated_at) values ('txreg_1', 'gb', 1, 1);
             insert into tax_rate (id, tax_region_id, rate_ppm, code, name, is_default, created_at, updated_at)
             values ('txr_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'txreg_1', 200000, 'vat', 'VAT', 1, 1, 1)",
            180 + 79,
        ),
    ] {
        let shop = TestShop::with_mugs(5).await;
        let wish = Wish { has_promotion: true, ..ONE_MUG };
        let cart = shop.ready(wish, "pm_card_visa").await;
        shop.change(sql).await;

        let refused = shop.complete(&cart).await.unwrap();

        let Completion::Refused { requires_more: false, message } = refused else {
            panic!("{sql}: {refused:?}")
        };
        assert!(message.ends_with("not 12.95: begin a new payment session"), "{sql}: {message}");
        shop.assert_nothing_taken().await;
        assert_eq!(shop.number("select count(*) from payment_session where parked_at is null").await, 0, "{sql}");
        let again = shop.complete(&cart).await;
        assert!(matches!(again, Err(CheckoutError::NoSession)), "{sql}: {again:?}");

        shop.pay(&cart, "pp_sandbox", "pm_card_visa").await;
        assert!(matches!(shop.complete(&cart).await, Ok(Completion::Placed(_))), "{sql}");
        let paid = shop.number("select paid_minor from orders").await;
        assert_eq!(paid, MUG * 9 / 10 + POSTAGE + dearer, "{sql}");
        shop.assert_sound().await;
    }
}

#[tokio::test]
async fn a_line_that_left_the_channel_without_changing_the_total_is_shown_first() {
    let shop = TestShop::with_mugs(5).await;
    shop.change("update price set amount_minor = 0").await;
    let cart = shop.cart(ONE_MUG).await;
    shop.change("update cart_line set unit_price_minor = 0; update cart_shipping_method set amount_minor = 0")
        .await;
    shop.change("delete from geo_zone").await;

    let refused = shop.complete(&cart).await.unwrap();

    assert!(matches!(refused, Completion::Refused { .. }), "{refused:?}");
    shop.assert_nothing_taken().await;
    let again = shop.complete(&cart).await;
    assert!(matches!(again, Err(CheckoutError::NoShippingMethod)), "{again:?}");
}

#[tokio::test]
async fn a_cart_that_costs_the_same_is_sold_with_what_its_goods_are_called_now() {
    let shop = TestShop::with_mugs(5).await;
    let cart = shop.ready(ONE_MUG, "pm_card_visa").await;
    shop.change("update product set title = 'Cup'").await;

    let placed = shop.complete(&cart).await.unwrap();

    assert!(matches!(placed, Completion::Placed(_)), "{placed:?}");
    assert_eq!(shop.number("select count(*) from order_line where title = 'Cup'").await, 1);
    assert_eq!(shop.number("select paid_minor from orders").await, MUG + POSTAGE);
    shop.assert_sound().await;
}
