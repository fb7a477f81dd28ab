//! Tests of shipping on a database: the options offered in different contexts.

use super::places::PostalExpression;
use super::*;
use crate::catalog::tests::{channel, database, in_transaction};
use crate::database::{Table as _, Tx};
use crate::ids::{SalesChannelId, ServiceZoneId, ShippingOptionId, ShippingProfileId};
use crate::inventory::{NewLocation, connect_channel, create_location};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::pricing::{Comparison, NewPrice, PriceCondition};

fn gbp() -> Currency {
    "gbp".parse().unwrap()
}

/// Creates a location of a channel that ships to Britain, with a zone and a profile.
fn ground(tx: &Tx<'_>) -> (SalesChannelId, ServiceZoneId, ShippingProfileId) {
    let channel = channel(tx);
    let location = NewLocation { name: "Warehouse".into(), ..NewLocation::default() };
    let location_id = create_location(tx, location).unwrap();
    connect_channel(tx, &location_id, &channel).unwrap();
    let set = NewSet { name: "Delivery".into(), kind: "shipping".into(), location_id };
    let zone = NewZone {
        name: "Britain".into(),
        fulfillment_set_id: create_set(tx, &set).unwrap(),
        places: vec![GeoZone::Country { country_code: "gb".into() }],
        metadata: Metadata::default(),
    };
    let profile = create_profile(tx, &NewProfile::default_profile()).unwrap();
    (channel, create_zone(tx, &zone).unwrap(), profile)
}

fn option_of(zone: &ServiceZoneId, profile: &ShippingProfileId) -> NewOption {
    NewOption {
        name: "Standard".into(),
        service_zone_id: zone.clone(),
        shipping_profile_id: profile.clone(),
        provider_id: "manual_manual".into(),
        type_id: None,
        prices: vec![NewPrice::plain(gbp(), 995)],
        rules: Vec::new(),
        data: Metadata::default(),
        metadata: Metadata::default(),
    }
}

fn context(channel: &SalesChannelId, profile: &ShippingProfileId) -> ShippingContext {
    ShippingContext {
        audience: Audience::Shopper,
        is_return: false,
        country: "GB".into(),
        province: None,
        city: None,
        postal_code: None,
        currency: gbp(),
        region_id: None,
        customer_group_ids: Vec::new(),
        profile_ids: vec![profile.clone()],
        item_total_minor: 1_000,
        sales_channel_id: channel.clone(),
        items: Vec::new(),
    }
}

fn offered(tx: &Tx<'_>, context: &ShippingContext) -> Vec<(ShippingOptionId, i64)> {
    let offers = options(tx, context).unwrap();
    offers.into_iter().map(|offer| (offer.id, offer.amount_minor)).collect()
}

#[tokio::test]
async fn an_option_is_offered_only_where_place_channel_profile_currency_and_rules_fit() {
    in_transaction::<ShippingError>(|tx| {
        let (channel, zone, profile) = ground(tx);
        let standard = create_option(tx, &option_of(&zone, &profile))?;
        let hidden = NewRule { values: vec!["false".into()], ..NewRule::enabled_in_store() };
        let counter = NewOption { rules: vec![hidden], ..option_of(&zone, &profile) };
        let counter = create_option(tx, &counter)?;
        let here = context(&channel, &profile);

        assert_eq!(offered(tx, &here), [(standard.clone(), 995)]);
        let staff = ShippingContext { audience: Audience::Staff, ..here.clone() };
        let found: Vec<_> = offered(tx, &staff).into_iter().map(|(id, _)| id).collect();
        assert_eq!(found, [standard, counter.clone()]);
        let elsewhere = [
            ShippingContext { country: "fr".into(), ..here.clone() },
            ShippingContext { currency: "eur".parse().unwrap(), ..here.clone() },
            ShippingContext { profile_ids: Vec::new(), ..here.clone() },
            ShippingContext { sales_channel_id: SalesChannelId::new(), ..here.clone() },
            ShippingContext { is_return: true, ..here.clone() },
        ];
        for context in elsewhere {
            assert_eq!(offered(tx, &context), [], "{context:?}");
        }
        assert!(matches!(option(tx, &counter, &here), Err(ShippingError::NotFound { .. })));
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn a_price_with_a_condition_on_the_items_applies_from_that_total_on() {
    in_transaction::<ShippingError>(|tx| {
        let (channel, zone, profile) = ground(tx);
        let free = NewPrice {
            conditions: vec![PriceCondition {
                attribute: "item_total".into(),
                comparison: Comparison::GreaterOrEqual,
                value: "50".into(),
            }],
            ..NewPrice::plain(gbp(), 0)
        };
        let prices = vec![NewPrice::plain(gbp(), 995), free];
        let id = create_option(tx, &NewOption { prices, ..option_of(&zone, &profile) })?;
        for (item_total_minor, amount) in [(4_999, 995), (5_000, 0)] {
            let context = ShippingContext { item_total_minor, ..context(&channel, &profile) };
            assert_eq!(option(tx, &id, &context)?.amount_minor, amount);
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn a_place_has_at_most_a_thousand_postal_codes_of_at_most_32_characters() {
    in_transaction::<ShippingError>(|tx| {
        let (_channel, zone, _profile) = ground(tx);
        let set = model::ServiceZone::require::<ShippingError>(tx, &zone)?.fulfillment_set_id;
        for (count, chars, is_taken) in
            [(1_000, 32, true), (1_001, 32, false), (1, 33, false), (1_000, 0, true)]
        {
            let values = (0..count).map(|code| format!("{code:0chars$}")).collect();
            let place = GeoZone::Zip {
                country_code: "gb".into(),
                province_code: None,
                city: None,
                postal_expression: PostalExpression::In { values },
            };
            let changed = changes::change_zone(tx, (&set, &zone), None, Some(vec![place]), None);
            assert_eq!(changed.is_ok(), is_taken, "{count} of {chars}");
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn the_statements_of_a_choice_do_not_grow_with_the_options() {
    let (db, _) = database();
    let (channel, zone, profile) = db.write::<_, ShippingError>(|tx| Ok(ground(tx))).await.unwrap();
    let mut counts = Vec::new();
    for _ in 0..2 {
        let new = option_of(&zone, &profile);
        db.write::<_, ShippingError>(move |tx| {
            for _ in 0..5 {
                create_option(tx, &new)?;
            }
            Ok(())
        })
        .await
        .unwrap();
        let context = context(&channel, &profile);
        let before = db.statement_count();
        db.read::<_, ShippingError>(move |tx| options(tx, &context)).await.unwrap();
        counts.push(db.statement_count() - before);
    }
    assert_eq!(counts[0], counts[1]);
}
