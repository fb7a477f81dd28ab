//! Alerts with their test on the past, reports and their files, the state of the server.

use serde_json::json;

use super::{Browser, between};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn an_alert_is_saved_beside_its_history_and_tested_on_the_past() {
    let server = TestServer::with_demo(200).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    assert!(analyst.page("/app/alerts/new").await.contains("there is none yet"));
    analyst.submit("/app/metrics/templates/order_count", &[]).await;

    let page = analyst.page("/app/alerts/new?metric=order_count").await;
    assert!(page.contains("The last 90 days") && page.contains("data-chart="), "{page}");
    for (condition, by) in [
        ("order_count < 5", "day"),
        ("order_count >= 5", "day"),
        ("order_count < 30", "week"),
        ("order_count = 0", "hour"),
    ] {
        told_as_tried(&server, &analyst, condition, by).await;
    }
    let sent = [
        ("metric", "order_count"),
        ("name", "Few <orders>"),
        ("condition", "order_count < 5"),
        ("granularity", "day"),
        ("severity", "warning"),
    ];
    let shown = analyst.submit("/app/alerts/new", &sent).await;

    let listed = server.get(&Person::viewer(), "/admin/metrics/alerts").await.ok();
    assert_eq!(listed["alerts"][0]["name"], "Few <orders>", "{}", shown.html);
    assert!(shown.html.contains("In the last 90 days it would have fired"), "{}", shown.html);
    assert!(shown.html.contains("Few &#60;orders&#62;"), "{}", shown.html);
    let id = listed["alerts"][0]["id"].as_str().expect("an id");
    let alert = analyst.page(&format!("/app/alerts/{id}")).await;
    assert!(alert.contains("order_count &#60; 5"), "{alert}");
    assert!(analyst.page("/app/alerts").await.contains(id));
    let wrong = [("metric", "order_count"), ("name", "Wrong"), ("condition", "order_cnt <")];
    let shown = analyst.submit("/app/alerts/new", &wrong).await;
    assert!(
        shown.status == 422 && shown.html.contains("order_cnt &#60;</textarea>"),
        "{}",
        shown.html
    );
    let tried = [&wrong[..], &[("action", "try"), ("granularity", "week")]].concat();
    let shown = analyst.submit("/app/alerts/new", &tried).await;
    assert!(shown.status == 422 && shown.html.contains("<option selected>week"), "{}", shown.html);
    let test = analyst.submit(&format!("/app/alerts/{id}"), &[("action", "test")]).await;
    assert!(test.status == 200 && test.html.contains("Send a test"), "{}", test.html);
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert_eq!(viewer.get("/app/alerts/new").await.status, 403);
    assert_eq!(viewer.submit("/app/alerts/new", &tried).await.status, 403);
    assert_eq!(viewer.submit("/app/alerts/new", &sent).await.status, 403);
}

#[tokio::test]
async fn an_alert_is_changed_and_deleted_by_those_who_edit_metrics() {
    let server = TestServer::with_demo(50).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;
    analyst.submit("/app/metrics/templates/order_count", &[]).await;
    let alert =
        json!({ "metric_id": "order_count", "name": "Few orders", "condition": "order_count < 5" });
    let made = server.post(&Person::analyst(), "/admin/metrics/alerts", alert).await.ok();
    let page = format!("/app/alerts/{}", made["alert"]["id"].as_str().expect("an id"));
    let html = analyst.page(&page).await;
    assert!(html.contains("href=\"/app/metrics/order_count\"><bdi>Orders</bdi>"), "{html}");
    let change = format!("{page}/change");
    let typed = [
        ("name", "Hardly any"),
        ("condition", "order_count < 2"),
        ("severity", "critical"),
        ("quiet", "30"),
    ];

    assert!(!viewer.page(&page).await.contains("/change"), "a button that may not be pressed");
    assert_eq!(viewer.submit(&change, &typed).await.status, 403);
    assert_eq!(analyst.submit(&change, &typed).await.status, 303);

    let path = page.replace("/app/", "/admin/metrics/");
    let alert = server.get(&Person::viewer(), &path).await.ok()["alert"].clone();
    let own = ["name", "condition", "severity", "cooldown_minutes", "is_active"];
    let own = own.map(|name| alert[name].clone());
    assert_eq!(json!(own), json!(["Hardly any", "order_count < 2", "critical", 30, false]));
    assert_eq!(analyst.submit(&format!("{page}/delete"), &[]).await.status, 303);
    assert_eq!(analyst.get(&page).await.status, 404);
}

