//! Tests of lines, totals and access.

use super::shop::TestShop;
use crate::auth::Shop;
use crate::cart::changes::create::CreateCartRequest;
use crate::cart::changes::items::AddLineItemRequest;
use crate::cart::changes::{bundles, buyer, items};
use crate::cart::contents::{Cart, Item};
use crate::cart::lines::{LineError, MAX_LINE_QUANTITY, MAX_LINES};
use crate::cart::{CartError, load_for};
use crate::database::Missing;
use crate::http::HttpError;
use crate::ids::CartLineId;
use crate::inventory::InventoryError;

#[tokio::test]
async fn the_documented_cart_comes_out_rounded_to_cents() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.promote(crate::promotions::tests::ten_off("TENOFF")).await;
    shop.add(&id, &shop.mug, 2).await.unwrap();
    shop.add(&id, &shop.lamp, 2).await.unwrap();
    shop.enter(&id, "TENOFF").await.unwrap();

    let cart = shop.send_by_post(&id).await.unwrap();

    let totals = cart.totals;
    assert_eq!(totals.items.subtotal, 5_596);
    assert_eq!(totals.all.subtotal, 6_591);
    assert_eq!(totals.all.discount_subtotal, 560);
    assert_eq!(totals.shipping.total, 1_067);
    assert_eq!(totals.total, 6_591 - 560 + 170 + 196 + 72);
    assert_eq!(shop.loaded(&id).await, cart);
}

#[tokio::test]
async fn a_change_dates_only_the_rows_it_changes() {
    let shop = TestShop::open().await;
    let begin = shop.clock.now();
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    shop.add(&id, &shop.lamp, 1).await.unwrap();
    shop.send_by_post(&id).await.unwrap();
    let dates = |cart: &Cart| {
        let lines: Vec<_> = cart.lines.iter().map(|line| line.updated_at).collect();
        (lines, cart.shipping_methods[0].updated_at, cart.updated_at)
    };

    shop.clock.advance(1_000);
    let second = shop.clock.now();
    let more = shop.add(&id, &shop.lamp, 1).await.unwrap();
    shop.clock.advance(1_000);
    let third = shop.clock.now();
    // The same taxes as before the address was known.
    let moved = shop.send_to(&id, "us").await.unwrap();

    assert_eq!(dates(&more), (vec![begin, second], begin, second));
    assert_eq!(dates(&moved), (vec![begin, second], begin, third));
    assert_eq!(shop.loaded(&id).await, moved);
}

#[tokio::test]
async fn the_same_variant_joins_its_line_and_other_metadata_makes_another() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    shop.add(&id, &shop.mug, 2).await.unwrap();
    let engraved = AddLineItemRequest {
        variant_id: shop.mug.clone(),
        quantity: 1,
        metadata: serde_json::from_str(r#"{"engraving": "A"}"#).unwrap(),
    };

    let cart = shop.change(&id, |tx, cart| items::add(tx, cart, vec![engraved])).await.unwrap();

    let quantities: Vec<_> = cart.lines.iter().map(|line| line.quantity).collect();
    assert_eq!(quantities, [3, 1]);
    assert_eq!(cart.lines[0].item.variant_sku.as_deref(), Some("MUG"));
    assert_eq!(shop.loaded(&id).await, cart);
}

