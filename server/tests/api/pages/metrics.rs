//! Metrics: the API's numbers, who may change what, and hostile text.

use serde_json::{Value, json};

use super::{Browser, escaped};
use crate::harness::{Person, TestServer};

/// Metrics with their templates.
const METRICS: &[&str] =
    &["gross_sales", "net_sales", "order_count", "aov", "units_sold", "buyers", "refund_rate"];

/// Makes metrics from templates, as the page does.
async fn add(browser: &Browser<'_>, keys: &[&str]) {
    for key in keys {
        if browser.get(&format!("/app/metrics/{key}")).await.html.contains("Make it a metric") {
            let shown = browser.submit(&format!("/app/metrics/templates/{key}"), &[]).await;
            assert_eq!(shown.status, 303, "{key}: {}", shown.html);
            assert_eq!(shown.location(), format!("/app/metrics/{key}?done=saved"));
        }
    }
}

/// Defines a metric and puts it into use.
async fn define(server: &TestServer, name: &str, formula: &str, data_type: &str) -> String {
    let metric = json!({ "name": name, "category": "sales", "scope": "store", "data_type": data_type,
                         "formula": formula, "description": "<img src=x onerror=alert(1)>" });
    let made = server.post(&Person::admin(), "/admin/metrics/definitions", metric).await.ok();
    let key = made["metric"]["key"].as_str().expect("a key").to_owned();
    let path = format!("/admin/metrics/catalog/{key}/lifecycle");
    server.post(&Person::admin(), &path, json!({ "state": "active" })).await.ok();
    key
}

#[tokio::test]
async fn a_metric_shows_the_numbers_of_the_api() {
    let server = TestServer::with_demo(200).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    add(&analyst, METRICS).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;

    for key in METRICS {
        for (range, start, end, by) in [
            ("7d", "2026-11-15", "2026-11-21", "day"),
            ("month", "2026-11-01", "2026-11-21", "day"),
            ("custom&start=2025-11-01&end=2025-11-20", "2025-11-01", "2025-11-20", "day"),
            ("12m", "2025-11-22", "2026-11-21", "week"),
            ("custom&start=2025-11-12&end=2025-11-12", "2025-11-12", "2025-11-12", "hour"),
        ] {
            let question = json!({ "metrics": [key], "start_date": start, "end_date": end, "granularity": by,
                                   "compare": "previous_period", "group_by": ["country"] });
            let answer =
                server.post(&Person::viewer(), "/admin/metrics/compute", question).await.ok();
            let answer = &answer["metrics"][key];

            let page =
                viewer.page(&format!("/app/metrics/{key}?range={range}&group=country")).await;

            let figure = format!("<p class=\"figure\">{}", answer["formatted"].as_str().unwrap());
            assert!(page.contains(&figure), "{key} {range}: {figure}");
            for group in answer["groups"].as_array().unwrap() {
                let shown = format!(">{}</td>", group["formatted"].as_str().unwrap());
                assert!(page.contains(&shown), "{key} {range}: {shown}");
            }
            for bucket in answer["series"].as_array().unwrap() {
                let shown =
                    format!("<td class=\"n\">{}</td>", bucket["formatted"].as_str().unwrap());
                assert!(
                    page.contains(&shown) || !page.contains("<table>"),
                    "{key} {range}: {shown}"
                );
            }
        }
    }
}

/// Ranges as the address names them, with their days.
const RANGES: &[(&str, &str, &str)] = &[
    ("7d", "2026-11-15", "2026-11-21"),
    ("month", "2026-11-01", "2026-11-21"),
    ("last-month", "2026-10-01", "2026-10-31"),
    ("12m", "2025-11-22", "2026-11-21"),
    ("custom&start=2025-11-12&end=2025-11-13", "2025-11-12", "2025-11-13"),
];

