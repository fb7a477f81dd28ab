//! Tests of prices on a database.

use serde_json::json;

use super::*;
use crate::catalog::tests::{database, in_transaction};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{CustomerGroupId, PriceId, PriceListId, PriceSetId, RegionId, VariantId};
use crate::money::Currency;

fn usd() -> Currency {
    "usd".parse().unwrap()
}

fn region(tx: &Tx<'_>) -> RegionId {
    let id = RegionId::new();
    tx.execute(
        "insert into region (id, name, currency, created_at, updated_at) values (?1, 'US', 'usd', 0, 0)",
        [&id],
    )
    .unwrap();
    id
}

fn list(tx: &Tx<'_>, kind: &str, group: Option<&CustomerGroupId>) -> PriceListId {
    let id = PriceListId::new();
    tx.execute(
        "insert into price_list (id, title, status, type, created_at, updated_at) values (?1, 'L', 'active', ?2, 0, 0)",
        (&id, kind),
    )
    .unwrap();
    if let Some(group) = group {
        tx.execute(
            "insert into price_list_rule (price_list_id, attribute, values_json) values (?1, 'customer.groups.id', ?2)",
            (&id, json!([group]).to_string()),
        )
        .unwrap();
    }
    id
}

fn listed(tx: &Tx<'_>, set: &PriceSetId, list: &PriceListId, amount_minor: i64) {
    tx.execute(
        "insert into price (id, price_set_id, currency, amount_minor, price_list_id, created_at, updated_at)
         values (?1, ?2, 'usd', ?3, ?4, 0, 0)",
        (PriceId::new(), set, amount_minor, list),
    )
    .unwrap();
}

/// Returns the calculated and the original amount of each set for one piece.
fn amounts(tx: &Tx<'_>, context: &PriceContext, sets: &[&PriceSetId]) -> Vec<Option<(i64, i64)>> {
    let quantities: Vec<_> = sets.iter().map(|set| ((*set).clone(), 1)).collect();
    let prices = calculate(tx, context, &quantities).unwrap();
    let amounts =
        |price: CalculatedPrice| (price.calculated.amount_minor, price.original.amount_minor);
    prices.into_iter().map(|price| price.map(amounts)).collect()
}