#[tokio::test]
async fn a_quantity_of_zero_removes_a_line_and_an_unknown_line_is_not_found() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let line_id = shop.add(&id, &shop.mug, 1).await.unwrap().lines[0].id.clone();
    let unknown = CartLineId::new();

    let cart = shop
        .change(&id, move |tx, cart| items::change(tx, cart, &line_id, Some(0), None))
        .await
        .unwrap();
    let refused =
        shop.change(&id, move |tx, cart| items::change(tx, cart, &unknown, Some(1), None)).await;

    assert!(cart.lines.is_empty() && cart.totals.total == 0);
    assert!(
        matches!(refused, Err(CartError::Missing(Missing { what: "Line item", .. }))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn stock_is_checked_when_adding_and_raising_but_not_when_lowering() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let line_id = shop.add(&id, &shop.print, 3).await.unwrap().lines[0].id.clone();

    let refused = shop.add(&id, &shop.print, 1).await.unwrap_err();
    let raised = line_id.clone();
    let raised =
        shop.change(&id, move |tx, cart| items::change(tx, cart, &raised, Some(4), None)).await;
    let lowered =
        shop.change(&id, move |tx, cart| items::change(tx, cart, &line_id, Some(1), None)).await;

    let insufficient = |error: &CartError| {
        matches!(error, CartError::Inventory(InventoryError::InsufficientInventory { .. }))
    };
    assert!(insufficient(&refused) && raised.as_ref().is_err_and(insufficient), "{raised:?}");
    assert_eq!(lowered.unwrap().lines[0].quantity, 1);
    let answer = HttpError::from(refused);
    assert_eq!((answer.status().as_u16(), answer.code()), (400, "insufficient_inventory"));
}

#[tokio::test]
async fn quantities_have_a_least_and_a_most() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    for quantity in [0, -1, 10_000, i64::MAX, i64::MIN] {
        let refused = shop.add(&id, &shop.mug, quantity).await;
        assert!(
            matches!(
                refused,
                Err(CartError::Line(LineError::TooFew { .. } | LineError::TooMany { .. }))
            ),
            "{quantity}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn products_outside_of_the_channel_cannot_be_added_and_leave_the_cart() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    shop.add(&id, &shop.lamp, 1).await.unwrap();
    let draft = "update product set status = 'draft'
                  where id = (select product_id from product_variant where id = ?)";
    shop.execute(draft, &shop.mug).await;

    let refused = shop.add(&id, &shop.mug, 1).await;
    let cart = shop.change(&id, |_tx, _cart| Ok(())).await.unwrap();

    assert!(matches!(refused, Err(CartError::UnknownVariant { .. })), "{refused:?}");
    let titles: Vec<_> = cart.lines.iter().map(|line| line.item.title.as_str()).collect();
    assert_eq!(titles, ["Lamp"]);
    assert_eq!(shop.loaded(&id).await, cart);
}

#[tokio::test]
async fn a_bundle_holds_lines_that_go_together_and_do_not_merge() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let line_id = shop.add(&id, &shop.mug, 2).await.unwrap().lines[0].id.clone();
    let lamp = shop.lamp.clone();

    let cart =
        shop.change(&id, move |tx, cart| bundles::extend(tx, cart, &line_id, &lamp)).await.unwrap();
    let bundle_id = cart.lines[0].bundle_id.clone().unwrap();
    assert_eq!(cart.lines[1].bundle_id.as_ref(), Some(&bundle_id));
    assert_eq!(cart.lines[1].quantity, 2);
    assert_eq!(shop.add(&id, &shop.lamp, 1).await.unwrap().lines.len(), 3);

    let gone = bundle_id.clone();
    let cart = shop.change(&id, move |_tx, cart| bundles::remove(cart, &gone)).await.unwrap();
    assert_eq!(cart.lines.len(), 1);
    let again = shop.change(&id, move |_tx, cart| bundles::remove(cart, &bundle_id)).await;
    assert!(
        matches!(again, Err(CartError::Missing(Missing { what: "Line item bundle", .. }))),
        "{again:?}"
    );
}

#[tokio::test]
async fn an_email_links_a_guest_and_never_an_account() {
    let shop = TestShop::open().await;
    let account = shop.account("ada@example.com").await;
    let (first, second) = (shop.cart().await.id, shop.cart().await.id);
    let write = |id| {
        let shop = &shop;
        async move {
            let email = "ada@example.com".parse().unwrap();
            shop.change(&id, move |tx, cart| buyer::set_email(tx, cart, &email)).await.unwrap()
        }
    };

    let (first, second) = (write(first).await, write(second).await);

    assert_eq!(first.email.as_deref(), Some("ada@example.com"));
    assert_eq!(first.customer_id, second.customer_id);
    assert!(first.customer_id.is_some_and(|id| id != account));
    assert!(!shop.loaded(&first.id).await.has_account);
}

#[tokio::test]
async fn the_cart_of_an_account_is_open_to_it_alone() {
    let shop = TestShop::open().await;
    let (ada, bob) = (shop.account("ada@example.com").await, shop.account("bob@example.com").await);
    let mut storefront = shop.visitor();
    storefront.customer_id = Some(ada.clone());
    let cart = shop.create(storefront, CreateCartRequest::default()).await.unwrap();
    assert_eq!(cart.email.as_deref(), Some("ada@example.com"));

    for (who, is_open) in [(None, false), (Some(bob), false), (Some(ada), true)] {
        let id = cart.id.clone();
        let storefront = Shop { customer_id: who, ..shop.visitor() };
        let found = shop.db.read(move |tx| load_for(tx, &id, &storefront)).await;
        assert_eq!(found.is_ok(), is_open);
    }
}

#[tokio::test]
async fn a_cart_is_open_to_the_storefronts_of_its_sales_channel_alone() {
    let shop = TestShop::open().await;
    let cart = shop.cart().await;
    for (channels, is_open) in [(shop.visitor().sales_channel_ids, true), (Vec::new(), false)] {
        let id = cart.id.clone();
        let storefront = Shop { sales_channel_ids: channels, ..shop.visitor() };
        let found = shop.db.read(move |tx| load_for(tx, &id, &storefront)).await;
        assert_eq!(found.is_ok(), is_open);
    }
}

#[tokio::test]
async fn a_cart_that_is_an_order_or_becomes_one_stays_as_it_is() {
    let shop = TestShop::open().await;
    let (sold, claimed) = (shop.cart().await.id, shop.cart().await.id);
    shop.complete(&sold).await;
    shop.claim(&claimed).await;

    let completed = shop.add(&sold, &shop.mug, 1).await;
    let in_between = shop.add(&claimed, &shop.mug, 1).await;

    assert!(matches!(completed, Err(CartError::Completed { .. })), "{completed:?}");
    assert!(matches!(in_between, Err(CartError::BeingCompleted { .. })), "{in_between:?}");
}

#[tokio::test]
async fn no_change_is_lost_when_many_come_at_once() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let adding: Vec<_> = (0..20)
        .map(|_| {
            let (shop, id) = (shop.clone(), id.clone());
            tokio::spawn(async move { shop.add(&id, &shop.mug, 1).await.map(|_| ()) })
        })
        .collect();
    for added in adding {
        added.await.unwrap().unwrap();
    }

    let cart = shop.loaded(&id).await;

    assert_eq!((cart.lines.len(), cart.lines[0].quantity), (1, 20));
}

#[tokio::test]
async fn a_full_cart_takes_more_pieces_of_a_line_but_no_further_line() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let (mug, lamp) = (shop.mug.clone(), shop.lamp.clone());
    let new = |variant_id| vec![AddLineItemRequest { variant_id, quantity: 1, metadata: None }];

    let filled = shop.change(&id, move |tx, cart| {
        items::add(tx, cart, new(mug.clone()))?;
        while cart.lines.len() < MAX_LINES {
            let line = items::line_of(tx, cart, Item::default(), 1);
            cart.push(line)?;
        }
        items::add(tx, cart, new(mug.clone()))?;
        assert_eq!(cart.lines[0].quantity, 2);
        let many =
            AddLineItemRequest { variant_id: mug, quantity: MAX_LINE_QUANTITY, metadata: None };
        let sum = MAX_LINE_QUANTITY + 2;
        assert!(matches!(
            items::add(tx, cart, vec![many]),
            Err(CartError::Line(LineError::TooMany { quantity })) if quantity == sum
        ));
        items::add(tx, cart, new(lamp))
    });

    assert!(matches!(filled.await, Err(CartError::Line(LineError::CartFull))));
}
