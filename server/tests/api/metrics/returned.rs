//! Refunds, open orders and stored reports: the figures of reports agree with those of the dashboard.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::registry::make;
use super::{minor, order, order_of_yesterday};
use crate::harness::{Person, Store, TestServer};

const DAY_MS: i64 = 86_400_000;

async fn got(server: &TestServer, path: &str) -> Value {
    server.get(&Person::program(), path).await.ok()
}

/// Returns a card of the summary in minor units.
async fn card(server: &TestServer, query: &str, key: &str) -> i64 {
    let summary = got(server, &format!("/admin/metrics/dashboard/summary?{query}")).await;
    let cards = summary["cards"].as_array().expect("cards").iter();
    let found = cards.filter(|card| card["key"] == key).map(|card| minor(&card["value"])).next();
    found.unwrap_or_else(|| panic!("no {key}"))
}

/// Refunds an amount of an order.
async fn refund(server: &TestServer, order_id: &str, amount: &Value) {
    server.refund(order_id, Some(amount.clone())).await;
    server.clock.advance(1_000);
}

/// Sells three mugs and a lamp, and refunds £6 of the mugs.
async fn shop() -> (TestServer, Store) {
    let (server, store) = TestServer::with_store().await;
    let mugs = order(&server, &store, &store.mug, 3).await;
    order(&server, &store, &store.lamp, 1).await;
    refund(&server, &mugs, &json!(6)).await;
    (server, store)
}

#[tokio::test]
async fn refunds_reduce_the_goods_and_the_total_alike() {
    let (server, store) = shop().await;
    let net = card(&server, "currency_code=gbp", "net_sales").await;
    let given_back = card(&server, "currency_code=gbp", "returns").await;
    assert!(given_back > 0 && given_back < 600, "{given_back}: there is tax in it");

    let top = got(&server, "/admin/metrics/reports/top-products?currency_code=gbp").await;

    let products = top["products"].as_array().expect("products");
    let mug = products.iter().find(|row| row["product"]["id"] == store.mug_product.as_str());
    let mug = mug.expect("a mug");
    assert_eq!(minor(&mug["gross_sales"]), 3 * 1_299);
    assert_eq!(minor(&mug["net_sales"]), 3 * 1_299 - given_back);
    assert_eq!(products.iter().map(|row| minor(&row["net_sales"])).sum::<i64>(), net);
    for by in ["product", "variant", "category", "period"] {
        let path = format!("/admin/reports/cogs/margins?currency_code=gbp&by={by}");
        let margins = got(&server, &path).await;
        let rows = margins["margins"].as_array().expect("rows");
        assert_eq!(rows.iter().map(|row| minor(&row["revenue"])).sum::<i64>(), net, "{by}");
        assert_eq!(minor(&margins["total"]["revenue"]), net, "{by}: {margins:#}");
        assert_eq!(minor(&margins["total"]["profit"]), net, "{by}");
    }
}

#[tokio::test]
async fn the_average_order_value_is_one_figure_on_every_surface() {
    let (server, _store) = shop().await;
    let average = card(&server, "currency_code=gbp", "average_order_value").await;
    assert!(average > 0);

    for path in ["/admin/reports/promotions", "/admin/reports/promotions/codes"] {
        let report = got(&server, &format!("{path}?currency_code=gbp")).await;
        assert_eq!(minor(&report["total"]["average_order_value_without"]), average, "{path}");
        assert_eq!(report["total"]["average_order_value_with"], Value::Null, "{path}");
    }
    let channels = got(&server, "/admin/metrics/dashboard/sales-channels?currency_code=gbp").await;
    let rows = channels["channels"].as_array().expect("channels").iter();
    let sold: Vec<&Value> = rows.filter(|row| row["orders"] != 0).collect();
    assert_eq!(sold.len(), 1);
    assert_eq!(minor(&sold[0]["average_order_value"]), average);
}

