//! Dashboards, checked against a recount of the rows.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::{minor, order};
use crate::harness::{Person, Store, TestServer};

const DAY_MS: i64 = 86_400_000;
const SECTIONS: [&str; 5] =
    ["", "/summary", "/sales-channels", "/unfulfilled-orders", "/unfulfilled-products"];

async fn board(server: &TestServer, path_and_query: &str) -> Value {
    let path = format!("/admin/metrics/dashboard{path_and_query}");
    server.get(&Person::viewer(), &path).await.ok()
}

fn card<'a>(summary: &'a Value, key: &str) -> &'a Value {
    let cards = summary["cards"].as_array().expect("cards");
    cards.iter().find(|card| card["key"] == key).unwrap_or_else(|| panic!("no {key}: {cards:#?}"))
}

/// Creates orders ten days ago, three days ago and today, one of them canceled.
async fn shop() -> (TestServer, Store) {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    let age = |days: i64| {
        format!("update orders set placed_at = placed_at - {}", days.saturating_mul(DAY_MS))
    };
    let payments = |days: i64| {
        format!(
            "update order_transaction set created_at = created_at - {}",
            days.saturating_mul(DAY_MS)
        )
    };
    for (aged, paid) in [(age(7), payments(7)), (age(3), payments(3))] {
        let other = server.other_process();
        let done = other.write::<_, Error>(move |tx| {
            tx.execute_batch(&aged)?;
            Ok(tx.execute_batch(&paid)?)
        });
        done.await.expect("older orders");
        order(&server, &store, &store.lamp, 1).await;
    }
    let lost = order(&server, &store, &store.mug, 5).await;
    server.post(&Person::admin(), &format!("/admin/orders/{lost}/cancel"), json!({})).await.ok();
    (server, store)
}

#[tokio::test]
async fn a_channel_without_orders_has_revenue_in_the_currency() {
    let (server, _store) = TestServer::with_store().await;
    let section = board(&server, "/sales-channels?currency_code=gbp").await;
    assert_eq!(section["channels"][0]["revenue_formatted"], "£0.00", "{section:#}");
}

#[tokio::test]
async fn an_empty_store_has_zeros_and_nulls_and_no_errors() {
    let server = TestServer::empty().await;

    let whole = board(&server, "").await;

    assert_eq!(whole["section_errors"], json!({}), "{whole:#}");
    let summary = &whole["summary"];
    for key in ["gross_sales", "net_sales", "total_sales", "orders", "unfulfilled_paid_orders"] {
        assert_eq!(card(summary, key)["value"], 0, "{key}");
    }
    for key in ["average_order_value", "conversion_rate", "returning_rate"] {
        assert_eq!(card(summary, key)["value"], Value::Null, "{key}");
    }
    assert_eq!(card(summary, "orders")["trend"].as_array().map(Vec::len), Some(30));
    assert_eq!(whole["unfulfilled_orders"]["total"], 0);
    assert_eq!(whole["unfulfilled_orders"]["oldest_paid_at"], Value::Null);
    assert_eq!(whole["unfulfilled_products"]["products"], json!([]));
    assert_eq!(whole["range"]["end_date"], "2026-11-21");
    assert_eq!(whole["range"]["start_date"], "2026-10-23");
}

#[tokio::test]
async fn the_cards_equal_a_recount_of_the_rows() {
    let (server, _store) = shop().await;

    let summary = board(&server, "/summary?currency_code=gbp").await;

    for (key, sql) in [
        (
            "gross_sales",
            "select coalesce(sum(item_subtotal_minor), 0) from orders indexed by orders_by_placement
             where placed_at > 0 and status <> 'canceled'",
        ),
        (
            "taxes",
            "select sum(tax_minor) from orders indexed by orders_by_placement
             where placed_at > 0 and status <> 'canceled'",
        ),
        (
            "total_sales",
            "select sum(total_minor) from orders indexed by orders_by_placement
             where placed_at > 0 and status <> 'canceled'",
        ),
    ] {
        assert_eq!(minor(&card(&summary, key)["value"]), server.number(sql).await, "{key}");
    }
    assert_eq!(card(&summary, "orders")["value"], 3);
    assert_eq!(card(&summary, "units")["value"], 5);
    assert_eq!(card(&summary, "orders")["previous"], 0);
    assert_eq!(card(&summary, "unfulfilled_paid_orders")["value"], 3);
    for key in ["gross_sales", "net_sales", "total_sales"] {
        let card = card(&summary, key);
        let days = card["trend"].as_array().expect("days");
        let sum: i64 = days.iter().map(|day| minor(&day["value"])).sum();
        assert_eq!(sum, minor(&card["value"]), "{key}");
    }
    let none = board(&server, "/summary?currency_code=jpy").await;
    assert_eq!(card(&none, "orders")["value"], 0);
}

