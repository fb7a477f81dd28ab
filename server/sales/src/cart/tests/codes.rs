//! Tests of what lowers the price of a cart: promotions with their usage limits in orders, accepted offers, store credit.

use rust_decimal::Decimal;

use super::shop::TestShop;
use crate::auth::Shop;
use crate::cart::changes::buyer;
use crate::cart::contents::{Cart, Line};
use crate::cart::offers::{OfferPrice, OfferTerms};
use crate::cart::refresh::{self, Taxes};
use crate::cart::{CartError, add_offer, changes, load_to_change};
use crate::clock::Timestamp;
use crate::credit::{self, NewEntry};
use crate::database::Error;
use crate::ids::{CartId, CustomerGroupId, OrderId, PromotionId, RegionId};
use crate::promotions::allocation::TargetKind;
use crate::promotions::promotion::{Campaign, Promotion, PromotionStatus, RuleKind};
use crate::promotions::rules::Operator;
use crate::promotions::tests::{campaign, rule, spend, ten_off};
use crate::promotions::{self, PromotionError};

#[tokio::test]
async fn a_code_without_a_running_promotion_is_invalid() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.promote(Promotion { status: PromotionStatus::Draft, ..ten_off("LATER") }).await;
    for code in ["NOPE", "LATER", "tenoff"] {
        let refused = shop.enter(&id, code).await.unwrap_err();
        assert_eq!(refused.to_string(), format!("The promotion code {code} is invalid"));
    }
}

#[tokio::test]
async fn a_promotion_applies_as_soon_as_its_rules_are_met() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let rules = vec![rule(RuleKind::Rule, "subtotal", Operator::Gte, "30")];
    shop.promote(Promotion { rules, ..ten_off("LARGE") }).await;
    shop.add(&id, &shop.mug, 1).await.unwrap();

    let small = shop.enter(&id, "LARGE").await.unwrap();
    let large = shop.add(&id, &shop.mug, 2).await.unwrap();

    assert_eq!(small.totals.all.discount_subtotal, 0);
    assert_eq!(large.totals.all.discount_subtotal, 390);
    assert_eq!(large.promo_codes, ["LARGE"]);
}

#[tokio::test]
async fn an_automatic_promotion_needs_no_code_and_applies_to_its_target() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let rules = vec![rule(RuleKind::Target, "items.sku", Operator::Eq, "LAMP")];
    shop.promote(Promotion { is_automatic: true, rules, ..ten_off("LAMPS") }).await;
    shop.add(&id, &shop.mug, 1).await.unwrap();

    let cart = shop.add(&id, &shop.lamp, 1).await.unwrap();

    let taken: Vec<_> =
        cart.lines.iter().map(|line| line.totals.amounts.discount_subtotal).collect();
    assert_eq!(taken, [0, 150]);
}

#[tokio::test]
async fn discounts_that_do_not_change_stay_the_same_adjustments() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let free_postage = Promotion { target_type: TargetKind::ShippingMethods, ..ten_off("POSTAGE") };
    for promotion in [ten_off("FIRST"), ten_off("SECOND"), free_postage] {
        shop.promote(promotion).await;
    }
    shop.add(&id, &shop.mug, 1).await.unwrap();
    shop.send_by_post(&id).await.unwrap();
    shop.enter(&id, "FIRST").await.unwrap();
    shop.enter(&id, "SECOND").await.unwrap();

    let before = shop.enter(&id, "POSTAGE").await.unwrap();
    let after = shop.change(&id, |_tx, _cart| Ok(())).await.unwrap();

    let adjustments = |cart: &Cart| {
        let of_lines = cart.lines.iter().flat_map(|line| line.adjustments.clone());
        let of_methods = cart.shipping_methods.iter().flat_map(|method| method.adjustments.clone());
        of_lines.chain(of_methods).collect::<Vec<_>>()
    };
    assert_eq!(adjustments(&before).len(), 3);
    assert_eq!(adjustments(&after), adjustments(&before));
}