#[tokio::test]
async fn firing_and_nearly_firing_alerts_come_first_and_list_their_recipients() {
    let server = TestServer::empty().await;
    let metric = json!({ "name": "Joined", "category": "sales", "scope": "store", "data_type": "integer",
                         "formula": "count(carts)" });
    server.post(&Person::admin(), "/admin/metrics/definitions", metric).await.ok();
    let active = json!({ "state": "active" });
    server.post(&Person::admin(), "/admin/metrics/catalog/joined/lifecycle", active).await.ok();
    let browser = Browser::of(&server, &Person::viewer()).await;
    assert!(!browser.page("/app/alerts").await.contains("Nearly fires"), "there is no alert");
    for (name, condition) in
        [("Far", "joined > 100"), ("Near", "joined + 19 > 20"), ("Fires", "joined < 1")]
    {
        let alert = json!({ "metric_id": "joined", "name": name, "condition": condition, "window": "current" });
        server.post(&Person::analyst(), "/admin/metrics/alerts", alert).await.ok();
    }
    server.work().await;
    server.clock.advance(60_000);
    server.work().await;

    let page = browser.page("/app/alerts").await;

    let part =
        |id: &str| between(&page, &format!("<section id=\"{id}\""), "</section>").expect("a part");
    let names = |id: &str| {
        ["Far", "Near", "Fires"].map(|name| part(id).contains(&format!("<bdi>{name}</bdi>")))
    };
    assert_eq!(names("ahead-1"), [false, false, true], "{page}");
    assert_eq!(names("ahead-2"), [false, true, false], "{page}");
    assert!(part("ahead-2").contains("at most 10% of its threshold away"), "{page}");
    assert!(part("ahead-2").contains(">5.0%</"), "{page}");
    assert_eq!(names("list"), [true; 3], "{page}");
    assert!(!browser.page("/app/alerts?state=ok").await.contains("Nearly fires"), "it is narrowed");
}

/// Asserts that the preview of an alert equals what the API reports once it is saved, and that the preview
/// saves nothing.
async fn told_as_tried(server: &TestServer, analyst: &Browser<'_>, condition: &str, by: &str) {
    let typed = [
        ("metric", "order_count"),
        ("name", "Tried"),
        ("condition", condition),
        ("granularity", by),
        ("email", "ops@shop.example"),
        ("action", "try"),
    ];
    let shown = analyst.submit("/app/alerts/new", &typed).await;
    assert_eq!(shown.status, 200, "{condition}: {}", shown.html);
    assert!(shown.html.contains("value=\"ops@shop.example\""), "{}", shown.html);
    let listed = server.get(&Person::viewer(), "/admin/metrics/alerts").await.ok();
    assert_eq!(listed["count"], 0, "it is not saved");

    let metric = server.get(&Person::viewer(), "/admin/metrics/definitions/order_count").await.ok();
    let body = json!({ "metric_id": metric["metric"]["id"], "name": "Saved", "condition": condition,
                       "granularity": by });
    let made = server.post(&Person::analyst(), "/admin/metrics/alerts", body).await.ok();
    let fired = made["backtest"]["would_have_fired"].as_u64().expect("a count");
    let text = match fired {
        0 => "It would not have told.".to_owned(),
        1 => "It would have told 1 time.".to_owned(),
        more => format!("It would have told {more} times."),
    };
    assert!(shown.html.contains(&text), "{condition} by {by}: {text} {}", shown.html);
    let id = made["alert"]["id"].as_str().expect("an id");
    server.delete(&Person::analyst(), &format!("/admin/metrics/alerts/{id}")).await.ok();
}

#[tokio::test]
async fn a_report_and_its_file_have_the_numbers_of_the_api() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let days = "start_date=2025-11-12&end_date=2025-11-14";
    let range = "range=custom&start=2025-11-12&end=2025-11-14";
    let path = format!("/admin/metrics/reports/top-products?by=units&limit=50&{days}");
    let best = server.get(&Person::viewer(), &path).await.ok();
    let units = best["products"][0]["units"].as_u64().expect("units");

    let page = browser.page(&format!("/app/reports/top-products?of=units&{range}")).await;
    let file = browser.get(&format!("/app/reports/top-products?of=units&csv=1&{range}")).await;

    let shown = if units < 1_000 {
        units.to_string()
    } else {
        format!("{},{:03}", units / 1_000, units % 1_000)
    };
    assert!(page.contains(&format!("<bdi>{shown}</bdi>")), "{shown}: {page}");
    assert!(file.html.starts_with("Product,Units,Orders"), "{}", file.html);
    assert!(file.html.contains(&shown), "{shown}: {}", file.html);
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"top-products.csv\"");
    for report in ["margins", "turnover", "costs"] {
        let page = browser.page(&format!("/app/reports/{report}?{range}")).await;
        assert!(!page.contains("class=\"failed\""), "{report}: {page}");
    }
    assert_eq!(browser.get("/app/reports/none").await.status, 404);
}

