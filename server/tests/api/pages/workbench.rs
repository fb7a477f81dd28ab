//! The workbench: findings with fixes, values, completion, saving.

use serde_json::{Value, json};

use super::Browser;
use crate::harness::{Person, TestServer};

/// Returns the fields of a new metric.
fn written<'a>(name: &'a str, formula: &'a str, action: &'a str) -> [(&'a str, &'a str); 5] {
    [
        ("name", name),
        ("category", "sales"),
        ("description", ""),
        ("formula", formula),
        ("action", action),
    ]
}

#[tokio::test]
async fn findings_have_their_place_and_a_button_that_fixes_them() {
    let server = TestServer::with_demo(50).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    let wrong = "sum(orders.total where status = completed)";

    let shown = browser.submit("/app/workbench/check", &[("formula", wrong)]).await;

    assert_eq!(shown.status, 200);
    assert!(shown.html.contains("<mark>completed</mark>"), "{}", shown.html);
    let fixed = "sum(orders.total where status = &#39;completed&#39;)";
    assert!(shown.html.contains(&format!("name=\"fix\" value=\"{fixed}\"")), "{}", shown.html);
    // Without the script the button sends the form.
    let fix = "sum(orders.total where status = 'completed')";
    let shown = browser.submit("/app/workbench", &[("formula", wrong), ("fix", fix)]).await;
    assert!(shown.html.contains(&format!("{fixed}</textarea>")), "{}", shown.html);
    assert!(shown.html.contains("<dt>Type</dt><dd>currency"), "{}", shown.html);
}

#[tokio::test]
async fn the_value_is_that_of_the_api() {
    let server = TestServer::with_demo(200).await;
    let browser = Browser::of(&server, &Person::viewer()).await;
    for formula in ["sum(orders.total) / count(orders)", "count(orders)", "median(orders.total)"] {
        let question =
            json!({ "formula": formula, "start_date": "2025-11-12", "end_date": "2025-11-14" });
        let answer = server.post(&Person::viewer(), "/admin/metrics/compute", question).await.ok();
        let value = answer["metrics"]["formula"]["formatted"].as_str().expect("a value");
        let path = "/app/workbench/check?range=custom&start=2025-11-12&end=2025-11-14";

        let shown = browser.submit(path, &[("formula", formula)]).await;

        assert!(shown.html.contains(&format!("<p class=\"figure\">{value}</p>")), "{}", shown.html);
    }
    let shown = browser.submit("/app/workbench/check", &[("formula", "avg(orders.total)")]).await;
    assert!(shown.html.contains("there are no rows"), "why there is none: {}", shown.html);
}

#[tokio::test]
async fn a_metric_is_saved_as_a_draft_and_published() {
    let server = TestServer::with_demo(50).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;

    let draft = written("Big orders", "count(orders where total > 100 GBP)", "save");
    let shown = analyst.submit("/app/workbench", &draft).await;
    assert_eq!(shown.location(), "/app/metrics/big_orders?done=saved", "{}", shown.html);
    assert!(analyst.page("/app/metrics/big_orders").await.contains(">draft</span>"));
    let again = [
        &[("metric", "big_orders")],
        &written("Big orders", "count(orders where total > 250 GBP)", "publish")[..],
    ]
    .concat();
    assert_eq!(analyst.submit("/app/workbench", &again).await.status, 303);

    let metric = server.get(&Person::viewer(), "/admin/metrics/definitions/big_orders").await.ok();
    assert_eq!(
        (&metric["metric"]["state"], &metric["metric"]["version"]),
        (&json!("active"), &json!(2))
    );
    let page = analyst.page("/app/workbench?metric=big_orders").await;
    assert!(page.contains("Publish version 3") && page.contains("250 GBP)</textarea>"), "{page}");
    // The window is called as the page is.
    assert!(page.contains("<title>Edit Big orders · "), "{page}");
    assert!(analyst.page("/app/workbench").await.contains("<title>Workbench · "));
    let other = [("metric", "big_orders"), ("formula", "count(orders)")];
    let shown = analyst.submit("/app/workbench/check", &other).await;
    assert!(
        shown.html.contains("Published: <b>"),
        "compared with what is published: {}",
        shown.html
    );
}

#[tokio::test]
async fn a_version_that_its_author_has_not_seen_is_not_replaced() {
    let server = TestServer::empty().await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let draft = written("All orders", "count(orders)", "save");
    assert_eq!(analyst.submit("/app/workbench", &draft).await.status, 303);
    let page = analyst.page("/app/workbench?metric=all_orders").await;
    assert!(page.contains("name=\"version\" value=\"1\" data-kept>"), "kept with the text: {page}");
    let send = async |version: &str, formula: &str, action: &str| {
        let seen = [("metric", "all_orders"), ("version", version)];
        let fields = [&seen, &written("All orders", formula, action)[..]].concat();
        analyst.submit("/app/workbench", &fields).await
    };

    assert_eq!(send("1", "count(orders) + 1", "save").await.status, 303);
    let checked = send("1", "count(orders) + 2", "check").await.html;
    assert!(
        checked.contains("name=\"version\" value=\"1\""),
        "it still began with that: {checked}"
    );
    let refused = send("1", "count(orders) + 2", "save").await;

    assert_eq!(refused.status, 422);
    for part in
        ["changed meanwhile", "count(orders) + 2</textarea>", "name=\"version\" value=\"2\""]
    {
        assert!(refused.html.contains(part), "{part}: {}", refused.html);
    }
    let path = "/admin/metrics/definitions/all_orders";
    let saved = async || server.get(&Person::viewer(), path).await.ok()["metric"].clone();
    assert_eq!(saved().await["version"], 2);
    assert_eq!(send("2", "count(orders) + 2", "save").await.status, 303);
    assert_eq!(saved().await["version"], 3);
    let (one, other) = tokio::join!(
        send("3", "count(orders) + 3", "save"),
        send("3", "count(orders) + 4", "save"),
    );
    assert_eq!(one.status.min(other.status), 303);
    assert_eq!(one.status.max(other.status), 422, "of two at once one was not seen");
    assert_eq!(saved().await["version"], 4);
}