#[tokio::test]
async fn promotions_apply_in_the_order_of_their_codes() {
    let shop = TestShop::open().await;
    let half = Promotion { value: Decimal::from(50).into(), ..ten_off("HALF") };
    for promotion in [ten_off("TEN"), half] {
        shop.promote(promotion).await;
    }
    for (codes, expected) in [(["TEN", "HALF"], [130, 585]), (["HALF", "TEN"], [650, 65])] {
        let id = shop.cart().await.id;
        shop.add(&id, &shop.mug, 1).await.unwrap();
        shop.enter(&id, codes[0]).await.unwrap();
        let cart = shop.enter(&id, codes[1]).await.unwrap();
        let adjustments = cart.lines[0].adjustments.iter();
        let amounts: Vec<_> = adjustments.map(|adjustment| adjustment.amount_minor).collect();
        assert_eq!(amounts, expected, "{codes:?}");
    }
}

#[tokio::test]
async fn credit_that_is_taken_off_a_cart_stays_off() {
    let shop = TestShop::open().await;
    let ada = shop.account("ada@example.com").await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    let customer_id = ada.clone();
    let applied = shop.change(&id, move |tx, cart| {
        let account = credit::account::open_for(tx, &ada, cart.currency, "")?;
        let new = NewEntry {
            amount_minor: 500,
            reference: "test",
            reference_id: "",
            note: None,
            actor_id: "",
        };
        credit::credit(tx, &account.id, new)?;
        (cart.customer_id, cart.has_account) = (Some(ada), true);
        changes::credit::apply(tx, cart, None)
    });
    let applied = applied.await.unwrap();
    assert_eq!(applied.credit_lines.len(), 1);

    let owner = Shop { customer_id: Some(customer_id), ..shop.visitor() };
    shop.db
        .write::<_, CartError>(move |tx| {
            let before = load_to_change(tx, &id, &owner)?;
            let mut cart = before.clone();
            changes::credit::remove(&mut cart);
            let saved = refresh::save(tx, &before, cart, Taxes::AsTheRegionSays)?;
            let loaded = load_to_change(tx, &id, &owner)?;
            assert_eq!(loaded.credit_lines, []);
            assert_eq!(loaded.totals.total, saved.totals.total);
            Ok(())
        })
        .await
        .unwrap();
}

async fn accept(shop: &TestShop, id: &CartId, price: OfferPrice) -> Result<Line, CartError> {
    let (id, mug) = (id.clone(), shop.mug.clone());
    let terms = OfferTerms { reference: "offer".to_owned(), quantity: 1, price };
    let dollars = "usd".parse().unwrap();
    shop.db.write(move |tx| add_offer(tx, &id, &mug, terms, dollars)).await
}

#[tokio::test]
async fn an_accepted_offer_keeps_its_price_and_is_not_discounted_again() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.promote(ten_off("TEN")).await;
    shop.enter(&id, "TEN").await.unwrap();
    accept(&shop, &id, OfferPrice::PercentOff(500_000)).await.unwrap();

    let cart = shop.add(&id, &shop.mug, 1).await.unwrap();

    let discounts: Vec<_> =
        cart.lines.iter().map(|line| line.totals.amounts.discount_subtotal).collect();
    assert_eq!(discounts, [650, 130]);
}

#[tokio::test]
async fn an_offer_at_an_amount_ends_with_its_currency_and_a_share_stays() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let share = OfferPrice::PercentOff(500_000);
    for price in [share, OfferPrice::AmountOff(500), OfferPrice::Fixed(100)] {
        accept(&shop, &id, price).await.unwrap();
    }
    let moved = async |region: &RegionId| {
        let region = region.clone();
        let moved = shop.change(&id, move |tx, cart| buyer::move_to(tx, cart, &region)).await;
        let lines = moved.unwrap().lines;
        lines.iter().map(|line| line.totals.amounts.discount_subtotal).collect::<Vec<_>>()
    };

    assert_eq!(moved(&shop.america).await, [650, 500, 1_199]);
    assert_eq!(moved(&shop.europe).await, [650, 0, 0]);
    let late = accept(&shop, &id, share).await;
    assert!(matches!(late, Err(CartError::NoPrice { .. })), "{late:?}");
    assert_eq!(moved(&shop.america).await, [650, 0, 0]);
}