#[tokio::test]
async fn days_of_inventory_are_the_days_divided_by_the_turnover() {
    let (server, _store) = shop().await;
    let path = "/admin/reports/cogs/snapshots";
    server.post(&Person::admin(), path, json!({})).await.ok();
    let other = server.other_process();
    let costs = "update order_line set unit_cost_minor = 317 + quantity;
        update inventory_snapshot set currency = 'gbp', value_minor = 12347 + on_hand;";
    other.write::<_, Error>(|tx| Ok(tx.execute_batch(costs)?)).await.expect("costs");
    let turnover = "sum(items.unit_cost * items.quantity where order.status != 'canceled')
        / avg(sum(inventory.value) per day)";
    super::active(&server, "turned", turnover).await;
    server.clock.advance(DAY_MS);
    for days in 2..=20 {
        let start = format!("2026-11-{:02}", 22 - days);
        let question = format!("currency_code=gbp&start_date={start}&end_date=2026-11-21");
        let path = format!("/admin/reports/cogs/inventory-turnover?{question}");
        let total = got(&server, &path).await["total"].clone();
        let body = json!({"metrics": ["turned"], "formula": format!("{days} / turned"),
            "currency_code": "gbp", "start_date": start, "end_date": "2026-11-21"});
        let computed = server.post(&Person::program(), "/admin/metrics/compute", body).await.ok();
        let computed = &computed["metrics"];
        assert_eq!(total["turnover"], computed["turned"]["value"], "{days}: {total:#}");
        assert!(total["days_of_inventory"].is_string(), "{days}: {total:#}");
        assert_eq!(
            total["days_of_inventory"], computed["formula"]["value"],
            "{days}: {computed:#}"
        );
    }
}

#[tokio::test]
async fn a_refund_for_earlier_goods_has_its_own_row() {
    let (server, store) = TestServer::with_store().await;
    let id = order(&server, &store, &store.mug, 2).await;
    server.clock.advance(40 * DAY_MS);
    order(&server, &store, &store.lamp, 1).await;
    refund(&server, &id, &json!(12)).await;

    let top = got(&server, "/admin/metrics/reports/top-products?currency_code=gbp").await;

    let given_back = card(&server, "currency_code=gbp", "returns").await;
    assert_eq!(top["count"], 2, "{top:#}");
    let last = &top["products"][1];
    assert_eq!(last["product"], json!({ "id": store.mug_product, "title": "Mug" }));
    assert_eq!((&last["units"], minor(&last["net_sales"])), (&json!(0), -given_back));
}

#[tokio::test]
async fn the_cards_add_up_and_have_a_day_for_each_day() {
    let (server, _store) = shop().await;
    let card = async |key| card(&server, "currency_code=gbp", key).await;

    assert_eq!(
        card("net_sales").await,
        card("gross_sales").await - card("discounts").await - card("returns").await
    );
    assert_eq!(
        card("total_sales").await,
        card("net_sales").await + card("taxes").await + card("shipping").await
    );
    let range = "start_date=2026-11-12&end_date=2026-11-21&currency_code=gbp";
    let summary = got(&server, &format!("/admin/metrics/dashboard/summary?{range}")).await;
    for card in summary["cards"].as_array().expect("cards") {
        let days = card["trend"].as_array().map_or(0, Vec::len);
        let expected = if card["key"] == "unfulfilled_paid_orders" { 0 } else { 10 };
        assert_eq!(days, expected, "{}", card["key"]);
    }
    let tax = got(&server, &format!("/admin/reports/taxes/dashboard?{range}")).await;
    assert_eq!(minor(&tax["totals"]["tax_net"]), card("taxes").await);
    let refunds = tax["refunds"].as_array().expect("refunds");
    let refunded: i64 = refunds.iter().map(|row| minor(&row["tax_refunded"])).sum();
    assert_eq!(minor(&tax["totals"]["tax_refunded"]), refunded);
}