#[tokio::test]
async fn refused_input_is_not_lost() {
    let server = TestServer::empty().await;
    let analyst = Browser::of(&server, &Person::analyst()).await;

    let wrong = written("Mine", "order_cnt / 2", "publish");
    let shown = analyst.submit("/app/workbench", &wrong).await;

    assert_eq!(shown.status, 422);
    assert!(
        shown.html.contains("order_cnt / 2</textarea>") && shown.html.contains("value=\"Mine\"")
    );
    assert!(shown.html.contains("role=\"alert\""), "{}", shown.html);
    let viewer = Browser::of(&server, &Person::viewer()).await;
    assert!(!viewer.page("/app/workbench").await.contains("Publish"));
    let valid = written("Mine", "count(orders)", "publish");
    assert_eq!(viewer.submit("/app/workbench", &valid).await.status, 403);
}

#[tokio::test]
async fn names_are_completed_on_the_page_and_by_the_api() {
    let server = TestServer::empty().await;
    let labels = |answer: &Value| -> Vec<String> {
        let candidates = answer["candidates"].as_array().expect("candidates");
        candidates.iter().map(|own| own["label"].as_str().expect("a label").to_owned()).collect()
    };

    let body = json!({ "formula": "sum(orders.tot", "offset": 14 });
    let answer = server.post(&Person::viewer(), "/admin/metrics/complete", body).await.ok();
    let completion = &answer["completion"];
    assert!(labels(completion).contains(&"total".to_owned()), "{answer}");
    assert_eq!(completion["replaced"], json!({ "start": 11, "end": 14 }));
    let empty = json!({ "formula": "", "offset": 99 });
    server.post(&Person::viewer(), "/admin/metrics/complete", empty).await.ok();

    let browser = Browser::of(&server, &Person::viewer()).await;
    let sent = [("formula", "sum(orders.tot"), ("offset", "14")];
    let shown = browser.submit("/app/workbench/complete", &sent).await;
    let shown: Value = serde_json::from_str(&shown.html).expect("JSON");
    assert_eq!(labels(&shown), labels(completion));
}

#[tokio::test]
async fn typing_has_its_own_limit_apart_from_the_checks_of_a_minute() {
    let settings = ["--validate-per-minute=2"];
    let server = TestServer::with_settings(&settings).await;
    let browser = Browser::of(&server, &Person::viewer()).await;

    let mut limited = 0;
    for number in 0..40 {
        let formula = format!("{number} + 1");
        let shown = browser.submit("/app/workbench/check", &[("formula", &formula)]).await;
        assert_eq!(shown.status, 200);
        limited += usize::from(shown.html.contains("Too many requests"));
    }

    assert!(limited < 40 - 2, "more than a minute's checks were done: {limited} were refused");
    let check = json!({ "formula": "1" });
    server.post(&Person::viewer(), "/admin/metrics/validate", check.clone()).await.ok();
    server.post(&Person::viewer(), "/admin/metrics/validate", check.clone()).await.ok();
    let refused = server.post(&Person::viewer(), "/admin/metrics/validate", check).await;
    assert_eq!(refused.status, 429, "programs keep their limit");
}

#[tokio::test]
async fn a_metric_that_cannot_be_activated_yet_stays_a_draft_and_can_be_published_later() {
    let server = TestServer::empty().await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let submit = async |fields: &[(&str, &str)]| analyst.submit("/app/workbench", fields).await;
    submit(&written("Below", "count(orders)", "save")).await;
    let above = written("Above", "below * 2", "publish");

    let shown = submit(&above).await;

    assert!(shown.status == 422 && shown.html.contains("saved as a draft"), "{}", shown.html);
    let key = "name=\"metric\" value=\"above\"";
    assert!(shown.html.contains(key) && shown.html.contains("below * 2</textarea>"));
    let again = [&[("metric", "above")], &above[..]].concat();
    let shown = submit(&again).await;
    assert!(shown.html.contains("saved as a draft") && shown.html.contains(key), "{}", shown.html);
    let below = written("Below", "count(orders)", "publish");
    assert_eq!(submit(&[&[("metric", "below")], &below[..]].concat()).await.status, 303);
    assert_eq!(submit(&again).await.location(), "/app/metrics/above?done=saved");
}

#[tokio::test]
async fn an_emptied_description_is_cleared() {
    let server = TestServer::empty().await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let mut fields = written("All orders", "count(orders)", "save");
    fields[2].1 = "All of them.";
    assert_eq!(analyst.submit("/app/workbench", &fields).await.status, 303);
    let path = "/admin/metrics/definitions/all_orders";
    let saved = async || server.get(&Person::viewer(), path).await.ok()["metric"].clone();
    assert_eq!(saved().await["description"], "All of them.");

    fields[2].1 = "";
    let fields = [&[("metric", "all_orders")], &fields[..]].concat();
    assert_eq!(analyst.submit("/app/workbench", &fields).await.status, 303);

    assert_eq!(saved().await["description"], Value::Null);
}