/// Every metric is queried for one of the ranges, and in the full tests for all.
#[tokio::test]
async fn fifty_metrics_show_what_the_api_answers() {
    let server = TestServer::with_demo(200).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let listed = server.get(&Person::viewer(), "/admin/metrics/templates?limit=200").await.ok();
    let listed = listed["templates"].as_array().expect("templates");
    let keys = listed.iter().map(|own| own["key"].as_str().expect("a key"));
    let keys: Vec<&str> = keys.step_by(listed.len() / 50).take(50).collect();
    assert_eq!(keys.len(), 50);
    add(&analyst, &keys).await;
    let rounds = quotient_server::testing::rounds(1, RANGES.len());

    let mut with_value = 0;
    for (index, (range, start, end)) in RANGES.iter().enumerate() {
        let question = json!({ "metrics": keys, "start_date": start, "end_date": end });
        let answer = server.post(&Person::viewer(), "/admin/metrics/compute", question).await.ok();
        for (at, key) in keys.iter().enumerate() {
            if (at + index) % RANGES.len() >= rounds {
                continue;
            }
            let own = &answer["metrics"][key];
            let page = analyst.page(&format!("/app/metrics/{key}?range={range}")).await;
            let shown = super::between(&page, "<p class=\"figure\">", "<").expect("a figure");
            let formatted = own["formatted"].as_str().unwrap_or_else(|| panic!("{key}: {own}"));
            assert_eq!(shown.trim(), escaped(formatted), "{key} {range}");
            with_value += usize::from(!own["value"].is_null());
        }
    }
    assert!(with_value > 20 * rounds, "{with_value} have a value");
}

#[tokio::test]
async fn explanations_and_changes_are_the_answers_of_the_api() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::analyst()).await;
    add(&browser, &["aov"]).await;
    let days = "start_date=2025-11-13&end_date=2025-11-13";
    let range = "range=custom&start=2025-11-13&end=2025-11-13";

    let page = browser.page(&format!("/app/metrics/aov?view=why&{range}")).await;
    let explained = server
        .get(&Person::viewer(), &format!("/admin/metrics/definitions/aov/explain?{days}"))
        .await
        .ok();
    assert_parts(&page, &explained["explanation"]);

    let page = browser.page(&format!("/app/metrics/aov?view=change&{range}")).await;
    let path = format!("/admin/metrics/definitions/aov/decompose?{days}");
    let split = server.get(&Person::viewer(), &path).await.ok();
    for own in split["decomposition"]["contributions"].as_array().expect("a part") {
        assert!(page.contains(own["label"].as_str().expect("a part")), "{own}");
        assert!(page.contains(own["to"]["formatted"].as_str().expect("a part")), "{own}");
    }
    assert!(page.contains("12 Nov 2025<br>") && page.contains("13 Nov 2025<br>"), "{page}");
    assert!(!page.contains("has not ended"), "{page}");
    let page = browser.page("/app/metrics/aov?view=change").await;
    assert!(!page.contains("has not ended"), "{page}");
    let page = browser.page("/app/metrics/aov?view=change&from_start=2025-11-12").await;
    assert!(page.contains("The range has not ended, but"), "{page}");
}

#[tokio::test]
async fn changes_are_in_the_currency_of_the_page() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::analyst()).await;
    let stores = server.get(&Person::admin(), "/admin/stores").await.ok();
    let store = format!("/admin/stores/{}", stores["stores"][0]["id"].as_str().expect("an id"));
    let currencies =
        json!([{ "currency_code": "gbp", "is_default": true }, { "currency_code": "eur" }]);
    let body = json!({ "supported_currencies": currencies });
    server.post(&Person::admin(), &store, body).await.ok();
    add(&browser, &["net_sales"]).await;
    let base = "/admin/metrics/definitions/net_sales";
    let days = "start_date=2025-11-13&end_date=2025-11-13";

    let range = "range=custom&start=2025-11-13&end=2025-11-13&currency=eur";
    let page = browser.page(&format!("/app/metrics/net_sales?view=change&{range}")).await;

    // Choosing another range keeps the currency.
    assert!(page.contains("<option value=\"eur\" selected>EUR"), "{page}");
    let view = page.split_once("What moved it").expect("a view").1;
    assert!(view.contains('€') && !view.contains('£'), "{view}");
    for (route, place) in [("decompose", "decomposition"), ("diff", "diff")] {
        let path = format!("{base}/{route}?{days}&currency_code=eur");
        let answer = server.get(&Person::viewer(), &path).await.ok();
        assert_eq!(answer[place]["to"]["formatted"], "€0.00", "{answer}");
        assert_eq!(answer["from"]["currency_code"], "eur", "{answer}");
        let path = format!("{base}/{route}?{days}&currency_code=euro");
        server.get(&Person::viewer(), &path).await.refused(400);
    }
}

