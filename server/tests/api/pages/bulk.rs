//! One change of several metrics, with the result for each.

use serde_json::json;

use super::Browser;
use crate::harness::{Person, TestServer};

/// Defines a draft; returns its key.
async fn draft(server: &TestServer, name: &str, formula: &str) -> String {
    let metric = json!({ "name": name, "category": "sales", "scope": "store", "data_type": "number",
                         "formula": formula, "tags": ["weekly"] });
    let made = server.post(&Person::admin(), "/admin/metrics/definitions", metric).await.ok();
    made["metric"]["key"].as_str().expect("a key").to_owned()
}

async fn metric(server: &TestServer, key: &str) -> serde_json::Value {
    let path = format!("/admin/metrics/definitions/{key}");
    server.get(&Person::admin(), &path).await.ok()["metric"].clone()
}

/// Returns the row of a metric.
fn row<'a>(page: &'a str, key: &str) -> &'a str {
    let mark = format!("<code class=\"faint\">{key}</code>");
    let rest = page.split_once(&mark).unwrap_or_else(|| panic!("no {key}: {page}")).1;
    rest.split_once("</tr>").expect("a row").0
}

#[tokio::test]
async fn several_metrics_are_changed_and_each_says_what_happened() {
    let server = TestServer::with_demo(50).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let base = draft(&server, "Base", "count(orders) * 1").await;
    // It comes before the metric that it uses, and can only be activated after it.
    let above = draft(&server, "Above", "base * 2").await;
    let list = analyst.page("/app/metrics?state=draft").await;
    assert!(list.contains(&format!("name=\"key\" value=\"{base}\"")), "{list}");
    let keys = [("key", &*base), ("key", &*above), ("key", "nonesuch")];
    let change = async |change: &[(&str, &str)]| {
        analyst.submit("/app/metrics?state=draft", &[&keys[..], change].concat()).await
    };

    let shown = change(&[("action", "active")]).await;

    assert_eq!(shown.status, 200, "{}", shown.html);
    assert!(shown.html.contains("2 of 3 changed."), "{}", shown.html);
    for key in [&base, &above] {
        assert!(row(&shown.html, key).contains(">changed<"), "{key}: {}", shown.html);
        assert_eq!(metric(&server, key).await["state"], "active", "{key}");
    }
    let missing = row(&shown.html, "nonesuch");
    assert!(missing.contains(">not changed<") && missing.contains("no such metric"), "{missing}");
    assert!(shown.html.contains("href=\"/app/metrics?state=draft\""), "a way back");

    change(&[("action", "tag"), ("tag", "<board>")]).await;
    assert_eq!(metric(&server, &base).await["tags"], json!(["weekly", "<board>"]));
    assert!(analyst.page("/app/metrics").await.contains("<span class=\"chip\">&#60;board&#62;"));
    change(&[("action", "untag"), ("tag", "weekly")]).await;
    assert_eq!(metric(&server, &above).await["tags"], json!(["<board>"]));
    // A metric used by others is not archived before them, and here it is requested first.
    let shown = change(&[("action", "archived")]).await;
    assert!(shown.html.contains("2 of 3 changed."), "{}", shown.html);
    let shown = change(&[("action", "remove")]).await;
    assert!(row(&shown.html, &base).contains(">removed<"), "{}", shown.html);
    assert!(!analyst.page("/app/metrics").await.contains(&format!("value=\"{base}\"")));
}

#[tokio::test]
async fn a_metric_in_use_by_others_is_not_archived() {
    let server = TestServer::with_demo(50).await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let base = draft(&server, "Base", "count(orders) * 1").await;
    let above = draft(&server, "Above", "base * 2").await;
    let keys = [("key", &*base), ("key", &*above), ("action", "active")];
    analyst.submit("/app/metrics", &keys).await;

    let shown = analyst.submit("/app/metrics", &[("key", &base), ("action", "archived")]).await;

    assert!(shown.html.contains("0 of 1 changed."), "{}", shown.html);
    assert!(row(&shown.html, &base).contains("not changed"), "{}", shown.html);
    assert_eq!(metric(&server, &base).await["state"], "active");
}

#[tokio::test]
async fn changes_without_a_metric_or_by_a_viewer_do_nothing() {
    let server = TestServer::with_demo(50).await;
    let base = draft(&server, "Base", "count(orders) * 1").await;
    let analyst = Browser::of(&server, &Person::analyst()).await;
    let viewer = Browser::of(&server, &Person::viewer()).await;

    for typed in [
        &[("action", "archived")][..],
        &[("key", &*base), ("action", "tag"), ("tag", " ")],
        &[("key", &*base), ("action", "explode")],
    ] {
        let shown = analyst.submit("/app/metrics", typed).await;
        assert!(shown.status == 422 && shown.html.contains("Nothing was changed"), "{typed:?}");
    }
    assert!(!viewer.page("/app/metrics").await.contains("type=\"checkbox\""));
    let shown = viewer.submit("/app/metrics", &[("key", &base), ("action", "archived")]).await;
    assert_eq!((shown.status, &metric(&server, &base).await["state"]), (403, &json!("draft")));
    let body = format!("key={base}&action=archived");
    assert_eq!(analyst.send("POST", "/app/metrics", &[], &body).await.status, 403, "no token");
}