#[tokio::test]
async fn a_part_of_the_store_has_the_cards_of_its_rows() {
    let (server, store) = shop().await;
    for (query, orders) in [
        (format!("sales_channel_id={}", store.channel), 3),
        (format!("region_id={}", store.britain), 3),
        (format!("region_id={}", store.america), 0),
        ("country_code=GB".to_owned(), 3),
        ("country_code=us".to_owned(), 0),
    ] {
        let summary = board(&server, &format!("/summary?currency_code=gbp&{query}")).await;
        assert_eq!(card(&summary, "orders")["value"], orders, "{query}");
        let pending =
            board(&server, &format!("/unfulfilled-orders?currency_code=gbp&{query}")).await;
        assert_eq!(pending["total"], orders, "{query}");
    }
}

#[tokio::test]
async fn the_parameter_sales_channel_is_accepted_and_ignored() {
    let (server, store) = shop().await;
    for section in SECTIONS {
        let plain = board(&server, &format!("{section}?currency_code=gbp")).await;
        for channel in [store.channel.as_str(), "anything", "a&sales_channel=b"] {
            let path = format!("{section}?currency_code=gbp&sales_channel={channel}");
            assert_eq!(board(&server, &path).await, plain, "{path}");
        }
    }
    let path = "/admin/metrics/reports/top-products?currency_code=gbp&sales_channel=anything";
    assert_eq!(server.get(&Person::viewer(), path).await.ok()["count"], 2);
}

/// The cards, with the templates of their metrics.
const CARDS: [(&str, &str); 13] = [
    ("gross_sales", "gross_sales"),
    ("discounts", "discounts"),
    ("returns", "returns_value"),
    ("net_sales", "net_sales"),
    ("taxes", "taxes"),
    ("shipping", "shipping"),
    ("total_sales", "total_sales"),
    ("orders", "order_count"),
    ("average_order_value", "aov"),
    ("units", "units_sold"),
    ("new_customers", "new_customers"),
    ("returning_rate", "returning_rate"),
    ("conversion_rate", "conversion_rate"),
];

/// Makes the metric of a template active, with those that it uses.
pub(super) async fn make_active(server: &TestServer, template: &str) {
    let path = format!("/admin/metrics/templates/tmpl_{template}/instantiate");
    let made = server.post(&Person::admin(), &path, json!({"name": template})).await;
    if made.status == 409 {
        // Another one uses it.
        return;
    }
    let made = made.ok();
    for made in made["created"].as_array().into_iter().flatten().chain([&made["metric"]]) {
        let key = made["key"].as_str().expect("a key");
        let path = format!("/admin/metrics/catalog/{key}/lifecycle");
        server.post(&Person::analyst(), &path, json!({"state": "active"})).await.ok();
    }
}

