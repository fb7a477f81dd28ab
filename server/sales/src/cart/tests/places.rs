//! Tests of regions, addresses, shipping and channels.

use super::shop::TestShop;
use crate::cart::changes::buyer;
use crate::cart::changes::create::CreateCartRequest;
use crate::cart::refresh::{self, Taxes};
use crate::cart::{CartError, load, load_to_change, view};
use crate::http::HttpError;
use crate::ids::SalesChannelId;

#[tokio::test]
async fn a_cart_in_a_region_of_one_country_has_tax_at_once() {
    let shop = TestShop::open().await;
    let cart = shop.cart().await;
    assert_eq!(cart.region_id.as_ref(), Some(&shop.america));
    assert_eq!(cart.tax_place(), Some(("us", None)));

    let cart = shop.add(&cart.id, &shop.mug, 1).await.unwrap();

    assert_eq!(cart.totals.all.tax_total, 94);
    assert_eq!(cart.lines[0].tax_lines[0].code, "us-default");
}

#[tokio::test]
async fn a_region_may_leave_taxes_to_a_request_of_their_own() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let by_request = "update region set automatic_taxes = 0";
    shop.db.write(move |tx| tx.sql(by_request).run([])).await.unwrap();
    let cart = shop.add(&id, &shop.mug, 1).await.unwrap();
    assert_eq!(cart.totals.all.tax_total, 0);

    let requested = async || {
        let (id, shopper) = (id.clone(), shop.visitor());
        let taxed = shop.db.write(move |tx| {
            let before = load_to_change(tx, &id, &shopper)?;
            refresh::save(tx, &before, before.clone(), Taxes::Now)
        });
        taxed.await.unwrap()
    };
    let taxed = requested().await;
    assert_eq!(taxed.totals.all.tax_total, 94);
    assert_eq!(requested().await.lines[0].tax_lines, taxed.lines[0].tax_lines);
}

#[tokio::test]
async fn another_region_means_its_currency_and_drops_foreign_addresses_and_methods() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    shop.send_by_post(&id).await.unwrap();
    let europe = shop.europe.clone();

    let moved = shop.change(&id, move |tx, cart| buyer::move_to(tx, cart, &europe)).await.unwrap();

    assert_eq!(moved.currency.to_string(), "eur");
    assert!(moved.shipping_address.is_none() && moved.shipping_methods.is_empty());
    assert_eq!(moved.totals.all.tax_total, 0);
    let sent = shop.send_to(&id, "DE").await.unwrap();
    assert_eq!(sent.totals.all.tax_total, 247);
    assert_eq!(shop.loaded(&id).await, sent);
}

#[tokio::test]
async fn a_country_outside_the_region_is_refused() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;

    let outside = shop.send_to(&id, "de").await;
    let nowhere = shop.send_to(&id, "xx").await;

    assert!(matches!(outside, Err(CartError::CountryOutside { .. })), "{outside:?}");
    assert!(matches!(nowhere, Err(CartError::UnknownCountry { .. })), "{nowhere:?}");
}

#[tokio::test]
async fn an_option_replaces_the_method_of_its_profile_and_a_foreign_one_is_refused() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    shop.send_by_post(&id).await.unwrap();

    let cart = shop.send_by_post(&id).await.unwrap();

    assert_eq!(cart.shipping_methods.len(), 1);
    assert_eq!(cart.shipping_methods[0].totals.amounts.total, 1_067);
    let empty = shop.cart().await.id;
    let refused = shop.send_by_post(&empty).await.unwrap_err();
    assert_eq!(refused.to_string(), "Shipping Options are invalid for cart.");
}

#[tokio::test]
async fn a_key_with_several_channels_needs_one_named_and_one_of_its_own() {
    let shop = TestShop::open().await;
    let mut storefront = shop.visitor();
    storefront.sales_channel_ids.push(SalesChannelId::new());
    let named = |id: SalesChannelId| {
        serde_json::from_value(serde_json::json!({ "sales_channel_id": id })).unwrap()
    };

    let unnamed = shop.create(storefront.clone(), CreateCartRequest::default()).await.unwrap_err();
    let foreign = shop.create(storefront.clone(), named(SalesChannelId::new())).await;
    let own = shop.create(storefront, named(shop.channel.clone())).await;

    assert!(matches!(unnamed, CartError::ChannelNeeded), "{unnamed:?}");
    assert_eq!(HttpError::from(unnamed).status(), 400);
    assert!(matches!(foreign, Err(CartError::ForeignChannel { .. })), "{foreign:?}");
    assert_eq!(own.unwrap().sales_channel_id, Some(shop.channel.clone()));
}

#[tokio::test]
async fn a_cart_is_shown_with_what_storefronts_read() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 2).await.unwrap();

    let view = shop
        .db
        .read(move |tx| {
            let cart = load(tx, &id)?;
            view(tx, &cart)
        })
        .await
        .unwrap();

    assert_eq!(view["currency_code"], "usd");
    assert_eq!(view["total"], serde_json::json!(27.86));
    assert_eq!(view["items"][0]["unit_price"], serde_json::json!(12.99));
    assert_eq!(view["items"][0]["tax_lines"][0]["rate"], serde_json::json!(7.25));
    assert_eq!(view["items"][0]["product"]["categories"], serde_json::json!([]));
    assert_eq!(view["region"]["countries"][0]["iso_2"], "us");
    assert_eq!(view["shipping_address"]["country_code"], "us");
    assert_eq!(view["payment_collection"], serde_json::Value::Null);
}
