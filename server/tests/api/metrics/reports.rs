//! Reports, checked against a recount of the rows.

use serde_json::{Value, json};

use super::dashboards::make_active;
use super::{active, minor, order};
use crate::harness::{Person, Store, TestServer};

pub(super) async fn report(server: &TestServer, path: &str) -> Value {
    server.get(&Person::viewer(), path).await.ok()
}

/// Creates three orders of mugs and lamps, one of them canceled.
pub(super) async fn shop() -> (TestServer, Store) {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    order(&server, &store, &store.lamp, 1).await;
    let lost = order(&server, &store, &store.mug, 5).await;
    server.post(&Person::admin(), &format!("/admin/orders/{lost}/cancel"), json!({})).await.ok();
    (server, store)
}

#[tokio::test]
async fn the_products_that_sell_best_are_ranked_and_add_up() {
    let (server, store) = shop().await;
    // What was ordered and canceled was not sold.
    let lost = order(&server, &store, &store.print, 1).await;
    server.post(&Person::admin(), &format!("/admin/orders/{lost}/cancel"), json!({})).await.ok();

    let path = "/admin/metrics/reports/top-products?currency_code=gbp";
    let top = report(&server, path).await;

    assert_eq!(top["count"], 2, "{top:#}");
    let first = &top["products"][0];
    assert_eq!(first["product"], json!({"id": store.mug_product, "title": "Mug"}));
    assert_eq!(
        (&first["rank"], &first["units"], &first["orders"]),
        (&json!(1), &json!(3), &json!(1))
    );
    assert_eq!(minor(&first["net_sales"]), 3 * 1_299);
    assert_eq!(minor(&top["products"][1]["net_sales"]), 1_499);
    for by in ["revenue", "units", "orders", "margin"] {
        assert_eq!(report(&server, &format!("{path}&by={by}")).await["count"], 2);
    }
    server.get(&Person::viewer(), &format!("{path}&by=luck")).await.refused(400);
}