/// Queries by each filter, with the number of the shop's orders that they leave.
fn filters(store: &Store) -> [(&'static str, String, u32); 6] {
    [
        ("country_code", "gb".to_owned(), 3),
        ("country_code", "us".to_owned(), 0),
        ("region_id", store.britain.clone(), 3),
        ("region_id", store.america.clone(), 0),
        ("sales_channel_id", store.channel.clone(), 3),
        ("timezone", "Pacific/Auckland".to_owned(), 3),
    ]
}

#[tokio::test]
async fn a_card_and_the_metric_of_its_name_are_one_figure_under_every_filter() {
    let (server, store) = shop().await;
    for (_, template) in CARDS {
        make_active(&server, template).await;
    }
    let metrics = CARDS.map(|(_, metric)| metric);
    for (name, value, count) in filters(&store) {
        let path = format!("/summary?currency_code=gbp&{name}={value}");
        let summary = board(&server, &path).await;
        let cards = summary["cards"].as_array().expect("cards");
        assert_eq!(cards.len(), CARDS.len() + 1);
        assert_eq!(card(&summary, "orders")["value"], count, "{path}");
        let mut body = json!({
            "metrics": metrics, "currency_code": "gbp", "compare": "previous_period",
        });
        body[name] = json!(value);
        let computed = server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok();
        for (key, metric) in CARDS {
            let (card, own) = (card(&summary, key), &computed["metrics"][metric]);
            if own["error"].is_object() {
                // Visits are of no country and no region.
                assert_eq!((key, &card["value"]), ("conversion_rate", &Value::Null), "{own:#}");
                continue;
            }
            for part in ["value", "formatted", "type", "null_reason", "previous", "change"] {
                assert_eq!(own[part], card[part], "{part} of {key}, {path}: {own:#} {card:#}");
            }
        }
        let new = u32::from(count > 0);
        assert_eq!(card(&summary, "new_customers")["value"], new, "{path}");
    }
}

#[tokio::test]
async fn rates_of_customers_take_every_filter() {
    let (server, store) = shop().await;
    for template in ["repeat_purchase_rate", "lapsed_rate"] {
        make_active(&server, template).await;
    }
    // The buyer ordered on 11 and 18 November, and today.
    for (days, repeated, lapsed) in [
        (("2026-11-12", "2026-11-13"), Value::Null, json!(1)),
        (("2026-11-18", "2026-11-25"), json!(1), json!(0)),
        (("2026-11-11", "2026-11-17"), json!(0), Value::Null),
    ] {
        for (name, value, count) in filters(&store).into_iter().take(5) {
            let mut body = json!({"metrics": ["repeat_purchase_rate", "lapsed_rate"],
                "currency_code": "gbp", "start_date": days.0, "end_date": days.1});
            body[name] = json!(value);
            let computed = server.post(&Person::viewer(), "/admin/metrics/compute", body).await;
            let computed = computed.ok()["metrics"].clone();
            let expected =
                if count > 0 { (&repeated, &lapsed) } else { (&Value::Null, &Value::Null) };
            let given =
                (&computed["repeat_purchase_rate"]["value"], &computed["lapsed_rate"]["value"]);
            assert_eq!(given, expected, "{days:?} {name} {value}: {computed:#}");
        }
    }
}

#[tokio::test]
async fn every_channel_is_shown_and_their_sums_are_the_total() {
    let (server, store) = shop().await;
    let quiet = json!({"name": "Quiet"});
    server.post(&Person::admin(), "/admin/sales-channels", quiet).await.ok();

    let path = format!("/sales-channels?currency_code=gbp&sales_channel_id={}", store.america);
    let refused = server.get(&Person::viewer(), &format!("/admin/metrics/dashboard{path}")).await;
    refused.refused(400);
    let path = "/sales-channels?currency_code=gbp&sales_channel_id=sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
    let view = board(&server, path).await;

    let channels = view["channels"].as_array().expect("channels");
    let named = |name: &str| channels.iter().find(|channel| channel["name"] == name);
    let (web, quiet) = (named("Web shop").expect("web"), named("Quiet").expect("quiet"));
    assert_eq!(web["orders"], 3);
    assert_eq!(web["share"], 1);
    assert_eq!(web["previous"]["orders"], 0);
    assert_eq!(quiet["orders"], 0);
    assert_eq!((&quiet["revenue"], &quiet["share"]), (&json!(0), &json!(0)));
    assert_eq!(quiet["average_order_value"], Value::Null);
    let sum: i64 = channels.iter().map(|channel| minor(&channel["revenue"])).sum();
    assert_eq!(sum, minor(&view["total"]["revenue"]));
}

#[tokio::test]
async fn figures_are_compared_with_the_period_before_or_the_year_before_or_not_at_all() {
    let (server, store) = TestServer::with_store().await;
    let old = order(&server, &store, &store.mug, 3).await;
    let other = server.other_process();
    let aged = other.write::<_, Error>(move |tx| {
        let sql = "update orders set placed_at = placed_at - 86400000 * 366 where id = ?1";
        Ok(tx.execute(sql, [&old])?)
    });
    aged.await.expect("an older order");
    super::order_of_yesterday(&server, &store, &store.lamp, 1).await;
    let day = "currency_code=gbp&start_date=2026-11-20&end_date=2026-11-20";

    for (compare, before) in [
        ("", json!(0)),
        ("&compare=previous_period", json!(0)),
        ("&compare=previous_year", json!(1)),
        ("&compare=none", Value::Null),
    ] {
        let summary = board(&server, &format!("/summary?cards=orders&{day}{compare}")).await;
        let orders = card(&summary, "orders");
        assert_eq!((&orders["value"], &orders["previous"]), (&json!(1), &before), "{compare}");
        let view = board(&server, &format!("/sales-channels?{day}{compare}")).await;
        let channels = view["channels"].as_array().expect("channels");
        let web = channels.iter().find(|channel| channel["name"] == "Web shop").expect("web");
        let orders = (&web["orders"], &web["previous"]["orders"]);
        assert_eq!(orders, (&json!(1), &before), "{compare}: {web:#}");
    }
    let path = "/admin/metrics/dashboard/summary?compare=luck";
    server.get(&Person::viewer(), path).await.refused(400);
}

#[tokio::test]
async fn an_order_is_unfulfilled_until_all_its_pieces_are_packed() {
    let (server, store) = TestServer::with_store().await;
    let (admin, id) = (Person::admin(), order(&server, &store, &store.mug, 3).await);
    let placed = server.get(&admin, &format!("/admin/orders/{id}")).await.ok();
    let line = &placed["order"]["items"][0]["id"];
    let path = format!("/admin/orders/{id}/fulfillments");
    let pack = async |quantity: i64| {
        let items = json!([{"id": line, "quantity": quantity}]);
        let body = json!({"items": items, "location_id": store.location});
        let packed = server.post(&admin, &path, body).await.ok();
        let parcels = packed["order"]["fulfillments"].as_array().expect("parcels").clone();
        let newest = parcels.last().expect("a parcel");
        format!("{path}/{}", newest["id"].as_str().expect("an id"))
    };
    let waiting = async || {
        let orders = board(&server, "/unfulfilled-orders?currency_code=gbp").await;
        let products = board(&server, "/unfulfilled-products?currency_code=gbp").await;
        (orders["total"].clone(), products["products"][0]["quantity"].clone())
    };

    let first = pack(1).await;
    server.post(&admin, &format!("{first}/shipments"), json!({"labels": []})).await.ok();
    assert_eq!(waiting().await, (json!(1), json!(2)), "a part is shipped");

    let second = pack(2).await;
    assert_eq!(waiting().await, (json!(0), Value::Null), "all is packed");

    server.post(&admin, &format!("{second}/cancel"), json!({})).await.ok();
    assert_eq!(waiting().await, (json!(1), json!(2)), "a parcel is canceled");
}

#[tokio::test]
async fn pending_orders_are_in_the_bucket_of_their_age() {
    let (server, _store) = shop().await;

    let view = board(&server, "/unfulfilled-orders?currency_code=gbp&limit=1&offset=1").await;

    let counts: Vec<_> =
        view["buckets"].as_array().expect("buckets").iter().map(|b| &b["count"]).collect();
    assert_eq!(counts, [1, 0, 1, 1, 0]);
    assert_eq!((&view["total"], &view["count"]), (&json!(3), &json!(3)));
    assert_eq!(view["orders"].as_array().map(Vec::len), Some(1));
    assert_eq!(view["orders"][0]["quantity"], 1);
    let products = board(&server, "/unfulfilled-products?currency_code=gbp").await;
    assert_eq!(products["count"], 2);
    let mug = &products["products"][0];
    assert_eq!((&mug["quantity"], &mug["orders"]), (&json!(3), &json!(1)));
    assert_eq!((&mug["available"], &mug["short"]), (&json!(1_000), &json!(0)));
    assert_eq!(mug["sku"], "MUG");
    let whole = board(&server, "?currency_code=gbp").await;
    assert_eq!(whole["section_errors"], json!({}));
    assert_eq!(card(&whole["summary"], "unfulfilled_paid_orders")["value"], 3);
}

#[tokio::test]
async fn an_impossible_range_is_refused_with_the_reason() {
    let server = TestServer::empty().await;
    for section in SECTIONS {
        for (query, part) in [
            ("start_date=2026-02-30", "2026-02-30"),
            ("start_date=2026-02-02&end_date=2026-02-01", "before start_date"),
            ("start_date=2025-01-01&end_date=2026-01-02", "MAX_RANGE_DAYS"),
            ("timezone=Mars/Base", "is not a time zone"),
            ("timezone=Etc/Unknown", "is not a time zone"),
            ("country_code=gbr", "2 characters"),
            ("country_code=g1", "two letters"),
            ("currency_code=xxz", ""),
            ("limit=201", "limit"),
            ("foo=1", "foo"),
            ("start_date=0000-01-01", "0000-01-01"),
            ("end_date=9999-12-31", "9999-12-31"),
            ("start_date=1969-12-31&end_date=1970-01-02", "1969-12-31"),
        ] {
            let path = format!("/admin/metrics/dashboard{section}?{query}");
            let message = server.get(&Person::viewer(), &path).await.refused(400);
            assert!(message.contains(part), "{path}: {message}");
        }
        let year = "start_date=2025-01-01&end_date=2026-01-01&timezone=Europe/London";
        board(&server, &format!("{section}?{year}")).await;
    }
}

#[tokio::test]
async fn a_dashboard_takes_as_many_statements_whatever_was_sold() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    for section in SECTIONS.iter().skip(1) {
        let path = format!("/admin/metrics/dashboard{section}?currency_code=gbp");
        server.get(&admin, &path).await.ok();
        // Cached values save statements.
        let counted = async || {
            server.delete(&Person::analyst(), "/admin/metrics/cache").await.ok();
            server.statements(server.get(&admin, &path)).await
        };
        order(&server, &store, &store.mug, 1).await;
        let of_few = counted().await;
        order(&server, &store, &store.lamp, 1).await;
        order(&server, &store, &store.print, 1).await;
        let of_more = counted().await;
        assert_eq!(of_few, of_more, "{section}");
        assert!(of_few < 60, "{section}: {of_few}");
    }
}

