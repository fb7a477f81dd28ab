//! The users of a metric, in the list and on its own page.

use serde_json::json;

use super::{Browser, between};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn the_list_counts_who_uses_a_metric_and_its_page_names_them() {
    let server = TestServer::with_demo(50).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    analyst.submit("/app/metrics/templates/aov", &[]).await;
    let board = json!({ "tiles": ["aov"], "is_shared": true }).to_string();
    let path = "/admin/metrics/boards/Weekly%20%3Cboard%3E";
    server.call(&Person::analyst(), "PUT", path, Some(board.into_bytes())).await.ok();
    let alert = json!({ "metric_id": "aov", "name": "Low <value>", "condition": "aov < 1 GBP" });
    let alert = server.post(&Person::analyst(), "/admin/metrics/alerts", alert).await.ok();
    let viewer = Browser::of(&server, &Person::viewer()).await;

    let list = viewer.page("/app/metrics").await;

    let row = |key: &str| between(&list, &format!("<code class=\"faint\">{key}</code>"), "</tr>");
    let aov = row("aov").unwrap_or_else(|| panic!("no row: {list}"));
    assert!(
        aov.contains("/app/metrics/aov?view=lineage#users\">1\u{a0}board, 1\u{a0}alert</a>"),
        "{aov}"
    );
    assert!(aov.contains("currency</span> <span class=\"chip\"><bdi>GBP</bdi>"), "{aov}");
    assert!(aov.contains("<td data-label=\"Category\">"), "{aov}");
    let net = row("net_sales").unwrap_or_else(|| panic!("no row: {list}"));
    assert!(net.contains(">1\u{a0}metric</a>"), "{net}");

    let page = viewer.page("/app/metrics/aov?view=lineage").await;
    let users = between(&page, "<section id=\"users\"", "</section>").expect("a section");
    assert!(users.contains("1\u{a0}board, 1\u{a0}alert, of those that you can see."), "{users}");
    assert!(
        users.contains("/app?board=Weekly+%3Cboard%3E\"><bdi>Weekly &#60;board&#62;"),
        "{users}"
    );
    let id = alert["alert"]["id"].as_str().expect("an id");
    assert!(
        users.contains(&format!("/app/alerts/{id}\"><bdi>Low &#60;value&#62;</bdi>")),
        "{users}"
    );
    let page = viewer.page("/app/metrics/net_sales?view=lineage").await;
    let users = between(&page, "<section id=\"users\"", "</section>").expect("a section");
    assert!(users.contains("<a href=\"/app/metrics/aov\">"), "{users}");
}
