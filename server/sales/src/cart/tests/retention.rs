//! Tests of how long the carts of guests are kept.

use serde_json::json;

use super::shop::TestShop;
use crate::auth::Shop;
use crate::cart::changes::buyer;
use crate::cart::changes::create::CreateCartRequest;
use crate::cart::{CartError, empty_untouched, load_for};
use crate::clock::DAY_MS;
use crate::ids::{CartId, CustomerId};

const COLLECTION: &str =
    "insert into payment_collection (id, cart_id, currency, amount_minor, created_at, updated_at)
     values ('pay_col_1', ?, 'usd', 100, 1, 1)";

/// Returns a guest's cart with a line, an address, a method, an e-mail address and metadata.
async fn filled(shop: &TestShop) -> CartId {
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 2).await.unwrap();
    shop.send_to(&id, "us").await.unwrap();
    shop.send_by_post(&id).await.unwrap();
    let change = shop.change(&id, |tx, cart| {
        cart.metadata = json!({ "session_id": "visit 1", "note": "for Ada" }).as_object().cloned();
        buyer::set_email(tx, cart, &"ada@example.com".parse().unwrap())
    });
    change.await.unwrap();
    id
}

/// Returns what metrics read of all carts.
async fn counted(shop: &TestShop) -> Vec<String> {
    let rows = shop.db.read(|tx| {
        tx.sql(
            "select json_array(id, created_at, currency_code, customer_id, sales_channel, region, session_id, completed_at)
               from metric_carts order by id",
        )
        .all::<String, Vec<_>>([], |row| row.get(0))
    });
    rows.await.unwrap()
}

#[tokio::test]
async fn a_guests_cart_loses_its_contents_after_ninety_days_and_is_counted_still() {
    let shop = TestShop::open().await;
    let id = filled(&shop).await;
    let before = counted(&shop).await;
    shop.clock.advance(90 * DAY_MS);
    empty_untouched(&shop.db).await.unwrap();
    assert_eq!(shop.loaded(&id).await.lines.len(), 1, "it is not older than that");

    shop.clock.advance(1);
    empty_untouched(&shop.db).await.unwrap();

    let cart = shop.loaded(&id).await;
    assert!(cart.lines.is_empty() && cart.shipping_methods.is_empty(), "{cart:?}");
    assert_eq!((cart.email, cart.shipping_address), (None, None));
    assert_eq!(cart.metadata, json!({ "session_id": "visit 1" }).as_object().cloned());
    assert_eq!(counted(&shop).await, before);

    // A returning shopper can continue, and has the full time again.
    shop.add(&id, &shop.lamp, 1).await.unwrap();
    empty_untouched(&shop.db).await.unwrap();
    assert_eq!(shop.loaded(&id).await.lines.len(), 1);
    shop.clock.advance(91 * DAY_MS);
    empty_untouched(&shop.db).await.unwrap();
    assert!(shop.loaded(&id).await.lines.is_empty());
}

#[tokio::test]
async fn the_data_of_an_abandoned_payment_is_deleted_as_well() {
    let shop = TestShop::open().await;
    let id = filled(&shop).await;
    shop.execute(COLLECTION, &id).await;
    let session = r#"insert into payment_session (id, payment_collection_id, provider_id, currency, amount_minor, data,
                                                  context, created_at, updated_at)
                     select 'payses_1', id, 'stripe', 'usd', 100, '{"id":"pi_1","receipt_email":"a@b.example"}',
                            '{"email":"a@b.example"}', 1, 1 from payment_collection where cart_id = ?"#;
    shop.execute(session, &id).await;

    shop.clock.advance(91 * DAY_MS);
    empty_untouched(&shop.db).await.unwrap();

    assert!(shop.loaded(&id).await.lines.is_empty());
    let session = shop.db.read(|tx| {
        tx.sql("select data || context from payment_session").one([], |row| row.get::<_, String>(0))
    });
    assert_eq!(session.await.unwrap(), r#"{"id":"pi_1","status":null}{}"#);
}

#[tokio::test]
async fn carts_of_accounts_and_carts_that_are_paid_or_completed_keep_their_contents() {
    let shop = TestShop::open().await;
    let (paid, claimed, sold) = (filled(&shop).await, filled(&shop).await, filled(&shop).await);
    let mut storefront = shop.visitor();
    storefront.customer_id = Some(shop.account("bob@example.com").await);
    let own = shop.create(storefront, CreateCartRequest::default()).await.unwrap().id;
    shop.execute(COLLECTION, &paid).await;
    let session = "insert into payment_session (id, payment_collection_id, provider_id, currency, amount_minor, status,
                                                authorized_at, created_at, updated_at)
                   select 'payses_1', id, 'manual', 'usd', 100, 'authorized', 1, 1, 1
                     from payment_collection where cart_id = ?";
    shop.execute(session, &paid).await;
    shop.claim(&claimed).await;
    shop.complete(&sold).await;

    shop.clock.advance(91 * DAY_MS);
    empty_untouched(&shop.db).await.unwrap();

    for id in [paid, claimed, sold] {
        assert_eq!(shop.loaded(&id).await.lines.len(), 1);
    }
    assert_eq!(shop.loaded(&own).await.email.as_deref(), Some("bob@example.com"));
}

async fn is_open(shop: &TestShop, id: &CartId, customer_id: Option<CustomerId>) -> bool {
    let (id, storefront) = (id.clone(), Shop { customer_id, ..shop.visitor() });
    match shop.db.read(move |tx| load_for(tx, &id, &storefront)).await {
        Ok(_cart) => true,
        Err(CartError::NotFound { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_guests_cart_is_shown_for_a_day_after_it_became_an_order() {
    let shop = TestShop::open().await;
    let (guests, open) = (shop.cart().await.id, shop.cart().await.id);
    let bob = shop.account("bob@example.com").await;
    let storefront = Shop { customer_id: Some(bob.clone()), ..shop.visitor() };
    let own = shop.create(storefront, CreateCartRequest::default()).await.unwrap().id;
    shop.complete(&guests).await;
    shop.complete(&own).await;

    shop.clock.advance(DAY_MS - 1);
    assert!(is_open(&shop, &guests, None).await);
    shop.clock.advance(1);
    assert!(!is_open(&shop, &guests, None).await);
    assert!(is_open(&shop, &open, None).await, "it is no order");
    assert!(is_open(&shop, &own, Some(bob)).await);
}
