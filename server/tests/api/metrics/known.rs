//! What is known, and up to when: ranges that have not ended or begun, and sources that nothing records.

use serde_json::{Value, json};

use super::dashboards::make_active;
use super::{active, order};
use crate::harness::{Person, TestServer};

/// Two days that have or have not ended, and one that has not begun.
const DAYS: [&str; 3] = ["2026-11-20", "2026-11-21", "2026-11-22"];

async fn compute(server: &TestServer, body: Value) -> Value {
    server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok()["metrics"].clone()
}

/// Returns what an answer says about its period and its null.
fn known(answer: &Value) -> [&Value; 4] {
    let period = &answer["period"];
    [&period["partial"], &period["as_of"], &answer["value"], &answer["null_reason"]]
}

#[tokio::test]
async fn a_value_states_until_when_it_is_known_and_a_future_period_is_not_zero() {
    let (server, store) = TestServer::with_store().await;
    active(&server, "Placed", "count(orders)").await;
    order(&server, &store, &store.mug, 3).await;
    let now = json!(server.clock.now().to_string());
    let range = json!({ "start": DAYS[0], "end": DAYS[2] });
    let expected = [
        [&json!(false), &json!("2026-11-21T00:00:00.000Z"), &json!(0), &Value::Null],
        [&json!(true), &now, &json!(1), &Value::Null],
        [&json!(true), &now, &Value::Null, &json!("not_yet")],
    ];
    let whole = [&json!(true), &now, &json!(1), &Value::Null];

    let body = json!({ "metrics": ["placed"], "currency_code": "gbp", "start_date": DAYS[0],
        "end_date": DAYS[2], "granularity": "day", "group_by": ["country"] });
    let computed = compute(&server, body).await["placed"].clone();
    let query = format!("start_date={}&end_date={}&granularity=day", DAYS[0], DAYS[2]);
    let path = format!("/admin/metrics?metrics=placed&currency_code=gbp&{query}");
    let shown = server.get(&Person::viewer(), &path).await.ok()["metrics"]["placed"].clone();
    let item = json!({ "id": "a", "type": "metric", "metric": "placed",
        "filters": { "range": range, "granularity": "day", "currency_code": "gbp" } });
    let report = json!({ "id": "b", "type": "report", "filters": { "range": range, "currency_code": "gbp" },
        "report": { "metrics": ["placed"], "granularity": "day" } });
    let batch = json!({ "requests": [item, report] });
    let batch = server.post(&Person::viewer(), "/admin/metrics/batch", batch).await.ok();
    let (item, report) = (&batch["results"]["a"]["data"], &batch["results"]["b"]["data"]);

    for record in [&computed, &shown, item] {
        assert_eq!(known(record), whole, "{record:#}");
        assert_eq!(record["as_of"], now);
        let series = record["series"].as_array().expect("a series");
        let given: Vec<[&Value; 4]> = series.iter().map(known).collect();
        assert_eq!(given, expected);
    }
    assert_eq!(known(&computed["groups"][0]), whole);
    assert_eq!(known(&computed["groups"][0]["series"][1]), expected[1]);
    assert_eq!(known(&report["totals"]["placed"]), whole, "{report:#}");
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(
        rows.iter().map(|row| known(&row["values"]["placed"])).collect::<Vec<_>>(),
        expected
    );
    assert_eq!((&rows[1]["period"]["partial"], &rows[1]["period"]["as_of"]), (&json!(true), &now));
}

/// The routes that answer over a range.
const RANGED: [&str; 14] = [
    "/admin/metrics/dashboard",
    "/admin/metrics/dashboard/summary",
    "/admin/metrics/dashboard/sales-channels",
    "/admin/metrics/dashboard/unfulfilled-orders",
    "/admin/metrics/dashboard/unfulfilled-products",
    "/admin/metrics/reports/top-products",
    "/admin/reports/cogs/margins",
    "/admin/reports/cogs/inventory-turnover",
    "/admin/reports/cogs/snapshots",
    "/admin/reports/cogs/alerts",
    "/admin/reports/promotions",
    "/admin/reports/promotions/codes",
    "/admin/reports/taxes/dashboard",
    "/admin/reports/taxes/export",
];

#[tokio::test]
async fn every_dashboard_and_report_says_up_to_when_its_range_is_known() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    let now = server.clock.now().to_string();
    for (start, end, is_partial, as_of) in [
        (DAYS[0], DAYS[0], false, "2026-11-21T00:00:00.000Z"),
        (DAYS[0], DAYS[2], true, now.as_str()),
        (DAYS[2], DAYS[2], true, now.as_str()),
    ] {
        let expected = (&json!(is_partial), &json!(as_of));
        for path in RANGED {
            let path = format!("{path}?currency_code=gbp&start_date={start}&end_date={end}");
            let answer = server.get(&Person::viewer(), &path).await.ok();
            let range = &answer["range"];
            assert_eq!((&range["partial"], &range["as_of"]), expected, "{path}");
        }
        let body = json!({ "currency_code": "gbp", "start_date": start, "end_date": end });
        let report = server.post(&Person::analyst(), "/admin/metrics/report", body.clone()).await;
        let parcels =
            server.post(&Person::analyst(), "/admin/metrics/fulfillment-report", body).await;
        for range in [&report.ok()["report"]["range"], &parcels.ok()["range"]] {
            assert_eq!((&range["partial"], &range["as_of"]), expected, "{range:#}");
        }
    }
}