/// Asserts that a page shows every part of an explanation with its value.
fn assert_parts(page: &str, part: &Value) {
    assert!(page.contains(&escaped(part["label"].as_str().expect("a part"))), "{part}");
    let shown =
        format!("<span class=\"value\">{}</span>", part["formatted"].as_str().expect("a part"));
    assert!(page.contains(&shown), "{shown}");
    for child in part["children"].as_array().expect("a part") {
        assert_parts(page, child);
    }
}

#[tokio::test]
async fn every_view_renders_and_a_viewer_has_no_buttons() {
    let server = TestServer::with_demo(50).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    add(&analyst, &["aov"]).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;

    for view in ["", "why", "change", "lineage", "versions", "checks"] {
        let path = format!("/app/metrics/aov?view={view}");
        let page = analyst.page(&path).await;
        assert!(page.contains("Archive") && !page.contains("class=\"failed\""), "{view}: {page}");
        assert!(!viewer.page(&path).await.contains("Archive"), "{view}");
    }
    let admin = Browser::of(&server, &Person::admin()).await;
    let audit = admin.page("/app/metrics/aov?view=audit").await;
    assert!(audit.contains("<td>create</td>") && !audit.contains("user_01"), "{audit}");
    let versions = admin.page("/app/metrics/aov?view=versions").await;
    assert!(versions.contains("Version 1") && !versions.contains("user_01"), "{versions}");
    assert!(!analyst.page("/app/metrics/aov").await.contains("view=audit"), "it is for admins");
    let lineage = analyst.page("/app/metrics/net_sales?view=lineage").await;
    for key in ["gross_sales", "discounts", "aov"] {
        assert!(lineage.contains(&format!("/app/metrics/{key}?view=lineage")), "{key}");
    }
    let change = [("action", "state"), ("state", "archived")];
    assert_eq!(viewer.submit("/app/metrics/aov", &change).await.status, 403);
    let shown = analyst.submit("/app/metrics/net_sales", &change).await;
    assert_eq!(shown.status, 409, "other metrics use it");
    assert!(shown.html.contains("/app/metrics/net_sales"), "a way back: {}", shown.html);
}

#[tokio::test]
async fn a_version_is_shown_with_its_difference_and_can_be_brought_back() {
    let server = TestServer::with_demo(50).await;
    let key = define(&server, "Big orders", "count(orders where total > 100 GBP)", "integer").await;
    let path = format!("/admin/metrics/definitions/{key}");
    let change = json!({ "formula": "count(orders where total > 250 GBP)" }).to_string();
    let changed = server.call(&Person::admin(), "PUT", &path, Some(change.into_bytes())).await;
    changed.ok();
    let browser = Browser::of(&server, &Person::analyst()).await;

    let page = browser.page(&format!("/app/metrics/{key}?view=versions")).await;
    assert!(page.contains("<del>100 </del>") && page.contains("<ins>250 </ins>"), "{page}");
    let back = [("action", "roll-back"), ("version", "1"), ("view", "versions")];
    let shown = browser.submit(&format!("/app/metrics/{key}"), &back).await;
    assert_eq!(shown.location(), format!("/app/metrics/{key}?view=versions&done=saved"));

    let page = browser.page(shown.location()).await;
    assert!(page.contains("Version 3") && page.contains("restored from version 1"), "{page}");
    assert!(page.contains("Saved."));
}

