//! Reports, checked against a recount of the rows.

use serde_json::{Value, json};

use super::{active, minor, order};
use crate::harness::{Person, Store, TestServer};

const DAY_MS: i64 = 86_400_000;

async fn report(server: &TestServer, path: &str) -> Value {
    server.get(&Person::viewer(), path).await.ok()
}

/// Creates three orders of mugs and lamps, one of them canceled.
async fn shop() -> (TestServer, Store) {
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
    // What was only ordered in vain was not sold.
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
    // A refund of an order before the range leaves nothing but a loss in it.
    let other = server.other_process();
    let done = other.write::<_, quotient_server::database::Error>(move |tx| {
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
    }
}

#[tokio::test]
async fn tax_agrees_with_the_orders_to_the_penny() {
    let (server, _store) = shop().await;

    let tax = report(&server, "/admin/reports/taxes/dashboard?currency_code=gbp").await;

    let of_orders = server
        .number(
            "select sum(tax_minor) from orders indexed by orders_by_placement
             where placed_at > 0 and status <> 'canceled'",
        )
        .await;
    let totals = &tax["totals"];
    assert_eq!(totals["reconciles"], true, "{tax:#}");
    assert_eq!(minor(&totals["tax_collected"]), of_orders);
    assert_eq!(minor(&totals["order_tax"]), of_orders);
    for rows in ["jurisdictions", "rates", "periods"] {
        let rows = tax[rows].as_array().expect("rows");
        let sum: i64 = rows.iter().map(|row| minor(&row["tax_collected"])).sum();
        assert_eq!(sum, of_orders, "{rows:?}");
    }
    let place = &tax["jurisdictions"][0];
    assert_eq!(place["country"], "gb");
    assert_eq!((minor(&place["tax_net"]), minor(&place["tax_refunded"])), (of_orders, 0));
    for rows in ["jurisdictions", "periods"] {
        let rows = tax[rows].as_array().expect("rows");
        for key in ["taxable_sales", "exempt_sales"] {
            let sum: i64 = rows.iter().map(|row| minor(&row[key])).sum();
            assert_eq!(sum, minor(&totals[key]), "{key}: {rows:?}");
        }
    }
    assert_eq!(tax["rates"][0]["rate"], 20);
    let export = report(&server, "/admin/reports/taxes/export?currency_code=gbp").await;
    assert_eq!(export["count"], 2);
    let rows = export["rows"].as_array().expect("rows");
    assert_eq!(rows.iter().map(|row| minor(&row["tax_amount"])).sum::<i64>(), of_orders);
    let path = "/admin/reports/taxes/export?currency_code=gbp&format=csv";
    let file = server.get(&Person::viewer(), path).await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    let text = file.ok();
    assert_eq!(text.as_str().map(|text| text.lines().count()), Some(3), "{text}");
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
async fn promotions_say_what_they_brought_and_took_off() {
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
async fn a_report_is_cut_by_days_grouped_kept_and_written_for_spreadsheets() {
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
async fn stock_is_taken_when_asked_and_odd_costs_are_found() {
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
        let found = report(&server, &format!("{path}&by={by}")).await;
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
async fn a_viewer_reads_a_report_in_a_batch_and_keeps_none() {
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

/// Buys a mug that is sent to a province of Britain.
async fn sent_to(server: &TestServer, store: &Store, province: Option<&str>) -> Value {
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, store, &store.mug, 1).await;
    let to = json!({"address_1": "1 High Street", "country_code": "gb", "province": province});
    server.ship_to(&visitor, store, &cart, to).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    server.complete(&visitor, &cart).await.ok()["order"].take()
}

#[tokio::test]
async fn tax_is_of_the_place_that_levies_it_however_an_address_writes_the_province() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let country = server.get(&admin, "/admin/tax-regions?country_code=gb").await.ok();
    let wales = json!({
        "country_code": "gb", "province_code": "gb-wls", "parent_id": country["tax_regions"][0]["id"],
        "default_tax_rate": {"rate": 2, "code": "wls", "name": "Welsh levy", "is_combinable": true},
    });
    server.post(&admin, "/admin/tax-regions", wales).await.ok();
    let mut orders = Vec::new();
    for province in [None, Some("Kent"), Some("kent"), Some("GB-KEN"), Some("WLS"), Some("GB-WLS")]
    {
        orders.push(sent_to(&server, &store, province).await);
        server.clock.advance(1_000);
    }
    server.refund(orders[4]["id"].as_str().expect("an order"), None).await;
    server.clock.advance(1_000);

    let tax = report(&server, "/admin/reports/taxes/dashboard?currency_code=gbp").await;

    assert_eq!(tax["totals"]["reconciles"], true, "{tax:#}");
    let places = tax["jurisdictions"].as_array().expect("places");
    let named: Vec<_> = places.iter().map(|row| (&row["province"], &row["orders"])).collect();
    assert_eq!(named, [(&json!(null), &json!(6)), (&json!("wls"), &json!(2))]);
    // 12.99 and 9.95 of postage, each order at 20 %, two of them at 2 % besides.
    let collected: Vec<_> = places.iter().map(|row| minor(&row["tax_collected"])).collect();
    assert_eq!(collected, [6 * (260 + 199), 2 * (26 + 20)]);
    let refunded: Vec<_> = places.iter().map(|row| minor(&row["tax_refunded"])).collect();
    assert_eq!(refunded, [260 + 199, 26 + 20]);
    let rates = tax["rates"].as_array().expect("rates").iter();
    let rates: Vec<_> = rates
        .map(|row| (&row["name"], minor(&row["tax_refunded"]), minor(&row["tax_net"])))
        .collect();
    let of_wales = (&json!("Welsh levy"), 26 + 20, 26 + 20);
    assert_eq!(rates, [(&json!("vat"), 260 + 199, 5 * (260 + 199)), of_wales]);
    let rows = report(&server, "/admin/reports/taxes/export?currency_code=gbp").await;
    let rows: Vec<_> = rows["rows"].as_array().expect("rows")[3..]
        .iter()
        .map(|row| (&row["province"], &row["tax_names"]))
        .collect();
    let (of_country, of_wales) =
        ((&json!(null), &json!("vat")), (&json!("wls"), &json!("Welsh levy")));
    assert_eq!(rows, [of_country, of_country, of_wales, of_country, of_wales]);

    let taxable = |tax: &Value| {
        let of = |rows: &str| {
            let rows = tax[rows].as_array().expect("rows").iter();
            rows.map(|row| minor(&row["taxable_sales"])).collect::<Vec<i64>>()
        };
        (minor(&tax["totals"]["taxable_sales"]), of("jurisdictions"), of("rates"), of("periods"))
    };
    let each = 1_299 + 995;
    let both = vec![6 * each, 2 * each];
    let cut = "/admin/reports/taxes/dashboard?currency_code=gbp&granularity=none";
    let tax = report(&server, cut).await;
    assert_eq!(taxable(&tax), (6 * each, both.clone(), both.clone(), vec![6 * each]));
    // What one place taxes at two rates is its sale once.
    for table in ["order_line_tax", "order_shipping_tax"] {
        server.sql(format!("update {table} set province = null")).await;
    }
    let tax = report(&server, cut).await;
    assert_eq!(taxable(&tax).1, [6 * each], "{tax:#}");
    assert_eq!(tax["jurisdictions"][0]["orders"], 6);
    let mut rates = taxable(&tax).2;
    rates.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(rates, both);
}

#[tokio::test]
async fn the_sales_of_a_tax_dashboard_are_read_once_for_all_periods() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 1).await;
    let of_days = async |start: &str| {
        let path = format!(
            "/admin/reports/taxes/dashboard?currency_code=gbp&granularity=day&start_date={start}&end_date=2026-11-20"
        );
        server.statements(server.get(&Person::viewer(), &path)).await
    };

    let (of_few, of_many) = (of_days("2026-11-11").await, of_days("2026-09-12").await);

    assert!(of_many < of_few.saturating_add(20), "{of_few} {of_many}");
}

#[tokio::test]
async fn a_report_for_spreadsheets_has_what_it_compares_with() {
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
async fn a_report_by_an_unknown_dimension_is_refused_with_those_that_there_are() {
    let server = TestServer::empty().await;
    let body = json!({ "metrics": [], "group_by": ["colour"] });

    let refusal = server.post(&Person::analyst(), "/admin/metrics/report", body).await.refused(400);

    assert!(refusal.contains("`colour` is not a shared dimension; there are"), "{refusal}");
}