#[tokio::test]
async fn days_that_are_not_over_are_marked_in_trends_tables_and_csv() {
    let (server, store) = TestServer::with_store().await;
    active(&server, "Placed", "count(orders)").await;
    order(&server, &store, &store.mug, 3).await;
    let query = format!("currency_code=gbp&start_date={}&end_date={}", DAYS[0], DAYS[2]);
    let get =
        async |path: &str| server.get(&Person::viewer(), &format!("{path}{query}")).await.ok();
    let marks = |rows: &Value| {
        let rows = rows.as_array().expect("rows").iter();
        rows.map(|row| row["partial"].clone()).collect::<Vec<_>>()
    };

    let summary = get("/admin/metrics/dashboard/summary?").await;
    let margins = get("/admin/reports/cogs/margins?by=period&granularity=day&").await;
    let tax = get("/admin/reports/taxes/dashboard?granularity=day&").await;
    let body = json!({ "metrics": ["placed"], "format": "csv", "granularity": "day",
        "currency_code": "gbp", "start_date": DAYS[0], "end_date": DAYS[2] });
    let csv = server.post(&Person::analyst(), "/admin/metrics/report", body).await.ok();

    let cards = summary["cards"].as_array().expect("cards");
    let orders = cards.iter().find(|card| card["key"] == "orders").expect("the card");
    assert_eq!(marks(&orders["trend"]), [false, true, true]);
    assert_eq!(orders["trend"][2]["value"], Value::Null);
    assert_eq!(marks(&margins["margins"]), [false, true, true]);
    assert_eq!(marks(&tax["periods"]), [false, true, true]);
    let now = server.clock.now();
    let table = format!(
        "period_start,period_end,as_of,placed\r\n\
         2026-11-20T00:00:00.000Z,2026-11-21T00:00:00.000Z,,0\r\n\
         2026-11-21T00:00:00.000Z,2026-11-22T00:00:00.000Z,{now},1\r\n\
         2026-11-22T00:00:00.000Z,2026-11-23T00:00:00.000Z,{now},\r\n\
         total,,{now},1\r\n"
    );
    assert_eq!(csv.as_str(), Some(table.as_str()));
}

#[tokio::test]
async fn a_range_that_has_not_begun_has_no_figures_on_any_surface() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    let query = "currency_code=gbp&start_date=2026-12-01&end_date=2026-12-31";
    let get =
        async |path: &str| server.get(&Person::viewer(), &format!("{path}?{query}")).await.ok();

    let board = get("/admin/metrics/dashboard").await;
    let tax = get("/admin/reports/taxes/dashboard").await;

    let cards = board["summary"]["cards"].as_array().expect("cards");
    for card in cards.iter().filter(|card| card["key"] != "unfulfilled_paid_orders") {
        assert_eq!(card["value"], Value::Null, "{card:#}");
        assert_eq!((&card["null_reason"], &card["formatted"]), (&json!("not_yet"), &json!("–")));
    }
    let channels = &board["sales_channels"];
    for own in [&channels["channels"][0], &channels["total"]] {
        assert_eq!(
            (&own["orders"], &own["revenue"], &own["revenue_formatted"]),
            (&Value::Null, &Value::Null, &json!("–")),
            "{channels:#}"
        );
    }
    assert_eq!(
        (&tax["totals"]["tax_net"], &tax["totals"]["reconciles"]),
        (&Value::Null, &json!(true))
    );
}

#[tokio::test]
async fn unrecorded_values_are_not_covered_instead_of_zero() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    for (formula, value) in [
        ("sum(marketing.spend)", None),
        ("sum(marketing.clicks)", None),
        ("count(orders) / sum(marketing.clicks)", None),
        ("count(sessions)", Some(0)),
        ("closing(sum(receivables.balance))", None),
        ("sum(marketing.spend) default 0 GBP", Some(0)),
        ("sum(refunds.amount)", Some(0)),
        ("count(orders where total > 1000000 GBP)", Some(0)),
    ] {
        let body = json!({ "formula": formula, "currency_code": "gbp" });
        let answer = compute(&server, body).await["formula"].clone();
        let expected = match value {
            Some(value) => (json!(value), Value::Null),
            None => (Value::Null, json!("no_coverage")),
        };
        assert_eq!(
            (&answer["value"], &answer["null_reason"]),
            (&expected.0, &expected.1),
            "{formula}: {answer:#}"
        );
        assert_eq!(answer["as_of"], server.clock.now().to_string(), "{formula}");
    }
    make_active(&server, "contribution_margin").await;
    make_active(&server, "cac").await;
    let body = json!({ "metrics": ["contribution_margin", "cac"], "currency_code": "gbp" });
    let answers = compute(&server, body).await;
    assert_eq!(answers["contribution_margin"]["value"], 1, "no cost is known: {answers:#}");
    assert_eq!(answers["cac"]["null_reason"], "no_coverage");
}

#[tokio::test]
async fn pending_orders_do_not_depend_on_the_range_as_documented() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 3).await;
    let description = server.get(&Person::nobody(), "/openapi.json").await.ok();
    for (path, list) in [("unfulfilled-orders", "orders"), ("unfulfilled-products", "products")] {
        let path = format!("/admin/metrics/dashboard/{path}");
        for day in ["2026-11-21", "2025-05-01"] {
            let query = format!("currency_code=gbp&start_date={day}&end_date={day}");
            let answer = server.get(&Person::viewer(), &format!("{path}?{query}")).await.ok();
            assert_eq!(answer[list].as_array().map(Vec::len), Some(1), "{path} {day}: {answer:#}");
        }
        let said = description["paths"][&path]["get"]["description"].as_str().expect("a text");
        assert!(
            said.contains("not\nselect orders") || said.contains("not select orders"),
            "{said}"
        );
    }
}