#[tokio::test]
async fn a_promotion_for_a_group_is_for_its_customers() {
    let shop = TestShop::open().await;
    let member = shop.account("member@example.com").await;
    let group = CustomerGroupId::new();
    let (customer, group_id) = (member.clone(), group.clone());
    shop.db
        .write::<_, Error>(move |tx| {
            tx.execute(
                "insert into customer_group (id, name, created_at, updated_at) values (?1, 'Trade', 0, 0)",
                [&group_id],
            )?;
            tx.execute(
                "insert into customer_group_member (customer_group_id, customer_id) values (?1, ?2)",
                (&group_id, &customer),
            )?;
            Ok(())
        })
        .await
        .unwrap();
    let rules = vec![rule(RuleKind::Rule, "customer.groups.id", Operator::Eq, group.as_str())];
    shop.promote(Promotion { is_automatic: true, rules, ..ten_off("TRADE") }).await;
    let id = shop.cart().await.id;
    let stranger = shop.add(&id, &shop.mug, 1).await.unwrap();
    let known = shop.change(&id, |_tx, cart| {
        cart.customer_id = Some(member);
        cart.has_account = true;
        Ok(())
    });
    let known = known.await.unwrap();

    let discounts = [stranger, known].map(|cart| cart.totals.all.discount_subtotal);
    assert_eq!(discounts, [0, 130]);
}

/// Inserts an order that costs nothing.
const ORDER: &str = "
insert into orders (id, display_id, currency, item_subtotal_minor, item_tax_minor, item_discount_minor,
    item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
    shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
    original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at, updated_at)
  select ?1, count(*) + 1, 'usd', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 from orders";

async fn uses(shop: &TestShop, id: &PromotionId, times: usize, amount_minor: i64) -> Vec<bool> {
    let mut outcomes = Vec::new();
    for _ in 0..times {
        let (order, id) = (OrderId::new(), id.clone());
        let outcome = shop.db.write(move |tx| {
            tx.sql(ORDER).run([&order])?;
            tx.sql("insert into order_promotion (order_id, promotion_id, code, amount_minor) values (?1, ?2, '', ?3)")
                .run((&order, &id, amount_minor))?;
            promotions::redeem(tx, &order)
        });
        let outcome = outcome.await;
        if let Err(error) = &outcome {
            let is_limit =
                matches!(error, PromotionError::UsedUp { .. } | PromotionError::BudgetSpent { .. });
            assert!(is_limit, "{error:?}");
        }
        outcomes.push(outcome.is_ok());
    }
    outcomes
}

#[tokio::test]
async fn a_promotion_is_used_as_often_as_its_limit_and_then_dropped() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    let promotion = Promotion { limit: Some(2), ..ten_off("TWICE") };
    let promotion_id = promotion.id.clone();
    shop.promote(promotion).await;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    assert_eq!(shop.enter(&id, "TWICE").await.unwrap().totals.all.discount_subtotal, 130);

    assert_eq!(uses(&shop, &promotion_id, 3, 130).await, [true, true, false]);

    let cart = shop.change(&id, |_tx, _cart| Ok(())).await.unwrap();
    assert_eq!(cart.totals.all.discount_subtotal, 0);
    let other = shop.cart().await.id;
    let refused = shop.enter(&other, "TWICE").await;
    assert!(matches!(refused, Err(CartError::Promotions(PromotionError::InvalidCode { .. }))));
}

#[tokio::test]
async fn a_budget_is_never_exceeded() {
    let shop = TestShop::open().await;
    let campaign = Campaign {
        ends_at: Some(Timestamp::from_millis(1_795_262_400_000 + 1)),
        ..campaign(Some(spend("usd", 300, 0)))
    };
    let promotion = Promotion { campaign_id: Some(campaign.id.clone()), ..ten_off("SUMMER") };
    let promotion_id = promotion.id.clone();
    shop.db.write(move |tx| promotions::put_campaign(tx, &campaign)).await.unwrap();
    shop.promote(promotion).await;
    let id = shop.cart().await.id;
    shop.add(&id, &shop.mug, 1).await.unwrap();
    assert_eq!(shop.enter(&id, "SUMMER").await.unwrap().totals.all.discount_subtotal, 130);

    assert_eq!(uses(&shop, &promotion_id, 3, 130).await, [true, true, false]);
    assert_eq!(uses(&shop, &promotion_id, 1, 40).await, [true]);

    let cart = shop.change(&id, |_tx, _cart| Ok(())).await.unwrap();
    assert_eq!(cart.totals.all.discount_subtotal, 0);
    shop.clock.advance(2);
    assert!(shop.enter(&shop.cart().await.id, "SUMMER").await.is_err());
}