#[tokio::test]
async fn each_report_has_its_picture() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let range = "range=custom&start=2025-11-12&end=2025-11-14";
    for report in [
        "top-products",
        "margins",
        "turnover",
        "stock",
        "costs",
        "promotions",
        "promotions?of=code",
    ] {
        let sign = if report.contains('?') { '&' } else { '?' };
        let page = browser.page(&format!("/app/reports/{report}{sign}{range}")).await;
        assert!(!page.contains("class=\"failed\""), "{report}: {page}");
    }
    for bars in ["top-products?of=orders", "margins?of=category", "taxes?of=place", "taxes?of=rate"]
    {
        let page = browser.page(&format!("/app/reports/{bars}&{range}")).await;
        let is_drawn = page.contains("class=\"bar\"") && page.contains("<rect width=\"100\"");
        assert!(is_drawn && !page.contains("data-chart="), "{bars}: {page}");
    }
    for lines in ["margins?of=period", "taxes?of=period"] {
        let page = browser.page(&format!("/app/reports/{lines}&{range}")).await;
        let is_named = page.contains("<bdi>12 Nov 2025</bdi>") && page.contains("12 Nov 2025&#34;");
        assert!(is_named && page.contains("data-chart="), "{lines}: {page}");
        let page = browser.page(&format!("/app/reports/{lines}&range=12m&currency=eur")).await;
        assert!(page.contains("<option value=\"eur\" selected>"), "{lines}: {page}");
    }
    let taxes = browser.page(&format!("/app/reports/taxes?{range}")).await;
    assert!(taxes.contains("<dt>Tax collected</dt>"), "{taxes}");
}

#[tokio::test]
async fn the_state_of_the_server_is_that_of_the_api() {
    let server = TestServer::empty().await;
    let question = json!({ "formula": "1 + 1" });
    server.post(&Person::viewer(), "/admin/metrics/compute", question).await.ok();
    let browser = Browser::of(&server, &Person::viewer()).await;

    let page = browser.page("/app/health").await;

    assert!(
        page.contains(">ready</span>") && page.contains("<dt>Computations</dt><dd>1</dd>"),
        "{page}"
    );
    let dead = "<dt>Given up</dt><dd><a href=\"/app/webhooks?status=dead\">0</a>";
    assert!(page.contains(dead) && !page.contains("class=\"failed\""), "{page}");
    assert!(page.contains("<code>POST /admin/metrics/compute</code>"), "{page}");
}

#[tokio::test]
async fn the_file_of_a_report_has_all_rows_on_every_page() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let range = "range=custom&start=2025-11-12&end=2025-11-14";
    let link = async |offset: &str| {
        let path = format!("/app/reports/top-products?{range}&of=units{offset}");
        let page = browser.page(&path).await;
        let (before, _) = page.split_once("\">All rows as CSV").expect("a link");
        before.rsplit_once("href=\"").expect("an address").1.replace("&#38;", "&")
    };

    let file = link("&offset=1").await;

    assert_eq!(file, link("").await);
    assert!(file.contains("csv=1"), "{file}");
}

#[tokio::test]
async fn the_file_and_the_chart_of_a_report_are_of_the_whole_range() {
    let server = TestServer::with_demo(50).await;
    let today = server.clock.now().as_millis() / 86_400_000;
    server
        .sql(format!(
            "with recursive ago (days) as (select 0 union all select days + 1 from ago where days < 249)
             insert into inventory_snapshot (day, variant_id, on_hand, value_minor, currency, taken_at)
             select {today} - days, 'variant_1', 1, 100, 'gbp', 0 from ago"
        ))
        .await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    let file = browser.get("/app/reports/stock?range=12m&csv=1").await.html;
    let page = browser.page("/app/reports/stock?range=12m").await;

    assert_eq!(file.lines().count(), 1 + 250, "{file}");
    assert_eq!(page.matches("<tr").count(), 1 + 250, "{page}");
}
