//! The limits of quotes.

use rust_decimal::Decimal;

use super::shop::TestShop;
use crate::cart::CartError;
use crate::cart::changes::quote::{
    CreateDraftOrderRequest, DraftItemRequest, DraftShippingMethodRequest, MAX_METHODS, quote,
};
use crate::cart::lines::{MAX_LINE_QUANTITY, MAX_LINES};
use crate::money::Major;

/// Returns custom items that cost a number of dollars.
fn gifts(count: usize, quantity: i64, dollars: i64) -> Vec<DraftItemRequest> {
    let gift = || DraftItemRequest {
        variant_id: None,
        title: serde_json::from_str("\"Gift wrap\"").unwrap(),
        quantity,
        unit_price: Some(Major::from(Decimal::from(dollars))),
        requires_shipping: Some(false),
        metadata: None,
    };
    std::iter::repeat_with(gift).take(count).collect()
}

fn courier() -> DraftShippingMethodRequest {
    DraftShippingMethodRequest {
        shipping_option_id: None,
        name: serde_json::from_str("\"Courier\"").unwrap(),
        amount: Some(Major::from(Decimal::ZERO)),
        data: None,
    }
}

/// Quotes items and a number of couriers in America; returns the numbers of lines and of methods.
async fn quoted(
    shop: &TestShop,
    items: Vec<DraftItemRequest>,
    couriers: usize,
) -> Result<(usize, usize), CartError> {
    let new = CreateDraftOrderRequest {
        region_id: shop.america.clone(),
        currency_code: None,
        sales_channel_id: Some(shop.channel.clone()),
        customer_id: None,
        email: None,
        shipping_address: None,
        billing_address: None,
        items,
        shipping_methods: std::iter::repeat_with(courier).take(couriers).collect(),
        promo_codes: Vec::new(),
        no_notification_order: None,
        metadata: None,
    };
    let cart = shop.db.write(move |tx| quote(tx, new)).await?;
    Ok((cart.lines.len(), cart.shipping_methods.len()))
}

#[tokio::test]
async fn a_quote_has_as_many_lines_pieces_and_methods_as_are_allowed() {
    let shop = TestShop::open().await;

    let largest = quoted(&shop, gifts(MAX_LINES, MAX_LINE_QUANTITY, 0), MAX_METHODS).await;

    assert_eq!(largest.unwrap(), (MAX_LINES, MAX_METHODS));
    for (items, couriers, refusal) in [
        (gifts(MAX_LINES + 1, 1, 1), 0, "a cart holds at most 200 lines"),
        (gifts(1, MAX_LINE_QUANTITY + 1, 1), 0, "a line holds at most 9999 pieces, not `10000`"),
        (gifts(1, 0, 1), 0, "a quantity of `0` is too small, at least 1 is expected"),
        (gifts(1, 1, -1), 0, "a price is zero or more"),
        (gifts(1, 1, 1), MAX_METHODS + 1, "an order has at most 20 shipping methods"),
    ] {
        let refused = quoted(&shop, items, couriers).await.unwrap_err();
        assert_eq!(refused.to_string(), refusal);
    }
}