#[tokio::test]
async fn late_orders_are_counted_on_all_pages() {
    let (server, store) = TestServer::with_store().await;
    for _ in 0..3 {
        order(&server, &store, &store.mug, 1).await;
    }
    server.clock.advance(3 * DAY_MS);
    order(&server, &store, &store.mug, 1).await;

    let body = json!({ "currency_code": "gbp", "limit": 1 });
    let path = "/admin/metrics/fulfillment-report";
    let report = server.post(&Person::program(), path, body).await.ok();

    assert_eq!(report["late"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["late_count"], 3);
    assert_eq!(report["on_time_rate"], Value::Null, "nothing was promised");
}

#[tokio::test]
async fn an_export_of_tax_goes_over_its_pages_and_agrees_with_the_orders() {
    let server = TestServer::with_demo(700).await;
    let orders = server.number("select count(distinct order_id) from order_line_tax").await;
    assert!(orders > 500, "{orders} orders are one page");
    let range = "start_date=2025-10-01&end_date=2026-09-30";

    let export = got(&server, &format!("/admin/reports/taxes/export?{range}")).await;

    let rows = export["rows"].as_array().expect("rows");
    assert_eq!(export["count"], rows.len());
    let ids: std::collections::BTreeSet<String> =
        rows.iter().map(|row| row["order_id"].to_string()).collect();
    assert_eq!(i64::try_from(ids.len()), Ok(orders));
    let places: Vec<(String, i64)> = rows
        .iter()
        .map(|row| (row["placed_at"].to_string(), row["display_id"].as_i64().unwrap_or(0)))
        .collect();
    assert!(places.is_sorted(), "they come in the order of their placing");
    let tax: i64 = rows.iter().map(|row| minor(&row["tax_amount"])).sum();
    let of_orders = "select sum(tax_minor) from orders indexed by orders_by_placement
        where placed_at > 0 and status not in ('draft', 'canceled')";
    assert_eq!(tax, server.number(of_orders).await);
    let path = format!("/admin/reports/taxes/export?{range}&format=csv");
    let file = got(&server, &path).await;
    let lines = file.as_str().expect("a text").lines().count();
    assert_eq!(lines, rows.len() + 1);
    let path = format!("/admin/reports/cogs/margins?{range}&by=category&limit=200");
    let margins = got(&server, &path).await;
    let rows = margins["margins"].as_array().expect("rows");
    let net: i64 = rows.iter().map(|row| minor(&row["revenue"])).sum();
    assert_eq!(net, minor(&margins["total"]["revenue"]), "with the refunds of the demo store");
    assert_eq!(net, card(&server, range, "net_sales").await);
}

#[tokio::test]
async fn cached_figures_of_a_day_are_returned_without_computing() {
    let (server, store) = TestServer::with_store().await;
    for (name, formula) in [("Placed", "count(orders)"), ("Pieces", "sum(items.quantity)")] {
        let made = make(&server, name, formula).await;
        let id = made["id"].as_str().expect("an id");
        let path = format!("/admin/metrics-registry/definitions/{id}/lifecycle");
        server.post(&Person::admin(), &path, json!({ "state": "active" })).await.ok();
    }
    order_of_yesterday(&server, &store, &store.mug, 3).await;
    let take = async |body: Value| {
        let taken = server.post(&Person::analyst(), "/admin/metrics", body).await.ok();
        taken["metrics"].clone()
    };
    let day = json!({ "date": "2026-11-20", "metrics": ["placed"], "filters": { "currency_code": "gbp" } });
    let first = take(day.clone()).await;
    assert_eq!(first["placed"]["value"], 1, "{first:#}");
    order_of_yesterday(&server, &store, &store.mug, 2).await;
    // Computing it now is an error; returning the stored result is not.
    let other = server.other_process();
    let view = other.write::<_, Error>(|tx| {
        let sql = "select sql from sqlite_schema where name = 'metric_orders'";
        let view: String = tx.query_row(sql, [], |row| row.get(0))?;
        tx.execute_batch("drop view metric_orders")?;
        Ok(view)
    });
    let view = view.await.expect("the view is gone");

    assert_eq!(take(day.clone()).await, first);

    let back = other.write::<_, Error>(move |tx| Ok(tx.execute_batch(&view)?));
    back.await.expect("the view is back");
    let both = json!({ "date": "2026-11-20", "metrics": ["placed", "pieces"], "filters": { "currency_code": "gbp" } });
    let both = take(both).await;
    assert_eq!(both["placed"], first["placed"]);
    assert_eq!(both["pieces"]["value"], 5);
    let mut forced = day;
    forced["force"] = json!(true);
    assert_eq!(take(forced).await["placed"]["value"], 2);
}