#[tokio::test]
async fn an_example_is_removed_on_the_page_of_its_metric() {
    let server = TestServer::with_demo(50).await;
    let key = define(&server, "Big orders", "count(orders where total > 100 GBP)", "integer").await;
    let path = format!("/admin/metrics-registry/definitions/{key}/examples");
    let example = json!({ "context": { "orders": [] }, "expected": 0 });
    let added = server.post(&Person::admin(), &path, example).await.ok();
    let id = added["example"]["id"].as_str().expect("an id");
    let browser = Browser::of(&server, &Person::analyst()).await;
    let checks = format!("/app/metrics/{key}?view=checks");
    assert!(browser.page(&checks).await.contains(id), "a button");

    let remove = [("action", "remove-example"), ("example", id), ("view", "checks")];
    let shown = browser.submit(&format!("/app/metrics/{key}"), &remove).await;

    assert_eq!(shown.location(), format!("{checks}&done=saved"));
    assert!(!browser.page(&checks).await.contains(id));
}

#[tokio::test]
async fn hostile_names_are_text() {
    let server = TestServer::with_demo(50).await;
    let name = "<script>alert(1)</script> \"' שלום";
    let key = define(&server, name, "count(orders where total > 1 GBP)", "integer").await;
    let browser = Browser::of(&server, &Person::analyst()).await;

    for path in [
        "/app/metrics".to_owned(),
        format!("/app/metrics/{key}"),
        format!("/app/metrics/{key}?view=why"),
    ] {
        let page = browser.page(&path).await;
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{path}");
        assert!(page.contains("&#60;script&#62;alert(1)"), "{path}");
    }
    let page = browser.page("/app/metrics?q=%3Cscript%3E%22").await;
    assert!(page.contains("value=\"&#60;script&#62;&#34;\""), "{page}");
    for path in ["/app/metrics/%3Cscript%3E", "/app/metrics/..%2F..%2Fhealth"] {
        let shown = browser.get(path).await;
        assert_eq!(shown.status, 404, "{path}");
        assert!(!shown.html.contains("<script>"), "{path}");
    }
}

#[tokio::test]
async fn templates_are_listed_and_searched() {
    let server = TestServer::empty().await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    let page = browser.page("/app/metrics/templates?q=recurring").await;
    assert!(page.contains("/app/metrics/mrr") && !page.contains("/app/metrics/lead_time"));
    assert!(
        browser
            .page("/app/metrics/templates?q=nonesuch")
            .await
            .contains("No template matches this")
    );
    let template = browser.page("/app/metrics/order_count").await;
    assert!(template.contains("What it gives now") && !template.contains("Make it a metric"));
    assert_eq!(browser.submit("/app/metrics/templates/order_count", &[]).await.status, 403);
    assert!(browser.page("/app/metrics").await.contains("They will be listed here"));
}

#[tokio::test]
async fn the_list_is_sorted_as_the_address_says() {
    let server = TestServer::with_demo(50).await;
    for name in ["B", "C", "A"] {
        define(&server, name, "count(orders) * 1", "number").await;
    }
    let browser = Browser::of(&server, &Person::viewer()).await;
    let shown = async |query: &str| {
        let page = browser.page(&format!("/app/metrics{query}")).await;
        let names = page.split("\"><bdi>").skip(1).map(|rest| rest.chars().next().expect("one"));
        let names: String = names.filter(|name| "ABC".contains(*name)).collect();
        (page, names)
    };

    let (page, names) = shown("").await;

    assert_eq!(names, "ABC", "{page}");
    assert!(page.contains("aria-sort=\"ascending\"><a href=\"/app/metrics?order=-name\">Metric"));
    assert!(page.contains("<a href=\"/app/metrics?order=-updated_at\">Changed"), "{page}");
    let (page, names) = shown("?order=-name&state=active").await;
    assert_eq!(names, "CBA", "{page}");
    let turned = "aria-sort=\"descending\"><a href=\"/app/metrics?state=active&#38;order=name\">";
    assert!(page.contains(turned), "{page}");
}
