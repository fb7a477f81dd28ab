//! Tests of promotions on carts and their usage limits in orders.

use super::shop::{TestShop, ten_off};
use crate::cart::CartError;
use crate::clock::Timestamp;
use crate::ids::{CampaignId, PromotionId, PromotionRuleId};
use crate::metadata::Metadata;
use crate::promotions::promotion::{
    BudgetType, Campaign, CampaignBudget, Promotion, RuleKind, StoredRule,
};
use crate::promotions::rules::{Operator, Rule, Status};
use crate::promotions::{self, PromotionError, Use};

fn rule(kind: RuleKind, attribute: &str, operator: Operator, value: &str) -> StoredRule {
    let rule = Rule::new(attribute, operator, vec![value.to_owned()]).unwrap();
    StoredRule { id: PromotionRuleId::new(), kind, rule, description: None }
}

#[tokio::test]
async fn a_code_without_a_running_promotion_is_invalid() {
    let shop = TestShop::open().await;
    let id = shop.cart().await.id;
    shop.promote(Promotion { status: Status::Draft, ..ten_off("LATER") }).await;
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
async fn an_automatic_promotion_needs_no_code_and_looks_at_what_it_is_for() {
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

async fn uses(shop: &TestShop, id: &PromotionId, times: usize, amount_minor: i64) -> Vec<bool> {
    let mut outcomes = Vec::new();
    for _ in 0..times {
        let used = [Use { promotion_id: id.clone(), amount_minor }];
        let outcome = shop.db.write(move |tx| promotions::redeem(tx, &used)).await;
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
        id: CampaignId::new(),
        name: "Summer".to_owned(),
        description: None,
        campaign_identifier: "summer".to_owned(),
        starts_at: None,
        ends_at: Some(Timestamp::from_millis(1_795_262_400_000 + 1)),
        budget: Some(CampaignBudget {
            kind: BudgetType::Spend,
            currency: Some("usd".parse().unwrap()),
            limit: Some(300),
            used: 0,
        }),
        metadata: Metadata::default(),
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(0),
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