#[tokio::test]
async fn a_shopper_gets_the_price_of_region_quantity_list_and_group() {
    in_transaction::<PricingError>(|tx| {
        let (set, other, region) = (PriceSetId::new(), PriceSetId::new(), region(tx));
        let group = CustomerGroupId::new();
        let regional = NewPrice {
            conditions: vec![PriceCondition::equal("region_id", region.as_str())],
            ..NewPrice::plain(usd(), 1_200)
        };
        let bulk = NewPrice { min_quantity: Some(10), ..NewPrice::plain(usd(), 900) };
        let euro = NewPrice::plain("eur".parse().unwrap(), 5);
        replace_prices(tx, &set, &[NewPrice::plain(usd(), 1_000), regional, bulk, euro])?;
        replace_prices(tx, &other, &[NewPrice::plain(usd(), 2_000)])?;
        let anywhere = PriceContext::new(usd(), None);
        let here = PriceContext::new(usd(), Some(region));

        let none = PriceSetId::new();
        assert_eq!(
            amounts(tx, &anywhere, &[&other, &none, &set]),
            [Some((2_000, 2_000)), None, Some((1_000, 1_000))]
        );
        assert_eq!(amounts(tx, &here, &[&set]), [Some((1_200, 1_200))]);
        let ten = calculate(tx, &anywhere, &[(set.clone(), 10)])?;
        assert_eq!(ten[0].as_ref().map(|price| price.calculated.amount_minor), Some(900));

        listed(tx, &set, &list(tx, "sale", Some(&group)), 700);
        assert_eq!(amounts(tx, &here, &[&set]), [Some((1_200, 1_200))]);
        let member = PriceContext { customer_group_ids: vec![group], ..here };
        assert_eq!(amounts(tx, &member, &[&set]), [Some((700, 1_200))]);
        listed(tx, &set, &list(tx, "override", None), 5_000);
        assert_eq!(amounts(tx, &member, &[&set]), [Some((5_000, 5_000))]);
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn a_price_may_depend_on_the_items_of_the_cart() {
    in_transaction::<PricingError>(|tx| {
        let set = PriceSetId::new();
        let free = NewPrice {
            conditions: vec![PriceCondition {
                attribute: "item_total".into(),
                comparison: Comparison::GreaterOrEqual,
                value: "50.00".into(),
            }],
            ..NewPrice::plain(usd(), 0)
        };
        replace_prices(tx, &set, &[NewPrice::plain(usd(), 495), free])?;
        for (item_total_minor, expected) in [(None, 495), (Some(4_999), 495), (Some(5_000), 0)] {
            let context = PriceContext { item_total_minor, ..PriceContext::new(usd(), None) };
            assert_eq!(
                amounts(tx, &context, &[&set]),
                [Some((expected, expected))],
                "{item_total_minor:?}"
            );
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn prices_that_do_not_hold_are_refused() {
    in_transaction::<PricingError>(|tx| {
        let plain = NewPrice::plain(usd(), 1);
        let attempt = |new: &[NewPrice]| {
            replace_prices(tx, &PriceSetId::new(), new).map_err(|error| error.to_string())
        };
        let with = |attribute: &str, value: &str| NewPrice {
            conditions: vec![PriceCondition::equal(attribute, value)],
            ..plain.clone()
        };
        assert_eq!(attempt(&[NewPrice { max_quantity: Some(5), ..plain.clone() }]), Ok(()));
        for new in [
            vec![plain.clone(), plain.clone()],
            vec![NewPrice { amount_minor: -1, ..plain.clone() }],
            vec![NewPrice { min_quantity: Some(0), ..plain.clone() }],
            vec![NewPrice { min_quantity: Some(5), max_quantity: Some(4), ..plain.clone() }],
            vec![with("moon", "full")],
            vec![with("region_id", "here")],
            vec![with("region_id", RegionId::new().as_str())],
            vec![NewPrice { id: Some(PriceId::new()), ..plain.clone() }],
        ] {
            assert!(attempt(&new).is_err(), "{new:?}");
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn a_unit_cost_holds_from_its_instant_until_the_next() {
    let (db, clock) = database();
    let variant = VariantId::new();
    let id = variant.clone();
    db.write::<_, PricingError>(move |tx| {
        tx.sql("insert into product (id, title, handle, created_at, updated_at) values ('prod_1', 'P', 'p', 0, 0)")
            .run([])?;
        tx.sql(
            "insert into product_variant (id, product_id, title, price_set_id, created_at, updated_at)
             values (?1, 'prod_1', 'V', 'pset_1', 0, 0)",
        )
        .run([&id])?;
        for (valid_from, amount_minor) in [(0, 400), (500, 450), (2_000, 500)] {
            let valid_from = Timestamp::from_millis(valid_from);
            let cost = UnitCost { variant_id: id.clone(), currency: usd(), amount_minor, valid_from, created_by: None };
            set_unit_cost(tx, &cost)?;
        }
        Ok(())
    })
    .await
    .unwrap();

    for (advance_ms, expected) in [(0, 450), (1_000, 500)] {
        clock.advance(advance_ms);
        let id = variant.clone();
        let costs =
            db.read(move |tx| unit_costs(tx, &[id, VariantId::new()], usd())).await.unwrap();
        assert_eq!(costs.into_iter().collect::<Vec<_>>(), [(variant.clone(), expected)]);
    }
}

#[tokio::test]
async fn the_statements_of_a_calculation_do_not_depend_on_the_sets() {
    let (db, _) = database();
    let sets: Vec<_> = (0..50).map(|_| PriceSetId::new()).collect();
    let quantities: Vec<_> = sets.iter().map(|set| (set.clone(), 1)).collect();
    db.write::<_, PricingError>(move |tx| {
        for set in &sets {
            replace_prices(tx, set, &[NewPrice::plain(usd(), 1_000)])?;
        }
        Ok(())
    })
    .await
    .unwrap();
    let mut counts = Vec::new();
    for count in [1, 50] {
        let quantities = quantities[..count].to_vec();
        let before = db.statement_count();
        let context = PriceContext::new(usd(), None);
        let prices = db.read(move |tx| calculate(tx, &context, &quantities)).await.unwrap();
        assert!(prices.iter().all(Option::is_some));
        counts.push(db.statement_count() - before);
    }
    assert_eq!(counts[0], counts[1]);
}