#[tokio::test]
async fn a_margin_over_a_loss_is_null_and_comes_last() {
    let (server, store) = shop().await;
    let orders = server.get(&Person::admin(), "/admin/orders?order=created_at").await.ok();
    let first = orders["orders"][0]["id"].as_str().expect("an order").to_owned();
    // A refund of an order before the range leaves only a loss in it.
    let other = server.other_process();
    let done = other.write::<_, quotient_server::database::Error>(move |tx| {
        tx.execute("update order_line set unit_cost_minor = 0", [])?;
        tx.execute("update orders set placed_at = placed_at - 86400000 * 60 where id = ?1", [&first])?;
        Ok(tx.execute(
            "insert into order_transaction (id, order_id, amount_minor, reference, reference_id, created_at)
             select 'ordtrx_01JD2Q8Z5M6T3W9XKCV4B7NZZZ', id, -100, 'refund', 'refund_1', placed_at + 86400000 * 60
             from orders where id = ?1", [&first])?)
    });
    done.await.expect("a refund");
    server.clock.advance(1_000);

    let path = "/admin/metrics/reports/top-products?currency_code=gbp&by=margin";
    let top = report(&server, path).await;
    let margins = report(&server, "/admin/reports/cogs/margins?currency_code=gbp").await;

    let lost = &top["products"][1];
    assert_eq!(lost["product"]["id"], store.mug_product, "{top:#}");
    assert_eq!(
        (&lost["margin"], &lost["margin_null_reason"]),
        (&Value::Null, &json!("not_comparable"))
    );
    assert_eq!(top["products"][0]["margin"], 1);
    let row = &margins["margins"][1];
    assert_eq!(
        (&row["margin"], &row["margin_null_reason"]),
        (&Value::Null, &json!("not_comparable"))
    );

    // Without the other order, the refund is all there is.
    server
        .sql(
            "update orders set status = 'canceled'
             where id not in (select order_id from order_transaction where reference_id = 'refund_1')",
        )
        .await;
    server.clock.advance(1_000);
    let path = "/admin/reports/cogs/margins?currency_code=gbp&by=period";
    let margins = report(&server, path).await;
    let periods = margins["margins"].as_array().expect("periods");
    for figures in [&margins["total"], periods.last().expect("a period")] {
        assert_eq!(
            (&figures["margin"], &figures["margin_null_reason"]),
            (&Value::Null, &json!("not_comparable")),
            "{margins:#}"
        );
    }
    make_active(&server, "gross_margin").await;
    let path = "/admin/metrics?metrics=gross_margin,net_sales&currency_code=gbp";
    let values = report(&server, path).await;
    assert_eq!(values["metrics"]["gross_margin"]["value"], Value::Null, "{values:#}");
}

#[tokio::test]
async fn a_margin_over_an_unknown_cost_is_null_and_comes_last() {
    let (server, store) = shop().await;
    let other_process = server.other_process();
    let done = other_process.write::<_, quotient_server::database::Error>(|tx| {
        let costs = "update order_line set unit_cost_minor = 1400 where product_title <> 'Mug'";
        Ok(tx.execute(costs, [])?)
    });
    done.await.expect("costs");
    server.clock.advance(1_000);

    let path = "/admin/metrics/reports/top-products?currency_code=gbp&by=margin";
    let top = report(&server, path).await;

    let unknown = &top["products"][1];
    assert_eq!(unknown["product"]["id"], store.mug_product, "{top:#}");
    assert_eq!(
        (&unknown["margin"], &unknown["margin_null_reason"]),
        (&Value::Null, &json!("null_value"))
    );
    assert!(top["products"][0]["margin"].is_string(), "{top:#}");
}

#[tokio::test]
async fn ranges_of_years_are_answered_outside_of_the_dashboard() {
    let (server, _store) = shop().await;
    for path in [
        "/admin/metrics?",
        "/admin/metrics/reports/top-products?",
        "/admin/reports/taxes/dashboard?",
        "/admin/reports/taxes/export?",
        "/admin/reports/cogs/margins?by=period&",
        "/admin/reports/promotions?",
    ] {
        report(&server, &format!("{path}start_date=2025-10-01&end_date=2026-11-21")).await;
        let path = format!("{path}start_date=2016-01-01&end_date=2026-11-21");
        server.get(&Person::viewer(), &path).await.refused(400);
    }
    active(&server, "Placed", "count(orders)").await;
    let months = |start: &str| json!({"metrics": ["placed"], "granularity": "month", "start_date": start, "end_date": "2026-11-21"});
    let path = "/admin/metrics/report";
    let made = server.post(&Person::analyst(), path, months("2025-10-01")).await.ok();
    assert_eq!(made["report"]["rows"].as_array().map(Vec::len), Some(14), "{made:#}");
    server.post(&Person::analyst(), path, months("2016-01-01")).await.refused(400);
}

#[tokio::test]
async fn margins_by_every_key_have_one_total() {
    let (server, _store) = shop().await;
    for by in ["product", "variant", "category", "period"] {
        let path = format!("/admin/reports/cogs/margins?currency_code=gbp&by={by}");
        let margins = report(&server, &path).await;
        let rows = margins["margins"].as_array().expect("rows");
        let sum: i64 = rows.iter().map(|row| minor(&row["revenue"])).sum();
        assert_eq!(sum, 3 * 1_299 + 1_499, "{by}: {margins:#}");
        assert_eq!(sum, minor(&margins["total"]["revenue"]), "{by}");
        assert_eq!(margins["total"]["units"], 4, "{by}");
        assert_eq!(margins["total"]["missing_cost"], 4, "{by}");
        let cut = server.get(&Person::viewer(), &format!("{path}&granularity=day")).await;
        assert_eq!(cut.status, if by == "period" { 200 } else { 400 }, "{by}: {cut:#?}");
    }
}

/// Places an order of two lamps with promotion codes.
async fn order_with(server: &TestServer, store: &Store, person: &Person, codes: &[&str]) {
    let cart = server.cart_with(person, store, &store.lamp, 2).await;
    let codes = json!({ "promo_codes": codes });
    server.post(person, &format!("/store/carts/{cart}/promotions"), codes).await.ok();
    server.ship(person, store, &cart).await;
    server.pay(person, &cart, "pm_card_visa").await;
    server.complete(person, &cart).await.ok();
    server.clock.advance(1_000);
}

#[tokio::test]
async fn a_promotion_wins_the_customers_whose_first_order_uses_it() {
    for (codes_of_orders, new_customers) in [([&["TENOFF"][..], &[]], 1), ([&[], &["TENOFF"]], 0)] {
        let (server, store) = TestServer::with_store().await;
        for codes in codes_of_orders {
            order_with(&server, &store, &Person::customer_a(), codes).await;
        }

        let view = report(&server, "/admin/reports/promotions?currency_code=gbp").await;

        assert_eq!(view["promotions"][0]["new_customers"], new_customers, "{view:#}");
    }
}

#[tokio::test]
async fn promotions_show_their_sales_and_their_discounts() {
    let (server, store) = shop().await;
    order_with(&server, &store, &Person::visitor(), &["TENOFF"]).await;

    for path in ["/admin/reports/promotions", "/admin/reports/promotions/codes"] {
        let view = report(&server, &format!("{path}?currency_code=gbp")).await;
        assert_eq!(view["count"], 1, "{view:#}");
        let row = &view["promotions"][0];
        assert_eq!((&row["code"], &row["uses"]), (&json!("TENOFF"), &json!(1)), "{view:#}");
        assert_eq!(minor(&row["discount"]), 300);
        assert_eq!(minor(&row["revenue"]), 2 * 1_499 - 300);
        assert_eq!(minor(&view["total"]["average_order_value_with"]), 2 * 1_499 - 300);
        assert_eq!(
            minor(&view["total"]["average_order_value_without"]),
            i64::midpoint(3 * 1_299, 1_499)
        );
    }
}

#[tokio::test]
async fn the_rate_of_a_promotion_is_of_the_price_before_all_promotions() {
    let (server, store) = TestServer::with_store().await;
    let half = json!({
        "code": "HALF", "type": "standard", "status": "active",
        "application_method": {"type": "percentage", "target_type": "items", "allocation": "across", "value": 50},
    });
    server.post(&Person::admin(), "/admin/promotions", half).await.ok();
    order_with(&server, &store, &Person::visitor(), &["TENOFF", "HALF"]).await;

    let view = report(&server, "/admin/reports/promotions?currency_code=gbp").await;

    let rows = view["promotions"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    for row in rows {
        // A number with many digits is a text.
        let rate = row["discount_rate"].as_str().expect("a rate").parse::<f64>().expect("a number");
        let expected = row["discount"].as_f64().expect("a discount") / 29.98;
        assert!((rate - expected).abs() < 1e-9, "{view:#}");
    }
}

#[tokio::test]
async fn a_report_is_cut_by_days_grouped_saved_and_exported_for_spreadsheets() {
    let (server, _store) = shop().await;
    let empty = server.post(&Person::analyst(), "/admin/metrics/report", json!({})).await.ok();
    server.post(&Person::viewer(), "/admin/metrics/report", json!({})).await.refused(403);
    assert_eq!(empty["report"]["metrics"], json!([]));
    for (body, part) in [
        (json!({"metrics": ["nothing"]}), "nothing"),
        (json!({"start_date": "2026-02-30"}), "2026-02-30"),
    ] {
        let refused = server.post(&Person::analyst(), "/admin/metrics/report", body).await;
        assert!(refused.status == 400 || refused.status == 404, "{refused:?}");
        assert!(refused.body["message"].as_str().is_some_and(|text| text.contains(part)));
    }

    let stored = report(&server, "/admin/metrics/reports?fields=+result").await;

    assert_eq!(stored["count"], 1);
    assert_eq!(stored["reports"][0]["result"]["id"], empty["report"]["id"]);
    let body = json!({"format": "csv"});
    let file = server.post(&Person::analyst(), "/admin/metrics/report", body).await.ok();
    assert!(
        file.as_str().is_some_and(|text| text.starts_with("period_start,period_end")),
        "{file}"
    );
}

#[tokio::test]
async fn sending_is_counted_by_state_place_and_carrier() {
    let (server, store) = TestServer::with_store().await;
    let id = order(&server, &store, &store.mug, 1).await;
    let admin = Person::admin();
    let view = server.get(&admin, &format!("/admin/orders/{id}")).await.ok();
    let items = json!([{"id": view["order"]["items"][0]["id"], "quantity": 1}]);
    let body = json!({"items": items, "location_id": store.location});
    server.post(&admin, &format!("/admin/orders/{id}/fulfillments"), body).await.ok();
    server.clock.advance(1_000);

    let body = json!({"currency_code": "gbp"});
    let path = "/admin/metrics/fulfillment-report";
    let found = server.post(&Person::viewer(), path, body).await.ok();

    assert_eq!(found["by_status"][0]["key"], "packed", "{found:#}");
    assert_eq!(found["by_location"][0]["name"], "Warehouse");
    assert_eq!(found["by_carrier"][0]["count"], 1);
    assert_eq!(found["lead_time"]["average"], Value::Null);
    assert_eq!(found["late_count"], 0);
}

#[tokio::test]
async fn an_empty_store_has_empty_reports() {
    let server = TestServer::empty().await;
    for path in [
        "/admin/metrics/reports",
        "/admin/metrics/reports/top-products",
        "/admin/reports/cogs/margins",
        "/admin/reports/cogs/margins?by=period",
        "/admin/reports/cogs/inventory-turnover",
        "/admin/reports/cogs/snapshots",
        "/admin/reports/cogs/alerts",
        "/admin/reports/promotions",
        "/admin/reports/promotions/codes",
        "/admin/reports/taxes/dashboard",
        "/admin/reports/taxes/export",
    ] {
        report(&server, path).await;
        if path != "/admin/metrics/reports" {
            let mark = if path.contains('?') { '&' } else { '?' };
            for query in [
                "start_date=2026-02-30",
                "timezone=Mars",
                "timezone=Etc/Unknown",
                "start_date=2016-01-01",
            ] {
                let path = format!("{path}{mark}{query}");
                server.get(&Person::viewer(), &path).await.refused(400);
            }
        }
    }
}

#[tokio::test]
async fn a_viewer_reads_a_report_in_a_batch_and_saves_none() {
    let (server, _store) = TestServer::with_store().await;
    let item = json!({"id": "a", "type": "report", "report": {"name": "Daily"}});
    for (person, kept) in [(Person::viewer(), 0), (Person::analyst(), 1)] {
        let body = json!({ "requests": [item] });
        let answer = server.post(&person, "/admin/metrics/batch", body).await.ok();
        assert_eq!(answer["summary"]["succeeded"], 1, "{answer:#}");
        let listed = server.get(&Person::admin(), "/admin/metrics/reports").await.ok();
        assert_eq!(listed["count"], kept);
    }
}

#[tokio::test]
async fn a_report_for_spreadsheets_has_its_comparison() {
    let (server, _store) = TestServer::with_store().await;
    active(&server, "Placed", "count(orders)").await;
    let body = json!({"metrics": ["placed"], "group_by": ["country,sales_channel"], "format": "csv",
        "start_date": "2026-11-01", "end_date": "2026-11-19", "compare": "previous_period"});

    let file = server.post(&Person::analyst(), "/admin/metrics/report", body).await.ok();

    let head = "period_start,period_end,country,sales_channel,placed,placed_previous\r\n";
    let file = file.as_str().expect("a file");
    assert!(file.starts_with(head) && file.ends_with("total,,,,0,0\r\n"), "{file}");
}

#[tokio::test]
async fn a_report_by_an_unknown_dimension_is_refused_with_the_known_ones() {
    let server = TestServer::empty().await;
    let body = json!({ "metrics": [], "group_by": ["colour"] });

    let refusal = server.post(&Person::analyst(), "/admin/metrics/report", body).await.refused(400);

    assert!(refusal.contains("`colour` is not a shared dimension; there are"), "{refusal}");
}