#[tokio::test]
async fn the_demo_store_has_the_figures_that_a_recount_of_its_rows_gives() {
    let server = TestServer::with_demo(200).await;

    let summary = board(&server, "/summary?start_date=2025-10-01&end_date=2026-09-30").await;

    let orders = "from orders indexed by orders_by_placement
        where placed_at > 0 and status not in ('draft', 'canceled') and currency = 'gbp'";
    let sum = |column: &str| format!("select coalesce(sum({column}), 0) {orders}");
    for (key, sql) in [
        ("gross_sales", sum("item_subtotal_minor")),
        ("discounts", sum("discount_subtotal_minor")),
        ("orders", format!("select 100 * count(*) {orders}")),
        ("units", sum("100 * quantity")),
    ] {
        let counted = server.number(sql.leak()).await;
        assert_eq!(minor(&card(&summary, key)["value"]), counted, "{key}");
        assert!(key == "discounts" || counted > 0, "{key}");
    }
    let tax = server
        .get(
            &Person::viewer(),
            "/admin/reports/taxes/dashboard?start_date=2025-10-01&end_date=2026-09-30",
        )
        .await
        .ok();
    assert_eq!(tax["totals"]["reconciles"], true, "{tax:#}");
    let channels =
        board(&server, "/sales-channels?start_date=2025-10-01&end_date=2026-09-30").await;
    let rows = channels["channels"].as_array().expect("channels");
    let sum: i64 = rows.iter().map(|row| minor(&row["revenue"])).sum();
    assert_eq!(sum, minor(&channels["total"]["revenue"]));
}

