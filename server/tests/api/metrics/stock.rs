//! Reports of stock and its cost.

use serde_json::{Value, json};

use super::order;
use super::reports::{report, shop};
use crate::harness::{Person, TestServer};

const DAY_MS: i64 = 86_400_000;

#[tokio::test]
async fn stock_snapshots_are_taken_on_request_and_odd_costs_are_found() {
    let (server, _store) = shop().await;
    let path = "/admin/reports/cogs/snapshots";
    for _twice in 0..2 {
        server.post(&Person::admin(), path, json!({})).await.ok();
    }

    let days = report(&server, path).await;

    let currency = days["range"]["currency_code"].clone();
    assert_eq!(days["count"], 1, "{currency}");
    let day = &days["snapshots"][0];
    assert_eq!((&day["date"], &day["units"]), (&json!("2026-11-21"), &json!(2_010)));
    assert_eq!((&day["variants"], &day["is_final"]), (&json!(3), &json!(false)));
    let turnover = report(&server, "/admin/reports/cogs/inventory-turnover").await;
    assert_eq!(turnover["count"], 3, "{turnover:#}");
    server
        .get(&Person::viewer(), "/admin/reports/cogs/inventory-turnover?country_code=gb")
        .await
        .refused(400);
    let alerts = report(&server, "/admin/reports/cogs/alerts?currency_code=gbp").await;
    let kinds: Vec<_> =
        alerts["alerts"].as_array().expect("alerts").iter().map(|a| &a["kind"]).collect();
    assert_eq!(kinds, ["missing_cost"; 3]);
    let mut paged = Vec::new();
    for offset in 0..4 {
        let path = format!("/admin/reports/cogs/alerts?currency_code=gbp&limit=1&offset={offset}");
        let page = report(&server, &path).await;
        assert_eq!((&page["count"], &page["limit"]), (&json!(3), &json!(1)));
        paged.extend(page["alerts"].as_array().expect("alerts").clone());
    }
    assert_eq!(json!(paged), alerts["alerts"]);
}

#[tokio::test]
async fn a_snapshot_taken_again_forgets_variants_that_are_gone_and_ends_with_the_store_s_day() {
    let (server, store) = shop().await;
    let path = "/admin/reports/cogs/snapshots";
    server.post(&Person::admin(), path, json!({})).await.ok();
    let variant = format!("/admin/products/{}/variants/{}", store.mug_product, store.mug);
    server.delete(&Person::admin(), &variant).await.ok();
    server.post(&Person::admin(), path, json!({})).await.ok();

    let day = report(&server, path).await["snapshots"][0].clone();
    assert_eq!(day["variants"], 2, "{day:#}");
    server.sql("update inventory_snapshot set taken_at = (day + 1) * 86400000").await;
    for zone in ["UTC", "America/Los_Angeles"] {
        let days = report(&server, &format!("{path}?timezone={zone}")).await;
        assert_eq!(days["snapshots"][0]["is_final"], true, "{zone}: {days:#}");
    }
}

#[tokio::test]
async fn turnover_is_of_the_stock_of_the_days_with_a_snapshot() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    let category = json!({ "name": "Kitchen", "is_active": true });
    let category = server.post(&Person::admin(), "/admin/product-categories", category).await.ok();
    let category = category["product_category"]["id"].as_str().expect("a category");
    let path = format!("/admin/product-categories/{category}/products");
    server.post(&Person::admin(), &path, json!({ "add": [store.mug_product] })).await.ok();
    let stock = "insert into inventory_snapshot (day, variant_id, on_hand, value_minor, currency, taken_at)";
    for statement in [
        "update order_line set unit_cost_minor = 200".to_owned(),
        // 20 and 21 November; on the second the mugs have no snapshot.
        format!("{stock} values (20777, '{}', 1, 400, 'gbp', 0)", store.mug),
        format!("{stock} values (20777, '{}', 1, 1000, 'gbp', 0)", store.lamp),
        format!("{stock} values (20778, '{}', 2, 2000, 'gbp', 0)", store.lamp),
    ] {
        server.sql(statement).await;
    }
    server.clock.advance(DAY_MS);

    let path = "/admin/reports/cogs/inventory-turnover?currency_code=gbp&start_date=2026-11-20\
                &end_date=2026-11-21";
    // The profit of the mugs is 38.97 - 6.00.
    let mugs = json!({ "turnover": 3, "days_of_inventory": "0.6666666666666666666666666667",
        "average_inventory_value": 2, "gmroi": 16.485, "cost": 6 });
    let lamps = json!({ "turnover": 0, "days_of_inventory": null, "average_inventory_value": 15,
        "gmroi": 0, "cost": 0 });
    for by in ["product", "category"] {
        let found = server.get(&Person::program(), &format!("{path}&by={by}")).await.ok();
        assert_eq!(found["count"], 2, "{by}: {found:#}");
        for (row, expected) in [(0, &lamps), (1, &mugs)] {
            let row = &found["inventory_turnover"][row];
            for (name, value) in expected.as_object().expect("figures") {
                assert_eq!(row[name], *value, "{by} {name}: {found:#}");
            }
        }
        let keys = (&found["inventory_turnover"][0]["key"], &found["inventory_turnover"][1]["key"]);
        if by == "category" {
            assert_eq!(keys, (&Value::Null, &json!("Kitchen")));
        } else {
            assert_eq!(keys.1, &json!(store.mug_product));
        }
        assert_eq!(found["total"]["average_inventory_value"], 17, "{by}: {found:#}");
    }
}

#[tokio::test]
async fn turnover_of_many_products_over_a_year_is_computed() {
    let (server, _store) = TestServer::with_store().await;
    for statement in [
        "insert into product (id, title, handle, created_at, updated_at)
           with recursive n (i) as (select 1 union all select i + 1 from n where i < 1400)
           select 'prod_many_' || i, 'Many', 'many-' || i, 0, 0 from n",
        "insert into product_variant (id, product_id, title, price_set_id, created_at, updated_at)
           select 'variant_of_' || id, id, 'One', 'pset_of_' || id, 0, 0 from product where title = 'Many'",
        "insert into inventory_snapshot (day, variant_id, on_hand, value_minor, currency, taken_at)
           select 20778, v.id, 1, 250, 'gbp', 0 from product_variant v join product p on p.id = v.product_id
           where p.title = 'Many'",
    ] {
        server.sql(statement).await;
    }

    let path = "/admin/reports/cogs/inventory-turnover?currency_code=gbp&start_date=2025-11-22\
                &end_date=2026-11-21";
    let found = report(&server, path).await;

    assert_eq!(found["count"], 1_400, "{:#}", found["total"]);
    assert_eq!(found["inventory_turnover"][0]["average_inventory_value"], 2.5);
    assert_eq!(found["total"]["average_inventory_value"], 3_500);
}

#[tokio::test]
async fn unmoved_stock_is_counted_in_complete_sets() {
    let (server, _store) = TestServer::with_store().await;
    // A lamp is now three lamps and two prints, a mug also eleven prints, of which there are ten.
    for statement in [
        "update product_variant_inventory_item set required_quantity = 3
           where variant_id = (select id from product_variant where sku = 'LAMP')",
        "insert into product_variant_inventory_item (variant_id, inventory_item_id, required_quantity)
           select v.id, m.inventory_item_id, iif(v.sku = 'LAMP', 2, 11)
           from product_variant v, product_variant p
             join product_variant_inventory_item m on m.variant_id = p.id
           where p.sku = 'PRINT' and v.sku in ('LAMP', 'MUG')",
        "update product_variant set created_at = created_at - 91 * 86400000",
        "update inventory_movement set created_at = created_at - 91 * 86400000",
    ] {
        server.sql(statement).await;
    }

    let found = report(&server, "/admin/reports/cogs/alerts?currency_code=gbp").await;

    let alerts = found["alerts"].as_array().expect("alerts").iter();
    let unmoved = alerts.filter(|alert| alert["kind"] == "unmoved");
    let units: Vec<Value> = unmoved.map(|alert| json!([alert["sku"], alert["units"]])).collect();
    assert!(units.contains(&json!(["LAMP", 5])), "{found:#}");
    assert!(units.contains(&json!(["PRINT", 10])), "{found:#}");
    assert_eq!(units.len(), 2, "{found:#}");
}

#[tokio::test]
async fn sales_below_cost_are_those_of_the_filters() {
    let (server, store) = shop().await;
    let other = server.other_process();
    let costs = other.write::<_, quotient_server::database::Error>(|tx| {
        Ok(tx.execute("update order_line set unit_cost_minor = 100000", [])?)
    });
    costs.await.expect("costs");
    let path = "/admin/reports/cogs/alerts?currency_code=gbp";
    for (filter, expected) in [
        (format!("&country_code=gb&sales_channel_id={}", store.channel), vec!["below_cost"; 2]),
        (format!("&region_id={}", store.britain), vec!["below_cost"; 2]),
        ("&country_code=de".to_owned(), vec![]),
    ] {
        let found = report(&server, &format!("{path}{filter}")).await;
        let kinds = found["alerts"].as_array().expect("alerts").iter();
        let kinds: Vec<&Value> = kinds.map(|alert| &alert["kind"]).collect();
        assert_eq!(kinds, expected, "{filter}");
        assert_eq!(found["count"], expected.len(), "{filter}");
    }
}