#[tokio::test]
async fn cards_are_the_same_whether_all_or_some_are_requested() {
    let (server, _store) = shop().await;
    let all = board(&server, "/summary?currency_code=gbp").await;

    let some = board(&server, "/summary?currency_code=gbp&cards=orders,%20net_sales").await;
    let waiting = board(&server, "/summary?currency_code=gbp&cards=unfulfilled_paid_orders").await;

    let expected = [card(&all, "net_sales"), card(&all, "orders")];
    assert_eq!(some["cards"], json!(expected));
    assert_eq!(waiting["cards"], json!([card(&all, "unfulfilled_paid_orders")]));
    let whole = board(&server, "?currency_code=gbp&cards=orders,net_sales").await;
    assert_eq!(whole["summary"]["cards"], json!(expected));
    let filters = json!({ "currency_code": "gbp", "cards": "orders,net_sales" });
    let item = |kind: &str| json!({ "id": kind, "type": kind, "filters": filters });
    let items = json!({ "requests": [item("summary"), item("dashboard")] });
    let batch = server.post(&Person::viewer(), "/admin/metrics/batch", items).await.ok();
    let results = &batch["results"];
    assert_eq!(results["summary"]["data"]["cards"], json!(expected), "{results:#}");
    assert_eq!(results["dashboard"]["data"]["summary"]["cards"], json!(expected), "{results:#}");
    for wrong in ["nothing", "", "orders,"] {
        for section in ["", "/summary"] {
            let path = format!("/admin/metrics/dashboard{section}?cards={wrong}");
            let message = server.get(&Person::viewer(), &path).await.refused(400);
            assert!(message.contains("net_sales"), "the possible cards are named: {message}");
        }
    }
}
